# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of training a Transformer's encoder block, normalised before each part: forward, then the
cotangents of its input and of all its parameters."""

import math

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from ..dense.attention import HEADS, make_graph
from ..dense.encoder import make_weights, packed
from .dense import PRODUCTS

NODES = (512, 1024, 2048)
SIZE = 64
WIDTH = HEADS * SIZE
HIDDEN = 4 * WIDTH
# Scores and sums of values forward; the cotangents take seven products, as `backward` has it.
ATTENTION_PRODUCTS = 2 + PRODUCTS
SIZES = {"width": WIDTH, "heads": HEADS, "size": SIZE, "hidden": HIDDEN,
         "scale": 1 / math.sqrt(SIZE)}


class Block:
    """What everyone starts from."""

    def __init__(self, nodes):
        random = np.random.default_rng(6)
        self.x = normal(random, (nodes, WIDTH))
        self.cotangent = normal(random, (nodes, WIDTH))
        self.weights = make_weights(WIDTH, HEADS, HIDDEN)


def comparable(gradients):
    """name -> array, one behind the other; those of weights are sums over nodes, and scaled."""
    matrix, bias = (packed(gradients, WIDTH) if "wq" in gradients
                    else (gradients["w"].T, gradients["b"]))
    scale = np.float32(1 / math.sqrt(gradients["x"].size / WIDTH))
    weights = [gradients[name] for name in ("wo", "bo", "s1", "t1", "w1", "b1", "w2", "b2", "s2", "t2")]
    return np.concatenate([np.ravel(gradients["x"]),
                           *(scale * np.ravel(array) for array in (matrix, bias, *weights))])


def own(context, block):
    gradient = context.clique.gradient("pre_norm", **SIZES)
    bound = gradient.bind(make_graph(context.clique, "complete", len(block.x)), x=block.x,
                          grad_out=block.cotangent, **block.weights)
    names = [name.removeprefix("grad_") for name in gradient.backward.result_names]
    return Runner(bound.run, lambda: comparable(dict(zip(names, bound.run_and_copy()))))


def own_forward(context, block):
    """The forward pass alone: what the whole is a multiple of."""
    call = context.clique.layer("pre_norm", **SIZES).bind(
        make_graph(context.clique, "complete", len(block.x)), block.x, *block.weights.values())
    return Runner(call, lambda: call(keep=True))


def with_torch(block, compiled=False):
    """Weights lie as those of torch.nn.Linear do, and the maps to queries, keys and values are
    one."""
    import torch
    from torch.nn import functional
    matrix, bias = packed(block.weights, WIDTH)
    arrays = {"x": block.x[None], "w": matrix, "b": bias,
              **{name: array for name, array in block.weights.items()
                 if name[1:] not in ("q", "k", "v")}}
    leaves = {name: torch.from_numpy(np.array(array.T if array.ndim == 2 else array, order="C"))
              .requires_grad_() for name, array in arrays.items()}
    cotangent = torch.from_numpy(block.cotangent)[None]

    def function(x, w, b, wo, bo, s1, t1, w1, b1, w2, b2, s2, t2):
        n = functional.layer_norm(x, (WIDTH,), s1, t1)
        q, k, v = (part.unflatten(-1, (HEADS, SIZE)).transpose(-2, -3)
                   for part in functional.linear(n, w, b).chunk(3, -1))
        m = functional.scaled_dot_product_attention(q, k, v).transpose(-2, -3).flatten(-2)
        y = x + functional.linear(m, wo, bo)
        h = functional.linear(functional.layer_norm(y, (WIDTH,), s2, t2), w1, b1)
        return y + functional.linear(functional.gelu(h), w2, b2)

    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function, dynamic=False)

    def call():
        with torch.enable_grad():
            return torch.autograd.grad(function(**leaves), list(leaves.values()), cotangent)

    def result():
        made = {name: array.numpy() for name, array in zip(leaves, call())}
        return comparable({name: array.T if name in ("wo", "w1", "w2") else array
                           for name, array in made.items()})
    return Runner(call, result)


def make(nodes):
    def workload(context):
        block = Block(nodes)
        maps = 4.0 * WIDTH**2 + 2.0 * WIDTH * HIDDEN
        flops = 2.0 * nodes * (3 * maps + ATTENTION_PRODUCTS * nodes * WIDTH)
        return Workload({CLIQUE: lambda: own(context, block),
                         "torch": lambda: with_torch(block),
                         "torch-compile": lambda: with_torch(block, compiled=True)},
                        unlike={"clique-forward": lambda: own_forward(context, block)},
                        flops=flops, calls_torch=False)
    return workload


def cases():
    return [Case("block", f"h{HEADS}/d{SIZE}/n{nodes}", make(nodes),
                 QUICK if nodes == 1024 else NORMAL) for nodes in NODES]
