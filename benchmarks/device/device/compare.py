# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers beside their peers: one process, the same inputs, turns, times by the GPU's events."""

import ctypes
import statistics

import torch

from harness import timing
from harness.sparse.layers import make_problem

from . import clique, graphs, peers, work

ROUNDS = 5
SECONDS_OF_GROUP, MOST_CALLS_OF_GROUP = 0.005, 200
# Of the largest value; products of f32 may be rounded to TF32.
TOLERANCE = {"bf16": 2e-2, "f16": 4e-3, "f32": 2e-3}
TORCH_TYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}


class Comparison:
    def __init__(self, folder, libraries, budget, chosen_peers):
        self.folder, self.budget, self.chosen_peers = folder, budget, chosen_peers
        self.clique = clique.open_runtime(folder, libraries)
        self.graph = self.graph_name = None

    def sparse_graph(self, name):
        """The last one is kept: cases of a layer come one after the other."""
        if self.graph_name != name:
            self.graph, self.graph_name = graphs.read(name, self.folder), name
        return self.graph

    def layer(self, benchmark):
        return clique.DeviceLayer(self.clique, self.folder / "lib" / f"{benchmark['layer']}.so",
                                  benchmark["entry"])

    def attention(self, benchmark):
        """The layer's call, its peers, nodes, edges."""
        nodes = int(benchmark["graph"].partition(":")[2])
        random = torch.Generator("cuda").manual_seed(nodes)
        inputs = [torch.randn(nodes, benchmark["heads"], benchmark["size"], device="cuda",
                              generator=random).to(TORCH_TYPES[benchmark["dtype"]])
                  for _ in range(3)]
        topology = benchmark["topology"]
        graph = self.clique.graph(topology, ctypes.c_int64(nodes), ctypes.c_int32(0))
        call = self.layer(benchmark).prepare(graph, inputs)
        edges = nodes * nodes if topology == "complete" else nodes * (nodes + 1) // 2
        return call, peers.attention(inputs, topology, benchmark["dtype"]), nodes, edges

    def sparse(self, benchmark):
        graph = self.sparse_graph(benchmark["graph"])
        problem = make_problem(benchmark["kind"], graph, benchmark["features"],
                               benchmark["heads"])
        tensors = [torch.from_numpy(array).cuda()
                   for array in (problem.h, *problem.weights.values())]
        call = self.layer(benchmark).prepare(graph.clique(self.clique), tensors)
        return call, peers.sparse(problem, "cuda"), graph.nodes, graph.edges

    def row(self, benchmark):
        row = {"group": benchmark["group"], "name": benchmark["name"], "contenders": {}}
        make = self.attention if benchmark["kind"] == "attention" else self.sparse
        try:
            own_call, makers, nodes, edges = make(benchmark)
            expected = own_call(keep=True).float()
        except Exception as error:  # of the layer: the others still have their turn
            return dict(row, skipped=first_line(error))
        row["decisions"] = self.clique.decisions().splitlines()
        contenders = {"clique": peers.Contender(own_call)}
        for name, make_peer in makers.items():
            if self.chosen_peers is None or name in self.chosen_peers:
                prepare(name, make_peer, expected, TOLERANCE[benchmark["dtype"]], contenders,
                        row["contenders"])
        differing = sorted(name for name, cell in row["contenders"].items() if "error" in cell)
        if len(differing) > len(contenders) - 1:
            return dict(row, wrong=f"differs from {', '.join(differing)}")
        times = alternate(contenders, self.budget, row["contenders"])
        if "clique" not in times:
            return dict(row, skipped=row["contenders"]["clique"]["problem"])
        for name, found in times.items():
            row["contenders"][name] = {"seconds": found.median, "calls": found.calls,
                                       "ratio": timing.ratio(found, times["clique"])}
        return dict(row, nodes=nodes, edges=edges,
                    rate=work.rate(benchmark, nodes, edges, times["clique"].median))


def first_line(error):
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0] if text else ''}"


@torch.inference_mode()
def prepare(name, make_peer, expected, tolerance, contenders, cells):
    """Adds a contender that computes what is expected, or a cell that says why not."""
    try:
        peer = make_peer()
        with peer.scope():
            result = peer.result(peer.call()).float().reshape(expected.shape)
        error = float((result - expected).abs().max() / expected.abs().max())
    except Exception as problem:
        cells[name] = {"problem": first_line(problem)}
        return
    if error <= tolerance:
        contenders[name] = peer
    else:
        cells[name] = {"problem": f"differs by {error:.1e} of the largest value", "error": error}


@torch.inference_mode()
def time_group(contender, calls):
    """Seconds of a call in a group, from the GPU's clock."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with contender.scope():
        start.record()
        for _ in range(calls):
            contender.call()
        end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e-3 / calls


def group_size(contender):
    """After a warm-up."""
    seconds = statistics.median(time_group(contender, 1) for _ in range(5))
    return max(1, min(MOST_CALLS_OF_GROUP, int(SECONDS_OF_GROUP / max(seconds, 1e-9))))


def run_turn(contender, calls, seconds):
    time_group(contender, calls)  # clocks of the GPU and caches are the last one's
    times = [time_group(contender, calls)]
    while sum(times) * calls < seconds:
        times.append(time_group(contender, calls))
    return times


def alternate(contenders, budget, cells):
    """Times of all, name -> harness.timing.Timing; one that fails gets a cell that says why."""
    active, taken, sizes = dict(contenders), {name: [] for name in contenders}, {}
    for turn in range(ROUNDS):
        for name in timing.turned(list(active), turn):
            try:
                if name not in sizes:
                    sizes[name] = group_size(active[name])
                taken[name].append(run_turn(active[name], sizes[name], budget / ROUNDS))
            except Exception as error:
                del active[name]
                cells[name] = {"problem": first_line(error)}
    return {name: timing.Timing(taken[name]) for name in active}


def make_rows(folder, libraries, budget, chosen_peers):
    """For harness.supervise: what runs in the child."""
    def rows(cases):
        comparison = Comparison(folder, libraries, budget, chosen_peers)
        for case in cases:
            yield comparison.row(case.benchmark)
    return rows
