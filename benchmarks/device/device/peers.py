# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch and PyG compute in place of a layer, on their favourite layouts."""

import contextlib
import dataclasses
import typing

import torch


@dataclasses.dataclass
class Contender:
    """`call` computes once; `scope` is entered around a group of calls; `result` turns what
    call returned into the layout of the layer's result."""
    call: typing.Callable
    result: typing.Callable = lambda value: value
    scope: typing.Callable = contextlib.nullcontext


def by_head(tensor):
    """[n, heads, size] as the [1, heads, n, size], contiguous, that PyTorch likes best."""
    return tensor.transpose(0, 1).unsqueeze(0).contiguous()


def by_node(tensor):
    return tensor.squeeze(0).transpose(0, 1)


def sdpa(inputs, topology, backend):
    """scaled_dot_product_attention by one of its kernels."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention
    query, key, value = map(by_head, inputs)
    causal = topology == "causal"
    return Contender(
        lambda: scaled_dot_product_attention(query, key, value, is_causal=causal), by_node,
        lambda: sdpa_kernel(getattr(SDPBackend, backend)))


def flex(inputs, topology):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    query, key, value = map(by_head, inputs)
    nodes, mask = inputs[0].shape[0], None
    if topology == "causal":
        mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, nodes, nodes,
                                 device=query.device.type)
    torch._dynamo.reset()
    compiled = torch.compile(flex_attention, dynamic=False)
    return Contender(lambda: compiled(query, key, value, block_mask=mask), by_node)


def attention(inputs, topology, dtype):
    makers = {"torch-efficient": lambda: sdpa(inputs, topology, "EFFICIENT_ATTENTION")}
    if dtype != "f32":  # these kernels have no f32
        makers = {"torch-cudnn": lambda: sdpa(inputs, topology, "CUDNN_ATTENTION"),
                  "torch-flash": lambda: sdpa(inputs, topology, "FLASH_ATTENTION")}
    return dict(makers, **{"torch-flex": lambda: flex(inputs, topology)})


def pyg_layer(problem, device):
    from harness.sparse import pyg
    module, _ = pyg.build(problem)
    module = module.to(device)
    features = torch.from_numpy(problem.h).to(device)
    edges = problem.graph.edge_index.to(device)
    return Contender(lambda: module(features, edges))


def cusparse(problem, device):
    """A matrix with 32-bit indices, made beforehand, times the features."""
    graph = problem.graph
    matrix = torch.sparse_csr_tensor(
        torch.from_numpy(graph.indptr.astype("int32")), torch.from_numpy(graph.indices),
        torch.ones(graph.edges), (graph.nodes, graph.nodes), device=device)
    features = torch.from_numpy(problem.h).to(device)
    return Contender(lambda: matrix @ features)


def sparse(problem, device):
    makers = {"pyg": lambda: pyg_layer(problem, device)}
    if problem.layer == "sum":
        makers["torch-cusparse"] = lambda: cusparse(problem, device)
    return makers
