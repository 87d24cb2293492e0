# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What holds for all layers of the process."""

from __future__ import annotations

from . import _native

_LOWERINGS = {"auto": 0, "dense": 1, "sparse": 2, "measured": 3}


def set_num_threads(count: int) -> None:
    """Threads that layers use; 0, the default, is all cores. Results do not depend on it."""
    _native.set_num_threads(count)


def set_lowering(lowering: str) -> None:
    """"dense" tiles or "sparse" rows for all layers; "auto", the default: as the cost model says;
    "measured": what was faster in the first calls on a graph, where the model is not sure."""
    if lowering not in _LOWERINGS:
        raise _native.ArgumentError(f"lowering '{lowering}': expected auto, dense, sparse or "
                                    "measured")
    _native.set_lowering(_LOWERINGS[lowering])


def set_cuda_stream(stream: int) -> None:
    """The CUDA stream, as the number that its library has for it, in which this thread's calls take
    arrays of libraries that do not tell their current one; 0, the default, is the default stream.
    PyTorch tells: its tensors are taken in torch.cuda.current_stream()."""
    if not 0 <= stream < 1 << 64:
        raise _native.ArgumentError(f"{stream} is no number of a CUDA stream")
    _native.set_cuda_stream(stream)


def last_decisions() -> list[str]:
    """What each kernel of this thread's last call did, and why."""
    return _native.last_decisions().splitlines()
