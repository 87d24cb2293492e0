# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with their nodes in another order, and features that move along."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from ._graph import Graph

_ORDERS = {"degree": 1, "rcm": 2, "auto": 3}  # clique_node_order


class Reordering:
    """A graph whose nodes were renumbered. Layers that do not know nodes by number give the same
    on it, to rounding; edges keep their numbers."""

    def __init__(self, graph: Graph, order: str, new_of_old: Any) -> None:
        import numpy as np

        self.graph = graph  #: with the new numbers
        self.order_taken = order  #: "degree", "rcm" or "given"
        self.new_of_old = new_of_old  #: [n], int32: the new number of each node
        self._new = new_of_old.astype(np.int64)
        self._old = np.empty_like(self._new)
        self._old[self._new] = np.arange(self._new.size)

    def order(self, feature: Any) -> Any:
        """The rows of a feature of nodes, an array or tensor, where the new numbers say."""
        return self._take(feature, self._old)

    def restore(self, feature: Any) -> Any:
        """Back again: row i is that of the node that was i."""
        return self._take(feature, self._new)

    def _take(self, feature: Any, rows: Any) -> Any:
        if feature.shape[0] != rows.size:
            raise _native.ArgumentError(
                f"a feature of {feature.shape[0]} rows, expected one for each of {rows.size} nodes")
        return feature[rows]

    def __repr__(self) -> str:
        return f"Reordering({self.order_taken}: {self.graph.describe()})"


def reorder(graph: Graph, order: str, bytes_per_node: int) -> Reordering:
    import numpy as np

    if order not in _ORDERS:
        raise _native.ArgumentError(f"order '{order}': expected one of {', '.join(_ORDERS)}")
    numbers = np.empty(graph.num_dst, np.int32)
    taken, made = graph._reorder(_ORDERS[order], operator.index(bytes_per_node), numbers)
    return Reordering(graph if made is None else made, taken, numbers)
