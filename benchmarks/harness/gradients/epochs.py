# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole epochs: forward, cross-entropy over all nodes, backward, a step of Adam. Three layers of
128 features and a linear map to the classes, the same parameters for everyone."""

import numpy as np

from ..buffers import aligned, normal
from ..cases import CLIQUE, NORMAL, Case, Runner, Workload
from ..clique import copy_of, free
from ..sparse import dgl_layers, pyg
from ..sparse.layers import make_problem, spec_sizes
from .training import summary

GRAPH, FEATURES, CLASSES, DEPTH = "ogbn_arxiv", 128, 40, 3
RATE, BETAS, EPSILON = 0.005, (0.9, 0.999), 1e-8


class Network:
    """What everyone starts from. parameters: name -> array, in the order of the spec."""

    def __init__(self, layer, graph):
        self.problem = make_problem(layer, graph, FEATURES, 8 if layer == "gat" else 1)
        random = np.random.default_rng(3)
        self.labels = random.integers(0, CLASSES, graph.nodes)
        self.head = normal(random, (FEATURES, CLASSES))
        self.head /= np.sqrt(FEATURES)
        self.parameters = {f"{name}{k}": aligned(array) for k in range(1, DEPTH + 1)
                           for name, array in self.problem.weights.items()}
        self.parameters["o"] = aligned(self.head)


def cross_entropy_cotangent(logits, labels, out):
    """Of the mean over all nodes."""
    np.subtract(logits, logits.max(1, keepdims=True), out=out)
    np.exp(out, out=out)
    out /= out.sum(1, keepdims=True)
    out[np.arange(len(labels)), labels] -= 1
    out /= len(labels)


class Adam:
    """Kingma, Ba, ICLR 2015; in place, as Clique reads the parameters where they are."""

    def __init__(self, parameters):
        self.steps = 0
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]

    def step(self, parameters, gradients):
        self.steps += 1
        for p, g, (m, v) in zip(parameters, gradients, self.moments):
            m += (1 - BETAS[0]) * (g - m)
            v += (1 - BETAS[1]) * (g * g - v)
            scale = np.sqrt(v / (1 - BETAS[1]**self.steps)) + EPSILON
            p -= RATE / (1 - BETAS[0]**self.steps) * m / scale


def own(context, network):
    problem, parameters = network.problem, network.parameters
    gradient = context.clique.gradient(f"{problem.layer}_network", wrt=tuple(parameters),
                                       classes=CLASSES, **spec_sizes(problem))
    cotangent = aligned(np.zeros((problem.graph.nodes, CLASSES), np.float32))
    bound = gradient.bind(problem.graph.clique(context.clique), h=problem.h, grad_out=cotangent,
                          **parameters)
    arrays = list(parameters.values())
    adam = Adam(arrays)

    def get_gradients():
        kept = bound.run_forward()
        position = gradient.forward.result_names.index("out")
        cross_entropy_cotangent(copy_of(kept[position].contents.tensor), network.labels,
                                cotangent)
        gradients = bound.run_backward(kept)
        copies = [copy_of(result.contents.tensor) for result in gradients]
        free(gradients)
        free(kept)
        return copies

    def result():
        return summary(np.zeros(0, np.float32), get_gradients())
    return Runner(lambda: adam.step(arrays, get_gradients()), result)


def with_torch(network, make_layer):
    """make_layer: a function of the features, and its parameters."""
    import torch
    layers = [make_layer(network.problem) for _ in range(DEPTH)]
    head = pyg.torch_of(network.head.copy()).requires_grad_()
    parameters = [p for _, own_parameters in layers for p in own_parameters] + [head]
    h, labels = pyg.torch_of(network.problem.h), torch.from_numpy(network.labels)
    adam = torch.optim.Adam(parameters, lr=RATE, betas=BETAS, eps=EPSILON)

    def backward():
        with torch.enable_grad():
            x = h
            for function, _ in layers:
                x = function(x).reshape(h.shape).relu()
            loss = torch.nn.functional.cross_entropy(x @ head, labels)
            adam.zero_grad()
            loss.backward()

    def call():
        backward()
        adam.step()

    def result():
        backward()
        return summary(np.zeros(0, np.float32), [p.grad.numpy() for p in parameters
                                                       if p.grad is not None])
    return Runner(call, result)


def pyg_layer(problem):
    pyg.require_edge_tensors(problem, 3 * DEPTH)
    module, more = pyg.build(problem)
    return (lambda h: module(h, problem.graph.edge_index, *more)), list(module.parameters())


def make(layer):
    def workload(context):
        network = Network(layer, context.graphs.get(GRAPH))
        return Workload({CLIQUE: lambda: own(context, network),
                         "pyg": lambda: with_torch(network, pyg_layer),
                         "dgl": lambda: with_torch(network, dgl_layers.build)},
                        calls_torch=False)
    return workload


def cases():
    return [Case("epoch", f"{layer}/{GRAPH}/f{FEATURES}", make(layer), NORMAL)
            for layer in ("gat", "gcn")]
