# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages, aggregations and updates, and what makes graphs of graphs."""

import numpy as np

from .feature_ops import FeatureOps
from .graphs import Graph
from .segments import Segments
from .values import DIGITS, Value, type_of


class GraphOps(FeatureOps):
    """graph: that of the message whose region is written."""

    graph = None

    def _parameters(self, values, rows):
        """The arguments of a region for values of nodes or edges."""
        return [Value(self.fresh(), "one", v.shape, v.elem,
                      v.data if rows is None or len(v.data) == 0 else v.data[rows])
                for v in values]

    def _stored(self, results, kind, rows):
        """The results of a region, for each row, as they are stored."""
        return [Value(self.fresh(), kind, v.shape, v.elem,
                      self.rounded(np.broadcast_to(v.data, (rows, *v.shape)), v.elem, stored=True)
                      if self.half(v.elem) else np.broadcast_to(v.data, (rows, *v.shape)))
                for v in results]

    @staticmethod
    def _bindings(params, values):
        return ", ".join(f"{p.name} = {v.name} : {v.type}" for p, v in zip(params, values))

    @staticmethod
    def half(elem):
        return elem in ("f16", "bf16")

    def message(self, graph, body, dst=(), src=(), edge=()):
        """body(destinations, sources, edges) gives the values of an edge."""
        groups = [("dst", dst, self._parameters(dst, graph.dst)),
                  ("src", src, self._parameters(src, graph.src)),
                  ("edge", edge, self._parameters(edge, None))]
        operands = " ".join(f"{word}({self._bindings(params, values)})"
                            for word, values, params in groups if values)
        outs = []

        def head(results):
            outs.extend(self._stored(results, "edges", graph.num_edges))
            types = ", ".join(v.type for v in outs)
            return (f"{', '.join(v.name for v in outs)} = mp.message {graph.name}{graph.suffix} "
                    f"{operands} -> {types} {{")

        outer, self.graph = self.graph, graph
        params = [params for _, _, params in groups]
        params[2] = self._floats_of_edges(params[2])
        self.region(head, lambda: body(*params))
        self.graph = outer
        return outs

    def _floats_of_edges(self, params):
        """Edge features of bf16 come in f32."""
        return LazyOwn(self, params) if self.elem == "bf16" else params

    def position(self, end, elem="i32"):
        graph = self.graph
        data = {"dst": graph.dst, "src": graph.src, "edge": np.arange(graph.num_edges)}[end]
        return self.result(f"mp.position {end} : tensor<{elem}>", "one", (), elem,
                           data.astype(np.int64))

    def aggregate(self, graph, how, values, score=None, more=False):
        """more: the log-sum-exp of a softmax, the winning edges of max or min."""
        segments = graph.segments()
        if how == "softmax":
            datas = [segments.softmax(score.data, v.data) for v in values]
        else:
            datas = [getattr(segments, how)(v.data) for v in values]
        outs = [Value(self.fresh(), "rows", v.shape, v.elem,
                      data if how in ("max", "min") else self._sum_noise(graph, how, v, data))
                for v, data in zip(values, datas)]
        if more and how == "softmax":
            outs.append(Value(self.fresh(), "rows", score.shape, score.elem, self.rounded(
                segments.logsumexp(score.data), score.elem, stored=True)))
        elif more:
            outs.append(Value(self.fresh(), "rows", values[0].shape, "i64",
                              segments.winners(values[0].data, datas[0])))
        given = [score] * (score is not None) + list(values)
        types = ", ".join(v.type for v in outs)
        word = f"softmax({score.name})" if how == "softmax" else how
        self.line(f"{', '.join(v.name for v in outs)} = mp.aggregate {graph.name}{graph.suffix} "
                  f"{word} {', '.join(v.name for v in values)} : "
                  f"({', '.join(v.type for v in given)}) -> ({types})")
        return outs

    def _sum_noise(self, graph, how, value, data):
        """Sums of any order: an error of the size of the terms."""
        if self.noise is not None and value.elem in DIGITS and how in ("sum", "mean"):
            size = graph.segments().sum(abs(value.data)) / (
                graph.segments().per_row(data.ndim) if how == "mean" else 1)
            step = 2.0 ** -max(23, DIGITS[value.elem] - 1)
            data = data + size * 0.5 * self.errors(data) * step
        if self.noise is not None and how == "std":
            size = abs(graph.segments().mean(value.data)) + data
            data = data + size * self.errors(data) * 2.0 ** -max(
                23, DIGITS[value.elem] - 1)
        return self.rounded(data, value.elem, stored=True)

    def custom(self, head, segments, values, monoid):
        """monoid: identity(), lift(values), combine(a, b), finalise(state), of a region each. head
        makes the first line of the types of the results."""
        saved, self.lines = self.lines, []
        self.region(lambda _: "identity {", monoid.identity)
        identity = self._silent(monoid.identity, [])
        lift = self._region_of("lift", lambda *p: monoid.lift(list(p)), [values])
        half = len(lift)

        def join(*p):
            return monoid.combine(list(p[:half]), list(p[half:]))

        self._region_of("combine", join, [lift, lift])
        rows = len(segments.owner)
        states = [np.broadcast_to(v.data, (rows, *v.shape)).copy() for v in lift]

        def combine(a, b):
            made = [Value("%", "one", v.shape, v.elem, data)
                    for v, data in zip(lift + lift, a + b)]
            return [v.data for v in self._silent(join, made)]

        folded = segments.fold(states, combine, [v.data for v in identity])
        final = [Value("%", "one", v.shape, v.elem, data) for v, data in zip(lift, folded)]
        results = self._region_of("finalise", lambda *p: monoid.finalise(list(p)), [final])
        inner, self.lines = self.lines, saved
        outs = self._stored(results, "rows", segments.count)
        types = ", ".join(v.type for v in outs)
        given = ", ".join(v.type for v in values)
        self.line(f"{', '.join(v.name for v in outs)} = {head} : ({given}) -> ({types})")
        self.lines += inner
        return outs

    def _silent(self, body, values):
        _, repeat = self.again(body)
        return repeat(*values)

    def _region_of(self, word, body, groups):
        params = [Value(self.fresh(), "one", v.shape, v.elem, v.data)
                  for group in groups for v in group]
        arguments = ", ".join(f"{p.name}: {p.type}" for p in params)
        with self.block() as inner:
            results = body(*params)
            types = ", ".join(v.type for v in results)
            self.line(f"mp.yield {', '.join(v.name for v in results)} : {types}")
        self.line(f"{word} {{ ^bb0({arguments}):")
        self.lines += inner
        self.line("}")
        return results

    def aggregate_custom(self, graph, values, monoid):
        names = ", ".join(v.name for v in values)
        return self.custom(f"mp.aggregate {graph.name}{graph.suffix} custom {names}",
                           graph.segments(), values, monoid)

    def edge_softmax(self, graph, score):
        data = self.rounded(graph.segments().shares(score.data), score.elem, stored=True)
        # The operand is of any graph: its type stands beside that of the scores.
        types = f"{graph.type}, {score.type}" if graph.topology else score.type
        return self.result(f"mp.edge_softmax {graph.name}, {score.name} : {types}", "edges",
                           score.shape, score.elem, data)

    def update(self, values, body):
        """A function of every node."""
        params = self._parameters(values, None)
        rows = len(values[0].data)
        given = self._bindings(params, values)
        outs = []

        def head(results):
            outs.extend(self._stored(results, "rows", rows))
            types = ", ".join(v.type for v in outs)
            return f"{', '.join(v.name for v in outs)} = mp.update ({given}) -> {types} {{"

        self.region(head, lambda: body(params))
        return outs

    def degree(self, graph):
        sizes = graph.segments().sizes.astype(np.float64)
        data = self.rounded(sizes, stored=True) if self.half(self.elem) else sizes
        return self.result(f"mp.degree {graph.name}{graph.suffix} -> "
                           f"{type_of('rows', (), self.elem)}", "rows", (), self.elem, data)

    def reverse(self, graph):
        reversed_ = graph.reversed(self.fresh())
        types = f" : {graph.type} -> {reversed_.type}" if graph.topology else ""
        self.line(f"{reversed_.name} = mp.reverse {graph.name}{types}")
        return reversed_

    def self_loops(self, graph):
        missing = np.setdiff1d(np.arange(graph.num_dst), graph.dst[graph.dst == graph.src])
        name = self.fresh()
        self.line(f"{name} = mp.self_loops {graph.name}")
        return Graph(name, "", np.concatenate([graph.dst, missing]),
                     np.concatenate([graph.src, missing]), graph.num_dst, graph.num_src)

    def cast(self, graph):
        """A plain graph."""
        if not graph.topology:
            return graph
        name = self.fresh()
        self.line(f"{name} = mp.cast {graph.name} : {graph.type} to !mp.graph")
        return Graph(name, "", graph.dst, graph.src, graph.num_dst, graph.num_src)

    def number_of(self, rows):
        """The index of how many nodes a feature has."""
        return self.result_index(f"tensor.dim {rows.name}, {self.index(0)} : {rows.type}")

    def result_index(self, text):
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def readout(self, offsets, how, x, score=None):
        segments = offsets.segments
        data = (segments.softmax(score.data, x.data) if how == "softmax" else
                getattr(segments, how)(x.data))
        given = [offsets] + [score] * (score is not None) + [x]
        word = f"softmax({score.name})" if how == "softmax" else how
        types = ", ".join(v.type for v in given)
        return self.result(f"mp.readout {offsets.name} {word} {x.name} : ({types}) -> {x.type}",
                           "rows", x.shape, x.elem, self.rounded(data, x.elem, stored=True))

    def readout_custom(self, offsets, x, monoid):
        """As custom, with the offsets' type before that of the nodes."""
        head = f"mp.readout {offsets.name} custom {x.name}"
        mark = len(self.lines)
        outs = self.custom(head, offsets.segments, [x], monoid)
        self.lines[mark] = self.lines[mark].replace(f" : ({x.type})",
                                                    f" : ({offsets.type}, {x.type})")
        return outs

    def spread(self, offsets, parts, rows):
        data = parts.data[offsets.segments.owner]
        return self.result(
            f"mp.spread {offsets.name} {parts.name} to {self.number_of(rows)} : "
            f"({offsets.type}, {parts.type}) -> {parts.type}", "rows", parts.shape, parts.elem,
            data)


class LazyOwn:
    """Edge features of which each is converted in the region when it is asked for."""

    def __init__(self, writer, params):
        self.writer, self.params = writer, params

    def __getitem__(self, k):
        value = self.params[k]
        return self.writer.own(value) if value.elem == "f32" else value

    def __len__(self):
        return len(self.params)


class Offsets(Value):
    """Where the graphs of a batch begin."""

    def __init__(self, name, data):
        super().__init__(name, "rows", (), "i64", data)
        self.segments = Segments(np.repeat(np.arange(len(data) - 1), np.diff(data)), len(data) - 1)
