# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a small causal Transformer to predict the characters of a text that Debian ships, with
compiled gradients and NumPy; where PyTorch is installed, beside the same model there, from the same
weights, on the same batches, with the same optimiser.

    export PYTHONPATH=build/python
    python3 examples/training/text.py                                   # the GPL
    python3 examples/training/text.py --steps=200 --picture=text.svg FILE

The loss is the mean cross-entropy of the next character, in nats."""

import argparse
import pathlib
import time

import clique
import numpy as np

from train import Adam, cross_entropy, draw, show

SPEC = (pathlib.Path(__file__).parent / "text.mlir").read_text()
TEXT = "/usr/share/common-licenses/GPL-3"
LENGTH, PIECES, RATE, EPSILON = 64, 16, 2e-3, 1e-5


def start(layer, rng):
    """Normal numbers over the square root of what is added up; scales are 1, shifts 0."""
    params = {}
    for arg in layer.args[3:]:
        plain = np.zeros(arg.shape) if len(arg.shape) == 1 else rng.standard_normal(arg.shape)
        if len(arg.shape) == 1:
            plain += "scale" in arg.name
        elif arg.name in ("characters", "places"):
            plain *= 0.1
        else:
            plain /= np.sqrt(arg.shape[0])
        params[arg.name] = plain.astype(np.float32)
    return params


def batches(text, rng):
    """Pieces of the text and the character that follows each of theirs."""
    while True:
        first = rng.integers(0, len(text) - LENGTH, PIECES)
        places = first[:, None] + np.arange(LENGTH)
        yield text[places], text[places + 1]


class Compiled:
    """The layer of text.mlir and its gradient."""

    def __init__(self, layer, params):
        self.layer, self.params = layer, dict(params)
        self.gradient = layer.gradient(*params)
        self.optimiser = Adam(RATE, 0)
        self.graph = clique.Graph.cliques([LENGTH] * PIECES, causal=True)
        self.places = np.tile(np.arange(LENGTH, dtype=np.int32), PIECES)

    def step(self, pieces, following):
        values = {"g": self.graph, "x": pieces.ravel().astype(np.int32), "p": self.places,
                  **self.params}
        made = self.gradient.forward(**values)
        loss, cotangent = cross_entropy(made[0], following.ravel(), np.arange(following.size))
        gradients = self.gradient.backward(*(values[arg.name] for arg in self.layer.args),
                                           *(made[k] for k in self.gradient.kept), cotangent)
        self.optimiser.update(self.params, dict(zip(self.gradient.wrt, gradients)))
        return loss


class WithTorch:
    """The same, of PyTorch's functions."""

    def __init__(self, torch, params):
        self.torch = torch
        self.params = {name: torch.from_numpy(array.copy()).requires_grad_()
                       for name, array in params.items()}
        self.optimiser = torch.optim.Adam(self.params.values(), lr=RATE)
        self.hidden = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)

    def norm(self, x, scale, shift):
        return self.torch.nn.functional.layer_norm(x, x.shape[-1:], scale, shift, EPSILON)

    def block(self, h, name):
        p = {key[len(name):]: value for key, value in self.params.items() if key.startswith(name)}
        n = self.norm(h, p["scale"], p["shift"])
        q, k, v = (self.torch.einsum("bif,fhd->bhid", n, p[key]) for key in "qkv")
        scores = (q @ k.transpose(-1, -2) * 0.25).masked_fill(self.hidden, -np.inf)
        m = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
        r = h + m @ p["o"]
        y = self.norm(r, p["scale2"], p["shift2"])
        return r + (y @ p["up"] + p["upb"]).relu() @ p["down"] + p["downb"]

    def step(self, pieces, following):
        torch = self.torch
        h = self.params["characters"][torch.from_numpy(pieces).long()] + self.params["places"]
        for name in ("b1_", "b2_"):
            h = self.block(h, name)
        loss = torch.nn.functional.cross_entropy(
            (h @ self.params["head"]).flatten(0, 1), torch.from_numpy(following.ravel()).long())
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return loss.item()


def import_torch():
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: nothing is put beside")
        return None
    return torch


def run(name, model, text, steps):
    rng, losses, begin = np.random.default_rng(1), [], time.perf_counter()
    for step, batch in zip(range(1, steps + 1), batches(text, rng)):
        losses.append(model.step(*batch))
        show(step, steps, f"loss {losses[-1]:.3f}")
    last = np.mean(losses[-10:])
    print(f"{name}: mean loss of the last 10 steps {last:.4f}, {time.perf_counter() - begin:.0f} s")
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", nargs="?", default=TEXT, help=f"a file (default: {TEXT})")
    parser.add_argument("--steps", type=int, default=300, help="of training (default: 300)")
    parser.add_argument("--picture", help="a file for the curves of the loss, SVG")
    options = parser.parse_args()
    text = np.frombuffer(pathlib.Path(options.text).read_bytes(), np.uint8) & 127
    if len(text) <= LENGTH:
        parser.error(f"{options.text}: has {len(text)} characters, a piece has {LENGTH}")
    layer = clique.compile(SPEC, "text")
    params = start(layer, np.random.default_rng(0))
    curves = [("Clique", [run("clique", Compiled(layer, params), text, options.steps)])]
    torch = import_torch()
    if torch:
        curves.append(("PyTorch", [run("pytorch", WithTorch(torch, params), text, options.steps)]))
        distance = np.abs(np.subtract(curves[0][1][0], curves[1][1][0]))
        print(f"largest difference of a loss: {distance.max():.1e}")
    if options.picture:
        draw(curves, f"{pathlib.Path(options.text).name}: loss of the next character over steps",
             options.picture, dashed=True)


if __name__ == "__main__":
    main()
