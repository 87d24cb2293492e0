# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the dialect's reference page from standard input and writes a module
that holds every example of it, each in a function that declares the values the
example leaves undefined. Fails when an op has no example, or an example needs a
value whose type is not in VALUES."""

import re
import sys

FEATURE, NODES = "tensor<64xf32>", "tensor<?x8xf32>"
ACTIVATION = {"x": FEATURE}

# The types of the values that an op's examples use and do not define.
VALUES = {
    "aggregate": {"g": "!mp.graph", "m": "!mp.edges<8xf32>", "s": "!mp.edges<f32>",
                  "e": "!mp.edges<f32>"},
    "batch_norm": {name: FEATURE for name in "xmvgb"},
    "bipartite": {"n_dst": "index", "n_src": "index"},
    "block": {"first": "index", "last": "index", "indptr": "memref<?xi64>", "rows": "memref<?xi64>",
              "sources": "memref<?xi32>", "ids": "memref<?xi64>", "h": NODES,
              "out": "memref<?x8xf32>"},
    "broadcast": {"s": "tensor<8xf32>", "v": "tensor<16xf32>", "k": "tensor<8x16xf32>"},
    "cast": {"g": "!mp.graph<complete>"},
    "causal": {"n": "index"},
    "check": {"g": "!mp.graph", "h": "tensor<?x8xf32>", "c0": "index"},
    "choose_dense": {"g": "!mp.graph"},
    "cliques": {"offsets": "tensor<?xi64>"},
    "complete": {"n": "index"},
    "coo": {"dst": "tensor<?xi32>", "src": "tensor<?xi32>", "n_dst": "index",
            "n_src": "index"},
    "csr": {"indptr": "tensor<?xi64>", "indices": "tensor<?xi32>", "n": "index"},
    "degree": {"g": "!mp.graph"},
    "dot": {"q": "tensor<8x16xf32>", "k": "tensor<8x16xf32>"},
    "dot_pairs": {"sum": "f32", "a": "i32", "b": "i32"},
    "edge_ids": {"g": "!mp.graph"},
    "edge_list": {},
    "edge_softmax": {"g": "!mp.graph", "c": "!mp.graph<causal>", "s": "!mp.edges<8xf32>"},
    "edges_by_type": {"g": "!mp.graph", "types": "memref<?xi32>", "rows": "index",
                      "edges": "index"},
    "elu": ACTIVATION,
    "gelu": ACTIVATION,
    "group_edges": {"g": "!mp.graph", "type": "!mp.edges<i32>", "n": "index"},
    "hub_chunks": {"g": "!mp.graph", "edges": "index"},
    "hubs": {"g": "!mp.graph", "edges": "index"},
    "in_order": {"g": "!mp.graph"},
    "indptr": {"g": "!mp.graph"},
    "kernel": {"g": "!mp.graph", "h": NODES, "x": "tensor<?x8x16xf32>", "n": "index"},
    "layer_norm": {name: FEATURE for name in "xgb"},
    "leaky_relu": ACTIVATION,
    "linear": {"x": FEATURE, "w": "tensor<64x8x16xf32>", "v": "tensor<64x32xf32>",
               "b": "tensor<32xf32>", "u": "tensor<16x32xf32>"},
    "levels": {"g": "!mp.graph"},
    "lookup": {"table": "tensor<257x8xf32>", "d": "tensor<i32>", "words": "tensor<?xi32>",
               "order": "tensor<?xi32>", "e": "!mp.edges<f32>", "edges": "tensor<?xi64>"},
    "message": {"g": "!mp.graph<complete>", "h": NODES, "w": "!mp.edges<f32>"},
    "no_self": {"g": "!mp.graph"},
    "node_numbers": {"n": "index"},
    "node_order": {"g": "!mp.graph"},
    "num_dst": {"g": "!mp.graph"},
    "num_edges": {"g": "!mp.graph"},
    "num_rows": {"e": "!mp.edges<8xf32>"},
    "num_src": {"g": "!mp.graph"},
    "pair": {"low": "f32", "high": "f32"},
    "part_numbers": {"offsets": "tensor<?xi64>", "n": "index"},
    "position": {"graph": "!mp.graph"},
    "readout": {"offsets": "tensor<?xi64>", "h": "tensor<?x64xf32>", "s": "tensor<?xf32>"},
    "reduce": {"x": "tensor<8x16xf32>"},
    "relu": ACTIVATION,
    "reverse": {"g": "!mp.graph"},
    "row_begin": {"g": "!mp.graph"},
    "row_blocks": {"g": "!mp.graph", "rows": "index", "edges": "index", "longest": "index"},
    "row_end": {"g": "!mp.graph"},
    "row_sources": {"g": "!mp.graph"},
    "rows": {"g": "!mp.graph", "first": "index", "count": "index", "weights": "!mp.edges<8xf32>"},
    "scan": {"g": "!mp.graph", "zero": "tensor<?x4xf32>", "m": "!mp.edges<4xf32>"},
    "self_loops": {"g": "!mp.graph"},
    "sigmoid": ACTIVATION,
    "silu": ACTIVATION,
    "softplus": ACTIVATION,
    "source_sum": {"g": "!mp.graph", "q": "tensor<?x8xf32>"},
    "sources": {"g": "!mp.graph"},
    "spread": {"offsets": "tensor<?xi64>", "u": NODES, "n": "index"},
    "tile_list": {"g": "!mp.graph", "rows": "index"},
    "to_edges": {"t": "tensor<?x8xf32>"},
    "to_tensor": {"e": "!mp.edges<8xf32>"},
    "update": {"h": NODES, "m": NODES},
    "window": {"n": "index"},
    "yield": {"nodes": NODES},
    "warpgroup_product": {"a": "vector<4x2xbf16>", "b": "vector<4x2xbf16>",
                          "keys": "memref<64x32xbf16, #gpu.address_space<workgroup>>"},
}

# Ops that stand inside others.
WRAPPERS = {
    "position": "mp.message %graph -> !mp.edges<i32> {{\n{}\n"
                "mp.yield %i : tensor<i32>\n}}",
    "yield": "mp.update (%r = %nodes : tensor<?x8xf32>) -> tensor<?x8xf32> {{\n{}\n}}",
}


def isolate(op, number, example):
    """`example` in a function of its own."""
    body = WRAPPERS.get(op, "{}").format(example)
    defined = set()
    # '%a, %b = ' and the arguments '%a: type' of blocks; '%hi = %h' binds too.
    for names in re.findall(r"((?:%\w+, )*%\w+) = ", body):
        defined.update(re.findall(r"%(\w+)", names))
    defined.update(re.findall(r"%(\w+): ", body))
    arguments = []
    for name in sorted(set(re.findall(r"%(\w+)", body)) - defined):
        if name not in VALUES.get(op, {}):
            sys.exit(f"the example of mp.{op} uses %{name}: give its type in VALUES")
        arguments.append(f"%{name}: {VALUES[op][name]}")
    return f"func.func @{op}_{number}({', '.join(arguments)}) {{\n{body}\nreturn\n}}\n"


def main():
    sections = re.split(r"^#+ `mp\.(\w+)` \(.*\)$", sys.stdin.read().split("\n## Attributes\n")[0],
                        flags=re.M)[1:]
    if not sections:
        sys.exit("the reference page documents no op")
    for op, text in zip(sections[::2], sections[1::2]):
        examples = re.findall(r"^```mlir\n(.*?)^```$", text, flags=re.M | re.S)
        if not any(f"mp.{op}" in example for example in examples):
            sys.exit(f"the description of mp.{op} shows no example of it")
        for number, example in enumerate(examples):
            print(isolate(op, number, example))


main()
