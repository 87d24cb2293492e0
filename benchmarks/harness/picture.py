# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of a table: for every group of cases and every peer, how many times longer the peer
takes, geometric mean and range."""

from .ratios import peer_ratios

COLOURS = ("#3b6ea5", "#d98032", "#5a9a68", "#a65d8c", "#8a8a8a", "#c4a63b", "#4fa3a8", "#7a5c45")


def draw(found, file):
    """Writes an SVG; needs matplotlib."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "clique"  # the same figures give the same file
    matplotlib.rcParams["svg.fonttype"] = "none"    # text stays text
    from matplotlib import pyplot
    groups = peer_ratios(found["rows"])
    peers = list(dict.fromkeys(name for ratios in groups.values() for name in ratios))
    lines = [(group, peer) for group in groups for peer in groups[group]]
    if not lines:
        return False
    figure, axes = pyplot.subplots(figsize=(7.5, 0.8 + 0.2 * len(lines) + 0.1 * len(groups)))
    ticks, height, last = [], 0.0, None
    for group, peer in lines:
        height -= 1.0 if group == last else 1.6
        mean, low, high = groups[group][peer]
        colour = COLOURS[peers.index(peer) % len(COLOURS)]
        axes.plot([low, high], [height, height], color=colour, linewidth=1.2, alpha=0.6)
        axes.plot(mean, height, "o", color=colour, markersize=4.5)
        ticks.append((height, peer if group == last else f"{group}   {peer}"))
        last = group
    axes.set_yticks([at for at, _ in ticks], [text for _, text in ticks], fontsize=7)
    axes.set_xscale("log")
    axes.set_xlabel("times as long as Clique: geometric mean and range over the cases", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.grid(axis="x", which="both", color="#dddddd", linewidth=0.4)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return True
