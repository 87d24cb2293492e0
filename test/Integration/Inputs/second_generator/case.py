# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case: a spec, what it is called with, and what it should give."""

import numpy as np

from . import exotic, extremes, families, identities, more_families, transformers
from .graphs import KINDS, Graph, make_listed, make_named, of_mask
from .parts import Parts
from .values import DIGITS

FAMILIES = {
    families.attention: 6, families.aggregators: 4, families.products: 1, families.gates: 2,
    families.normalised: 2, families.relations: 2, families.kernels: 2,
    families.outer_products: 2, families.edge_chain: 2, families.two_hops: 2,
    more_families.monoids: 3, more_families.loops: 2, more_families.batches: 2,
    more_families.made_graphs: 2, more_families.shuffled: 1, more_families.called: 1,
    identities.factored: 5, identities.softmax_by_hand: 2, identities.masked_sums: 3,
    identities.places: 1, identities.edges_as_rows: 2, identities.alone: 2,
    identities.winners: 2, transformers.rotary: 2, transformers.grouped: 2,
    transformers.retention: 1, transformers.block: 2, transformers.memory: 1,
    transformers.pooled: 1, transformers.edge_matrices: 1, exotic.integers: 2,
    exotic.constant_graph: 2, exotic.groups: 1, exotic.until: 1, exotic.graph_functions: 1,
    exotic.elementary: 2, extremes.large_scores: 3, extremes.far_from_zero: 2,
    extremes.looped: 2, extremes.other_types: 1, extremes.dimensions: 2,
    extremes.marked_nodes: 2}
ELEMENTS = {"f32": 12, "f64": 4, "f16": 1, "bf16": 1}


def draw(choose, weights):
    return choose.choices(list(weights), list(weights.values()))[0]


class Case:
    """noise, nudges: as Writer's. The same seed writes the same spec whatever they are."""

    def __init__(self, seed, noise=None, nudges=None):
        w = Parts(seed, noise=noise, nudges=nudges)
        self.seed, self.elem, self.kind = seed, draw(w.choose, ELEMENTS), draw(w.choose, KINDS)
        w.elem = self.elem
        self.graph, self.make_graph = self._graph(w)
        most = max(self.graph.segments().sizes.max(initial=0), self.graph.num_dst)
        w.narrow = min(w.narrow, 2.0 ** -np.ceil(np.log2(most + 1)))
        self.families = []
        results = self._layers(w)
        self.text = w.text(results)
        self.inputs = w.inputs
        self.formats = DIGITS.keys() & {self.elem, *w.elems}
        self.results = [v.data for v in results]
        self.types = [v.elem for v in results]

    def _graph(self, w):
        """The graph of the first argument, and how the package makes it."""
        choose = w.choose
        if self.kind in ("complete", "causal", "window", "bipartite", "blocks", "cliques"):
            topology, mask, call, named = make_named(choose, self.kind)
            dst, src, size = *of_mask(mask), mask.shape
            topology = topology if w.flip(0.55) else ""
            make = (call, named)
        else:
            dst, src, *size = make_listed(choose, self.kind)
            topology = "sparse" if w.flip(0.6) else ""
            dst, src = np.array(dst, np.int64), np.array(src, np.int64)
            make = (("from_coo", dst, src, tuple(size)), {})
            if self.kind == "csr":
                order = np.argsort(dst, kind="stable")
                dst, src = dst[order], src[order]
                ptr = np.concatenate([[0], np.cumsum(np.bincount(dst, minlength=size[0]))])
                make = (("from_csr", ptr.astype(np.int64), src.astype(np.int32), size[1]), {})
        graph = Graph("%g", topology, dst, src, *size)
        w.argument(graph.type, None, "g")
        return graph, make

    def _layers(self, w):
        """One to three layers on the graph, then perhaps a head."""
        g = self.graph
        shape = w.pick(*[(w.size(24),)] * 6, (w.pick(2, 3), w.size(8)))
        d = s = w.rows(g.num_dst, shape)
        if not g.square or w.flip(0.1):
            s = w.rows(g.num_src, (w.size(24),))
        small = g.num_edges < 1500
        outs, more = [d], []
        for _ in range(w.pick(1, 1, 1, 1, 1, 1, 1, 2, 2, 3) if small else 1):
            if self.kind == "acyclic" and w.flip(0.6):
                family = more_families.levels
            else:
                family = draw(w.choose, FAMILIES)
            self.families.append(family.__name__)
            outs = family(w, g, d, s)
            more += outs[1:]
            new = w.collapse(outs[0]) if outs[0].shape else outs[0]
            d, = w.update([new], lambda node: [self._bounded(w, node[0])])
            s = d if g.square else s
        if w.flip(0.3):
            return [d, *more]
        if w.flip(0.1):
            return [outs[0], d, outs[0]]
        return outs + more[:len(more) - len(outs) + 1]

    @staticmethod
    def _bounded(w, x):
        """What the next layer takes: of moderate size, with one dimension."""
        if not x.shape:
            x = w.broadcast(x, (1,))
        kind = w.choose.randrange(4)
        if kind == 0:
            return w.unary("math.tanh", w.project(x, (w.size(16),)))
        if kind == 1 and x.shape[0] > 2:
            scale, shift = w.weight(x.shape, 4, 1.0), w.weight(x.shape, 4)
            return w.layer_norm(x, scale if w.flip() else None, shift if w.flip() else None)
        if kind == 2:
            mean, variance = w.weight(x.shape, 4), w.constant(x.shape, 0.5)
            return w.unary("mp.sigmoid", w.batch_norm(x, mean, variance))
        return w.unary("math.tanh", x)

    @property
    def floats(self):
        """The names of the arguments that a gradient is by."""
        return [name for name, array in self.inputs.items()
                if array is not None and getattr(array, "dtype", None) in (np.float32, np.float64)]
