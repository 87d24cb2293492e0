# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows, tiles and the choice between them on graphs of every density, with layers of other sizes
than those that the rates were fitted to."""

from . import graphs, layers, peers, picture, timing

NODES = [256, 1024, 4096]
DENSITIES = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1]
CLIQUES = [8, 16, 32, 64, 128]
BLOCKS = [0.05, 0.1, 0.25, 0.5]
WINDOWS = [4, 16, 64]
# A version that takes so many times as long as expected of the other one is not run.
HOPELESS = 200
EDGE_FEATURES_MOST = 1 << 22  # elements of a feature of all edges

SWEPT = {
    "attention": layers.attention(8, 16), "wide attention": layers.attention(8, 48), "gcn": layers.scaled(64),
    "edgeconv": layers.edge_network(24), "gravity": layers.gravity(3),
    "gatv2 with edges": layers.additive_features(2, 8, True), "ggnn": layers.copied(16),
    "gat": layers.additive(8, 8), "gates": layers.gated(24),
}


def shapes(clique, nodes):
    for density in DENSITIES:
        if density * nodes >= 0.5:
            yield density, graphs.random(clique, nodes, density)
    for size in CLIQUES:
        yield size / nodes, graphs.cliques(clique, nodes, size)
    for size in CLIQUES:
        yield size / nodes, graphs.mixed_cliques(clique, nodes, size)
    for density in BLOCKS:
        yield density, graphs.blocks(clique, nodes, 64, density)
    for size in CLIQUES:
        yield size / nodes, graphs.near_cliques(clique, nodes, size)
    for width in WINDOWS:
        yield 2 * width / nodes, graphs.window_and_global(clique, nodes, width, 4)


def measure(clique, call, seconds):
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
    for name, message in SWEPT.items():
        if options.filter not in name:
            continue
        layer, _ = timing.compile_layer(clique, message.spec())
        for nodes in [nodes for nodes in NODES if nodes <= options.most]:
            for density, graph in shapes(clique, nodes):
                width = sum(layers.count(shape) for shape in message.edge.values())
                if width * graph.edges > EDGE_FEATURES_MOST:
                    continue
                inputs = timing.random_inputs(message, graph)
                call = layer.bind(graph.handle, *inputs)
                taken, times = measure(clique, call, options.seconds)
                loss = times[taken] / min(times.values())
                beside = compare(others, name, graph, inputs, call,
                                 options.seconds) if others else {}
                found.append({"layer": name, "nodes": nodes, "graph": graph.name,
                              "density": density, "taken": taken, "loss": loss, **times,
                              **beside})
                print(f"{name:18} {nodes:5} {graph.name:14} rows {times['rows']:9.4f} ms  tiles "
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
