# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Monoids that a spec defines itself: how two states are joined is a region of the spec."""


class Monoid:
    """size: the shape of a value; the regions of mp.aggregate's `custom`. Weights of the caller
    are made with the monoid, for the regions to use."""

    def __init__(self, w, shape):
        self.w, self.shape = w, tuple(shape)
        self.weight = w.weight(self.shape) if w.flip() else None

    def full(self, number, elem=None):
        return self.w.constant(self.shape, number, elem)

    def one_of(self, *options):
        return self.w.pick(*options)

    def finish(self, x):
        return self.w.mul(x, self.weight) if self.weight else x

    def finalise(self, state):
        return [self.finish(x) for x in state]


class Product(Monoid):
    def identity(self):
        return [self.full(1.0)]

    def lift(self, values):
        return [self.w.plus(self.w.times(values[0], self.w.narrow), 1.0)]

    def combine(self, a, b):
        return [self.w.mul(a[0], b[0])]


class Complex(Monoid):
    """Products of complex numbers: angles add up."""

    def identity(self):
        return [self.full(1.0), self.full(0.0)]

    def lift(self, values):
        return [self.w.unary("math.cos", values[0]), self.w.unary("math.sin", values[0])]

    def combine(self, a, b):
        w = self.w
        return [w.sub(w.mul(a[0], b[0]), w.mul(a[1], b[1])),
                w.add(w.mul(a[0], b[1]), w.mul(a[1], b[0]))]


class Variance(Monoid):
    """Number, mean and sum of squares around it (Chan et al.)."""

    def identity(self):
        return [self.full(0.0)] * 3

    def lift(self, values):
        return [self.full(1.0), values[0], self.full(0.0)]

    def combine(self, a, b):
        w = self.w
        count = w.add(a[0], b[0])
        safe = w.binary("arith.maximumf", count, self.full(1.0))
        apart = w.sub(b[1], a[1])
        share = w.binary("arith.divf", b[0], safe)
        mean = w.add(a[1], w.mul(apart, share))
        square = w.add(w.add(a[2], b[2]), w.mul(w.mul(apart, apart), w.mul(a[0], share)))
        return [count, mean, square]

    def finalise(self, state):
        w = self.w
        safe = w.binary("arith.maximumf", state[0], self.full(1.0))
        return [self.finish(state[1]), w.binary("arith.divf", state[2], safe)]


class LogAddExp(Monoid):
    def identity(self):
        return [self.full(-80.0)]

    def lift(self, values):
        return [values[0]]

    def combine(self, a, b):
        w = self.w
        top = w.binary("arith.maximumf", a[0], b[0])
        apart = w.unary("math.absf", w.sub(a[0], b[0]))
        return [w.add(top, w.unary("math.log1p", w.unary("math.exp", w.unary("arith.negf",
                                                                               apart))))]

    def finalise(self, state):
        return [self.w.binary("arith.maximumf", state[0], self.full(-8.0))]


class OnlineSoftmax(Monoid):
    """The largest score, the sum of weights and the weighted sum, of values as their own scores."""

    def identity(self):
        return [self.full(-30.0), self.full(0.0), self.full(0.0)]

    def lift(self, values):
        return [values[0], self.full(1.0), values[0]]

    def combine(self, a, b):
        w = self.w
        top = w.binary("arith.maximumf", a[0], b[0])
        left, right = [w.unary("math.exp", w.sub(x[0], top)) for x in (a, b)]
        return [top, w.add(w.mul(a[1], left), w.mul(b[1], right)),
                w.add(w.mul(a[2], left), w.mul(b[2], right))]

    def finalise(self, state):
        w = self.w
        return [self.finish(w.binary("arith.divf", state[2], w.plus(state[1], 0.125)))]


class Largest(Monoid):
    """The largest value, and what a function of the edge with it is."""

    def identity(self):
        return [self.full(-100.0), self.full(0.5)]

    def lift(self, values):
        return [values[0], self.w.times(values[0], -2.0)]

    def combine(self, a, b):
        first = self.w.compare("ge", a[0], b[0])
        return [self.w.select(first, x, y) for x, y in zip(a, b)]


class Bits(Monoid):
    """Exclusive or, or and greatest of integers made of floats that are exact."""

    def identity(self):
        return [self.full(0, "i32"), self.full(0, "i32")]

    def lift(self, values):
        w = self.w
        cut = w.unary("math.absf", w.times(values[0], 64.0))
        name = w.fresh()
        target = f"tensor<{'x'.join([*map(str, self.shape), 'i32'])}>"
        w.line(f"{name} = arith.fptosi {cut.name} : {cut.type} to {target}")
        number = type(cut)(name, "one", self.shape, "i32", cut.data.astype("int64"))
        return [number, number]

    def combine(self, a, b):
        return [self.w.binary("arith.xori", a[0], b[0]), self.w.binary("arith.ori", a[1], b[1])]

    def finalise(self, state):
        return [self.finish(self.w.own(state[0])), state[1]]


ROUNDED = [Product, Complex, Variance, LogAddExp, OnlineSoftmax]
EXACT = [Largest, Bits]
OF_ONE_RESULT = [Product, LogAddExp, OnlineSoftmax]
