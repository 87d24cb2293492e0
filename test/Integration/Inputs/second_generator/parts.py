# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What messages and updates are put together from: projections, activations, masks, biases."""

import numpy as np

from .graph_ops import GraphOps

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 33]


class Parts(GraphOps):
    """Every choice is drawn from self.choose. narrow: how far from 1 the factors of a product over
    the edges of a node may be."""

    narrow = 0.0625

    def flip(self, chance=0.5):
        return self.choose.random() < chance

    def pick(self, *options):
        return self.choose.choice(options)

    def size(self, most=33):
        """A size of a feature, at most 64."""
        if self.flip(0.02):
            return 64
        return self.choose.choice([n for n in SIZES if n <= most])

    def project(self, x, shape, bias=None):
        """A linear map to features of that shape, with weights of the caller, constants of the
        spec, or those of two matrices."""
        bias = self.flip(0.3) if bias is None else bias
        style = self.choose.randrange(8)
        count = int(np.prod(x.shape))
        if style == 0 and count * int(np.prod(shape)) <= 64 and x.kind == "one":
            w = self.constant((*x.shape, *shape), self.matrix((*x.shape, *shape), count))
        elif style == 1 and len(x.shape) == 1 and x.shape[0] > 2 and count > 2:
            middle = self.pick(1, 2, 3)
            if middle != x.shape[-1]:
                x = self.linear(x, self.weight((*x.shape, middle), count))
            w = self.weight((*x.shape, *shape), x.shape[0])
        else:
            w = self.weight((*x.shape, *shape), count)
        return self.linear(x, w, self.weight(shape, 4) if bias else None)

    def matrix(self, shape, fan):
        """The elements of a constant."""
        draw = np.random.default_rng(self.choose.randrange(2 ** 32))
        return np.round(draw.uniform(-1.5, 1.5, shape) / np.sqrt(fan) * 64) / 64

    def activate(self, x):
        """A function of which neither the value nor the slope is large where x is not."""
        kind = self.choose.randrange(14)
        if kind == 0:
            return self.leaky_relu(x, self.pick(0.2, 0.01, 0.0))
        if kind == 1:
            return self.elu(x, self.pick(None, 1.0, 0.5))
        if kind == 2:
            return self.gelu_tanh(x)
        if kind == 3:
            return self.unary("mp.relu", x)
        if kind == 4:
            return self.unary("math.absf", x)
        if kind == 5 and x.kind == "one":
            clipped = self.binary("arith.minimumf", x, self.constant(x.shape, 1.0, x.elem))
            return self.binary("arith.maximumf", clipped, self.constant(x.shape, -1.0, x.elem))
        names = ["math.tanh", "math.tanh", "math.sin", "math.cos", "math.erf", "math.atan",
                 "mp.sigmoid", "mp.silu", "mp.softplus", "mp.gelu"]
        return self.unary(self.choose.choice(names), x)

    def positive(self, x):
        """Between about 0.1 and 3."""
        kind = self.choose.randrange(4)
        if kind == 0 and x.kind == "one":
            return self.plus(self.unary("mp.sigmoid", x), 0.25)
        if kind == 1 and x.kind == "one":
            return self.plus(self.mul(x, x), 0.5)
        return self.unary("mp.softplus" if kind == 2 else "math.exp", self.unary("math.tanh", x))

    def perceptron(self, x, shape):
        return self.project(self.activate(self.project(x, (self.size(17),))), shape, False)

    def fit(self, x, shape):
        """x, or a projection of it, in that shape."""
        return x if x.shape == tuple(shape) and self.flip() else self.project(x, shape)

    def blend(self, a, b):
        """Of two values of one shape one more."""
        kind = self.choose.randrange(9)
        if kind < 3:
            return self.binary(self.pick("arith.addf", "arith.subf", "arith.mulf"), a, b)
        if kind == 3:
            return self.mul(a, self.unary("mp.sigmoid", b))
        if kind == 4:
            return self.binary(self.pick("arith.maximumf", "arith.minimumf"), a, b)
        if kind == 5 and len(a.shape) == 1:
            return self.project(self.concat([a, b]), a.shape)
        if kind == 6:
            return self.binary("arith.divf", a, self.positive(b))
        if kind == 7 and a.kind == "one":
            return self.fma(a, self.unary("math.tanh", b), b)
        return self.add(a, self.activate(b))

    # Positions.

    def distance(self, style=None):
        """j - i, or something like it, as i32."""
        i, j = self.position("dst"), self.position("src")
        style = self.choose.randrange(4) if style is None else style
        if style == 0:
            return self.binary("arith.subi", i, j)
        d = self.binary("arith.subi", j, i)
        if style == 1:
            return d
        if style == 2:
            return self.unary("math.absi", d)
        return self.binary("arith.remsi", d, self.constant((), self.pick(2, 3, 5), "i32"))

    def allowed(self, labels=None):
        """A truth value of an edge, by the positions of its ends or by labels of them."""
        kind = self.choose.randrange(9 if labels else 6)
        i, j = self.position("dst"), self.position("src")
        if kind == 0:
            return self.compare(self.pick("le", "lt", "ge"), j, i)
        if kind in (1, 2):
            d = self.unary("math.absi", self.binary("arith.subi", i, j))
            return self.compare("le", d, self.constant((), self.choose.randrange(12), "i32"))
        if kind == 3:
            step = self.constant((), self.pick(2, 3, 4), "i32")
            return self.compare("eq", self.binary("arith.remsi", i, step),
                                self.binary("arith.remsi", j, step))
        if kind == 4:
            both = self.compare("le", j, i)
            near = self.compare("lt", self.binary("arith.subi", i, j),
                                self.constant((), self.pick(1, 3, 8), "i32"))
            return self.binary(self.pick("arith.andi", "arith.ori", "arith.xori"), both, near)
        if kind == 5:
            block = self.constant((), self.pick(4, 7, 16), "i32")
            return self.compare(self.pick("eq", "ge"), self.binary("arith.divsi", i, block),
                                self.binary("arith.divsi", j, block))
        return self.compare(self.pick("eq", "ne", "ge"), labels[0], labels[1])

    def bias(self, shape, edge=()):
        """A bias of a score of that shape: by distance, by a slope, of the edge."""
        kind = self.choose.randrange(5 if edge else 3)
        if kind == 0:
            rows = self.pick(1, 3, 9, 17)
            middle = self.constant((), rows // 2, "i32")
            row = self.binary("arith.addi", self.distance(1), middle)
            return self.lookup(self.weight((rows, *shape)), row)
        if kind == 1:
            d = self.own(self.distance(self.pick(0, 2)))
            slope = self.times(self.weight(shape), 0.0625)
            return self.mul(slope, self.widen(d, shape) if shape else d)
        if kind == 2:
            d = self.own(self.distance(2))
            faded = self.unary("math.exp", self.times(d, -0.125))
            return self.mul(self.widen(faded, shape), self.weight(shape))
        if kind == 3 and edge[0].shape == tuple(shape):
            return edge[0]
        value = edge[0]
        if not value.shape:
            return self.mul(self.widen(value, shape), self.weight(shape))
        return self.project(value, shape) if shape else \
            self.dot(value, self.weight(value.shape, value.shape[-1]))

    def mask(self, score, labels=None):
        """The score, or -inf or a number far below it, where an edge is not allowed."""
        allowed = self.allowed(labels)
        allowed = self.widen(allowed, score.shape)
        none = self.constant(score.shape, self.pick(-np.inf, -np.inf, -30000.0))
        if self.flip(0.8):
            return self.select(allowed, score, none)
        return self.add(score, self.select(allowed, self.constant(score.shape, 0.0), none))

    def score(self, d, s, shape, width):
        """A score for each of `shape` (heads, or none), of features of both ends."""
        kind = self.choose.randrange(7)
        inner = (*shape, width)
        if kind < 3:
            q, k = self.project(d, inner), self.project(s, inner)
            return self.times(self.dot(q, k), float(np.round(width ** -0.5, 6)))
        if kind == 3:
            both = self.add(self.project(d, inner, False), self.project(s, inner, False))
            return self.dot(self.leaky_relu(both, 0.2), self.weight(inner, width))
        if kind == 4:
            both = self.add(self.project(d, shape or (1,)), self.project(s, shape or (1,)))
            both = self.leaky_relu(both, 0.2)
            return both if shape else self.reduce("sum", both, [0])
        if kind == 5:
            apart = self.sub(self.project(d, inner), self.project(s, inner))
            return self.times(self.dot(apart, apart), -0.5 / width)
        q, k = self.project(d, inner), self.project(s, inner)
        sizes = [self.unary("math.rsqrt", self.plus(self.dot(x, x), 0.125)) for x in (q, k)]
        return self.mul(self.mul(self.dot(q, k), sizes[0]), sizes[1])
