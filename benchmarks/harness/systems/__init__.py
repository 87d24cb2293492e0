# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems of the literature, as examples/families has them, beside the same equations in PyTorch:
attention by its fused kernel, sparse graphs by PyG's scatter and softmax, eager and through
torch.compile."""

from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from . import peers
from .problems import SYSTEMS, make_inputs
from .settings import make_setting


def make(system, name):
    def workload(context):
        setting = make_setting(context.graphs, name)
        inputs = make_inputs(system, setting)

        def clique():
            layer = context.clique.layer(f"families/{system.spec}", system.entry)
            graph = setting.clique(context.clique) if layer.takes_graph else None
            call = layer.bind(graph, *inputs.values())
            return Runner(call, lambda: rows(call(keep=True)))

        return Workload({CLIQUE: clique, **peers.contenders(system.entry, setting, inputs)})
    return workload


def rows(array):
    return array.reshape(len(array), -1)


def cases():
    for system in SYSTEMS:
        for number, name in enumerate(system.settings):
            yield Case(system.entry, name, make(system, name), NORMAL if number else QUICK)
