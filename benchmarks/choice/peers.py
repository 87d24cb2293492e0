# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user would otherwise call on the same graph: PyTorch's fused attention with a mask, its
sparse and dense matrices, its gathers and scatters, DGL's kernels. One thread."""

import numpy as np

# Values of all edges at a time that a peer may store.
MOST_BYTES = 2 << 30


class Peers:
    """Calls by the name of a peer, for the layers that `make` knows."""

    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.torch = torch
        try:
            import dgl
            self.dgl = dgl
        except ImportError:
            self.dgl = None

    def make(self, layer, graph, inputs):
        kinds = {"attention": self.attention, "gcn": self.scaled, "edgeconv": self.edge_network}
        if layer not in kinds:
            return {}
        tensors = [self.torch.from_numpy(array) for array in inputs]
        dst, src = (self.torch.from_numpy(ends) for ends in np.nonzero(graph.adjacent))
        return dict(kinds[layer](graph, dst, src, *tensors))

    def fits(self, graph, elements):
        return 4 * graph.edges * elements <= MOST_BYTES

    def dgl_graph(self, graph, dst, src):
        return self.dgl.graph((src, dst), num_nodes=graph.nodes).formats(["csc", "coo"])

    def attention(self, graph, dst, src, q, k, v):
        torch = self.torch
        mask = torch.from_numpy(graph.adjacent)[None, None]
        laid_out = [x.permute(1, 0, 2).contiguous()[None] for x in (q, k, v)]
        yield "torch-sdpa-mask", lambda: torch.nn.functional.scaled_dot_product_attention(
            *laid_out, attn_mask=mask, scale=1.0)[0].permute(1, 0, 2)
        if not self.fits(graph, 3 * q[0].numel()):
            return
        yield "torch-edges", lambda: self.weigh(
            torch.exp((q[dst] * k[src]).sum(-1)), dst, v[src], graph.nodes)
        if self.dgl:
            edges = self.dgl_graph(graph, dst, src)
            ops = self.dgl.ops

            def call():
                scores = ops.u_dot_v(edges, k, q)
                return ops.u_mul_e_sum(edges, v, ops.edge_softmax(edges, scores))
            yield "dgl", call

    def weigh(self, weights, dst, values, nodes):
        """Scores here are small: no maximum is needed, which is to the peer's advantage."""
        torch = self.torch
        sums = torch.zeros(nodes, weights.shape[1]).index_add_(0, dst, weights)
        out = torch.zeros(nodes, *values.shape[1:]).index_add_(0, dst, weights[..., None] * values)
        return out / sums.clamp(min=1e-30)[..., None]

    def scaled(self, graph, dst, src, a, b, x):
        torch = self.torch
        weights = a[dst] * b[src]
        matrix = torch.sparse_coo_tensor(torch.stack([dst, src]), weights,
                                         (graph.nodes, graph.nodes)).to_sparse_csr()
        yield "torch-sparse", lambda: matrix @ x
        dense = torch.zeros(graph.nodes, graph.nodes)
        dense[dst, src] = weights
        yield "torch-dense", lambda: dense @ x
        if self.dgl:
            edges = self.dgl_graph(graph, dst, src)
            yield "dgl", lambda: self.dgl.ops.u_mul_e_sum(edges, x, weights[:, None])

    def edge_network(self, graph, dst, src, a, b, w):
        torch = self.torch
        if not self.fits(graph, 3 * a[0].numel()):
            return

        def call():
            messages = torch.relu(a[dst] + b[src]) @ w
            index = dst[:, None].expand_as(messages)
            return torch.zeros(graph.nodes, w.shape[1]).scatter_reduce_(
                0, index, messages, "amax", include_self=False)
        yield "torch-edges", call


def measure(peers, clique_call, expected, seconds, time_call):
    """The least milliseconds of Clique and of each peer, which take turns; a peer whose result
    differs has none."""
    calls = {name: call for name, call in peers.items()
             if np.allclose(call().numpy(), expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())}
    wrong = set(peers) - set(calls)
    return time_call({"clique": clique_call, **calls}, seconds), sorted(wrong)
