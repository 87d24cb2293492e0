# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Clique computes of a case beside what NumPy does, in every way that a case is run."""

import pathlib
import re

import numpy as np

from .case import Case
from .writer import NEAREST

# Of the largest value of a result.
TOLERANCE = {"f32": 1e-5, "f64": 1e-12, "f16": 4e-3, "bf16": 3e-2}
# Of the largest value of a row, which may be small beside a hub's.
ROW_TOLERANCE = {"f32": 3e-3, "f64": 1e-6, "f16": 6e-2, "bf16": 0.2}
# Of the terms of a gradient along a direction; 1 - tanh(x)^2 and its like have few digits where the
# slope is small.
GRADIENT_TOLERANCE = {"f32": 1e-3, "f64": 1e-5, "f16": 2e-2, "bf16": 0.2}
# Smaller numbers have fewer digits, or are 0; NumPy evaluates in double precision.
SMALLEST = {"f32": 2**-126, "f64": 2**-1022, "f16": 2**-14, "bf16": 2**-126}
# Aggregations that choose among messages of half precision.
HALF_EXTREMA = re.compile(r"mp\.aggregate [^\n]*\b(max|min)\b[^\n]*f16>")


class Wrong(Exception):
    """What is wrong with a case, in a line."""


def largest(data):
    return float(abs(data).max()) if data.size else 0.0


def check_result(name, elem, got, wanted, rounded, smallest):
    """rounded: the same result of evaluations that round differently, which shows how far
    rounding goes; smallest: what has all its digits in every type of the case. Gives whether
    rounding goes further than the tolerance."""
    if got.shape != wanted.shape:
        raise Wrong(f"{name} has the shape {got.shape}, not {wanted.shape}")
    if elem not in TOLERANCE:
        sure = (rounded == wanted).all(0)
        if wrong := int(((got != wanted) & sure).sum()):
            at = np.argwhere((got != wanted) & sure)[0]
            raise Wrong(f"{name}: {wrong} of {got.size} integers differ, the first one at "
                        f"{at.tolist()}: {got[tuple(at)]}, not {wanted[tuple(at)]}")
        return False
    if not wanted.size:
        return False
    got = got.astype(np.float64)
    if bad := int((~np.isfinite(got)).sum()):
        at = np.argwhere(~np.isfinite(got))[0].tolist()
        raise Wrong(f"{name}: {bad} of {got.size} are NaN or infinite, the first one at {at}")
    error, top = abs(got - wanted), largest(wanted)
    spread = abs(rounded - wanted).max(0)
    by_rounding = 8 * largest(spread)
    tiny = 2.0**-10 * smallest
    allowed = max(TOLERANCE[elem] * top, by_rounding, tiny)
    at = np.unravel_index(error.argmax(), error.shape)
    if error[at] > allowed:
        raise Wrong(f"{name} differs by {error[at]:.3g} at {[int(k) for k in at]}: {got[at]:.9g}, "
                    f"not {wanted[at]:.9g}; the largest value is {top:.3g}, rounding gives "
                    f"{largest(spread):.2g}")
    rows = [x.reshape(len(x), -1).max(1) for x in (error, abs(wanted), spread)]
    most = np.maximum(ROW_TOLERANCE[elem] * rows[1], 32 * rows[2]) \
        + max(TOLERANCE[elem] * top / 50, tiny)
    if (rows[0] > most).any():
        row = int((rows[0] - most).argmax())
        raise Wrong(f"{name} differs by {rows[0][row]:.3g} in row {row}, whose largest value is "
                    f"{rows[1][row]:.3g}; rounding gives {rows[2][row]:.2g} there")
    return by_rounding > TOLERANCE[elem] * top


class Rounded:
    """Evaluations of a case that round differently: two, and eight before there is an alarm."""

    def __init__(self, case):
        self.case, self.results = case, [Case(case.seed, noise=seed).results for seed in (1, 2)]
        self.smallest = max(SMALLEST[elem] for elem in case.formats)
        if " std " in case.text:  # of which squares are summed
            self.smallest = self.smallest**0.5

    def check(self, name, k, got, wanted):
        """Result k, as check_result."""
        try:
            return self._check(name, k, got, wanted)
        except Wrong:
            seeds = range(1 + len(self.results), NEAREST + 1)
            self.results += [Case(self.case.seed, noise=seed).results for seed in seeds]
            return self._check(name, k, got, wanted)

    def _check(self, name, k, got, wanted):
        rounded = np.array([results[k] for results in self.results])
        return check_result(name, self.case.types[k], got, wanted, rounded, self.smallest)


class Runner:
    """Runs cases with the package."""

    def __init__(self, clique, cache):
        self.clique, self.cache = clique, pathlib.Path(cache)

    def graph(self, case):
        (make, *arguments), named = case.make_graph
        return getattr(self.clique.Graph, make)(*arguments, **named)

    def arguments(self, case):
        return {**case.inputs, "g": self.graph(case)}

    def call(self, layer, arguments, lowering, threads):
        self.clique.set_lowering(lowering)
        self.clique.set_num_threads(threads)
        try:
            results = layer(**arguments)
        finally:
            self.clique.set_lowering("auto")
        return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]

    def run(self, case):
        """Gives what is to be counted: words."""
        layer = self.clique.compile(case.text)
        for file in self.cache.rglob("*.so"):
            file.unlink(missing_ok=True)  # Another worker may have been here.
        arguments = self.arguments(case)
        words = []
        if case.seed % 12 == 7:
            layer, arguments = self.bind(case, layer, arguments)
            words.append("weights as constants")
        rounded = Rounded(case)
        other = ["dense", "sparse"][case.seed % 2]
        seen = {}
        for lowering, threads in (("auto", 1), ("auto", 2), (other, 2), (other, 1)):
            try:
                results = self.call(layer, arguments, lowering, threads)
            except self.clique.ArgumentError as error:
                # A class of graphs has one lowering, and parallel edges have no tiles.
                if "lowering was asked for" not in str(error) or lowering == "auto":
                    raise
                words.append("one lowering only")
                break
            way = f"{lowering}, {threads} thread{'s' * (threads > 1)}"
            if lowering in seen:
                for k, (a, b) in enumerate(zip(seen[lowering], results)):
                    if a.tobytes() != b.tobytes():
                        raise Wrong(f"{way}: result {k} has other bits than with "
                                    f"{3 - threads} of threads")
                continue
            seen[lowering] = results
            for k, (got, wanted) in enumerate(zip(results, case.results)):
                if rounded.check(f"{way}: result {k}", k, got, wanted):
                    words.append("beyond the tolerance by rounding")
        if case.elem in ("f32", "f64") and case.seed % 12 == 5 and \
                not {"loops", "levels", "until"} & set(case.families):
            words.append(self.check_gradient(case, layer, arguments))
        return words

    def bind(self, case, layer, arguments):
        """The layer with some of its weights as constants."""
        static = [a.name for a in layer.args
                  if a.kind == "tensor" and None not in a.shape and a.name in case.inputs]
        chosen = static[case.seed % 2::2]
        if not chosen:
            return layer, arguments
        bound = layer.bind(**{name: arguments[name] for name in chosen})
        return bound, {name: v for name, v in arguments.items() if name not in chosen}

    def verdict(self, case):
        """Who is right, as far as the reference interpreter knows."""
        try:
            self.clique.compile(case.text).verify(**self.arguments(case))
        except AssertionError as error:
            return f"the reference disagrees with the compiled layer: {error}"
        except self.clique.Error as error:
            return f"{type(error).__name__}: {error}"
        return "the reference agrees with the compiled layer, not with NumPy"

    def check_gradient(self, case, layer, arguments):
        """The gradient by some arguments, along random directions, beside central differences of
        NumPy's evaluation."""
        if HALF_EXTREMA.search(case.text):
            # Rounded to few bits several are largest, and the first of them has the gradient.
            return "no gradient: extrema of half precision"
        names = case.floats
        draw = np.random.default_rng(case.seed)
        names = sorted(draw.choice(names, min(2, len(names)), replace=False))
        outputs = [k for k, elem in enumerate(case.types) if elem in TOLERANCE]
        weights = {k: draw.uniform(-1, 1, case.results[k].shape).astype(
            np.float32 if case.elem == "f32" else np.float64) for k in outputs}
        try:
            gradient = layer.gradient(*names)
        except self.clique.SpecError as error:
            return f"no gradient: {str(error).splitlines()[0].partition('error: ')[2]}"
        made = gradient(**arguments, **{f"grad_r{k}": v for k, v in weights.items()})
        made = made if isinstance(made, tuple) else (made,)
        names = [name for name in names if name in gradient.wrt]
        for name, got in zip(names, made):
            got = np.asarray(got, np.float64)
            if got.shape != case.inputs[name].shape:
                raise Wrong(f"gradient by {name} has the shape {got.shape}")
            if not np.isfinite(got).all():
                raise Wrong(f"gradient by {name} has NaN or infinite elements")
            if not got.size:
                continue
            self.check_direction(case, name, got, weights, draw)
        return "gradient"

    @staticmethod
    def check_direction(case, name, got, weights, draw):
        def value(step):
            moved = Case(case.seed, nudges={name: step}).results
            return sum(float((moved[k] * w).sum()) for k, w in weights.items())

        here = value(0.0 * got)
        for _ in range(2):
            step = draw.uniform(-1, 1, got.shape) * (draw.random(got.shape) < 0.5)
            ahead, back = value(1e-6 * step), value(-1e-6 * step)
            wanted = (ahead - back) / 2e-6
            total = float((abs(got) * abs(step)).sum())
            # At a kink the two sides differ.
            if abs(ahead - 2 * here + back) / 1e-6 > 1e-3 * (abs(wanted) + 1e-3 * total):
                continue
            slack = 1e-7 * sum(float((abs(case.results[k]) * abs(w)).sum())
                               for k, w in weights.items())
            error = abs(float((got * step).sum()) - wanted)
            tolerance = max(GRADIENT_TOLERANCE[elem] for elem in case.formats)
            if error > tolerance * total + slack + 1e-7:
                raise Wrong(f"gradient by {name}: {float((got * step).sum()):.8g} along a "
                            f"direction, not {wanted:.8g}")
