# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows, tiles and the choice between them on graphs of every density: with layers that are the same
each time, to which the rates are fitted as well, or with layers and graphs drawn with a seed, which
nobody can have looked at."""

import dataclasses
import random
import sys

from . import graphs, layers, peers, picture, timing

DENSITIES = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1]
BLOCKS = [0.05, 0.1, 0.25, 0.5]
# A version that takes so many times as long as expected of the other one is not run.
HOPELESS = 200
MEASURED_CALLS = 9  # until that choice is made
EDGE_FEATURES_MOST = 1 << 22  # elements of a feature of all edges


@dataclasses.dataclass
class Points:
    """Layers, each on graphs of these sizes."""
    layers: dict
    nodes: list
    cliques: list
    windows: list  # to either side

    def make_graphs(self, clique, most=sys.maxsize):
        """Densities and graphs."""
        for nodes in [nodes for nodes in self.nodes if nodes <= most]:
            for density in DENSITIES:
                if density * nodes >= 0.5:
                    yield density, graphs.random(clique, nodes, density)
            for size in self.cliques:
                yield size / nodes, graphs.cliques(clique, nodes, size)
            for size in self.cliques:
                yield size / nodes, graphs.mixed_cliques(clique, nodes, size)
            for density in BLOCKS:
                yield density, graphs.blocks(clique, nodes, 64, density)
            for size in self.cliques:
                yield size / nodes, graphs.near_cliques(clique, nodes, size)
            for width in self.windows:
                yield 2 * width / nodes, graphs.window_and_global(clique, nodes, width, 4)


SWEPT = Points({
    "attention": layers.attention(8, 16), "wide attention": layers.attention(8, 48),
    "gcn": layers.scaled(64), "edgeconv": layers.edge_network(24), "gravity": layers.gravity(3),
    "gatv2 with edges": layers.additive_features(2, 8, True), "ggnn": layers.copied(16),
    "gat": layers.additive(8, 8), "gates": layers.gated(24),
}, [256, 1024, 4096], [8, 16, 32, 64, 128], [4, 16, 64])


def draw(seed):
    dice = random.Random(seed)

    def heads():
        return 2 ** dice.randint(0, 3)

    def size(low, high):
        return 4 * dice.randint(low // 4, high // 4)

    drawn = {}
    for kind, make_sizes in (
            (layers.attention, lambda: (heads(), size(8, 96))),
            (layers.additive, lambda: (heads(), size(8, 64))),
            (layers.additive_features, lambda: (heads(), size(8, 32))),
            (layers.scaled, lambda: (size(8, 256),)), (layers.copied, lambda: (size(8, 256),)),
            (layers.edge_network, lambda: (size(8, 96),)), (layers.gated, lambda: (size(8, 96),)),
            (layers.difference, lambda: (size(4, 64),))):
        sizes = make_sizes()
        drawn[f"{kind.__name__} {'x'.join(map(str, sizes))}"] = kind(*sizes)
    return Points(drawn, sorted(dice.sample(range(200, 2400), 2)),
                  sorted(dice.sample(range(6, 129), 4)), sorted(dice.sample(range(2, 80), 2)))


def has_many_features(message, graph):
    return sum(map(layers.count, message.edge.values())) * graph.edges > EDGE_FEATURES_MOST


def measure(clique, call, seconds, measured=False):
    if measured:
        clique.lib.clique_set_lowering(timing.LOWERINGS["measured"])
    for _ in range(MEASURED_CALLS if measured else 1):
        call()
    taken = "tiles" if "dense tiles" in clique.decisions() else "rows"
    # One call says whether the other version is worth more of them.
    times = {}
    for name in ("rows", "tiles"):
        times[name] = timing.time_versions(clique, call, [name], 0)[name]
    if max(times.values()) < HOPELESS * min(times.values()):
        found = timing.time_versions(clique, call, ("rows", "tiles"), seconds)
        times = {name: min(found[name], times[name]) for name in times}
    return taken, times


def compare(others, name, graph, inputs, call, seconds):
    """The best peer and how many times as long as Clique it takes, and whose results differ."""
    made = others.make(name, graph, inputs)
    if not made:
        return {}
    times, wrong = peers.measure(made, call, call(keep=True), seconds, timing.time_calls)
    own = times.pop("clique")
    if not times:
        return {"wrong": wrong}
    best = min(times, key=times.get)
    return {"peers": times, "best": best, "ratio": times[best] / own, "wrong": wrong}


def describe(beside):
    wrong = "".join(f"  {name} differs" for name in beside.get("wrong", ()))
    if "best" not in beside:
        return wrong
    return f"  {beside['best']} {beside['ratio']:.2f}x{wrong}"


def run(clique, options):
    found = []
    others = peers.Peers() if options.peers else None
    points = SWEPT if options.draw is None else draw(options.draw)
    print(f"{points.nodes} nodes, cliques of {points.cliques}, windows of {points.windows}")
    for name, message in points.layers.items():
        if options.filter not in name:
            continue
        layer, _ = timing.compile_layer(clique, message.spec())
        for density, graph in points.make_graphs(clique, options.most):
            if has_many_features(message, graph):
                continue
            inputs = timing.random_inputs(message, graph)
            call = layer.bind(graph.handle, *inputs)
            taken, times = measure(clique, call, options.seconds, options.measured)
            loss = times[taken] / min(times.values())
            beside = compare(others, name, graph, inputs, call,
                             options.seconds) if others else {}
            found.append({"layer": name, "nodes": graph.nodes, "graph": graph.name,
                          "density": density, "taken": taken, "loss": loss, **times,
                          **beside})
            print(f"{name:18} {graph.nodes:5} {graph.name:14} rows {times['rows']:9.4f} ms  tiles "
                  f"{times['tiles']:9.4f} ms  takes {taken:5} {loss:5.2f}"
                  f"{'  <--' if loss > 1.1 else ''}{describe(beside)}", flush=True)
    right = sum(point["loss"] <= 1.1 for point in found)
    print(f"within 10 % of the better version: {right} of {len(found)}")
    ratios = [point["ratio"] for point in found if "ratio" in point]
    if ratios:
        print(f"ahead of the best peer: {sum(ratio >= 1 for ratio in ratios)} of {len(ratios)}, "
              f"least {min(ratios):.2f}")
    if options.picture:
        options.picture.write_text(picture.draw(found))
    return found
