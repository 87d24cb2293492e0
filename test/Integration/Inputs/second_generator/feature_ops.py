# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on features, in a region or, of nodes, at function level."""

import numpy as np
from scipy import special

from .values import DIGITS, type_of
from .writer import Writer

SQRT_2_PI = np.sqrt(2 / np.pi)

UNARY = {
    "math.exp": np.exp, "math.tanh": np.tanh, "math.sin": np.sin, "math.cos": np.cos,
    "math.erf": special.erf, "math.expm1": np.expm1, "math.atan": np.arctan,
    "math.sqrt": np.sqrt, "math.rsqrt": lambda x: 1 / np.sqrt(x), "math.log": np.log,
    "math.log1p": np.log1p, "math.log2": np.log2, "math.exp2": np.exp2, "math.cbrt": np.cbrt,
    "mp.sigmoid": special.expit, "mp.silu": lambda x: x * special.expit(x),
    "mp.softplus": lambda x: np.logaddexp(x, 0), "mp.gelu": lambda x: x * special.ndtr(x)}
EXACT = {"math.absf": np.abs, "arith.negf": np.negative, "mp.relu": lambda x: np.maximum(x, 0),
         "math.absi": np.abs}


def remainder(a, b):
    """With the sign of the dividend; 0 of a division by 0."""
    return np.where(b == 0, 0, np.fmod(a, np.where(b == 0, 1, b)))


def quotient(a, b):
    """Towards 0; 0 of a division by 0."""
    safe = np.where(b == 0, 1, b)
    return np.where(b == 0, 0, (a - np.fmod(a, safe)) // safe)


BINARY = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply,
    "arith.divf": np.divide, "math.powf": np.power, "math.atan2": np.arctan2}
EXACT_BINARY = {
    "arith.maximumf": np.maximum, "arith.minimumf": np.minimum, "math.copysign": np.copysign,
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply,
    "arith.maxsi": np.maximum, "arith.minsi": np.minimum, "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or, "arith.xori": np.bitwise_xor, "arith.remsi": remainder,
    "arith.divsi": quotient, "arith.floordivsi": lambda a, b: np.where(
        b == 0, 0, np.floor_divide(a, np.where(b == 0, 1, b))),
    "arith.ceildivsi": lambda a, b: np.where(
        b == 0, 0, -np.floor_divide(-a, np.where(b == 0, 1, b)))}
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal}


class FeatureOps(Writer):
    """Each op takes and gives values, and computes what docs/dialect.md says."""

    def unary(self, op, x, more=""):
        if op in EXACT:
            data = EXACT[op](x.data)
        else:
            data = self.rounded(UNARY[op](x.data), x.elem)
        return self.result(f"{op} {x.name}{more} : {x.type}", x.kind, x.shape, x.elem, data)

    def leaky_relu(self, x, slope):
        data = self.rounded(np.where(x.data > 0, x.data, slope * x.data), x.elem)
        return self.result(f"mp.leaky_relu {x.name} slope {slope} : {x.type}", x.kind, x.shape,
                           x.elem, data)

    def elu(self, x, alpha=None):
        data = np.where(x.data > 0, x.data, (alpha or 1.0) * np.expm1(np.minimum(x.data, 0)))
        more = "" if alpha is None else f" alpha {alpha}"
        return self.result(f"mp.elu {x.name}{more} : {x.type}", x.kind, x.shape, x.elem,
                           self.rounded(data, x.elem))

    def gelu_tanh(self, x):
        inner = SQRT_2_PI * (x.data + 0.044715 * x.data ** 3)
        return self.result(f"mp.gelu {x.name} tanh : {x.type}", x.kind, x.shape, x.elem,
                           self.rounded(x.data / 2 * (1 + np.tanh(inner)), x.elem))

    def binary(self, op, a, b):
        assert (a.kind, a.shape, a.elem) == (b.kind, b.shape, b.elem), (op, a.type, b.type)
        if op in EXACT_BINARY:
            data = EXACT_BINARY[op](a.data, b.data)
        else:
            data = self.rounded(BINARY[op](a.data, b.data), a.elem)
        return self.result(f"{op} {a.name}, {b.name} : {a.type}", a.kind, a.shape, a.elem, data)

    def add(self, a, b):
        return self.binary("arith.addf", a, b)

    def sub(self, a, b):
        return self.binary("arith.subf", a, b)

    def mul(self, a, b):
        return self.binary("arith.mulf", a, b)

    def fma(self, a, b, c):
        return self.result(f"math.fma {a.name}, {b.name}, {c.name} : {a.type}", a.kind, a.shape,
                           a.elem, self.rounded(a.data * b.data + c.data, a.elem))

    def times(self, x, number):
        return self.mul(x, self.constant(x.shape, number, x.elem))

    def plus(self, x, number):
        return self.add(x, self.constant(x.shape, number, x.elem))

    def compare(self, how, a, b):
        """how: eq, ne, lt ...; ordered, of floats."""
        letter = "o" if a.is_float else ("" if how in ("eq", "ne") else "s")
        op = "arith.cmpf" if a.is_float else "arith.cmpi"
        return self.result(f"{op} {letter}{how}, {a.name}, {b.name} : {a.type}", a.kind, a.shape,
                           "i1", COMPARE[how](a.data, b.data))

    def select(self, condition, a, b):
        data = np.where(condition.data, a.data, b.data)
        return self.result(
            f"arith.select {condition.name}, {a.name}, {b.name} : {condition.type}, {a.type}",
            a.kind, a.shape, a.elem, data)

    def convert(self, x, elem):
        """Between integers and floats, and floats of two sizes."""
        if x.elem == elem:
            return x
        if not x.is_float:
            op, data = ("arith.uitofp" if x.elem == "i1" else "arith.sitofp"), x.data.astype(float)
            if elem not in DIGITS:
                sizes = [int(name[1:]) for name in (x.elem, elem)]
                op = "arith.trunci" if sizes[0] > sizes[1] else "arith.extsi"
                data = x.data.astype({"i8": np.int8, "i32": np.int32, "i64": np.int64}[elem])
        else:
            op = "arith.extf" if DIGITS[elem] > DIGITS[x.elem] else "arith.truncf"
            data = self.rounded(x.data, elem, stored=True)
        return self.result(f"{op} {x.name} : {x.type} to {type_of(x.kind, x.shape, elem)}", x.kind,
                           x.shape, elem, data)

    def own(self, x):
        """x in the element type of the spec."""
        return self.convert(x, self.elem)

    def linear(self, x, w, bias=None):
        """Contracts as many dimensions as w's first ones are x's last ones; the caller sees to it
        that it is the number meant."""
        contracted = self._contracted(x.shape, w.shape)
        kept, rest = x.shape[:len(x.shape) - contracted], w.shape[contracted:]
        inner = int(np.prod(w.shape[:contracted]))
        left = x.data.reshape(len(x.data), int(np.prod(kept)), inner)
        right = w.data.reshape(len(w.data), inner, int(np.prod(rest)))
        if len(w.data) == 1:
            data = left @ right[0]
        else:
            data = left @ right
        data = data.reshape(len(data), *kept, *rest)
        if self.noise is not None:
            # Sums of any order, of terms that may cancel.
            size = self.size_of_errors((abs(left) @ abs(right)).reshape(data.shape), inner)
            data = data + size * self.errors(data) * 2.0 ** -max(
                23, DIGITS[x.elem] - 1)
        operands, types = f"{x.name}, {w.name}", [x.type, w.type]
        if bias is not None:
            data = data + bias.data
            operands, types = f"{operands} bias {bias.name}", [*types, bias.type]
        data = self.rounded(data, x.elem, stored=True)
        shape = (*kept, *rest)
        return self.result(f"mp.linear {operands} : ({', '.join(types)}) -> "
                           f"{type_of(x.kind, shape, x.elem)}", x.kind, shape, x.elem, data)

    @staticmethod
    def _contracted(x, w):
        for count in range(min(len(x), len(w)), 0, -1):
            if x[len(x) - count:] == w[:count]:
                return count
        raise AssertionError(f"{x} and {w}")

    def dot(self, a, b):
        shape = a.shape[:-1]
        data = (a.data * b.data).sum(-1)
        if self.noise is not None:
            size = self.size_of_errors(abs(a.data * b.data).sum(-1), a.shape[-1])
            data = data + size * self.errors(data) * 2.0 ** -max(
                23, DIGITS[a.elem] - 1)
        return self.result(f"mp.dot {a.name}, {b.name} : ({a.type}, {b.type}) -> "
                           f"{type_of(a.kind, shape, a.elem)}", a.kind, shape, a.elem, data)

    def reduce(self, how, x, dims):
        axes = tuple(d + 1 for d in dims)
        data = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}[how](x.data, axes)
        shape = tuple(s for d, s in enumerate(x.shape) if d not in dims)
        if how in ("sum", "mean"):
            data = self.rounded(data, x.elem)
        return self.result(f"mp.reduce {how} {x.name} dims {list(dims)} : {x.type} -> "
                           f"{type_of(x.kind, shape, x.elem)}", x.kind, shape, x.elem, data)

    def broadcast(self, x, shape, style="leading", dims=()):
        """style: leading, trailing or dims, those that are new."""
        rank, shape = len(shape) - len(x.shape), tuple(shape)
        if style == "leading":
            expanded, more = x.data.reshape(x.data.shape + (1,) * rank), ""
        elif style == "trailing":
            expanded, more = x.data.reshape((len(x.data),) + (1,) * rank + x.shape), " trailing"
        else:
            expanded, more = np.expand_dims(x.data, tuple(d + 1 for d in dims)), \
                f" dims {list(dims)}"
        data = np.broadcast_to(expanded, (len(x.data), *shape))
        return self.result(f"mp.broadcast {x.name}{more} : {x.type} to "
                           f"{type_of(x.kind, shape, x.elem)}", x.kind, shape, x.elem, data)

    def widen(self, x, shape):
        """x, or x repeated along the dimensions behind its own."""
        return x if x.shape == tuple(shape) else self.broadcast(x, shape)

    def lookup(self, table, index):
        """A row of a weight for each edge or node of a region, or for each row of nodes."""
        flat = table.kind == "one"
        count = table.shape[0] if flat else len(table.data)
        rows = np.clip(index.data, 0, count - 1)
        data = table.data[0][rows] if flat else table.data[rows]
        shape = table.shape[1:] if flat else table.shape
        return self.result(
            f"mp.lookup {table.name}[{index.name}] : {table.type}, {index.type} -> "
            f"{type_of(index.kind, shape, table.elem)}", index.kind, shape, table.elem, data)

    def layer_norm(self, x, scale=None, shift=None, eps=1e-2):
        centred = x.data - x.data.mean(-1, keepdims=True)
        data = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + eps)
        text, types = f"mp.layer_norm {x.name}", [x.type]
        for word, value in (("scale", scale), ("shift", shift)):
            if value is not None:
                text, types = f"{text} {word} {value.name}", [*types, value.type]
                data = data * value.data.reshape(-1, *[1] * (len(x.shape) - 1), x.shape[-1]) \
                    if word == "scale" else \
                    data + value.data.reshape(-1, *[1] * (len(x.shape) - 1), x.shape[-1])
        return self.result(f"{text} {{eps = {eps} : f64}} : ({', '.join(types)}) -> {x.type}",
                           x.kind, x.shape, x.elem, self.rounded(data, x.elem, stored=True))

    def batch_norm(self, x, mean, variance, scale=None, shift=None, eps=1e-2):
        data = (x.data - mean.data) / np.sqrt(variance.data + eps)
        values = [x, mean, variance]
        text = f"mp.batch_norm {x.name} mean {mean.name} variance {variance.name}"
        if scale is not None:
            data, text, values = data * scale.data, f"{text} scale {scale.name}", [*values, scale]
        if shift is not None:
            data, text, values = data + shift.data, f"{text} shift {shift.name}", [*values, shift]
        types = ", ".join(v.type for v in values)
        return self.result(f"{text} {{eps = {eps} : f64}} : ({types}) -> {x.type}", x.kind, x.shape,
                           x.elem, self.rounded(data, x.elem))

    def concat(self, values, dim=0):
        """dim: of the feature; nodes stand before it."""
        first = values[0]
        length = max(len(v.data) for v in values)
        data = np.concatenate([np.broadcast_to(v.data, (length, *v.shape)) for v in values],
                              dim + 1)
        written = dim + (first.kind == "rows")
        types = ", ".join(v.type for v in values)
        return self.result(
            f"tensor.concat dim({written}) {', '.join(v.name for v in values)} : ({types}) -> "
            f"{type_of(first.kind, data.shape[1:], first.elem)}", first.kind, data.shape[1:],
            first.elem, data)

    def collapse(self, x):
        """All dimensions as one."""
        if len(x.shape) == 1:
            return x
        size = int(np.prod(x.shape))
        groups = list(range(len(x.shape)))
        text = f"[{groups}]" if x.kind == "one" else f"[[0], {[d + 1 for d in groups]}]"
        return self.result(f"tensor.collapse_shape {x.name} {text} : {x.type} into "
                           f"{type_of(x.kind, (size,), x.elem)}", x.kind, (size,), x.elem,
                           x.data.reshape(len(x.data), size))

    def expand(self, x, shape):
        """A region's vector as a matrix."""
        return self.result(
            f"tensor.expand_shape {x.name} [[0, 1]] output_shape {list(shape)} : {x.type} into "
            f"{type_of('one', shape, x.elem)}", "one", shape, x.elem,
            x.data.reshape(len(x.data), *shape))

    def slice(self, x, begin, size, drop=False):
        """A part of the first dimension of a region's value; drop: without it, of size 1."""
        rest = list(x.shape[1:])
        data = x.data[:, begin:begin + size]
        shape = (size, *rest)
        if drop:
            data, shape = data[:, 0], tuple(rest)
        return self.result(
            f"tensor.extract_slice {x.name}{[begin] + [0] * len(rest)} {[size] + rest} "
            f"{[1] * len(x.shape)} : {x.type} to {type_of('one', shape, x.elem)}", "one", shape,
            x.elem, data)
