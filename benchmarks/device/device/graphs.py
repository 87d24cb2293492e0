# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Power-law graphs, made here because they would be most of a bundle. Needs NumPy."""

import numpy as np

from harness.sparse import graphs

SMALL = "rmat-"


def is_made_here(name):
    return name.startswith(SMALL)


def file_of(name, folder):
    """The SciPy matrix of the graph, made once."""
    file = folder / "graphs" / f"{name}.npz"
    if not file.exists():
        graph = graphs.rmat(name, graphs.SYNTHETIC[name[len(SMALL):]])
        temporary = file.with_name(f"{name}.part.npz")
        np.savez(temporary, indptr=graph.indptr, indices=graph.indices, format=b"csr",
                 shape=np.array([graph.nodes, graph.nodes]),
                 data=np.ones(graph.edges, np.uint8))
        temporary.replace(file)
    return file


def read(path, folder):
    """A graph of a manifest, as the harness has it."""
    if is_made_here(path):
        arrays = np.load(file_of(path, folder))
        return graphs.Graph(path, arrays["indptr"], arrays["indices"])
    return graphs.read_real((folder / path).parent)
