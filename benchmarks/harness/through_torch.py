# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clique's layers as programs in PyTorch call them: clique.torch.op, on tensors."""

import importlib.util
import sys


def is_possible(clique):
    return (importlib.util.find_spec("torch") is not None
            and (clique.build / "python" / "clique").is_dir())


def bind(layer, graph, arrays):
    """As Layer.bind. The package in the build shares the runtime, and its number of threads, with
    the other contenders."""
    folder = str(layer.clique.build / "python")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import clique.torch
    import torch

    values = [torch.from_numpy(array) for array in arrays]
    if graph is not None:
        if graph.make is None:
            raise RuntimeError("this graph has no counterpart in Python")
        values.insert(0, graph.make(clique.Graph))
    function = clique.torch.op(layer.text, layer.name)

    def call(keep=False):
        made = function(*values)
        first = made[0] if isinstance(made, tuple) else made
        return first.numpy().copy() if keep else None

    return call
