# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of many kinds and sizes, each with one aggregation: what the rates of the cost model are
fitted to. Feature maps of nodes are left out: both versions do them alike."""

import dataclasses
import math


def tensor(shape):
    return f"tensor<{shape}xf32>" if shape else "tensor<f32>"


def nodes(shape):
    return f"tensor<?x{shape}xf32>" if shape else "tensor<?xf32>"


def edges(shape):
    return f"!mp.edges<{shape}xf32>" if shape else "!mp.edges<f32>"


def count(shape):
    """The elements of a feature."""
    return math.prod(int(size) for size in shape.split("x") if size)


@dataclasses.dataclass
class Message:
    """`dst`, `src`, `edge`: shapes by the names of the region's arguments; `body` ends in values
    named as `result`, whose shapes it gives; `kind` aggregates the first result."""
    dst: dict
    src: dict
    edge: dict
    body: str
    result: dict
    kind: str = "sum"
    weights: dict = dataclasses.field(default_factory=dict)

    def spec(self, name="layer", topology=None):
        graph = f"!mp.graph<{topology}>" if topology else "!mp.graph"
        ends = [("dst", self.dst, nodes), ("src", self.src, nodes), ("edge", self.edge, edges)]
        arguments = [f"%{end}_{arg}: {made(shape)}" for end, shapes, made in ends
                     for arg, shape in shapes.items()]
        arguments += [f"%{arg}: {tensor(shape)}" for arg, shape in self.weights.items()]
        lists = " ".join(
            f"{end}(" + ", ".join(f"%{arg} = %{end}_{arg} : {made(shape)}"
                                  for arg, shape in shapes.items()) + ")"
            for end, shapes, made in ends if shapes)
        types = ", ".join(edges(shape) for shape in self.result.values())
        yields = ", ".join(f"%{value}" for value in self.result)
        yielded = ", ".join(tensor(shape) for shape in self.result.values())
        first, *more = [edges(shape) for shape in self.result.values()]
        operands = ", ".join(more + [first])  # the score, if there is one, comes first
        out = nodes(next(iter(self.result.values())))
        kind = self.kind.replace("softmax", "softmax(%m#1)")
        return f"""func.func @{name}(%g: {graph}, {", ".join(arguments)}) -> {out} {{
  %m:{len(self.result)} = mp.message %g : {graph} {lists} -> {types} {{
{self.body}
    mp.yield {yields} : {yielded}
  }}
  %out = mp.aggregate %g : {graph} {kind} %m#0 : ({operands}) -> {out}
  return %out : {out}
}}
"""


def attention(heads, size):
    f, s = f"{heads}x{size}", f"{heads}"
    return Message({"q": f}, {"k": f, "v": f}, {}, f"""
    %s = mp.dot %q, %k : ({tensor(f)}, {tensor(f)}) -> {tensor(s)}""",
                   {"v": f, "s": s}, "softmax")


def additive(heads, size):
    """GAT: the score is a sum of terms of both ends."""
    f, s = f"{heads}x{size}", f"{heads}"
    return Message({"a": s}, {"b": s, "v": f}, {}, f"""
    %z = arith.addf %a, %b : {tensor(s)}
    %s = mp.leaky_relu %z slope 0.2 : {tensor(s)}""", {"v": f, "s": s}, "softmax")


def additive_features(heads, size, edge=False):
    """GATv2, perhaps with a feature of the edge."""
    f, s = f"{heads}x{size}", f"{heads}"
    more = f"\n    %z = arith.addf %z0, %e : {tensor(f)}" if edge else ""
    return Message({"a": f}, {"b": f}, {"e": f} if edge else {}, f"""
    %z{"0" if edge else ""} = arith.addf %a, %b : {tensor(f)}{more}
    %x = mp.leaky_relu %z slope 0.2 : {tensor(f)}
    %s = mp.dot %w, %x : ({tensor(f)}, {tensor(f)}) -> {tensor(s)}""",
                   {"b": f, "s": s}, "softmax", {"w": f})


def scaled(size):
    """GCN: a source's features with a weight of both ends."""
    f = f"{size}"
    return Message({"a": ""}, {"b": "", "x": f}, {}, f"""
    %c = arith.mulf %a, %b : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to {tensor(f)}
    %y = arith.mulf %cs, %x : {tensor(f)}""", {"y": f})


def copied(size, kind="sum"):
    """GIN, GraphSAGE: the source's features as they are."""
    return Message({}, {"x": f"{size}"}, {}, "", {"x": f"{size}"}, kind)


def difference(size, kind="sum"):
    """Absolute differences of both ends."""
    f = f"{size}"
    return Message({"a": f}, {"b": f}, {}, f"""
    %d = arith.subf %a, %b : {tensor(f)}
    %y = math.absf %d : {tensor(f)}""", {"y": f}, kind)


def edge_network(size, kind="max"):
    """EdgeConv: a linear map of a value of both ends."""
    f, w = f"{size}", f"{size}x{size}"
    return Message({"a": f}, {"b": f}, {}, f"""
    %d = arith.addf %a, %b : {tensor(f)}
    %r = mp.relu %d : {tensor(f)}
    %y = mp.linear %r, %w : ({tensor(f)}, {tensor(w)}) -> {tensor(f)}""",
                   {"y": f}, kind, {"w": w})


def gravity(size, softened=True):
    """Forces between points: distances, a power of them, a difference times that."""
    f = f"{size}"
    force = ("%q = math.rsqrt %s : tensor<f32>" if softened else "%q = math.exp %s : tensor<f32>")
    return Message({"a": f}, {"b": f}, {}, f"""
    %d = arith.subf %b, %a : {tensor(f)}
    %dd = mp.dot %d, %d : ({tensor(f)}, {tensor(f)}) -> tensor<f32>
    %eps = arith.constant dense<0.01> : tensor<f32>
    %s = arith.addf %dd, %eps : tensor<f32>
    {force}
    %q2 = arith.mulf %q, %q : tensor<f32>
    %q3 = arith.mulf %q2, %q : tensor<f32>
    %c = mp.broadcast %q3 : tensor<f32> to {tensor(f)}
    %y = arith.mulf %c, %d : {tensor(f)}""", {"y": f})


def gated(size, kind="sum", edge=False):
    """Gates: a sigmoid per feature."""
    f = f"{size}"
    more = f"\n    %z = arith.addf %z0, %e : {tensor(f)}" if edge else ""
    return Message({"a": f}, {"b": f, "v": f}, {"e": f} if edge else {}, f"""
    %z{"0" if edge else ""} = arith.addf %a, %b : {tensor(f)}{more}
    %s = mp.sigmoid %z : {tensor(f)}
    %y = arith.mulf %s, %v : {tensor(f)}""", {"y": f}, kind)


def kernel(size, centres):
    """Radial functions of a distance, each times the source's features."""
    f, c = f"{size}", f"{centres}"
    return Message({"a": "3"}, {"b": "3", "v": f}, {}, f"""
    %d = arith.subf %a, %b : tensor<3xf32>
    %dd = mp.dot %d, %d : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %ds = mp.broadcast %dd : tensor<f32> to {tensor(c)}
    %t = arith.mulf %ds, %mu : {tensor(c)}
    %r = math.exp %t : {tensor(c)}
    %g0 = mp.linear %r, %w : ({tensor(c)}, {tensor(f"{c}x{f}")}) -> {tensor(f)}
    %y = arith.mulf %g0, %v : {tensor(f)}""", {"y": f}, "sum",
                   {"mu": c, "w": f"{c}x{f}"})


def looked_up(heads, size, rows=33):
    """Attention with a table of relative positions."""
    f, s, t = f"{heads}x{size}", f"{heads}", f"{rows}x{heads}"
    return Message({"q": f}, {"k": f, "v": f}, {}, f"""
    %d = mp.dot %q, %k : ({tensor(f)}, {tensor(f)}) -> {tensor(s)}
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %o = arith.constant dense<{rows // 2}> : tensor<i32>
    %ji = arith.subi %j, %i : tensor<i32>
    %p = arith.addi %ji, %o : tensor<i32>
    %b = mp.lookup %t[%p] : {tensor(t)}, tensor<i32> -> {tensor(s)}
    %s = arith.addf %d, %b : {tensor(s)}""", {"v": f, "s": s}, "softmax", {"t": t})


def mixture(size, kernels):
    """MoNet: several weights of an edge, each for a row of features of its source."""
    f, k = f"{kernels}x{size}", f"{kernels}"
    return Message({"a": k}, {"b": k, "v": f}, {}, f"""
    %d = arith.subf %a, %b : {tensor(k)}
    %r = math.exp %d : {tensor(k)}
    %rs = mp.broadcast %r : {tensor(k)} to {tensor(f)}
    %p = arith.mulf %rs, %v : {tensor(f)}
    %y = mp.reduce sum %p dims [0] : {tensor(f)} -> {tensor(f"{size}")}""", {"y": f"{size}"})


def weighted_edges(size):
    """A source's features with a weight that comes with the edge."""
    f = f"{size}"
    return Message({}, {"x": f}, {"e": ""}, f"""
    %es = mp.broadcast %e : tensor<f32> to {tensor(f)}
    %y = arith.mulf %es, %x : {tensor(f)}""", {"y": f})


def divided(size):
    """Divisions by a value of both ends."""
    f = f"{size}"
    return Message({"a": f}, {"b": f, "v": f}, {}, f"""
    %z = arith.addf %a, %b : {tensor(f)}
    %y = arith.divf %v, %z : {tensor(f)}""", {"y": f})


FITTED = {
    "attention 4x8": attention(4, 8), "attention 1x64": attention(1, 64),
    "attention 8x32": attention(8, 32), "attention 2x16": attention(2, 16),
    "attention 8x64": attention(8, 64), "additive 6x64": additive(6, 64),
    "features 4x96": additive_features(4, 96), "scaled 384": scaled(384),
    "additive 4x8": additive(4, 8), "additive 8x16": additive(8, 16),
    "additive 1x64": additive(1, 64),
    "features 4x8": additive_features(4, 8), "features 2x32": additive_features(2, 32),
    "features 4x8 edge": additive_features(4, 8, True),
    "features 1x16 edge": additive_features(1, 16, True),
    "scaled 16": scaled(16), "scaled 128": scaled(128), "scaled 1": scaled(1),
    "copied 8": copied(8), "copied 32": copied(32), "copied 128": copied(128),
    "copied max 32": copied(32, "max"), "copied std 16": copied(16, "std"),
    "difference 3": difference(3), "difference 32": difference(32),
    "difference max 16": difference(16, "max"), "difference std 32": difference(32, "std"),
    "attention 4x40": attention(4, 40), "additive 3x24": additive(3, 24), "scaled 40": scaled(40),
    "copied 72": copied(72), "network 40": edge_network(40), "network 80": edge_network(80),
    "network 32 sum": edge_network(32, "sum"), "gated 40": gated(40), "gated 32": gated(32),
    "network 8": edge_network(8), "network 16 sum": edge_network(16, "sum"),
    "network 32": edge_network(32), "network 64": edge_network(64, "mean"),
    "gravity 2": gravity(2), "gravity 8": gravity(8), "gravity exp 4": gravity(4, False),
    "gated 16": gated(16), "gated 64": gated(64), "gated edge 8": gated(8, edge=True),
    "gated edge 32": gated(32, "max", edge=True),
    "kernel 16": kernel(16, 8), "kernel 64": kernel(64, 16),
    "looked up 1x16": looked_up(1, 16), "looked up 8x16": looked_up(8, 16),
    "mixture 8": mixture(8, 2), "mixture 32": mixture(32, 3),
    "weighted 4": weighted_edges(4), "weighted 64": weighted_edges(64),
    "divided 8": divided(8), "divided 32": divided(32),
}
