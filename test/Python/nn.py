# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clique.nn beside PyG: parameters of the same names, state_dicts that load, the same outputs and
gradients; without PyG, beside outputs that NumPy makes. The functions of docs/pyg.md beside both."""
# REQUIRES: torch
# RUN: %torch_python %S/Inputs/extract.py %clique_src_root/docs/pyg.md layers.py > %t.py
# RUN: %torch_python %s %S/Inputs %t.py | FileCheck %s
# CHECK: layers are {{PyG's|their equations}}
# CHECK: so are the page's
# CHECK-NEXT: graphs and dropout
# CHECK-NEXT: libraries are the modules
# CHECK-NEXT: modes and shapes

import sys

sys.path.insert(0, sys.argv[1])

import runpy
import tempfile
import unittest.mock

import clique
import clique.nn
import torch
from clique.nn import _edges
from layers import raises

torch.manual_seed(0)
NODES = 9
# Self-loops (one twice, at a node that has other edges), parallel edges, nodes without incoming edge.
EDGES = torch.tensor([[0, 1, 2, 3, 3, 5, 5, 6, 7, 2, 2, 4, 8, 3],
                      [1, 0, 1, 3, 3, 4, 4, 2, 6, 2, 3, 5, 5, 1]])
x = torch.randn(NODES, 6)
weight = torch.rand(EDGES.size(1)) + 0.5
attributes = torch.randn(EDGES.size(1), 3)


def mlp():
    return torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))


# (class, arguments of the constructor, of the call)
CASES = [
    ("GCNConv", dict(out_channels=4), {}),
    ("GCNConv", dict(out_channels=4, improved=True, bias=False), dict(edge_weight=weight)),
    ("GCNConv", dict(out_channels=4, normalize=False), {}),
    ("SAGEConv", dict(out_channels=4), {}),
    ("SAGEConv", dict(out_channels=4, aggr="max", project=True, normalize=True), {}),
    ("GINConv", dict(train_eps=True, eps=0.25), {}),
    ("GATConv", dict(out_channels=4, heads=2), {}),
    ("GATConv", dict(out_channels=4, heads=2, concat=False, edge_dim=3, residual=True),
     dict(edge_attr=attributes)),
    # PyG fills loops by edge_index[1], whatever the flow.
    ("GATConv", dict(out_channels=4, heads=2, edge_dim=3, flow="target_to_source"),
     dict(edge_attr=attributes)),
    ("GATv2Conv", dict(out_channels=4, edge_dim=3, flow="target_to_source", fill_value="max"),
     dict(edge_attr=attributes)),
    ("GATv2Conv", dict(out_channels=4, heads=2), {}),
    ("GATv2Conv", dict(out_channels=4, heads=1, share_weights=True, add_self_loops=False), {}),
    ("TransformerConv", dict(out_channels=4, heads=2), {}),
    ("TransformerConv", dict(out_channels=4, heads=2, concat=False, beta=True, edge_dim=3),
     dict(edge_attr=attributes)),
]


def make(module, name, options):
    options = dict(options)
    if name == "GINConv":
        return getattr(module, name)(mlp(), **options)
    return getattr(module, name)(6, options.pop("out_channels"), **options)


def close(a, b):
    return torch.allclose(a, b, rtol=1e-4, atol=1e-5)


def compare(other, name, options, keywords):
    theirs, ours = make(other, name, options), make(clique.nn, name, options)
    ours.load_state_dict(theirs.state_dict())
    assert list(ours.state_dict()) == list(theirs.state_dict()), name
    features = [x.clone().requires_grad_() for _ in range(2)]
    made = [conv(h, EDGES, **keywords) for conv, h in zip((theirs, ours), features)]
    assert close(*made), f"{name} {options}: {(made[0] - made[1]).abs().max()}"
    cotangent = torch.randn_like(made[0])
    for out in made:
        (out * cotangent).sum().backward()
    assert close(features[0].grad, features[1].grad), f"{name} {options}: gradient of x"
    for (label, a), (_, b) in zip(theirs.named_parameters(), ours.named_parameters()):
        assert close(a.grad, b.grad), f"{name} {options}: gradient of {label}"


try:
    import torch_geometric.nn
except ImportError:
    # Two of the equations.
    adjacency = torch.zeros(NODES, NODES).index_put_((EDGES[1], EDGES[0]), torch.ones(14),
                                                     accumulate=True)
    conv = clique.nn.SAGEConv(6, 4)
    mean = adjacency / adjacency.sum(1, keepdim=True).clamp(min=1) @ x
    assert close(conv(x, EDGES), conv.lin_l(mean) + conv.lin_r(x))
    conv = clique.nn.GCNConv(6, 4)
    looped = adjacency * (1 - torch.eye(NODES)) + torch.eye(NODES)
    root = looped.sum(1).rsqrt()
    assert close(conv(x, EDGES), root[:, None] * (looped @ (root[:, None] * conv.lin(x))))
    print("layers are their equations")
else:
    for case in CASES:
        compare(torch_geometric.nn, *case)
    ours, theirs = (module.SAGEConv((6, 5), 4) for module in (clique.nn, torch_geometric.nn))
    ours.load_state_dict(theirs.state_dict())
    pair, part = (x, torch.randn(8, 5)), EDGES[:, EDGES[1] < 8]
    assert close(ours(pair, part), theirs(pair, part))
    # Destinations without features: scores and results are those of sources alone.
    for name, options, size in (("GATConv", dict(out_channels=4, residual=True), None),
                                ("GATConv", dict(out_channels=4), (NODES, NODES)),
                                ("SAGEConv", dict(out_channels=4), None)):
        ours, theirs = (make(module, name, options) for module in (clique.nn, torch_geometric.nn))
        ours.load_state_dict(theirs.state_dict())
        given = (x, None), EDGES
        assert close(ours(*given, size=size), theirs(*given, size=size)), (name, size)
    ours, theirs = (module.GATConv((6, 5), 4) for module in (clique.nn, torch_geometric.nn))
    ours.load_state_dict(theirs.state_dict())
    assert close(*(conv((x, None), part, size=(NODES, 8)) for conv in (ours, theirs)))
    print("layers are PyG's")

# The page: six functions with PyG's lines beside them; weights there are [in, ...].
page = runpy.run_path(sys.argv[2])
peers = clique.nn if "torch_geometric" not in sys.modules else torch_geometric.nn
# mp.self_loops keeps a loop that is listed twice, where PyG's layers keep one: the page says so.
ONCE = EDGES[:, torch.arange(EDGES.size(1)) != 4]
h, e = torch.randn(NODES, 64), torch.randn(ONCE.size(1), 4)


def heads(linear):
    return linear.weight.T.reshape(-1, 8, 8)


def on_page(name, conv, *values, **keywords):
    with torch.no_grad():
        torch.nn.init.zeros_(conv.bias) if getattr(conv, "bias", None) is not None else None
        weights = {label: value(conv) for label, value in keywords.items()}
        made = clique.compile(page[name])(clique.Graph.from_edge_index(ONCE, NODES), h, *values,
                                          **{k: v.contiguous() for k, v in weights.items()})
        assert close(made, conv(h, ONCE, *values)), name


on_page("gcn", peers.GCNConv(64, 32), w=lambda c: c.lin.weight.T)
on_page("sage", peers.SAGEConv(64, 32), w_l=lambda c: c.lin_l.weight.T, b=lambda c: c.lin_l.bias,
        w_r=lambda c: c.lin_r.weight.T)
network = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32))
on_page("gin", peers.GINConv(network, eps=0.25), eps=lambda c: torch.tensor(0.25),
        w1=lambda c: network[0].weight.T, b1=lambda c: network[0].bias,
        w2=lambda c: network[2].weight.T, b2=lambda c: network[2].bias)
on_page("gat", peers.GATConv(64, 8, heads=8), w=lambda c: heads(c.lin),
        att_src=lambda c: c.att_src[0], att_dst=lambda c: c.att_dst[0])
on_page("gatv2", peers.GATv2Conv(64, 8, heads=8, add_self_loops=False, bias=False),
        w_l=lambda c: heads(c.lin_l), w_r=lambda c: heads(c.lin_r), att=lambda c: c.att[0])
dot = peers.TransformerConv(64, 8, heads=8, edge_dim=4)
for linear in dot.lin_query, dot.lin_key, dot.lin_value, dot.lin_skip:
    torch.nn.init.zeros_(linear.bias)
on_page("transformer", dot, e, w_q=lambda c: heads(c.lin_query), w_k=lambda c: heads(c.lin_key),
        w_v=lambda c: heads(c.lin_value), w_e=lambda c: heads(c.lin_edge),
        w_skip=lambda c: c.lin_skip.weight.T)
print("so are the page's")

conv = clique.nn.GCNConv(6, 4)
graph = clique.Graph.from_edge_index(EDGES[:, EDGES[0] != EDGES[1]], NODES)
with torch.no_grad():
    assert close(conv(x, graph), conv(x, EDGES))
    turned = clique.nn.GCNConv(6, 4, flow="target_to_source")
    turned.load_state_dict(conv.state_dict())
    assert close(turned(x, EDGES.flip(0)), conv(x, EDGES))
    sage = clique.nn.SAGEConv(6, 4)
    before = sage(x, EDGES)
    EDGES[0, 0] = 8  # The graph of a changed edge_index is another one.
    assert not close(sage(x, EDGES), before)
    gat = clique.nn.GATConv(6, 4, dropout=0.5)
    dropped = gat(x, EDGES)
    assert not torch.equal(dropped, gat(x, EDGES))
    assert torch.equal(gat.eval()(x, EDGES), gat(x, EDGES))
raises(TypeError, "expected a tensor of shape [2, edges]", conv, x, EDGES[0])
for layer, text in ((clique.nn.GCNConv(4, 3), "x: expected a tensor, not"),
                    (clique.nn.GATConv(4, 3), "x: expected a tensor, or a pair of those of sources")):
    raises(TypeError, text, layer, clique.Graph.complete(8), x)
    raises(TypeError, text, layer, x.detach().numpy(), EDGES)
raises(ValueError, "the graph has 8 sources and 8 destinations, the features 9 and 9 rows", conv, x,
       clique.Graph.complete(8))
with unittest.mock.patch("clique.nn._edges._library_is_compiling", lambda: True):
    raises(TypeError, "under torch.compile give a clique.Graph, "
           "clique.Graph.from_edge_index(edge_index, nodes), made outside", conv, x, EDGES)
raises(ValueError, "sizes are known when a layer is made; PyG's lazy -1 is not taken",
       clique.nn.GCNConv, -1, 4)
for attention in clique.nn.GATConv, clique.nn.GATv2Conv, clique.nn.TransformerConv:
    raises(ValueError, "heads = 0: expected 1 or more", attention, 6, 4, heads=0)
raises(ValueError, "GCNConv adds self-loops only where it normalises", clique.nn.GCNConv, 6, 4,
       normalize=False, add_self_loops=True)
transformer = clique.nn.TransformerConv(6, 4)
for layer in (gat, clique.nn.GATv2Conv(6, 4), transformer):
    raises(NotImplementedError, "weights of edges are never stored: a spec can return them", layer,
           x, EDGES, return_attention_weights=True)
raises(ValueError, "fill_value = 'median': expected one of add, sum, mean", clique.nn.GATConv(
    6, 4, edge_dim=3, fill_value="median"), x, EDGES, attributes)
raises(ValueError, "edge_attr is given to layers that were made with edge_dim, and only to those",
       transformer, x, EDGES, attributes)
raises(TypeError, "GCNConv has no argument 'decay'", clique.nn.GCNConv, 6, 4, decay=1)
raises(ValueError, "aggr = 'lstm'", clique.nn.SAGEConv, 6, 4, aggr="lstm")
raises(ValueError, "made without edge_dim", gat, x, EDGES, torch.ones(14, 3))
print("graphs and dropout")

# A library adds the loops, also where the call has an edge_index.
EDGES = torch.tensor([[0, 0, 1, 2, 3, 3], [1, 2, 2, 3, 0, 3]])
graph, x = clique.Graph.from_edge_index(EDGES, 4), torch.randn(4, 6)
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/layer.so"
    for conv in (clique.nn.GCNConv(6, 4), clique.nn.GATConv(6, 4, dropout=0.5).eval(),
                 clique.nn.GATv2Conv(6, 4), clique.nn.GINConv(torch.nn.Identity(), 0.5),
                 clique.nn.TransformerConv(6, 4)):
        made = conv.export(path, x, EDGES)
        with torch.no_grad():
            assert close(made(graph, x), conv(x, EDGES)), conv
    raises(NotImplementedError, "GINConv.export: nn, Sequential, runs in PyTorch, and a library "
           "would lack it", clique.nn.GINConv(mlp()).export, path, x, EDGES)
    raises(ValueError, "GATConv: is in training mode, and a library has no dropout: call eval()",
           clique.nn.GATConv(6, 4, dropout=0.5).export, path, x, EDGES)
    raises(ValueError, "a library makes no attributes of loops; export a layer that was made with "
           "add_self_loops=False", clique.nn.GATConv(6, 4, edge_dim=1).export, path, x, EDGES,
           torch.ones(6))
    raises(ValueError, "a library makes no weights of loops; export a layer that was made with "
           "add_self_loops=False", clique.nn.GCNConv(6, 4).export, path, x, EDGES, torch.ones(6))
print("libraries are the modules")

# An edge_index of inference mode has no version; of another one the last graph is kept, also for
# a backward pass where the first call was of inference mode.
gcn, gat = clique.nn.GCNConv(6, 4), clique.nn.GATConv(6, 4, edge_dim=2)
attributes = torch.randn(6, 2)
with torch.inference_mode():
    assert close(gcn(x, EDGES.clone()), gcn(x, EDGES))
    expected = gat(x, EDGES, attributes)
assert close(gat(x, EDGES, attributes.requires_grad_()), expected)
gat(x, EDGES, attributes).sum().backward()
before = len(_edges._cache)
for _ in range(3):
    EDGES.copy_(EDGES.clone())
    gcn(x, EDGES)
assert len(_edges._cache) == before, "a graph of each version is kept"
# So is the graph with loops.
with unittest.mock.patch.object(clique.Graph, "with_self_loops", autospec=True,
                                side_effect=clique.Graph.with_self_loops) as add:
    for conv in gcn, gcn, clique.nn.GCNConv(6, 4, improved=True):
        conv(x, graph, torch.ones(6))
    clique.nn.GATConv(6, 4, dropout=0.5)(x, graph)
assert add.call_count == 1

with torch.autocast("cpu", torch.bfloat16):
    low = torch.nn.Linear(6, 6)(x)
    assert low.dtype == torch.bfloat16
    for conv in gcn, clique.nn.SAGEConv(6, 4), gat:
        made = conv(low, EDGES)
        assert made.dtype == torch.float32
        made.sum().backward(retain_graph=True)
assert close(made, gat(low.float(), EDGES))
raises(ValueError, "GCNConv: 'x' is of type torch.bfloat16, the weights are of torch.float32: "
       "expected one type", gcn, low, EDGES)

raises(ValueError, "GATConv: edge_attr has shape [2, 6], expected [6, 2]: there are 6 edges, and "
       "edge_dim = 2", gat, x, EDGES, attributes.t())
raises(ValueError, "GATConv: edge_attr has shape [6], expected [6, 2]", gat, x, EDGES,
       torch.ones(6))
raises(ValueError, "TransformerConv: edge_attr has shape [7, 2], expected [6, 2]: there are 6",
       clique.nn.TransformerConv(6, 4, edge_dim=2), x, graph, torch.ones(7, 2))
raises(ValueError, "GCNConv: edge_weight has shape [9], expected [6]: there are 6 edges", gcn, x,
       EDGES, torch.ones(9))
raises(ValueError, "GCNConv: edge_weight has shape [9], expected [6]", gcn, x, graph, torch.ones(9))
for conv in clique.nn.GATv2Conv(6, 4), clique.nn.TransformerConv(6, 4):
    raises(ValueError, f"{type(conv).__name__}: x has no features of destinations, which its "
           "scores depend on: give x as (sources, destinations)", conv, (x, None), EDGES)
print("modes and shapes")
