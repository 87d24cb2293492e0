# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a spec: arguments, lines, functions, loops. Everything that is written is evaluated
at the same time."""

import contextlib
import random

import numpy as np

from .values import DIGITS, STORED, Value, round_to, spell_all, type_of

NEAREST = 8


class Writer:
    """choose: what is written, which never depends on elements; make: the elements of arguments.
    noise: a seed, or None; every result that is rounded differs by what rounding may
    do, so that two evaluations show what rounding does; with even seeds equal elements differ
    alike, and with NEAREST what is stored is rounded to nearest, as processors do: some are equal
    then. nudges: what is added to arguments."""

    def __init__(self, seed, elem="f32", noise=None, nudges=None):
        self.choose, self.make = random.Random(seed), np.random.default_rng(seed)
        self.noise = None if noise is None else np.random.default_rng(noise)
        self.alike = noise is not None and noise % 2 == 0
        self.nearest = noise == NEAREST
        self.nudges = nudges or {}
        self.elem, self.elems = elem, set()
        self.lines, self.depth, self.counter = [], 1, 0
        self.prologue, self.known = [], {}
        self.functions, self.arguments, self.inputs = [], [], {}
        self.recorded, self.replayed = None, None

    # Numbers.

    def rounded(self, data, elem=None, stored=False):
        """What an op computes; of half precision each is computed in f32, and may be stored."""
        elem = elem or self.elem
        if self.noise is None or elem not in DIGITS:
            return data
        if stored and self.nearest:
            return round_to(elem, data)
        digits = DIGITS[elem] if stored else max(DIGITS[elem], 24)
        step = self.errors(data) * 2.0 ** -digits
        return np.where(np.isfinite(data), data * (1 + step), data)

    def errors(self, data):
        """A number between -1 and 1 for each element. Parallel edges have equal elements, which
        are rounded alike: where those are, errors do not cancel."""
        if not self.alike:
            return self.noise.uniform(-1, 1, data.shape)
        mix = self.noise.integers(0, 2**64, 2, np.uint64, endpoint=False) | np.uint64(1)
        bits = np.ascontiguousarray(data, np.float64).view(np.uint64).reshape(data.shape) * mix[0]
        bits = (bits ^ (bits >> np.uint64(32))) * mix[1]
        return (bits >> np.uint64(11)) * 2.0 ** -52 - 1

    def size_of_errors(self, size, terms):
        """Of a sum of terms whose absolute values add up to size: their errors cancel in part, but
        not those of long sums of equal elements, which may be multiplied after they are summed."""
        return size if self.alike else size / np.sqrt(terms)

    # Lines.

    @property
    def muted(self):
        return self.replayed is not None

    def fresh(self):
        self.counter += 1
        return f"%v{self.counter}"

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    @contextlib.contextmanager
    def block(self):
        """The lines that are written in it; they are for the caller to place."""
        outer, self.lines = self.lines, []
        self.depth += 1
        yield self.lines
        self.depth -= 1
        self.lines = outer

    def region(self, head, body, *arguments, end="mp.yield", close="}"):
        """head is a function of the types of what body gives."""
        with self.block() as inner:
            results = body(*arguments)
            types = ", ".join(v.type for v in results)
            self.line(f"{end} {', '.join(v.name for v in results)} : {types}")
        self.line(head(results))
        self.lines += inner
        self.line(close)
        return results

    def result(self, text, kind, shape, elem, data):
        """One op with one result."""
        name = self.fresh()
        self.elems.add(elem)
        self.line(f"{name} = {text}")
        return Value(name, kind, shape, elem, data)

    def once(self, text):
        """A value of the function's beginning: a constant, a size."""
        if text not in self.known:
            self.known[text] = self.fresh()
            self.prologue.append(f"  {self.known[text]} = {text}")
        return self.known[text]

    def index(self, number):
        return self.once(f"arith.constant {number} : index")

    # Arguments.

    def argument(self, text, array, name=None):
        name = name or f"a{len(self.arguments)}"
        self.arguments.append(f"%{name}: {text}")
        self.inputs[name] = array
        return name

    def feature(self, kind, shape, elem, data, rows):
        """An argument of floats or integers; bf16, which NumPy has not, comes in f32."""
        if self.muted:
            return self.replayed.pop(0)
        given = "f32" if elem == "bf16" else elem
        data = np.broadcast_to(data, (rows, *shape))
        exact = round_to(elem, data) if elem in DIGITS else data.astype(STORED[elem])
        array = exact.astype(STORED[elem])
        name = self.argument(type_of(kind, shape, given), array if kind != "one" else array[0])
        if name in self.nudges:
            exact = exact + self.nudges[name].reshape(exact.shape)
        value = Value(f"%{name}", kind, shape, given, exact)
        if given != elem and kind != "edges":
            value = self.top(lambda: self.result(
                f"arith.truncf %{name} : {value.type} to {type_of(kind, shape, elem)}", kind, shape,
                elem, exact))
        if self.recorded is not None:
            self.recorded.append(value)
        return value

    def top(self, write):
        """Writes lines of the function's beginning."""
        outer, self.lines, depth, self.depth = self.lines, self.prologue, self.depth, 1
        value = write()
        self.lines, self.depth = outer, depth
        return value

    def rows(self, count, shape=(), elem=None, scale=1.0):
        return self.feature("rows", shape, elem or self.elem,
                            self.make.uniform(-scale, scale, (count, *shape)), count)

    def edges(self, graph, shape=(), elem=None, low=-1.0, high=1.0):
        """Integers lie in [low, high)."""
        elem, size = elem or self.elem, (graph.num_edges, *shape)
        data = (self.make.uniform(low, high, size) if elem in DIGITS else
                self.make.integers(low, high, size))
        return self.feature("edges", shape, elem, data, graph.num_edges)

    def labels(self, count, most, elem="i32"):
        return self.feature("rows", (), elem, self.make.integers(0, most, count), count)

    def weight(self, shape, fan=1, shift=0.0):
        """Elements of about 1 / sqrt(fan) around shift."""
        data = shift + self.make.uniform(-1.5, 1.5, (1, *shape)) / np.sqrt(fan)
        return self.feature("one", shape, self.elem, data, 1)

    def count(self, number):
        """A number of the caller."""
        if self.muted:
            return self.replayed.pop(0)
        name = f"%{self.argument('index', number)}"
        if self.recorded is not None:
            self.recorded.append(name)
        return name

    def scalar(self):
        """A number between -1 and 1 of the caller, of the spec's type."""
        data = round_to("f32", self.make.uniform(-1, 1, 1))
        name = f"%{self.argument('f32', float(data[0]))}"
        if self.elem != "f32":
            data = round_to(self.elem, data)
            op = "extf" if self.elem == "f64" else "truncf"
            given, name = name, self.fresh()
            self.line(f"{name} = arith.{op} {given} : f32 to {self.elem}")
        return Number(name, self.elem, data)

    # What is written once and evaluated several times.

    def again(self, body):
        """Writes what body writes, and gives its results and a function that evaluates it again,
        with other arguments, without writing."""
        state, recorded = self.choose.getstate(), []

        def repeat(*arguments):
            lines, depth, after = self.lines, self.depth, self.choose.getstate()
            replayed, prologue = self.replayed, self.prologue
            self.choose.setstate(state)
            self.replayed, self.lines, self.prologue = list(recorded), [], []
            results = body(*arguments)
            self.choose.setstate(after)
            self.replayed, self.lines, self.depth = replayed, lines, depth
            self.prologue = prologue
            return results

        def write(*arguments):
            if self.muted:
                return body(*arguments)
            outer, self.recorded = self.recorded, recorded
            results = body(*arguments)
            self.recorded = outer
            if outer is not None:
                outer.extend(recorded)
            return results

        return write, repeat

    def function(self, body, arguments):
        """A private function of static tensors, written at its first call; `call` makes one."""
        name = f"f{len(self.functions)}"
        write, repeat = self.again(body)
        parameters = [Value(f"%p{k}", "one", v.shape, v.elem, v.data)
                      for k, v in enumerate(arguments)]
        depth, self.depth = self.depth, 0
        with self.block() as inner:
            results = write(*parameters)
            types = ", ".join(v.type for v in results)
            self.line(f"return {', '.join(v.name for v in results)} : {types}")
        self.depth = depth
        taken = ", ".join(f"{p.name}: {p.type}" for p in parameters)
        self.functions.append("\n".join([f"func.func private @{name}({taken}) -> ({types}) {{",
                                         *inner, "}"]))

        def call(arguments):
            results = repeat(*arguments)
            names = [self.fresh() for _ in results]
            given = ", ".join(v.type for v in arguments)
            self.line(f"{', '.join(names)} = func.call @{name}"
                      f"({', '.join(v.name for v in arguments)}) : ({given}) -> ({types})")
            return [Value(n, "one", v.shape, v.elem, v.data) for n, v in zip(names, results)]

        return call

    def repeat(self, steps, carried, body, given=True):
        """scf.for: body takes and gives the carried values; given: the count is an argument."""
        names = [self.fresh() for _ in carried]
        outs = [self.fresh() for _ in carried]
        counter = self.fresh()
        to = self.count(steps) if given else self.index(steps)
        types = ", ".join(v.type for v in carried)
        inits = ", ".join(f"{n} = {v.name}" for n, v in zip(names, carried))
        zero, one = self.index(0), self.index(1)

        def with_names(values):
            return [Value(n, v.kind, v.shape, v.elem, v.data) for n, v in zip(names, values)]

        write, repeat = self.again(body)
        first = self.region(
            lambda _: f"{', '.join(outs)} = scf.for {counter} = {zero} to {to} step {one} "
                      f"iter_args({inits}) -> ({types}) {{",
            write, *with_names(carried), end="scf.yield")
        values = first if steps else carried
        for _ in range(1, steps):
            values = repeat(*with_names(values))
        return [Value(n, v.kind, v.shape, v.elem, v.data) for n, v in zip(outs, values)]

    def constant(self, shape, data, elem=None):
        """A static tensor; data: its elements, or one for all."""
        elem = elem or self.elem
        data = np.asarray(data)
        if elem in DIGITS:
            data = round_to(elem, data)
        full = np.broadcast_to(data, shape)[None]
        return self.result(f"arith.constant dense<{spell_all(elem, data)}> : "
                           f"{type_of('one', shape, elem)}", "one", shape, elem, full)

    def text(self, results, attributes=True):
        """The module, with these results."""
        named = [f"{v.type} {{mp.name = \"r{k}\"}}" if attributes else v.type
                 for k, v in enumerate(results)]
        types = ", ".join(v.type for v in results)
        head = f"func.func @layer({', '.join(self.arguments)}) -> ({', '.join(named)}) {{"
        end = f"  return {', '.join(v.name for v in results)} : {types}\n}}"
        return "\n".join([head, *self.prologue, *self.lines, end, *self.functions]) + "\n"


class Number:
    """A scalar of the caller."""

    def __init__(self, name, elem, data):
        self.name, self.elem, self.data = name, elem, data

    def type_of(self, shape):
        return type_of("one", shape, self.elem)
