# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Python and NumPy: scalars of a call in every element type, constants beside traced
values; truth values of numbers; weights as values of edges."""
# RUN: %library_python %s %S/Inputs | FileCheck %s
# CHECK: scalars are numbers
# CHECK-NEXT: numbers are constants
# CHECK-NEXT: casts agree with NumPy
# CHECK-NEXT: truth values are NumPy's
# CHECK-NEXT: sizes are numbers of NumPy, too
# CHECK-NEXT: weights are values of edges

import math
import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy as np
from clique import Node, Scalar, Weight, mp
from layers import raises

TYPES = {"i1": np.bool_, "i8": np.int8, "i32": np.int32, "i64": np.int64, "f16": np.float16,
         "f32": np.float32, "f64": np.float64}
graph = clique.Graph.complete(3)


def annotated(function, **kinds):
    function.__annotations__ = kinds
    return clique.layer(function)


def scalar_of(dtype):
    def layer(h, s):
        return mp.where(h == h, s, s)

    return annotated(layer, h=Node[dtype], s=Scalar[dtype])


def number_of(layer, dtype, value):
    """The scalar as the layer has it."""
    return layer(np.zeros(1, TYPES[dtype]), value)[0]


for dtype, kind in TYPES.items():
    layer = scalar_of(dtype)
    values = [1, True, np.int8(1), np.int64(1), np.uint8(1), kind(1)]
    if dtype[0] == "f":
        values += [0.1, 1 / 3, -2.5, np.float16(0.1), np.float32(0.1), np.float64(0.1), np.bool_(1)]
        values += [0.0, -0.0, math.inf, -math.inf, math.nan]
    elif dtype != "i1":
        values += [-3, np.int16(-3), np.uint64(3), np.iinfo(kind).max, np.iinfo(kind).min]
    for value in values:
        got, want = number_of(layer, dtype, value), kind(value)
        assert got.dtype == kind and got.tobytes() == want.tobytes() or got != got and want != want, (
            dtype, value, got)
    if dtype in ("i8", "i32", "i64"):
        most = int(np.iinfo(kind).max)
        for value in (most + 1, -most - 2, np.uint64(2**63)):
            raises(clique.ArgumentError, "layer: argument 's': ", number_of, layer, dtype, value)
        for value in (1.0, np.float32(1)):
            raises(TypeError, "layer: argument 's': ", number_of, layer, dtype, value)
    if dtype != "i64":
        raises(clique.ArgumentError, "has element type i64", number_of, layer, dtype,
               np.array(1, np.int64))
    raises(clique.ArgumentError, "'s': has element type complex64", number_of, layer, dtype,
           np.complex64(1))

# Every number halfway between two of f16, and its neighbours, is rounded as NumPy rounds it.
half = scalar_of("f16")
bits = np.random.default_rng(1).integers(0, 0x7C00, 300).astype(np.uint16)
bits = np.concatenate([bits, [0, 1, 2, 0x3FF, 0x400, 0x401, 0x7BFE, 0x7BFF]]).astype(np.uint16)
low = bits.view(np.float16).astype(float)
with np.errstate(over="ignore"):
    middle = (low + np.where(bits == 0x7BFF, 65536, (bits + 1).astype(np.uint16).view(np.float16))) / 2
    for value in [*low, *middle, *np.nextafter(middle, 0), *np.nextafter(middle, 1e6), 1e-9, 1e9]:
        for signed in float(value), -float(value):
            assert number_of(half, "f16", signed).tobytes() == np.float16(signed).tobytes(), signed


# bf16 has half of the bits of f32, of which NumPy makes the numbers to compare with.
@clique.layer
def widened(h: Node["f32"], s: Scalar["bf16"]):
    return h + mp.cast(s, "f32")


zero = np.zeros(1, np.float32)
for bits, value in ((0x3F80, 1), (0x3DCD, 0.1), (0xC020, -2.5), (0x3F80, 1 + 2.0**-8),
                    (0x3F82, 1 + 3 * 2.0**-8), (0x7F80, 1e39), (0x0001, 2.0**-133), (0x0080, 2.0**-126),
                    (0x7F80, 3.4e38), (0x3F80, np.int64(1)), (0x3E80, np.float16(0.25))):
    assert widened(zero, value).view(np.uint32)[0] == bits << 16, value
assert widened.bind(s=np.float32(0.1))(zero).view(np.uint32)[0] == 0x3DCD << 16

# The same numbers as constants of a layer.
for dtype in ("i8", "i32", "f16", "f64"):
    bound = scalar_of(dtype).bind(s=np.int64(3))
    assert bound(np.zeros(1, TYPES[dtype]))[0] == 3
for value in 200, 1.5:
    raises(clique.ArgumentError, "argument 's: i8' is bound to", scalar_of("i8").bind, s=value)
print("scalars are numbers")


@clique.layer
def computed(g, x: Node[2], k: Node["i32"], h: Node["f16"]):
    y = np.float32(2) * x + np.int64(1) - x / np.float64(4) + np.bool_(True)
    return {"y": mp.maximum(y, np.float16(0.5)), "whole": k * np.int8(2) + np.uint64(1),
            "power": 2.0 ** x, "other": np.float32(0.5) ** x, "half": h * np.float32(0.5),
            "chosen": mp.where(x > np.float32(0), x, np.int32(-1)),
            "product": g.custom(g.src(x), identity=np.float64(1), combine=lambda a, b: a * b)}


x = np.array([[-1, 0.5], [2, 3], [0.25, 1]], np.float32)
k, h = np.array([1, 2, 3], np.int32), np.array([1, 2, 3], np.float16)
found = dict(zip((result.name for result in computed.results), computed(graph, x, k, h)))
wanted = {"y": np.maximum(2 * x + 1 - x / 4 + 1, 0.5), "whole": 2 * k + 1, "power": 2.0 ** x,
          "other": 0.5 ** x, "half": h / 2, "chosen": np.where(x > 0, x, -1),
          "product": np.tile(x.prod(0), (3, 1))}
for name, want in wanted.items():
    assert np.allclose(found[name], want, rtol=1e-6), (name, found[name], want)
computed.verify(graph, x, k, h)


@clique.layer
def power(g, x: Node[2]):
    return g.sum(2.0 ** g.src(x))


grad, = [power.gradient("x")(graph, x, grad_out=np.ones_like(x))]
assert np.allclose(grad, 3 * math.log(2) * 2.0 ** x, rtol=1e-5), grad
for text, value in (("expected a value of the layer or a number, not ", np.complex64(1)),
                    ("expected a value of the layer or a number, not ", np.timedelta64(1)),
                    ("expected a value of the layer or a number, not ", np.ones(2)),
                    ("is no number of f32", 10**400)):
    raises(clique.SpecError, text, lambda: annotated(lambda h: h + value, h=Node[2]).spec)
raises(clique.SpecError, "is no number of i32",
       lambda: annotated(lambda h: h + np.float32(0.5), h=Node["i32"]).spec)
print("numbers are constants")

NUMBERS = {"f": [0.0, -0.0, 1.0, -1.0, 0.25, 2.0, 3.0, math.inf, math.nan], "i": [0, 1, -1, 2, 3, 100]}
for dtype, kind in TYPES.items():
    given = np.array(NUMBERS[dtype[0]]).astype(kind)
    with np.errstate(invalid="ignore"):
        for to, wanted in TYPES.items():
            if to != "i1" and dtype != "i1":
                continue

            def layer(h):
                return mp.cast(h, to)

            layer = annotated(layer, h=Node[dtype])
            assert np.array_equal(layer(given), given.astype(wanted)), (dtype, to, layer(given))


@clique.layer
def halves(h: Node["f32"]):
    truth = mp.cast(mp.cast(h, "bf16"), "i1")
    return truth, mp.cast(mp.cast(truth, "bf16"), "f32")


truth, back = halves(np.array(NUMBERS["f"], np.float32))
assert np.array_equal(truth, np.array(NUMBERS["f"]).astype(bool)) and np.array_equal(back, truth * 1.0)
print("casts agree with NumPy")


@clique.layer
def logic(a: Node["i1"], b: Node["i1"]):
    return a + b, a + True, a * b, a & b, a | b, mp.maximum(a, b), mp.minimum(a, b), a < b, a == b


a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
for made, wanted in zip(logic(a, b), (a + b, a + True, a * b, a & b, a | b, np.maximum(a, b),
                                      np.minimum(a, b), a < b, a == b)):
    assert np.array_equal(made, wanted), (made, wanted)
print("truth values are NumPy's")

two, three = np.int64(2), np.int32(3)


@clique.layer
def sized(g, h: Node[two, three]):
    grid = mp.repeat(two, lambda k, y: y * 2.0, h)
    band = mp.window(h, np.int64(1))
    return {"sum": mp.reduce("sum", grid, np.int64(0)), "grid": h.reshape(three, two),
            "wide": mp.broadcast(h, (two, np.int64(4), three), dims=[np.int64(1)]),
            "band": band.sum(band.src(h)), "numbers": mp.node_numbers(three)}


y = np.arange(18, dtype=np.float32).reshape(3, 2, 3)
for made, wanted in zip(sized(graph, y), (4 * y.sum(1), y.reshape(3, 3, 2), np.stack([y] * 4, 2),
                                          [y[:2].sum(0), y.sum(0), y[1:].sum(0)], np.arange(3))):
    assert np.array_equal(made, wanted), (made, wanted)
print("sizes are numbers of NumPy, too")


@clique.layer
def constant(g, h: Node[2], w: Weight[2], s: Scalar["f32"]):
    return g.sum(w) + g.src(h).shape[0] * h, g.custom(w, identity=0.0, combine=lambda a, b: a + b), \
        g.mean(s)


w = np.array([1, 2], np.float32)
total, monoid, mean = constant(graph, x, w, 5)
assert np.allclose(total, 3 * w + 2 * x) and np.allclose(monoid, 3 * w) and np.allclose(mean, 5)
print("weights are values of edges")
