# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of a bundle, the graphs on which each is tested, and what is measured."""

import dataclasses
import math
import re
import string
from random import Random

GENERAL_GRAPHS = ("karate.mtx", "isolated.mtx", "duplicates.mtx", "empty.mtx", "complete:67",
                  "causal:65", "cliques:5,1,0,64,33")
CLASS_GRAPHS = {"complete": ("complete:67",), "causal": ("causal:65", "causal:1"),
                "bipartite": ("bipartite:37x101", "bipartite:5x0"),
                "cliques": ("cliques:5,1,0,64,33",),
                "blocks": ("blocks:200,64,2", "blocks:230,32,5", "complete:67")}
TILES_ALONE = ("complete", "causal", "bipartite")
# Examples that are also compiled for these element types, on the first and the last two graphs.
HALF_TYPES = ("bf16", "f16")
IN_HALF = ("attention", "causal_attention", "gat", "edgeconv")
# Examples that also run on a real graph, if the data are there.
ON_REAL = ("gat", "gcn", "gat_dot")
REAL_GRAPHS = {"cora": "cora/graph.mtx", "ogbn_arxiv": "ogbn_arxiv/graph.mtx.gz"}

HEADS = 16
NODES = (1024, 2048, 4096, 8192, 16384)
FEATURES, SPARSE_HEADS = 128, 8
SPARSE_GRAPHS = ("cora", "ogbn_arxiv", "rmat-1m", "rmat-10m")


@dataclasses.dataclass
class Test:
    """Of a layer's function. Cases are made once for all lowerings."""
    entry: str
    graph: str
    lowerings: tuple
    arrays: dict = dataclasses.field(default_factory=dict)  # given inputs: name -> Array


@dataclasses.dataclass
class Array:
    code: str  # "i8" or "f4"
    shape: tuple
    values: list


@dataclasses.dataclass
class Layer:
    name: str
    spec: str
    tests: list
    benchmarks: list = dataclasses.field(default_factory=list)


def is_class(graph):
    return ":" in graph


def make_tests(entry, signature, half=False, real=()):
    """Of a public function, by the graph that it takes."""
    topology = re.search(r"!mp\.graph<(\w+)", signature)
    graphs = CLASS_GRAPHS.get(topology[1], ()) if topology else GENERAL_GRAPHS
    if "%offsets" in signature:
        return [batch_test(entry, signature)]
    if half and len(graphs) > 3:
        graphs = (graphs[0], *graphs[-3:])
    # Of a graph whose type suggests tiles, rows are not compiled.
    both = ("dense",) if topology and topology[1] in TILES_ALONE else ("dense", "sparse")
    return [Test(entry, graph, both if is_class(graph) else ("auto",))
            for graph in (*graphs, *real)]


def batch_test(entry, signature):
    """Of two graphs and between them an empty one; features too, where no graph tells how many."""
    nodes = 67
    arrays = {"offsets": Array("i8", (4,), [0, 33, 33, nodes])}
    if "!mp.graph" in signature:
        return Test(entry, f"complete:{nodes}", ("auto",), arrays)
    size = int(re.search(r"%h: tensor<\?x(\d+)xf32>", signature)[1])
    random = Random(nodes)
    arrays["h"] = Array("f4", (nodes, size),
                        [random.uniform(-1, 1) for _ in range(nodes * size)])
    return Test(entry, "", ("auto",), arrays)


def example_layers(folder, real_graphs):
    for spec in sorted(folder.glob("*.mlir")):
        text = spec.read_text()
        functions = re.findall(r"func\.func @(\w+)(\([^{]*)", text)
        for dtype in ("f32", *(HALF_TYPES if spec.stem in IN_HALF else ())):
            half = dtype != "f32"
            real = ("cora",) if spec.stem in ON_REAL and not half and "cora" in real_graphs \
                else ()
            tests = [test for entry, signature in functions
                     for test in make_tests(entry, signature, half, real)]
            yield Layer(f"example-{spec.stem}-{dtype}", text.replace("f32", dtype), tests)


def attention_layer(templates, dtype, size, topology):
    text = string.Template((templates / "attention.mlir.in").read_text()).substitute(
        topology=topology, heads=HEADS, size=size, scale=1 / math.sqrt(size))
    benchmarks = [
        {"group": f"attention {dtype}", "name": f"{topology} h{HEADS} d{size} n{nodes}",
         "kind": "attention", "entry": "attention", "graph": f"{topology}:{nodes}",
         "small": f"{topology}:48", "dtype": dtype, "topology": topology, "heads": HEADS,
         "size": size} for nodes in NODES]
    return Layer(f"attention-{dtype}-{topology}-d{size}", text.replace("f32", dtype),
                 [Test("attention", f"{topology}:{nodes}", ("dense",)) for nodes in (1, 70)],
                 benchmarks)


def sparse_layer(templates, kind, graphs):
    size = FEATURES // SPARSE_HEADS
    text = string.Template((templates / f"{kind}.mlir.in").read_text()).substitute(
        features=FEATURES, heads=SPARSE_HEADS, size=size, scale=1 / math.sqrt(size))
    benchmarks = [
        {"group": "sparse f32", "name": f"{kind} {graph} f{FEATURES}", "kind": kind,
         "entry": kind, "graph": graph, "small": "karate.mtx", "dtype": "f32",
         "features": FEATURES, "heads": SPARSE_HEADS}
        for graph in SPARSE_GRAPHS if graph in graphs or graph.startswith("rmat")]
    return Layer(f"{kind}-f32", text, [Test(kind, "karate.mtx", ("auto",)),
                                       Test(kind, "complete:67", ("auto",))], benchmarks)


def all_layers(root, real_graphs):
    """real_graphs: names of those of REAL_GRAPHS that are there."""
    templates = root / "benchmarks" / "layers"
    yield from example_layers(root / "examples", real_graphs)
    for dtype in ("bf16", "f32"):
        for size in (64, 128):
            for topology in ("complete", "causal"):
                yield attention_layer(templates, dtype, size, topology)
    for kind in ("gat", "dot", "sum"):
        yield sparse_layer(templates, kind, real_graphs)
