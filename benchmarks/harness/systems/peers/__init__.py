# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems in PyTorch, by family. A function's first parameter is what is made before and not
timed, by `before`: the edges, or what is needed for all pairs of nodes and depends on nothing
learned, such as a mask; the others are those of the spec."""

import functools

from ...cases import Runner
from ...sparse.pyg import torch_of
from . import acyclic, graph_networks, sparse_attention, transformers

FAMILIES = (graph_networks, transformers, sparse_attention, acyclic)
FUNCTIONS = {name: function for family in FAMILIES for name, function in family.FUNCTIONS.items()}
# The same by way of FlexAttention, which compiles itself, for scores that the fused kernel does not
# know.
FLEX = {name: function for family in FAMILIES
        for name, function in getattr(family, "FLEX", {}).items()}


def edges_of(setting, inputs):
    return getattr(setting.graph, "edge_index", None)


def before(functions, name):
    """What is made before is a function beside the one that takes it."""
    return getattr(functions[name], "before", edges_of)


def contenders(name, setting, inputs):
    """Name -> function that makes the Runner."""
    made = {"pytorch": lambda: runner(FUNCTIONS, name, setting, inputs),
            "pytorch-compile": lambda: runner(FUNCTIONS, name, setting, inputs, compiles=True)}
    if name in FLEX:
        made["pytorch-flex"] = lambda: runner(FLEX, name, setting, inputs)
    return made


def runner(functions, name, setting, inputs, compiles=False):
    import torch
    forget_others(name)
    function = compiled(functions[name]) if compiles else functions[name]
    values = {key: array.item() if array.ndim == 0 else torch_of(array)
              for key, array in inputs.items()}
    first = before(functions, name)(setting, values)

    def call():
        with torch.inference_mode():
            out = function(first, *values.values())
            return out[0] if isinstance(out, tuple) else out

    return Runner(call, lambda: rows(call()).numpy())


def rows(tensor):
    return tensor.reshape(len(tensor), -1)


@functools.cache
def compiled(function):
    """One compilation serves all sizes."""
    import torch
    if hasattr(function, "goes_by_steps"):
        function = torch._dynamo.disable(function, recursive=False)
    return torch.compile(function, dynamic=True)


@functools.cache
def forget_others(name):
    """What was compiled for other systems."""
    import torch
    torch._dynamo.reset()
