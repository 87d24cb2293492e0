# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems of the literature, as examples/families has them, beside the same equations in PyTorch
with PyG's scatter and softmax: eager and through torch.compile."""

from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from . import peers
from .problems import SYSTEMS, make_inputs


def make(system, graph_name):
    def workload(context):
        graph = system.graph(context.graphs, graph_name)
        inputs = make_inputs(system, graph)

        def clique():
            layer = context.clique.layer(f"families/{system.spec}", system.entry)
            call = layer.bind(graph.clique(context.clique), *inputs.values())
            return Runner(call, lambda: call(keep=True).reshape(graph.nodes, -1))

        return Workload({
            CLIQUE: clique,
            "pytorch": lambda: peers.eager(system, graph, inputs),
            "pytorch-compile": lambda: peers.compiled(system, graph, inputs),
        })
    return workload


def cases():
    for system in SYSTEMS:
        for number, graph in enumerate(system.graphs):
            yield Case(system.entry, graph, make(system, graph), NORMAL if number else QUICK)
