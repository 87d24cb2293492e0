# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in PyTorch: tensors in and out, modules, gradients; with 2.4 and later also what
torch.compile and torch.export make of their operators."""
# REQUIRES: torch
# RUN: %torch_python %s %S/Inputs | FileCheck %s
# CHECK: tensors agree
# CHECK-NEXT: modules have parameters
# CHECK-NEXT: gradients are right
# CHECK-NEXT: operators are {{registered|functions}}

import shutil
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

import clique
import clique.torch
import torch
import torch.nn.utils.parametrize
import torch.nn.utils.prune
from layers import DST, NODES, SPEC, SRC, raises

ATTENTION = """
func.func @attend(%g: !mp.graph, %h: tensor<?x3xf64>, %w: tensor<3x2x2xf64>, %a: tensor<2x2xf64>)
    -> tensor<?x4xf64> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x3xf64>) src(%hj = %h : tensor<?x3xf64>)
      -> !mp.edges<2xf64>, !mp.edges<2x2xf64> {
    %zi = mp.linear %hi, %w : (tensor<3xf64>, tensor<3x2x2xf64>) -> tensor<2x2xf64>
    %zj = mp.linear %hj, %w : (tensor<3xf64>, tensor<3x2x2xf64>) -> tensor<2x2xf64>
    %z = arith.addf %zi, %zj : tensor<2x2xf64>
    %t = math.tanh %z : tensor<2x2xf64>
    %d = mp.dot %a, %t : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2xf64>
    mp.yield %d, %zj : tensor<2xf64>, tensor<2x2xf64>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<2xf64>, !mp.edges<2x2xf64>) -> tensor<?x2x2xf64>
  %o = tensor.collapse_shape %m [[0], [1, 2]] : tensor<?x2x2xf64> into tensor<?x4xf64>
  return %o : tensor<?x4xf64>
}
"""
UNKNOWN = """
func.func @unknown(%h: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %s, %c = math.sincos %h : tensor<?x3xf64>
  %y = arith.addf %s, %c : tensor<?x3xf64>
  return %y : tensor<?x3xf64>
}
"""

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
result = torch.zeros(NODES, 3)
assert module.mean(graph, h, w, out=result) is result and close(result, expected)
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
with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
    header = b'{"w": {"dtype": "F32", "shape": [4, 3], "data_offsets": [0, 48]}}'
    file.write(len(header).to_bytes(8, "little") + header + w.numpy().tobytes())
    file.flush()
    assert torch.equal(clique.load_safetensors(file.name, "torch")["w"], w)
    file.seek(8)
    file.write(header.replace(b"F32", b"U32"))
    file.flush()
    raises(clique.FormatError, "PyTorch has no type for U32", clique.load_safetensors, file.name,
           "torch")
with torch.no_grad():
    assert close(layer(graph, h), expected) and close(layer(graph, h=h), expected)
assert "mean(g: graph" in repr(layer)
raises(TypeError, "mean: called with 3 arguments, it takes 2: ['g', 'h']", layer, graph, h, w)
raises(TypeError, "mean: argument 'h' is given by position and by name", layer, graph, h, h=h)


# Parameters of a subclass, and weights that torch.nn.utils computes: not the spec's, or not
# parameters.
class Shifted(clique.torch.Layer):
    def __init__(self):
        super().__init__(SPEC, "mean")
        self.shift = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))

    def forward(self, *args):
        return super().forward(*args) + self.shift


class Doubled(torch.nn.Module):
    def forward(self, w):
        return 2 * w


shifted = Shifted()
shifted.load_state_dict({"w": w, "shift": torch.ones(3)})
assert close(shifted(graph, h).float(), expected + 1)
pruned = clique.torch.Layer(SPEC, "mean")
torch.nn.utils.prune.random_unstructured(pruned, "w", 0.5)
assert close(pruned(graph, h), function(graph, h, pruned.w))
doubled = clique.torch.Layer(SPEC, "mean")
doubled.load_state_dict({"w": w})
torch.nn.utils.parametrize.register_parametrization(doubled, "w", Doubled())
assert close(doubled(graph, h), 2 * expected)
made = doubled.to(torch.bfloat16)(graph, h.bfloat16())
assert made.dtype == torch.bfloat16 and torch.allclose(made.float(), 2 * expected, atol=0.1)
# The type of a module without parameters.
bare = clique.torch.Layer(SPEC, "half")
both, ones = clique.Graph.complete(2), torch.ones(2, 2)
assert not bare.state_dict() and bare(both, ones.bfloat16()).sum() == 8
made = bare.to(torch.float64)(both, ones.double())
assert made.dtype == torch.float64 and made.sum() == 8
for name, why in (("weights", "modules have something else of that name"),
                  ("type", "modules have something else of that name"),
                  ("w.1", "its name has a '.'")):
    raises(clique.ArgumentError, f"mean: argument '{name}' cannot be a parameter, as {why}: give "
           "it another one in the spec", clique.torch.Layer, SPEC.replace("%w", f"%{name}"), "mean")
# Autocast lets layers of its own types come before; results are the spec's.
with torch.autocast("cpu", torch.bfloat16):
    low = torch.nn.Linear(4, 4)(h)
    made = layer(graph, low)
    assert low.dtype == torch.bfloat16 and made.dtype == torch.float32
    assert close(made, function(graph, low, w))
assert close(made, layer(graph, low.float()))
raises(clique.ArgumentError, "has element type bf16, expected f32", layer, graph, low.detach())

INITIAL = SPEC.replace("%w: tensor<4x3xf32>", '%w: tensor<4x3xf32> {mp.init = "INIT"}')
for text, fits in (("ones", lambda w: (w == 1).all()), ("constant -2.5", lambda w: (w == -2.5).all()),
                   ("zeros", lambda w: not w.any()),
                   ("normal 1e-3", lambda w: 1e-4 < w.std() < 4e-3),
                   ("uniform 10", lambda w: 4 < w.abs().max() <= 10),
                   ("glorot", lambda w: 0.3 < w.abs().max() <= (6 / 7) ** 0.5)):
    made = clique.torch.Layer(INITIAL.replace("INIT", text), "mean")
    assert fits(made.w.detach()), (text, made.w)
CALLING = """
func.func @first(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %o = func.call @mean(%g, %h, %w)
      : (!mp.graph, tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}
"""
assert (clique.torch.Layer(CALLING + INITIAL.replace("INIT", "ones"), "mean").w == 1).all()
for text in "ones 1", "normal", "normal x", "normal -1", "uniform -1", "constant inf", "he":
    raises(clique.ArgumentError, f"argument 'w' has mp.init = \"{text}\", expected zeros, ones",
           clique.torch.Layer, INITIAL.replace("INIT", text), "mean")
print("modules have parameters")

# Gradients, also by some arguments alone, of a module in bf16 that computes in f32, and twice.
weights = w.clone().requires_grad_()
function(graph, h, weights).square().sum().backward()
reference = w.clone().requires_grad_()
(adjacency / adjacency.sum(1, keepdim=True).clamp(min=1) @ (h @ reference)).square().sum().backward()
assert close(weights.grad, reference.grad)
layer.to(torch.bfloat16)(graph, h.bfloat16()).float().square().sum().backward()
assert layer.w.grad.dtype == torch.bfloat16
assert torch.allclose(layer.w.grad.float(), reference.grad, rtol=0.05, atol=0.05)
attend = clique.torch.op(ATTENTION)
values = [torch.randn(shape, dtype=torch.float64, requires_grad=True)
          for shape in ((NODES, 3), (3, 2, 2), (2, 2))]
assert torch.autograd.gradcheck(lambda *tensors: attend(graph, *tensors), values)
assert torch.autograd.gradgradcheck(lambda *tensors: attend(graph, *tensors), values)
raises(clique.SpecError, "has no derivative", clique.torch.op(UNKNOWN), values[0])
# Forward mode is refused: PyTorch would say 0.
for forward in (lambda: torch.func.jvp(lambda x: function(graph, x, w), (h,), (h,)),
                lambda: torch.func.jacfwd(lambda x: function(graph, h, x))(w)):
    raises(clique.ArgumentError, "has a tangent; layers have derivatives in reverse mode", forward)
print("gradients are right")

if not hasattr(torch.library, "custom_op"):
    print("operators are functions")
    sys.exit()
key = attend.program.key
numbers = [graph._number, NODES, NODES, len(DST)]
# Tensors of a GPU that is not there: shapes and devices, as torch.compile sees them.
with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True):
    on_gpu = clique.torch.op(SPEC, "scaled", gpu_arch="emulated")
    found = on_gpu(graph, torch.empty(NODES, 2, dtype=torch.float64, device="cuda"),
                   torch.empty(len(DST), dtype=torch.float64, device="cuda"), 2.5)
    assert [tuple(made.shape) for made in found] == [(NODES, 2), (len(DST),)]
    assert {made.device.type for made in found} == {"cuda"}
raises(TypeError, "a tensor on 'xpu'; layers run on 'cpu' and 'cuda'", on_gpu.program.on, "xpu")

torch.library.opcheck(torch.ops.clique.layer.default, (values, numbers, key, "h,w,a", 1))
made = torch.ops.clique.layer(values, numbers, key, "h,w,a", 1)
kept = [made[k].detach() for k in attend.program.gradient("cpu", ("h", "w", "a"), 1).kept]
torch.library.opcheck(torch.ops.clique.backward.default,
                      (values, kept, [torch.ones_like(made[0], requires_grad=True)], numbers, key,
                       "h,w,a", 1))


def double(graph, *tensors):
    return (attend(graph, *tensors) * 2).tanh()


gradients = torch.autograd.grad(double(graph, *values).sum(), values)
# Inductor writes C++, and compiles it when it runs.
backends = ["aot_eager", "inductor"] if shutil.which("c++") else ["aot_eager"]
for backend in backends:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(double, fullgraph=True, backend=backend)
    for a, b in zip(torch.autograd.grad(compiled(graph, *values).sum(), values), gradients):
        assert close(a, b)
    # Other graphs are no other programs.
    for nodes in (5, 6, 7):
        h = torch.randn(nodes, 3, dtype=torch.float64)
        complete = clique.Graph.complete(nodes)
        assert close(compiled(complete, h, *values[1:]), double(complete, h, *values[1:]))
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] <= 3


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = clique.torch.Layer(ATTENTION)

    def forward(self, h):
        return self.attend(graph, h).relu()


model = Model()
exported = torch.export.export(model, (values[0].detach(),))
assert close(exported.module()(values[0]), model(values[0]))
print("operators are registered")
