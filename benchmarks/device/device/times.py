# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of layers where PyTorch is not installed: no peers, and no NumPy needed but for graphs
that are made here."""

from . import work
from .driver import GOOD


def prepare_graph(name, folder):
    if ":" in name or (folder / name).exists():
        return name
    from . import graphs
    return graphs.file_of(name, folder)


def measure(benchmark, driver, budget, small):
    """The row of one benchmark; `small`: on a graph that the emulated driver can take."""
    name = f"{benchmark['layer']} on {benchmark['small']}" if small else benchmark["name"]
    row = {"group": benchmark["group"], "name": name, "contenders": {}}
    try:
        graph = prepare_graph(benchmark["small" if small else "graph"], driver.folder)
    except ImportError as error:
        return dict(row, skipped=f"its graph cannot be made: {error}")
    outcome = driver.run_layer(benchmark, f"--graph={graph}", f"--time={budget}")
    if outcome.status != GOOD:
        return dict(row, skipped=outcome.message)
    nodes, _, edges = map(int, outcome.get("graph").split())
    seconds = float(outcome.get("time").split()[0]) * 1e-3
    own = {"seconds": seconds, "calls": int(outcome.get("time").split()[1])}
    decisions = [rest for word, rest in outcome.facts if word == "decision"]
    return dict(row, nodes=nodes, edges=edges, contenders={"clique": own}, decisions=decisions,
                rate=work.rate(benchmark, nodes, edges, seconds))
