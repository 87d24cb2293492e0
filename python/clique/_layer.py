# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled layers, and where they come from."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import time
from typing import Any, Iterator, NamedTuple, Optional

from . import _cache, _compiler, _native
from ._arrays import CPU, CUDA, zeros
from ._bind import bind
from ._compiler import Options, SpecError
from ._gradient import Gradient
from ._files import Path, file_errors, path_text, save
from ._graph import Graph
from ._spec import Source, Spec, read_spec
from ._version import __version__

_KINDS = ("graph", "tensor", "edges", "scalar")
_EXTENTS = (None, "destinations", "sources", "edges")


class Argument(NamedTuple):
    """An argument or a result of a layer."""

    name: str
    kind: str  #: "graph", "tensor", "edges" or "scalar"
    dtype: str  #: "f32", "bf16", "i64" ..., or "graph"
    shape: tuple[Optional[int], ...]  #: None where the size is free
    extent: Optional[str]  #: what the first size counts: "destinations", "sources", "edges"
    graph: Optional[str]  #: ... of which graph argument
    topology: Optional[str]  #: of a graph that must be of a class
    param: int  #: ... and its parameter
    no_self: bool

    def __str__(self) -> str:
        if self.kind == "graph":
            return f"{self.name}: graph" + (f" ({self.topology})" if self.topology else "")
        if self.kind == "scalar":
            return f"{self.name}: {self.dtype}"
        first = {"edges": "edges", "destinations": "n", "sources": "n"}.get(self.extent or "", "?")
        sizes = [str(size) if size is not None else (first if k == 0 else "?")
                 for k, size in enumerate(self.shape)]
        return f"{self.name}: {self.dtype}[{', '.join(sizes)}]"


class Deviation(NamedTuple):
    """How far a result is from that of the reference interpreter."""

    name: str
    error: float  #: the largest difference over the largest value
    tolerance: float  #: what rounding explains
    actual: float  #: where the difference is largest: the layer's value
    expected: float  #: ... and the reference's


class Layer(_native.Layer):
    """A compiled layer: call it with a graph and arrays.

    Arguments are given by position or by name. Arrays are those of NumPy, PyTorch, JAX or
    anything with DLPack; they are checked against the spec, and read where they are if they are
    row-major. A scalar may be a number of Python. The result is an array of the same library (a
    tuple if there are several), or `out`, which the results are copied into: a layer that has an
    argument of the name `out` takes that one by it, and copies nothing.

    The interpreter's lock is released while a layer runs, so that threads may run several."""

    __slots__ = ("_module", "args", "results", "device_type", "__dict__")
    _module: "Module"
    #: What it takes and returns, in the order of the spec.
    args: tuple[Argument, ...]
    results: tuple[Argument, ...]
    device_type: int  #: CPU or CUDA

    def __new__(cls, module: "Module", name: str) -> "Layer":
        self = super().__new__(cls, module._library, name)
        self._module = module
        _, self.device_type, args, results = self._describe()
        names = [arg[0] for arg in args]
        self.args = tuple(_describe(arg, names) for arg in args)
        self.results = tuple(_describe(result, names) for result in results)
        return self

    def __init__(self, module: "Module", name: str):
        pass

    @property
    def spec(self) -> str:
        """The text that it was compiled from."""
        return self._module.spec

    @property
    def signature(self) -> str:
        """`gat(g: graph, h: f32[n, 64]) -> f32[n, 64]`."""
        args = ", ".join(str(arg) for arg in self.args)
        results = [str(result).partition(": ")[2] for result in self.results]
        made = results[0] if len(results) == 1 else f"({', '.join(results)})"
        return f"{self.name}({args}) -> {made}"

    def __repr__(self) -> str:
        return f"<layer {self.signature}>"

    def ir(self, stage: str = "fusion") -> str:
        """The IR after a stage of the compiler ("mp", "algebra", "topology", "fusion", "loops"
        ...), or "asm", "llvm", "header"."""
        if not isinstance(stage, str):
            raise TypeError(f"{self.name}: expected the name of a stage, not {stage!r}")
        return self._emit(stage)[0].decode("utf-8", "replace")

    def explain(self, *args: Any, **keywords: Any) -> str:
        """What the compiler decided, and why, a line each. With the arguments of a call: also what
        ran on this graph, for what reason, the time and the memory it took."""
        lines = [self.signature, *self._explain_compilation()]
        if args or keywords:
            lines += self._explain_call(args, keywords)
        return "\n".join(lines)

    def lowering(self, graph: Graph) -> list[str]:
        """Which version of each kernel runs on this graph, and why, a line each: "gat_1: sparse,
        sparse rows: 2.1 us expected of one core, 95.3 us of tiles". The layer runs once for that,
        on zeros; it has one graph argument, and rows of each feature are this graph's."""
        _native.Layer.__call__(self, *self._zeros(graph))
        return _native.last_decisions().splitlines()

    def _zeros(self, graph: Graph) -> list[Any]:
        import numpy as np

        if not isinstance(graph, Graph):
            raise TypeError(f"{self.name}: expected a clique.Graph, not {graph!r}")
        if self.device_type != CPU or sum(arg.kind == "graph" for arg in self.args) != 1:
            raise _native.ArgumentError(f"{self.name}: lowering() is for layers of the CPU with one "
                                        "graph argument; explain(...) takes the arguments of a call")
        rows = {"destinations": graph.num_dst, "sources": graph.num_src, "edges": graph.num_edges}
        made: list[Any] = []
        for arg in self.args:
            if arg.kind == "graph":
                made.append(graph)
                continue
            sizes = [rows.get(arg.extent or "") if size is None and k == 0 else size
                     for k, size in enumerate(arg.shape)]
            if None in sizes:
                raise _native.ArgumentError(f"{self.name}: argument '{arg}' has no size that the "
                                            "graph decides; explain(...) takes those of a call")
            made.append(zeros(arg.dtype, [size or 0 for size in sizes]))
        return made

    def verify(self, *args: Any, **keywords: Any) -> list[Deviation]:
        """Runs the layer, and evaluates its spec edge by edge in double precision. Raises
        AssertionError if a result differs by more than rounding explains."""
        self._module._require_spec("verify")
        found = _compiler.verify(self, self._module._text, self._module.name,
                                 self._module.options, args, keywords)
        deviations = [Deviation(result.name, *numbers)
                      for result, numbers in zip(self.results, found)]
        for deviation in deviations:
            if not deviation.error <= deviation.tolerance:
                raise AssertionError(
                    f"{self.name}: result '{deviation.name}' is {deviation.actual:.9g} where the "
                    f"reference has {deviation.expected:.9g}: an error of {deviation.error:.1e} of "
                    f"the largest value (tolerance {deviation.tolerance:.3g})")
        return deviations

    def bind(self, name: Optional[str] = None, /, **values: Any) -> "Layer":
        """The layer with these weights and numbers as constants, named `name` (NAME_bound): what
        remains of a trained layer is a function of its graph and features."""
        self._require_whole("bind", "bind the weights first: layer.bind(...).gradient(...)")
        self._module._require_spec("bind")
        name = name or f"{self.name}_bound"
        # The IR that it is made of has lost the heads to prune; the others have new numbers.
        options = dataclasses.replace(self._module.options, entry=name, prune_heads="")
        return _compile(Spec(bind(self, name, values).encode(), self._module.name), options)[name]

    def save(self, path: Path, header: Optional[Path] = None) -> None:
        """Writes a library of this layer alone, for C and C++ programs and for `clique.load`.
        header: also its C header."""
        self._require_whole("save", "clique-compile --gradients writes a library of both layers")
        self._module._require_spec("save")
        assert self._module._text is not None
        options = dataclasses.replace(self._module.options, entry=self.name)
        spec = Spec(self._module._text, self._module.name)
        contents, text = _read_library(spec, options), b""
        if header is not None:
            # Its name is that of the guard.
            text = _compiler.emit(spec.text, path_text(header), options, "header", self.name)[0]
        save(path, contents, header, text)

    def gradient(self, *wrt: str, order: int = 1) -> "Gradient":
        """The gradient by the arguments of these names (all of floats, if none is given), compiled
        when it is first asked for; a call returns them in the order of these names. order=2 is the
        gradient of the gradient, and so on."""
        module = self._module
        self._require_whole("gradient", "layer.gradient(order=2) is the gradient of the gradient")
        module._require_spec("gradient")
        assert module._text is not None
        if order < 1:
            raise _native.ArgumentError(f"{self.name}: order {order} of a gradient, expected 1 or "
                                        "more")
        for name in wrt:
            if not name or "," in name:  # the compiler would take it for all, or for several
                raise _native.ArgumentError(
                    f"{self.name}: has no argument '{name}' to differentiate by; there are: "
                    f"{[arg.name for arg in self.args]}")
        options = dataclasses.replace(module.options, entry=self.name, derivative=order,
                                      gradients=",".join(wrt))
        pair = _compile(Spec(module._text, module.name), options)
        name = self.name + "_gradient" * (order - 1)
        return Gradient(pair[f"{name}_forward"], pair[f"{name}_backward"], wrt)

    def _require_whole(self, what: str, instead: str) -> None:
        """What compiles the spec anew finds no layer of this name in it."""
        if self._module.options.derivative:
            raise _native.ArgumentError(f"{self.name} is one of the two layers of a gradient, which "
                                        f"{what}() does not take; {instead}")

    def _emit(self, kind: str, remarks: bool = False) -> tuple[bytes, str]:
        module = self._module
        module._require_spec("the compiler")
        return _compiler.emit(module._text, module.name, module.options, kind, self.name, remarks)

    def _explain_compilation(self) -> list[str]:
        if self._module._text is None:
            return []
        said = self._emit("llvm-dialect", remarks=True)[1]
        return [line for line in said.splitlines() if ": remark: " in line]

    def _explain_call(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[str]:
        graphs = [arg for arg in (*args, *keywords.values()) if isinstance(arg, Graph)]
        lines = [f"graph    {graph.describe()}" for graph in graphs]
        self(*args, **keywords)  # fills caches
        _native.reset_peak_memory()
        start = time.perf_counter()
        self(*args, **keywords)
        elapsed = time.perf_counter() - start
        lines += [f"kernel   {line}" for line in _native.last_decisions().splitlines()]
        lines.append(f"memory   {_native.peak_memory() / 1024:.1f} KiB at most, results included")
        lines.append(f"time     {elapsed * 1e3:.3f} ms")
        return lines

    def __reduce__(self) -> Any:
        self._module._require_spec("pickling")
        return _restore, (self._module._text, self._module.name, self._module.options, self.name)


def _describe(arg: tuple[Any, ...], names: list[str]) -> Argument:
    name, kind, dtype, shape, extent, graph, topology, param, no_self = arg
    return Argument(name, _KINDS[kind], dtype, shape, _EXTENTS[extent],
                    names[graph] if graph >= 0 else None,
                    topology if topology not in ("", "unknown") else None, param, bool(no_self))


class NoLayerError(_native.ArgumentError, KeyError, AttributeError):
    """A module has no layer of this name; also what Python expects of `module[name]` and
    `module.name`."""

    __str__ = Exception.__str__  # KeyError's is in quotes


class Module:
    """The layers of a spec or of a compiled library: `module["name"]` or `module.name`."""

    def __init__(self, library: _native.Library, text: Optional[bytes], name: str,
                 options: Options):
        self._library = library
        self._text = text
        self.name = name
        self.options = options
        self._layers = {layer: Layer(self, layer) for layer in library.names()}

    @property
    def spec(self) -> str:
        """The text that it was compiled from."""
        self._require_spec("spec")
        assert self._text is not None
        return self._text.decode("utf-8", "replace")

    def __getitem__(self, name: str) -> Layer:
        try:
            return self._layers[name]
        except KeyError:
            raise NoLayerError(f"{self.name} has no layer '{name}'; there are: "
                               f"{', '.join(self._layers)}") from None

    def __getattr__(self, name: str) -> Layer:
        if name.startswith("_") or name not in self._layers:
            raise NoLayerError(f"{self.name} has no layer '{name}'; there are: "
                               f"{', '.join(self._layers)}")
        return self._layers[name]

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers.values())

    def __len__(self) -> int:
        return len(self._layers)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._layers]

    def __repr__(self) -> str:
        lines = "".join(f"\n  {layer.signature}" for layer in self)
        return f"<module {self.name}:{lines}>"

    def __reduce__(self) -> Any:
        self._require_spec("pickling")
        return _compile, (Spec(self._text or b"", self.name), self.options)

    def save(self, path: Path) -> None:
        """Writes the library, for C and C++ programs and for `clique.load`. `layer.ir("header")`
        is its header."""
        self._require_spec("save")
        assert self._text is not None
        save(path, _read_library(Spec(self._text, self.name), self.options))

    def _require_spec(self, what: str) -> None:
        if self._text is None:
            raise _native.ArgumentError(
                f"{self.name} is a compiled library without its spec, which {what} needs: "
                "name it with clique.load(path, spec=...)")


def _library_path(spec: Spec, options: Options, again: bool = False) -> pathlib.Path:
    """The file in the cache, compiled now if need be."""
    compiler = _compiler.path()
    name = _cache.key(spec.text, os.fsencode(spec.name), repr(options).encode(),
                      __version__.encode(), os.fsencode(compiler), _cache.build_id(compiler),
                      _cache.build_id(_native.runtime_path()), _cache.processor().encode())

    def compile_to(path: str) -> None:
        _compiler.compile_library(spec.text, spec.name, options, path)

    with file_errors():
        return _cache.fetch(name, compile_to, again)


def _read_library(spec: Spec, options: Options) -> bytes:
    with file_errors():
        return _library_path(spec, options).read_bytes()


def _fetch(spec: Spec, options: Options) -> _native.Library:
    path = _library_path(spec, options)
    try:
        return _native.Library(path)
    except (_native.FileError, _native.FormatError, _native.IncompatibleError):
        # Damaged, or evicted since it was found.
        return _native.Library(_library_path(spec, options, again=True))


def _compile(spec: Spec, options: Options) -> Module:
    return Module(_fetch(spec, options), spec.text, spec.name, options)


def _restore(text: bytes, name: str, options: Options, layer: str) -> Layer:
    return _compile(Spec(text, name), options)[layer]


def compile_module(spec: Source, *, target: str = "cpu", cpu: str = "native", features: str = "",
                   gpu_arch: str = "multi", f32_products: str = "exact",
                   prune_heads: str = "") -> Module:
    """Compiles all layers of a spec.

    spec: the path of a file, or the text itself. target: "cpu" or "cuda"; the other options are
    those of clique-compile. What was compiled before, for this processor and by this compiler,
    comes from the cache on disk (CLIQUE_CACHE_DIR, CLIQUE_CACHE_MIB)."""
    options = Options(target, cpu, features, gpu_arch, f32_products, prune_heads=prune_heads)
    return _compile(read_spec(spec), options)


def compile(spec: Source, entry: Optional[str] = None, *, target: str = "cpu",
            cpu: str = "native", features: str = "", gpu_arch: str = "multi",
            f32_products: str = "exact", prune_heads: str = "") -> Layer:
    """Compiles the layer of a spec: the only one, or that of the name `entry` and no other. The
    rest is as for compile_module()."""
    options = Options(target, cpu, features, gpu_arch, f32_products, entry or "",
                      prune_heads=prune_heads)
    module = _compile(read_spec(spec), options)
    if entry is not None:
        return module[entry]
    if len(module) != 1:
        raise _native.ArgumentError(
            f"{module.name} has several layers; choose one with entry=NAME, or take all with "
            f"clique.compile_module: {', '.join(layer.name for layer in module)}")
    return next(iter(module))


def load(path: Path, spec: Optional[Source] = None) -> Module:
    """Loads a library that clique-compile or `Module.save` wrote. `spec`: what it was compiled
    from, if `ir`, `explain` and `verify` are wanted."""
    path = path_text(path)
    library = _native.Library(path)
    text, name = read_spec(spec) if spec is not None else (None, path)
    return Module(library, text, name, Options())


__all__ = ["Argument", "Deviation", "Layer", "Module", "SpecError", "compile", "compile_module",
           "load"]
