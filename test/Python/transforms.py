# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch's autograd asks of layers beside the gradients: results that do not depend on what
requires gradients, forward mode, the transforms of torch.func; what a tensor may not be."""
# REQUIRES: torch
# RUN: %torch_python %s %S/Inputs | FileCheck %s
# CHECK: results need no gradients
# CHECK-NEXT: forward mode is refused
# CHECK-NEXT: transforms are refused
# CHECK-NEXT: tensors are checked

import copy
import pickle
import sys

sys.path.insert(0, sys.argv[1])

import clique
import clique.torch
import torch
from clique import Node, Scalar, Weight, mp
from layers import raises
from torch.autograd import forward_ad

graph = clique.Graph.from_coo([0, 1], [1, 0])
h = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
grown = h.clone().requires_grad_()


@clique.layer
def unused(g, h: Node[2], w: Weight[2]):
    return g.sum(g.src(h))


@clique.layer
def whole(g, h: Node[2]):
    return mp.cast(g.max(g.src(h)), "i32")


@clique.layer
def times(g, h: Node[2], n: Scalar["i32"]):
    return h * mp.cast(n, "f32")


clique_times = clique.torch.op(times)
layer = clique.torch.Layer(unused)
maximum = clique.torch.op(whole)
for made in (layer(graph, h), maximum(graph, grown), clique.torch.op(unused)(graph, h, grown[0])):
    assert not made.requires_grad and torch.equal(made.float(), h.flip(0))
made = layer(graph, grown)  # by the other argument
assert made.requires_grad
made.sum().backward()
assert torch.equal(grown.grad, torch.ones(2, 2))
for made in copy.deepcopy(layer), pickle.loads(pickle.dumps(layer)):
    assert not made(graph, h).requires_grad and made(graph, grown).requires_grad
    assert torch.equal(made.w, layer.w) and made.w is not layer.w
if hasattr(torch.library, "custom_op"):
    assert pickle.loads(pickle.dumps(layer))._program.key in clique._torch_program.programs
    compiled = torch.compile(lambda x: maximum(graph, x), fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(grown), maximum(graph, grown)) and not compiled(grown).requires_grad
    compiled = torch.compile(lambda x: layer(graph, x), fullgraph=True, backend="aot_eager")
    assert not compiled(h).requires_grad and torch.equal(compiled(h), h.flip(0))
    assert compiled(grown).requires_grad
    # A scalar is of its type in a trace, too.
    compiled = torch.compile(lambda x, n: clique_times(graph, x, n), backend="aot_eager")
    assert torch.equal(compiled(h, 3), 3 * h)
    for function in compiled, lambda x, n: clique_times(graph, x, n):
        raises(TypeError, "times: argument 'n': 'float' object cannot be interpreted as an integer",
               function, h, 3.7)
print("results need no gradients")

add = clique.torch.op(unused)
HAS_TANGENT = "unused: argument 'h': has a tangent; layers have derivatives in reverse mode"
for function in add, unused:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(h, h)
        raises(clique.ArgumentError, HAS_TANGENT, function, graph, dual, h[0])
        with torch.no_grad():
            raises(clique.ArgumentError, HAS_TANGENT, function, graph, dual, h[0])
        # What has none is taken as ever.
        assert torch.equal(function(graph, h, h[0]), h.flip(0))
    assert torch.equal(function(graph, h, h[0]), h.flip(0))
    raises(clique.ArgumentError, HAS_TANGENT,
           lambda: torch.func.jvp(lambda x: function(graph, x, h[0]), (h,), (h,)))
print("forward mode is refused")

IS_TRANSFORMED = "is traced by a transform of torch.func (grad, vmap ...) or of autograd"
for function in add, unused:
    def total(x):
        return function(graph, x, h[0]).sum()

    for call in (lambda: torch.func.grad(total)(h), lambda: torch.func.vjp(total, h),
                 lambda: torch.func.vmap(total)(torch.stack([h, h])),
                 lambda: torch.func.jacrev(total)(h)):
        error = raises(clique.ArgumentError, IS_TRANSFORMED, call)
        assert str(error).startswith("unused: argument 'h': "), error
# In a transform of other tensors layers are called as ever.
assert torch.equal(torch.func.vmap(lambda y: y * add(graph, h, h[0]).sum())(torch.ones(2)),
                   h.sum().expand(2))
jacobian = torch.autograd.functional.jacobian
assert jacobian(lambda x: add(graph, x, h[0]), h).sum() == 4
error = raises(clique.ArgumentError, IS_TRANSFORMED,
               lambda: jacobian(lambda x: add(graph, x, h[0]), h, vectorize=True))
assert str(error).startswith("unused_backward: argument 'grad_out"), error
print("transforms are refused")

with torch.no_grad():
    for function in add, unused:
        raises(clique.ArgumentError, "argument 'h': has the layout torch.sparse_coo, expected a "
               "dense tensor: tensor.to_dense()", function, graph, h.to_sparse(), h[0])
    raises(clique.ArgumentError, "argument 'h': a tensor on 'meta' that DLPack does not read", unused,
           graph, h.to("meta"), h[0])
    for given, out in (("f32 [2, 3]", torch.zeros(2, 3)), ("f32 [2]", torch.zeros(2)),
                       ("f64 [2, 2]", torch.zeros(2, 2, dtype=torch.float64))):
        raises(clique.ArgumentError, f"unused: out for 'out': is {given}, expected f32 [2, 2]",
               unused, graph, h, h[0], out=out)
    out = torch.zeros(2, 2)
    assert unused(graph, h, h[0], out=out) is out and torch.equal(out, h.flip(0))
    wide = torch.zeros(2, 4)
    unused(graph, h, h[0], out=wide[:, ::2])
    assert torch.equal(wide[:, ::2], h.flip(0)) and not wide[:, 1::2].any()
print("tensors are checked")
