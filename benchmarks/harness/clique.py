# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled layers, called through the C interface of runtime/clique.h."""

import ctypes
import hashlib
import pathlib
import string
import subprocess

import numpy as np

from . import through_torch

LAYERS = pathlib.Path(__file__).resolve().parents[1] / "layers"
EXAMPLES = LAYERS.parents[1] / "examples"
CPU_DEVICE, ARG_GRAPH = 1, 0
ORDERS = {"degree": 1, "rcm": 2, "auto": 3}
DTYPES = {"float32": (2, 32), "int32": (0, 32), "int64": (0, 64), "bool": (6, 8)}


class CliqueError(RuntimeError):
    pass


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class DLManagedTensor(ctypes.Structure):
    pass


DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p),
                            ("deleter", ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor)))]


class LayerArg(ctypes.Structure):
    """clique_arg; `integers` begin with its kind."""
    _fields_ = [("name", ctypes.c_char_p), ("integers", ctypes.c_int32 * 4),
                ("param", ctypes.c_int64), ("no_self", ctypes.c_int32),
                ("dtype", ctypes.c_uint32), ("rank", ctypes.c_int32),
                ("renumberable", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64))]


class LayerHead(ctypes.Structure):
    """The first members of clique_layer."""
    _fields_ = [("abi_version", ctypes.c_uint32), ("num_args", ctypes.c_int32),
                ("num_results", ctypes.c_int32), ("num_variants", ctypes.c_int32),
                ("name", ctypes.c_char_p), ("args", ctypes.POINTER(LayerArg)),
                ("results", ctypes.POINTER(LayerArg))]

    def takes_graph(self):
        """Whether the first argument is a graph."""
        return self.num_args > 0 and self.args[0].integers[0] == ARG_GRAPH

    def arg_names(self):
        return [self.args[k].name.decode() for k in range(self.num_args)]

    def result_names(self):
        return [self.results[k].name.decode() for k in range(self.num_results)]


def as_tensor(array):
    """A DLTensor of the array's memory, which it keeps alive."""
    code, bits = DTYPES[array.dtype.name]
    assert array.flags.c_contiguous
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    tensor = DLTensor(array.ctypes.data, CPU_DEVICE, 0, array.ndim, code, bits, 1, shape, None, 0)
    tensor.keep = (array, shape)
    return tensor


def pointer(array, ctype):
    return array.ctypes.data_as(ctypes.POINTER(ctype))


class GraphHandle:
    """A graph of the runtime, freed with this object."""

    def __init__(self, lib, handle, make=None):
        self.lib, self.handle = lib, handle
        self.make = make  # makes the same graph of the class clique.Graph

    def __del__(self):
        self.lib.clique_graph_free(self.handle)


def spec_text(spec, sizes):
    """layers/SPEC.mlir.in with its sizes; FOLDER/SPEC is one of examples/, as it is."""
    if "/" in spec:
        return (EXAMPLES / f"{spec}.mlir").read_text()
    return string.Template((LAYERS / f"{spec}.mlir.in").read_text()).substitute(sizes)


class Clique:
    """The runtime, and a compiler whose outputs are kept in `cache`."""

    def __init__(self, build, cache, threads):
        self.build = build
        self.compiler = build / "bin" / "clique-compile"
        self.through_torch = False  # layers that are bound are called by way of PyTorch
        self.cache = cache
        self.lib = ctypes.CDLL(str(build / "lib" / "libclique_runtime.so"))
        self.lib.clique_last_error.restype = ctypes.c_char_p
        self.lib.clique_last_decisions.restype = ctypes.c_char_p
        self.lib.clique_peak_memory.restype = ctypes.c_int64
        self.threads = threads
        self.set_threads(threads)

    def set_threads(self, count):
        self.lib.clique_set_num_threads(count)

    def check(self, status):
        if status:
            raise CliqueError(self.lib.clique_last_error().decode())

    def decisions(self):
        return self.lib.clique_last_decisions().decode().strip()

    def peak_memory(self, call):
        """Scratch and results of one call, in bytes."""
        self.lib.clique_reset_peak_memory()
        call()
        return self.lib.clique_peak_memory()

    def graph(self, kind, *arguments, make=None):
        """A graph by one of clique_graph_complete, _causal, _window, _cliques, _from_csr."""
        handle = ctypes.c_void_p()
        self.check(self.lib[f"clique_graph_{kind}"](*arguments, ctypes.byref(handle)))
        return GraphHandle(self.lib, handle, make)

    def csr_graph(self, indptr, indices, num_src=None):
        rows = len(indptr) - 1
        return self.graph("from_csr", ctypes.c_int64(rows), ctypes.c_int64(num_src or rows),
                          pointer(indptr, ctypes.c_int64), pointer(indices, ctypes.c_int32),
                          make=lambda graphs: graphs.from_csr(indptr, indices, num_src))

    def reorder(self, graph, order, nodes, row_bytes):
        """The graph with its nodes in another order, and their new numbers."""
        handle, numbers = ctypes.c_void_p(), np.empty(nodes, np.int32)
        self.check(self.lib.clique_graph_reorder(
            graph.handle, ORDERS[order], ctypes.c_int64(row_bytes),
            pointer(numbers, ctypes.c_int32), None, ctypes.byref(handle)))
        return GraphHandle(self.lib, handle), numbers

    def layer(self, spec, name=None, **sizes):
        """The layer of layers/SPEC.mlir.in with the sizes filled in."""
        return Layer(self, self.library(spec, sizes), name or spec, spec_text(spec, sizes))

    def gradient(self, spec, wrt=(), **sizes):
        """Its forward and its backward function; wrt: the arguments whose cotangents the latter
        makes, in place of all of floats."""
        library = self.library(spec, sizes, "--gradients" + ("=" + ",".join(wrt) if wrt else ""))
        return Gradient(*(Layer(self, library, f"{spec}_{part}")
                          for part in ("forward", "backward")))

    def library(self, spec, sizes, *options):
        text = spec_text(spec, sizes)
        compiler = self.compiler.stat()
        key = hashlib.sha256(
            f"{text} {options} {compiler.st_mtime_ns} {compiler.st_size}".encode())
        stem = self.cache / f"{spec.replace('/', '-')}-{key.hexdigest()[:16]}"
        library = stem.with_suffix(".so")
        if not library.exists():
            self.cache.mkdir(parents=True, exist_ok=True)
            source = stem.with_suffix(".mlir")
            source.write_text(text)
            done = subprocess.run([self.compiler, source, *options, "-o", library],
                                  capture_output=True, text=True)
            if done.returncode:
                raise CliqueError(f"{source}: {done.stderr.strip() or done.returncode}")
        return library


class Layer:
    def __init__(self, clique, library, name, text=None):
        self.clique, self.name, self.text = clique, name, text
        handle, table = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_void_p)()
        clique.check(clique.lib.clique_library_open(str(library).encode(), ctypes.byref(handle),
                                                    ctypes.byref(table)))
        index = 0
        while table[index]:
            head = ctypes.cast(table[index], ctypes.POINTER(LayerHead)).contents
            if head.name.decode() == name:
                self.handle, self.num_results = ctypes.c_void_p(table[index]), head.num_results
                self.arg_names, self.result_names = head.arg_names(), head.result_names()
                self.takes_graph = head.takes_graph()
                return
            index += 1
        raise CliqueError(f"{library} has no layer '{name}'")

    def bind(self, graph, *arrays):
        """A function of no arguments that runs the layer and frees its results; with keep=True
        it returns a copy of the first one. graph: the first argument, None if there is none."""
        if self.clique.through_torch:
            return through_torch.bind(self, graph, arrays)
        tensors = [as_tensor(array) for array in arrays]
        first = [] if graph is None else [graph.handle.value]
        values = (ctypes.c_void_p * (len(first) + len(tensors)))(
            *first, *(ctypes.addressof(tensor) for tensor in tensors))
        results = (ctypes.POINTER(DLManagedTensor) * self.num_results)()
        invoke, check = self.clique.lib.clique_layer_invoke, self.clique.check
        handle, count, number = self.handle, len(values), self.num_results

        def call(keep=False, held=(graph, tensors)):  # keeps them alive
            check(invoke(handle, values, count, results, number))
            kept = copy_of(results[0].contents.tensor) if keep else None
            for result in results:
                result.contents.deleter(result)
            return kept

        return call

    def invoke(self, values, donated=None):
        """One call; the results, which the caller frees. donated: for each value None, or the
        tensor that is given away with it."""
        arguments = (ctypes.c_void_p * len(values))(*values)
        given = donated and (ctypes.POINTER(DLManagedTensor) * len(values))(
            *(tensor or None for tensor in donated))
        results = (ctypes.POINTER(DLManagedTensor) * self.num_results)()
        self.clique.check(self.clique.lib.clique_layer_invoke_donating(
            self.handle, arguments, len(values), given, results, self.num_results))
        return results


class Gradient:
    """The forward and the backward function of a layer with one graph."""

    def __init__(self, forward, backward):
        self.forward, self.backward = forward, backward

    def bind(self, graph, **arrays):
        """The two on these arguments, by name; `grad_out` is the result's cotangent."""
        return BoundGradient(self, graph, {name: as_tensor(array)
                                           for name, array in arrays.items()})


class BoundGradient:
    def __init__(self, gradient, graph, tensors):
        self.gradient, self.graph, self.tensors = gradient, graph, tensors

    def run_forward(self):
        """Its results, for run_backward and free."""
        return self.gradient.forward.invoke(self.values(self.gradient.forward, {}))

    def run_backward(self, kept):
        made = dict(zip(self.gradient.forward.result_names, kept))
        return self.gradient.backward.invoke(self.values(self.gradient.backward, made))

    def finish_backward(self, kept):
        """The same, which frees what was kept: for a user the layer's result alone is left."""
        backward = self.gradient.backward
        made = dict(zip(self.gradient.forward.result_names, kept))
        own = {name: made.pop(name) for name in list(made)
               if name.startswith("kept") and name in backward.arg_names}
        results = backward.invoke(self.values(backward, made | own),
                                  [own.get(name) for name in backward.arg_names])
        free(made.values())
        return results

    def values(self, layer, made):
        return [ctypes.addressof(made[name].contents) if name in made
                else ctypes.addressof(self.tensors[name]) if name in self.tensors
                else self.graph.handle.value for name in layer.arg_names]

    def run(self):
        """Both once."""
        free(self.finish_backward(self.run_forward()))

    def run_and_copy(self):
        """Both once; copies of the gradients."""
        gradients = self.finish_backward(self.run_forward())
        copies = [copy_of(result.contents.tensor) for result in gradients]
        free(gradients)
        return copies


def free(results):
    for result in results:
        result.contents.deleter(result)


def copy_of(tensor):
    shape = tensor.shape[:tensor.ndim]
    data = ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float))
    return np.ctypeslib.as_array(data, shape=shape).copy()
