# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of the dialect for layers that are written in Python (@clique.layer). Those of graphs
(dst, src, edge, position, sum, mean, softmax, custom ...) are methods of the graph; those that make
graphs (complete, cliques, csr ...) are here.

A number of Python or NumPy is a constant of the other operand's type and shape. docs/dialect.md has
the ops, with their constraints."""

from __future__ import annotations

import math
import operator
from typing import Any, Optional, Sequence, Union

from . import _graph_words, _trace_loops, _trace_numbers
from ._trace_graphs import GraphSymbol
from ._trace_numbers import number
from ._trace_symbols import DTYPES, FLOATS, NODES, STATIC, Symbol, fail, whole

Value = Union[Symbol, float, int, bool]
as_value = _trace_numbers.as_value


def _space(values: Sequence[Symbol]) -> Any:
    """Where a value of these operands is: on nodes, on the edges of one graph, or nowhere."""
    spaces = [value.space for value in values if value.space != STATIC]
    if any(space == "edges" for space in spaces):
        raise fail("a feature of edges is taken by graph.edge(e)")
    if any(space is not spaces[0] and space != spaces[0] for space in spaces):
        what = ["nodes" if space == NODES else "a graph's edges" for space in spaces]
        raise fail(f"operands are of {what[0]} and of {what[-1]}"
                   + (" that is another one" if NODES not in spaces else
                      ": take those of nodes by graph.dst(h) or graph.src(h)"))
    return spaces[0] if spaces else STATIC


def as_edges(value: Any, graph: GraphSymbol, what: str) -> Symbol:
    """A value to aggregate: one of edges of this graph."""
    if not isinstance(value, Symbol):
        raise fail(f"{what}: expected a feature of edges, not {value!r}")
    if value.space == "edges":
        return graph.edge(value)
    if value.space is graph:
        return value
    if value.space == STATIC:
        form, operands = value.form, value.operands
        if form in ("argument", "parameter"):
            form, operands = "same", (value,)
        return Symbol(form, operands, value.dtype, value.shape, graph, value.extra)
    raise fail(f"{what}: expected a feature of this graph's edges, not "
               + ("one of nodes: take graph.dst(h) or graph.src(h)" if value.space == NODES
                  else "one of another graph's"))


def _make(form: str, operands: Sequence[Symbol], dtype: str, shape: Sequence[int]) -> Symbol:
    return Symbol(form, operands, dtype, shape, _space(operands))


def _floats(what: str, *values: Any) -> None:
    for value in values:
        if not isinstance(value, Symbol):
            raise fail(f"{what}: expected a value of the layer, not {value!r}")
        if not value.is_float:
            raise fail(f"{what}: expected floats, not {value!r}")


def broadcast(x: Symbol, shape: Sequence[int], trailing: bool = False,
              dims: Optional[Sequence[int]] = None) -> Symbol:
    """Repeats along new trailing dimensions: x has the leading ones, or (`trailing`) the last; or
    along the dimensions `dims` of the result."""
    shape = tuple(map(whole, shape))
    if dims is not None:
        new = sorted(map(whole, dims))
        if trailing or tuple(size for k, size in enumerate(shape) if k not in new) != x.shape:
            raise fail(f"broadcast: {list(shape)} without the dimensions {new} is not "
                       f"{list(x.shape)}")
        return _make(f"mp.broadcast {{0}} dims {new} : {{t0}} to {{t}}", [x], x.dtype, shape)
    if x.shape == shape:
        return x
    part = shape[len(shape) - x.ndim:] if trailing else shape[:x.ndim]
    if x.ndim > len(shape) or part != x.shape:
        end = "end" if trailing else "begin"
        raise fail(f"broadcast: {list(shape)} does not {end} with {list(x.shape)}")
    word = " trailing" if trailing and x.ndim else ""
    return _make(f"mp.broadcast {{0}}{word} : {{t0}} to {{t}}", [x], x.dtype, shape)


def _alike(what: str, *values: Any) -> list[Symbol]:
    """Operands of one type and shape."""
    symbols = [value for value in values if isinstance(value, Symbol)]
    if not symbols:
        raise fail(f"{what}: expected a value of the layer among {values!r}")
    largest = max(symbols, key=lambda value: value.ndim)
    made = [as_value(value, largest.dtype, largest.shape) for value in values]
    for value in made:
        if value.dtype != largest.dtype:
            raise fail(f"{what}: element types {value.dtype} and {largest.dtype}; convert one with "
                       "mp.cast")
        if value.shape != largest.shape[:value.ndim]:
            raise fail(f"{what}: shapes {list(value.shape)} and {list(largest.shape)}: the larger "
                       "one does not begin with the smaller one; see mp.broadcast and reshape")
    return [broadcast(value, largest.shape) for value in made]


_BINARY = {"add": ("addf", "addi"), "sub": ("subf", "subi"), "mul": ("mulf", "muli"),
           "div": ("divf", "divsi"), "maximum": ("maximumf", "maxsi"),
           "minimum": ("minimumf", "minsi"), "rem": ("remf", "remsi"), "and": ("", "andi"),
           "or": ("", "ori"), "xor": ("", "xori")}
_COMPARE = {"lt": ("olt", "slt"), "le": ("ole", "sle"), "gt": ("ogt", "sgt"),
            "ge": ("oge", "sge"), "equal": ("oeq", "eq"), "not_equal": ("une", "ne")}
#: Of truth values, the larger of which is true: arith's signed words take that for -1. As with
#: NumPy's, the sum is whether one of them holds, and there is no difference.
_TRUTH = {"maximum": "maxui", "minimum": "minui", "lt": "ult", "le": "ule", "gt": "ugt",
          "ge": "uge", "add": "ori", "sub": "", "div": "", "rem": ""}


def binary(name: str, a: Value, b: Value) -> Symbol:
    x, y = _alike(name, a, b)
    if name in _COMPARE:
        word = "cmpf" if x.is_float else "cmpi"
        how = _COMPARE[name][not x.is_float]
        if x.dtype == "i1":
            how = _TRUTH.get(name, how)
        form = f"arith.{word} {how}, {{0}}, {{1}} : {{t0}}"
        return _make(form, [x, y], "i1", x.shape)
    if name in ("pow", "atan2"):
        _floats(name, x, y)
        word = "math.powf" if name == "pow" else "math.atan2"
    else:
        word = _BINARY[name][not x.is_float]
        if not word:
            raise fail(f"{name}: expected integers or truth values, not {x!r}")
        if x.dtype == "i1":
            word = _TRUTH.get(name, word)
            if not word:
                raise fail(f"{name}: truth values have none; cast them first, as "
                           "mp.cast(x, 'i32') does")
        word = f"arith.{word}"
    return _make(f"{word} {{0}}, {{1}} : {{t}}", [x, y], x.dtype, x.shape)


def maximum(a: Value, b: Value) -> Symbol: return binary("maximum", a, b)
def minimum(a: Value, b: Value) -> Symbol: return binary("minimum", a, b)
def remainder(a: Value, b: Value) -> Symbol: return binary("rem", a, b)
def atan2(a: Value, b: Value) -> Symbol: return binary("atan2", a, b)
def equal(a: Value, b: Value) -> Symbol: return binary("equal", a, b)
def not_equal(a: Value, b: Value) -> Symbol: return binary("not_equal", a, b)


def where(condition: Symbol, a: Value, b: Value) -> Symbol:
    """a where the condition holds, else b."""
    if not isinstance(condition, Symbol) or condition.dtype != "i1":
        raise fail(f"where: expected a truth value, not {condition!r}")
    if not isinstance(a, Symbol) and not isinstance(b, Symbol):
        raise fail("where: one of the values must be one of the layer")
    x, y = _alike("where", a, b)
    return _make("arith.select {0}, {1}, {2} : {t0}, {t}",
                 [broadcast(condition, x.shape), x, y], x.dtype, x.shape)


def _function(word: str, name: str) -> Any:
    def function(x: Symbol) -> Symbol:
        _floats(name, x)
        return _make(f"{word} {{0}} : {{t}}", [x], x.dtype, x.shape)

    function.__name__ = name
    function.__doc__ = f"`{word}`, elementwise."
    return function


exp, exp2, expm1, log, log2, log1p, sqrt, rsqrt, cbrt, sin, cos, tan, tanh, erf, floor, ceil = (
    _function(f"math.{_name}", _name)
    for _name in ("exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "rsqrt", "cbrt", "sin",
                  "cos", "tan", "tanh", "erf", "floor", "ceil"))
relu, elu, gelu, sigmoid, silu, softplus = (
    _function(f"mp.{_name}", _name)
    for _name in ("relu", "elu", "gelu", "sigmoid", "silu", "softplus"))
absolute = _function("math.absf", "absolute")


def leaky_relu(x: Symbol, slope: float = 0.01) -> Symbol:
    """x if x > 0, else slope * x."""
    _floats("leaky_relu", x)
    return _make(f"mp.leaky_relu {{0}} slope {number(slope, 'f64')} : {{t}}", [x], x.dtype, x.shape)


def cast(x: Symbol, dtype: str) -> Symbol:
    """To another element type; to a truth value, "i1": whether x is not 0, as NumPy has it."""
    if dtype not in DTYPES:
        raise fail(f"cast: element type '{dtype}': expected one of {', '.join(DTYPES)}")
    if x.dtype == dtype:
        return x
    if dtype == "i1":
        return binary("not_equal", x, 0)
    bits = {name: int(name.lstrip("bfi")) for name in DTYPES}
    grows = bits[dtype] > bits[x.dtype]
    if x.is_float and dtype in FLOATS:
        if bits[dtype] == bits[x.dtype]:
            return cast(cast(x, "f32"), dtype)
        word = "extf" if grows else "truncf"
    elif x.is_float:
        word = "fptosi"
    elif dtype in FLOATS:
        word = "uitofp" if x.dtype == "i1" else "sitofp"
    else:
        word = ("extui" if x.dtype == "i1" else "extsi") if grows else "trunci"
    return _make(f"arith.{word} {{0}} : {{t0}} to {{t}}", [x], dtype, x.shape)


def linear(x: Symbol, weights: Symbol, bias: Optional[Symbol] = None,
           dims: Optional[int] = None) -> Symbol:
    """W^T x + b: contracts the last dimensions of x, `dims` of them (default: the most that fit),
    with the leading ones of the weights. What x has before them stays: one map for all heads."""
    operands = [x, weights] + ([bias] if bias is not None else [])
    _floats("linear", *operands)
    fitting = [count for count in range(1, min(x.ndim, weights.ndim) + 1)
               if x.shape[x.ndim - count:] == weights.shape[:count]]
    count = max(fitting, default=0) if dims is None else dims
    if count not in fitting or weights.dtype != x.dtype:
        raise fail(f"linear: the weights {weights!r} do not begin with the last "
                   f"{'dimensions' if dims is None else f'{dims} dimensions'} of {x!r}, or are of "
                   "another type")
    rest = weights.shape[count:]
    if bias is not None and (bias.shape != rest or bias.dtype != x.dtype):
        raise fail(f"linear: the bias is {bias!r}, expected {x.dtype}{list(rest)}")
    shape = x.shape[:x.ndim - count] + rest
    word = " bias {2}" if bias is not None else ""
    types = ", ".join(f"{{t{k}}}" for k in range(len(operands)))
    return _make(f"mp.linear {{0}}, {{1}}{word} : ({types}) -> {{t}}", operands, x.dtype, shape)


def dot(a: Symbol, b: Symbol) -> Symbol:
    """Inner product over the last dimension."""
    _floats("dot", a, b)
    if a.shape != b.shape or a.ndim == 0 or a.dtype != b.dtype:
        raise fail(f"dot: expected two of one type and shape, not {a!r} and {b!r}")
    return _make("mp.dot {0}, {1} : ({t0}, {t1}) -> {t}", [a, b], a.dtype, a.shape[:-1])


def reduce(kind: str, x: Symbol, dims: Union[int, Sequence[int], None] = None) -> Symbol:
    """sum, mean, max or min over feature dimensions (default: all)."""
    _floats("reduce", x)
    if kind not in ("sum", "mean", "max", "min"):
        raise fail(f"reduce '{kind}': expected sum, mean, max or min")
    dims = whole(dims)
    chosen = range(x.ndim) if dims is None else [dims] if isinstance(dims, int) else [
        whole(dim) for dim in dims]
    numbers = sorted({dim % x.ndim if -x.ndim <= dim < x.ndim else -1 for dim in chosen})
    if not numbers or numbers[0] < 0:
        raise fail(f"reduce: {x!r} has no dimensions {list(chosen)}")
    shape = [size for dim, size in enumerate(x.shape) if dim not in numbers]
    return _make(f"mp.reduce {kind} {{0}} dims {numbers} : {{t0}} -> {{t}}", [x], x.dtype, shape)


def lookup(table: Symbol, index: Symbol) -> Symbol:
    """A row of a table of weights; with an index for each node also of a feature of nodes, or of
    edges."""
    if index.shape or index.dtype not in ("i32", "i64") or not (
            table.ndim if table.space == STATIC else
            table.space in (NODES, "edges") and index.space == NODES):
        raise fail(f"lookup: expected a table of weights, or a feature with an index for each node, "
                   f"and numbers i32 or i64, not {table!r} and {index!r}")
    if table.space != STATIC:
        return Symbol("lookup", [table, index], table.dtype, table.shape, table.space)
    return _make("mp.lookup {0}[{1}] : {t0}, {t1} -> {t}", [table, index], table.dtype,
                 table.shape[1:])


def layer_norm(x: Symbol, scale: Optional[Symbol] = None, shift: Optional[Symbol] = None,
               eps: float = 1e-5) -> Symbol:
    """Over the last dimension."""
    return _norm("layer_norm", x, {"scale": scale, "shift": shift}, eps)


def batch_norm(x: Symbol, mean: Symbol, variance: Symbol, scale: Optional[Symbol] = None,
               shift: Optional[Symbol] = None, eps: float = 1e-5) -> Symbol:
    """With given statistics."""
    given = {"mean": mean, "variance": variance, "scale": scale, "shift": shift}
    return _norm("batch_norm", x, given, eps)


def _norm(word: str, x: Symbol, given: dict[str, Optional[Symbol]], eps: float) -> Symbol:
    operands, text = [x], f"mp.{word} {{0}}"
    for name, value in given.items():
        if value is not None:
            text += f" {name} {{{len(operands)}}}"
            operands.append(value)
    _floats(word, *operands)
    types = ", ".join(f"{{t{k}}}" for k in range(len(operands)))
    return _make(f"{text} {{{{eps = {number(eps, 'f64')} : f64}}}} : ({types}) -> {{t}}", operands,
                 x.dtype, x.shape)


def concat(values: Sequence[Symbol], dim: int = 0) -> Symbol:
    """Joins along a dimension."""
    if not values:
        raise fail("concat: expected one value or more, not []")
    first = values[0]
    if not all(isinstance(value, Symbol) and value.dtype == first.dtype
               and value.ndim == first.ndim for value in values) or not 0 <= dim < first.ndim:
        raise fail(f"concat: expected values of one type and rank, and a dimension of theirs, not "
                   f"{list(values)} and {dim}")
    shape = list(first.shape)
    shape[dim] = sum(value.shape[dim] for value in values)
    if any(value.shape[:dim] + value.shape[dim + 1:] != first.shape[:dim] + first.shape[dim + 1:]
           for value in values):
        raise fail(f"concat: the other dimensions of {list(values)} differ")
    names = ", ".join(f"{{{k}}}" for k in range(len(values)))
    types = ", ".join(f"{{t{k}}}" for k in range(len(values)))
    return _make(f"tensor.concat dim({dim}) {names} : ({types}) -> {{t}}", values, first.dtype,
                 shape)


def reshape(x: Symbol, shape: Sequence[int]) -> Symbol:
    """The same elements in another shape; one size may be -1."""
    shape, total = [*map(whole, shape)], math.prod(x.shape)
    if shape.count(-1) == 1:
        rest = math.prod(size for size in shape if size != -1)
        shape[shape.index(-1)] = total // rest if rest else 0
    if math.prod(shape) != total or any(not isinstance(size, int) or size < 1 for size in shape):
        raise fail(f"reshape: {x!r} has {total} elements, {shape} another number")
    if tuple(shape) == x.shape:
        return x
    if not shape:
        return _make(f"tensor.extract_slice {{0}}{[0] * x.ndim} {[1] * x.ndim} {[1] * x.ndim} : "
                     "{t0} to {t}", [x], x.dtype, [])
    if not x.ndim:
        return broadcast(x, shape)
    if x.ndim > 1:
        x = _make(f"tensor.collapse_shape {{0}} [{list(range(x.ndim))}] : {{t0}} into {{t}}", [x],
                  x.dtype, [total])
    if len(shape) == 1:
        return x
    return _make(f"tensor.expand_shape {{0}} [{list(range(len(shape)))}] output_shape {shape} : "
                 "{t0} into {t}", [x], x.dtype, shape)


def part(x: Symbol, index: Sequence[Any]) -> Symbol:
    """x[1, 2:5, ::2]: constant integers and slices."""
    index = [operator.index(i) if hasattr(i, "__index__") else i for i in index]
    if len(index) > x.ndim or not all(isinstance(i, (int, slice)) for i in index):
        raise fail(f"indices of {x!r} are at most {x.ndim} constant integers and slices, not "
                   f"{list(index)}")
    ranges = []
    for size, item in zip(x.shape, [*index, *[slice(None)] * (x.ndim - len(index))]):
        if isinstance(item, int) and not -size <= item < size:
            raise fail(f"index {item} of a dimension of {size}")
        found = range(size)[item] if isinstance(item, slice) else range(item % size,
                                                                        item % size + 1)
        if len(found) == 0 or found.step < 0:
            raise fail(f"slice {item} of a dimension of {size} is empty or runs backwards")
        ranges.append(found)
    sizes = [len(found) for found in ranges]
    form = (f"tensor.extract_slice {{0}}{[found.start for found in ranges]} {sizes} "
            f"{[found.step for found in ranges]} : {{t0}} to {{t}}")
    made = x if tuple(sizes) == x.shape else _make(form, [x], x.dtype, sizes)
    kept = [size for k, size in enumerate(sizes) if k >= len(index) or isinstance(index[k], slice)]
    return reshape(made, kept)


def elementwise(word: str, *values: Value) -> Symbol:
    """An op of arith or math by its name, `mp.elementwise("math.acosh", x)`: operands and result
    are of one type and shape."""
    given = _alike(word, *values)
    if not word.startswith(("arith.", "math.")):
        raise fail(f"elementwise: '{word}' is no op of arith or math")
    places = ", ".join(f"{{{k}}}" for k in range(len(given)))
    return _make(f"{word} {places} : {{t}}", given, given[0].dtype, given[0].shape)


# Of graphs.
bipartite = _graph_words.bipartite
causal = _graph_words.causal
cliques = _graph_words.cliques
complete = _graph_words.complete
coo = _graph_words.coo
csr = _graph_words.csr
edge_list = _graph_words.edge_list
node_numbers = _graph_words.node_numbers
num_rows = _graph_words.num_rows
part_numbers = _graph_words.part_numbers
readout = _graph_words.readout
spread = _graph_words.spread
window = _graph_words.window

# Loops.
Level = _trace_loops.Level
Levels = _trace_loops.Levels
repeat = _trace_loops.repeat
