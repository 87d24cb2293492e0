# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs, from whatever a program has."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Optional, Union

from . import _native
from ._files import path_text

if TYPE_CHECKING:
    from ._layer import Layer
    from ._order import Reordering
    from ._picture import Picture


class GraphInfo(NamedTuple):
    """What the inspector found in a graph."""

    topology: str  #: "sparse", "complete", "bipartite", "causal", "window", "cliques" ...
    param: int  #: window: the half width; blocks: the size
    no_self: bool  #: the class holds with every edge i -> i removed
    num_components: int  #: cliques: how many
    max_degree: int  #: the largest in-degree
    num_isolated: int  #: destinations without incoming edge


def _integers(values: Any, bits: int) -> Any:
    """A row-major NumPy array of integers, a copy only where the type differs."""
    import numpy as np

    if hasattr(values, "detach"):  # PyTorch, on any device
        values = values.detach().cpu().numpy()
    elif hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        values = np.from_dlpack(values)
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"node numbers are integers, not {array.dtype}")
    wanted = np.int32 if bits == 32 else np.int64
    if array.dtype != wanted and array.size and bits == 32:
        low, high = int(array.min()), int(array.max())
        if low < -2**31 or high >= 2**31:
            raise _native.ArgumentError(
                f"node number {low if low < 0 else high}: node numbers have 32 bits")
    return np.require(array, wanted, ["C_CONTIGUOUS", "ALIGNED"])


def _pair(size: Any) -> Optional[tuple[int, int]]:
    if size is None:
        return None
    try:
        first, second = (size, size) if hasattr(size, "__index__") else size
        return operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        raise TypeError(f"size: expected a number of nodes, or two of them, not {size!r}") from None


def _expect(value: Any, method: str, what: str) -> None:
    if not hasattr(value, method):
        raise TypeError(f"expected {what}, not a '{type(value).__name__}'")


class Graph(_native.Graph):
    """A directed graph, stored by destination. It never changes, and what is derived from it (its
    topology, the division of its rows among threads, tiles) is computed once and kept.

    Shapes below: n nodes (or `num_dst` destinations and `num_src` sources), e edges. Node numbers
    have 32 bits, other integers are converted. An edge feature has a row per edge, in the order
    in which the edges are given here."""

    __slots__ = ("__weakref__", "__dict__")
    #: Of which class it was made, and of what sizes; a pickle holds no edges then.
    _class: Optional[tuple[Any, ...]] = None

    # What follows returns new graphs.

    @classmethod
    def from_csr(cls, indptr: Any, indices: Any, num_src: Optional[int] = None,
                 copy: bool = False) -> "Graph":
        """Row i of the CSR lists the sources of destination i.

        indptr: [num_dst + 1], from 0, not decreasing; indices: [e], in [0, num_src); num_src:
        as many as destinations, if not given.

        An array of the graph's own type (indptr: 64 bits, indices: 32) is used where it is, if
        sources ascend within each row: it must not change as long as the graph lives. `copy`: the
        graph has copies of both."""
        rows, columns = _integers(indptr, 64), _integers(indices, 32)
        if copy:
            rows, columns = rows.copy(), columns.copy()
        if rows.size == 0:
            raise _native.ArgumentError("indptr is empty, expected one entry more than rows")
        num_dst = rows.size - 1
        return cls._from_csr(num_dst, num_dst if num_src is None else num_src, rows, columns)

    @classmethod
    def from_coo(cls, dst: Any, src: Any,
                 size: Union[int, tuple[int, int], None] = None) -> "Graph":
        """Edge k goes from src[k] to dst[k].

        dst, src: [e]; size: the nodes, or (destinations, sources); if not given, as many nodes as
        the largest number asks for."""
        destinations, sources = _integers(dst, 32), _integers(src, 32)
        pair = _pair(size)
        if pair is None:
            largest = max((int(array.max()) for array in (destinations, sources) if array.size),
                          default=-1)
            pair = (largest + 1, largest + 1)
        return cls._from_coo(pair[0], pair[1], destinations, sources)

    @classmethod
    def from_edge_index(cls, edge_index: Any,
                        size: Union[int, tuple[int, int], None] = None) -> "Graph":
        """PyG's edge_index: [2, e], row 0 the sources, row 1 the destinations.

        size: the nodes, or PyG's (sources, destinations)."""
        if len(edge_index) != 2:
            raise _native.ArgumentError(
                f"edge_index has {len(edge_index)} rows, expected 2: sources and destinations")
        if hasattr(edge_index, "detach"):
            edge_index = edge_index.detach().cpu().numpy()
        pair = _pair(size)
        return cls.from_coo(edge_index[1], edge_index[0], pair and (pair[1], pair[0]))

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Graph":
        """A sparse matrix or array of SciPy, [num_dst, num_src]: an entry at (i, j), whatever its
        value, is an edge j -> i. Edges are in the order of its CSR (of a COO: in its own)."""
        _expect(matrix, "tocsr", "a sparse matrix of SciPy")
        if len(matrix.shape) != 2:
            raise _native.ArgumentError(f"matrix has shape {list(matrix.shape)}, expected "
                                        "[num_dst, num_src]")
        if getattr(matrix, "format", None) == "coo":
            return cls.from_coo(matrix.row, matrix.col, matrix.shape)
        rows = matrix.tocsr()
        return cls.from_csr(rows.indptr, rows.indices, rows.shape[1])

    @classmethod
    def from_networkx(cls, graph: Any, nodelist: Optional[Iterable[Any]] = None) -> "Graph":
        """A graph of NetworkX: node k is the k-th of `nodelist`, or of `graph`. An undirected edge
        is one each way; the second ones follow all first ones."""
        _expect(graph, "is_directed", "a graph of NetworkX")
        nodes = list(graph if nodelist is None else nodelist)
        number = {node: k for k, node in enumerate(nodes)}
        pairs = [(number[u], number[v]) for u, v in graph.edges() if u in number and v in number]
        if not graph.is_directed():
            pairs += [(v, u) for u, v in pairs if u != v]
        return cls.from_coo([v for _, v in pairs], [u for u, _ in pairs], len(nodes))

    @classmethod
    def from_dgl(cls, graph: Any, etype: Any = None) -> "Graph":
        """A graph of DGL, or the edges of one type of a heterogeneous one."""
        part = graph if etype is None else graph[etype]
        _expect(part, "num_dst_nodes", "a graph of DGL")
        sources, destinations = part.edges(order="eid")
        return cls.from_coo(destinations, sources, (part.num_dst_nodes(), part.num_src_nodes()))

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> "Graph":
        """A Matrix Market file (.mtx, .mtx.gz; row: destination, column: source), or a CSR matrix
        that scipy.sparse.save_npz wrote."""
        return cls._read(path_text(path))

    @classmethod
    def _of_class(cls, kind: str, *sizes: Any) -> "Graph":
        made = cls._cliques(*sizes) if kind == "cliques" else cls._regular(kind, *sizes)
        made._class = (kind, *sizes)
        return made

    @classmethod
    def complete(cls, n: int, no_self: bool = False) -> "Graph":
        """Every node receives from every node."""
        return cls._of_class("complete", n, 0, no_self)

    @classmethod
    def bipartite(cls, num_dst: int, num_src: int) -> "Graph":
        """Every destination receives from every source."""
        return cls._of_class("bipartite", num_dst, num_src, False)

    @classmethod
    def causal(cls, n: int, no_self: bool = False) -> "Graph":
        """Node i receives from every j <= i."""
        return cls._of_class("causal", n, 0, no_self)

    @classmethod
    def window(cls, n: int, half_width: int, no_self: bool = False) -> "Graph":
        """Node i receives from every j with |i - j| <= half_width."""
        return cls._of_class("window", n, half_width, no_self)

    @classmethod
    def cliques(cls, lengths: Any, causal: bool = False, no_self: bool = False) -> "Graph":
        """Disjoint complete graphs (causal ones): a batch of sentences or molecules.

        lengths: [count], the nodes of each."""
        import numpy as np

        sizes = _integers(lengths, 64)
        if sizes.ndim != 1:
            raise _native.ArgumentError(f"lengths has shape {list(sizes.shape)}, expected [count]")
        if sizes.size and int(sizes.min()) < 0:
            raise _native.ArgumentError(f"a clique of {int(sizes.min())} nodes; expected 0 or more")
        offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        return cls._of_class("cliques", offsets, causal, no_self)

    @classmethod
    def blocks(cls, mask: Any, size: int, n: Optional[int] = None) -> "Graph":
        """Whole blocks of `size` nodes: those of block i receive from those of block j where mask[i, j].

        mask: [b, b], true or false; n: the nodes, at most b * size (the last block may be
        smaller)."""
        import numpy as np

        mask, size = np.asarray(mask, bool), operator.index(size)
        if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
            raise _native.ArgumentError(f"mask has shape {list(mask.shape)}, expected [b, b]")
        if size < 0:
            raise _native.ArgumentError(f"blocks of {size} nodes; expected 0 or more")
        nodes = mask.shape[0] * size if n is None else operator.index(n)
        if not (mask.shape[0] - 1) * size < nodes <= mask.shape[0] * size and nodes:
            raise _native.ArgumentError(
                f"{nodes} nodes are not {mask.shape[0]} blocks of {size}")
        starts = np.arange(nodes) // max(size, 1)
        rows = [np.flatnonzero(row[starts]) for row in mask]
        indptr = np.concatenate(([0], np.cumsum([rows[b].size for b in starts], dtype=np.int64)))
        parts = [rows[b] for b in starts]
        indices = np.concatenate(parts) if parts else np.zeros(0, np.int32)
        return cls.from_csr(indptr, indices)

    def reversed(self) -> "Graph":
        """Every edge turned round; edges keep their numbers."""
        return self._reversed()

    def with_self_loops(self) -> "Graph":
        """One edge i -> i for each node that has none; new edges are listed last, by node."""
        return self._with_self_loops()

    def reordered(self, order: str = "auto", bytes_per_node: int = 256) -> "Reordering":
        """The graph with its nodes in another order, in which layers may be faster: those that
        are gathered together are near each other, and mixed cliques or a mixed window are found
        again.

        order: "degree" (the highest out-degree first), "rcm" (reverse Cuthill-McKee: neighbours
        come together) or "auto" (the one that is expected to be fastest, or the given one);
        bytes_per_node: of the features that an edge reads of its source."""
        from ._order import reorder

        return reorder(self, order, bytes_per_node)

    # What a graph is like.

    def inspect(self) -> GraphInfo:
        """The class of the graph and its degrees; computed once."""
        topology, param, no_self, components, degree, isolated = self._inspect()
        return GraphInfo(topology, param, bool(no_self), components, degree, isolated)

    def csr(self) -> tuple[Any, Any, Any]:
        """(indptr [num_dst + 1], indices [e], edge numbers [e] or None) as NumPy arrays, the
        graph's own and read-only: rows by destination, sources ascending. The numbers are the
        caller's of each edge; None if the two orders are the same."""
        import numpy as np

        def view(array: _native.Tensor) -> Any:
            made = np.asarray(array)
            made.flags.writeable = False
            return made

        indptr, indices, ids = self._csr()
        return view(indptr), view(indices), None if ids is None else view(ids)

    def topology(self) -> str:
        """What it is, in words: "sparse", "cliques of 2 graphs", "window 128 without self-loops"."""
        info = self.inspect()
        text = info.topology
        if info.topology in ("cliques", "causal_cliques"):
            text = f"{text} of {info.num_components} graphs"
        elif info.topology in ("window", "blocks"):
            text = f"{text} {info.param}"
        return text + (" without self-loops" if info.no_self else "")

    def degrees(self) -> Any:
        """The in-degrees: [num_dst]. The edges of regular graphs are not listed for them."""
        import numpy as np

        return np.diff(np.asarray(self._row_pointers()))

    def describe(self) -> str:
        """One line: nodes, edges, class, degrees."""
        info = self.inspect()
        if self.num_dst == self.num_src:
            nodes = f"{self.num_dst} nodes"
        else:
            nodes = f"{self.num_dst} destinations, {self.num_src} sources"
        mean = self.num_edges / self.num_dst if self.num_dst else 0
        parts = [nodes, f"{self.num_edges} edges", self.topology(),
                 f"degree {mean:.1f} (at most {info.max_degree})"]
        if info.num_isolated:
            parts.append(f"{info.num_isolated} without incoming edge")
        return ", ".join(parts)

    def show(self, *layers: "Layer") -> "Picture":
        """What a notebook shows of the graph, with the kernels that these layers would run on it
        and the reasons; as text, the same lines."""
        from ._picture import Picture

        return Picture(self, layers)

    def __repr__(self) -> str:
        return f"Graph({self.describe()})"

    def _repr_html_(self) -> str:
        from ._picture import graph_html

        return graph_html(self)

    def __copy__(self) -> "Graph":
        return self

    def __deepcopy__(self, memo: Any) -> "Graph":
        return self

    def __reduce__(self) -> Any:
        if self._class:
            return Graph._of_class, self._class
        indptr, indices, ids = self.csr()
        if ids is None:
            return Graph.from_csr, (indptr, indices, self.num_src)
        import numpy as np

        dst = np.repeat(np.arange(self.num_dst, dtype=np.int32), np.diff(indptr))
        ordered_dst, ordered_src = np.empty_like(dst), np.empty_like(indices)
        ordered_dst[ids], ordered_src[ids] = dst, indices
        return Graph.from_coo, (ordered_dst, ordered_src, (self.num_dst, self.num_src))
