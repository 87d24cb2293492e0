# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of a table: for every group of cases and every peer, how many times as long the peer
takes, geometric mean and range."""

from .cases import CLIQUE
from .ratios import peer_ratios

COLOURS = ("#3b6ea5", "#d98032", "#5a9a68", "#a65d8c", "#7d7d7d", "#c4a63b", "#4fa3a8", "#7a5c45",
           "#b5423d", "#6f62a8")
LINE, GAP = 0.14, 0.16  # inches: from peer to peer, and between groups


def draw(found, file):
    """Writes an SVG; needs matplotlib. False if there is nothing to draw."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "clique"  # the same figures give the same file
    matplotlib.rcParams["svg.fonttype"] = "none"    # text stays text
    from matplotlib import pyplot, ticker
    groups = {group: {name: figures for name, figures in peers.items()
                      if not name.startswith(CLIQUE)}
              for group, peers in peer_ratios(found["rows"]).items()}
    groups = {group: peers for group, peers in groups.items() if peers}
    if not groups:
        return False
    names = list(dict.fromkeys(name for peers in groups.values() for name in peers))
    height = sum(LINE * len(peers) + GAP for peers in groups.values())
    figure, axes = pyplot.subplots(figsize=(7.5, height + 0.6))
    at, middles = 0.0, []
    for group, peers in groups.items():
        top = at
        for name, (mean, low, high) in peers.items():
            at += LINE
            colour = COLOURS[names.index(name) % len(COLOURS)]
            axes.plot([low, high], [at, at], color=colour, linewidth=1.2, alpha=0.6)
            axes.plot(mean, at, "o", color=colour, markersize=4)
        middles.append((top + at + LINE) / 2)
        at += GAP
        axes.axhline(at + LINE / 2 - GAP / 2, color="#dddddd", linewidth=0.6)
    axes.set_ylim(at + LINE / 2 - GAP / 2, 0)
    axes.set_yticks(middles, groups, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("times as long as Clique: geometric mean and range of the cases", fontsize=8)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.grid(axis="x", color="#eeeeee", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    handles = [axes.plot([], [], "o", color=COLOURS[index % len(COLOURS)], markersize=4,
                         label=name)[0] for index, name in enumerate(names)]
    axes.legend(handles=handles, fontsize=7, frameon=False, loc="upper left",
                bbox_to_anchor=(1.0, 1.0))
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return True
