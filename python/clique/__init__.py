# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Message-passing layers, compiled.

    import clique
    layer = clique.compile("gat.mlir")
    out = layer(graph, h=h, w=w, a=a)

A layer is a function of a spec in the dialect `mp`: graph layers and attention alike. Graphs are
made by `clique.Graph`; arrays are NumPy's, PyTorch's, JAX's or anything with DLPack. `clique.torch`
is for PyTorch, `python -m clique` runs the command-line tools."""

from . import _arrays, mp  # noqa: F401  (_arrays tells the extension module how they are read)
from ._cache import folder as cache_folder
from ._compiler import Options, SpecError
from ._gradient import Gradient
from ._graph import Graph, GraphInfo
from ._layer import Argument, Deviation, Layer, Module, compile, compile_module, load
from ._native import (ArgumentError, DeviceError, Error, FileError, FormatError,
                      IncompatibleError, OutOfMemoryError, Tensor)
from ._safetensors import load_safetensors
from ._settings import last_decisions, set_cuda_stream, set_lowering, set_num_threads
from ._trace import Edge, Node, Scalar, Topology, Weight, layer
from ._version import __version__

__all__ = [
    "Argument", "ArgumentError", "Deviation", "DeviceError", "Edge", "Error", "FileError",
    "FormatError", "Gradient", "Graph", "GraphInfo", "IncompatibleError", "Layer", "Module", "Node",
    "Options", "OutOfMemoryError", "Scalar", "SpecError", "Tensor", "Topology", "Weight",
    "__version__", "cache_folder", "compile", "compile_module", "last_decisions", "layer", "load",
    "load_safetensors", "mp", "set_cuda_stream", "set_lowering", "set_num_threads",
]
