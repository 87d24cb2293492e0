# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in PyTorch: tensors in and out, operators, modules; with 2.4 and later also their
registration."""
# REQUIRES: torch
# RUN: %torch_python %s %S/Inputs | FileCheck %s
# CHECK: tensors agree
# CHECK-NEXT: modules have parameters
# CHECK-NEXT: operators are {{registered|functions}}

import sys

sys.path.insert(0, sys.argv[1])

import clique
import clique.torch
import torch
from layers import DST, NODES, SPEC, SRC, raises

module = clique.compile_module(SPEC)
graph = clique.Graph.from_coo(torch.tensor(DST), torch.tensor(SRC), NODES)
assert graph.num_edges == len(DST)
assert clique.Graph.from_edge_index(torch.tensor([[1, 2], [0, 0]]), NODES).num_edges == 2
torch.manual_seed(0)
h, w = torch.randn(NODES, 4), torch.randn(4, 3)
adjacency = torch.zeros(NODES, NODES).index_put_((torch.tensor(DST), torch.tensor(SRC)),
                                                 torch.ones(len(DST)), accumulate=True)
expected = adjacency / adjacency.sum(1, keepdim=True).clamp(min=1) @ (h @ w)


def close(a, b):
    return torch.allclose(a, b, atol=1e-5)


out = module.mean(graph, h, w)
assert isinstance(out, torch.Tensor) and close(out, expected)
assert close(module.mean(graph, h.t().contiguous().t(), w), expected)
# Beside arrays of NumPy results are tensors.
assert isinstance(module.mean(graph, h, w.numpy()), torch.Tensor)
room = torch.zeros(NODES, 3)
assert module.mean(graph, h, w, out=room) is room and close(room, expected)
half = torch.arange(2.0 * NODES).reshape(NODES, 2).bfloat16()
assert torch.equal(module.half(clique.Graph.complete(NODES), half),
                   half.float().sum(0).bfloat16().expand(NODES, 2))

grown = h.clone().requires_grad_()
raises(TypeError, "mean: argument 'h': requires gradients", module.mean, graph, grown, w)
with torch.no_grad():
    assert close(module.mean(graph, grown, w), expected)
raises(clique.ArgumentError, "has element type f64, expected f32", module.mean, graph, h.double(), w)

function = clique.torch.op(SPEC, "mean")
with torch.no_grad():
    assert close(function(graph, h, w), expected) and close(function(graph, w=w, h=h), expected)
raises(TypeError, "argument 'w' is missing", function, graph, h)
raises(TypeError, "has no argument 'x'", function, graph, h, w, x=1)
print("tensors agree")

layer = clique.torch.Layer(SPEC, "mean")
assert list(layer.state_dict()) == ["w"] and layer.w.shape == (4, 3) and layer.w.abs().max() > 0
layer.load_state_dict({"w": w})
with torch.no_grad():
    assert close(layer(graph, h), expected) and close(layer(graph, h=h), expected)
assert "mean(g: graph" in repr(layer)
raises(TypeError, "it takes 2: ['g', 'h']", layer, graph, h, w)
print("modules have parameters")

if not hasattr(torch.library, "custom_op"):
    print("operators are functions")
    sys.exit()
operator = clique.torch._operator(clique.torch._Devices(SPEC, "mean", {}))
number = clique.torch._number_of(graph)
torch.library.opcheck(operator.default, (number, h, w),
                      test_utils=("test_schema", "test_faketensor"))


@torch.compile(fullgraph=True, backend="eager")
def twice(graph, h, w):
    return function(graph, h, w) * 2


with torch.no_grad():
    assert close(twice(graph, h, w), 2 * expected)
print("operators are registered")
