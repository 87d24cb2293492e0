#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Positional encodings of a graph's nodes, for graph Transformers, as float32 arrays.

--laplacian=K: the eigenvectors of the symmetric normalised Laplacian I - D^-1/2 A D^-1/2 that
belong to its K smallest eigenvalues after the first one, in ascending order, each of length 1
(Dwivedi, Bresson: A Generalization of Transformer Networks to Graphs, 2021). An edge counts in
both directions, once. The sign of an eigenvector is free: here its element of largest
magnitude is positive, of equal ones the first. Eigenvectors of one eigenvalue several times
over are some basis of their space; models are trained with random signs for that reason.
SciPy's ARPACK finds them, or LAPACK where the graph has at most 512 nodes or all are wanted.

--random-walk=K: column t - 1 is the probability to be back after t steps, the diagonal of
(D^-1 A)^t for t = 1 ... K (Dwivedi et al.: Graph Neural Networks with Learnable Structural and
Positional Representations, ICLR 2022). A step goes along the edges into a node, to one of its
in-neighbours; a node without any stays nowhere.

With both, the columns of the Laplacian come first."""

import argparse
import os
import sys

import numpy as np
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

EPILOG = """\
exit status:
  0  the encodings were written
  1  an input could not be read, or an output not written
  2  the command line is wrong

examples:
  graph-encodings.py graph.mtx --laplacian=4 -o p.npy
  graph-encodings.py graph.mtx --random-walk=16 -o p.npy
  clique-run examples/families/graph_transformer.mlir --entry=sparse --graph=graph.mtx --input=p=p.npy
"""

MOST_DENSE = 512


class EncodingError(Exception):
    """A failure with a message for the user."""


def readGraph(path):
    """A [n, n] matrix, row = destination; parallel edges are one entry."""
    try:
        matrix = scipy.sparse.csr_matrix(scipy.io.mmread(path))
    except OSError as error:
        raise EncodingError(f"{path}: cannot be read: {error.strerror or error}")
    except (ValueError, EOFError) as error:
        raise EncodingError(f"{path}: is no Matrix Market file: {error}")
    except MemoryError:
        raise EncodingError(f"{path}: cannot be read: there is too little memory")
    if matrix.shape[0] != matrix.shape[1]:
        raise EncodingError(f"{path}: has {matrix.shape[0]} rows and {matrix.shape[1]} columns; "
                            "expected a graph over one set of nodes")
    matrix.sum_duplicates()
    matrix.data = np.ones(len(matrix.data))
    return matrix


def invert(degrees, power):
    """1 / d^power, and 0 for a node without edges."""
    return np.where(degrees > 0, 1 / np.maximum(degrees, 1) ** power, 0)


def makeLaplacian(matrix):
    both = matrix.maximum(matrix.T)
    scale = scipy.sparse.diags(invert(np.asarray(both.sum(axis=1)).ravel(), 0.5))
    return scipy.sparse.identity(matrix.shape[0]) - scale @ both @ scale


def fixSigns(vectors):
    """The element of largest magnitude positive; what differs by rounding is equal."""
    for column in vectors.T:
        magnitude = np.abs(column)
        if column[np.argmax(magnitude >= magnitude.max(initial=0) * (1 - 1e-6))] < 0:
            column *= -1
    return vectors


def findLargest(matrix, count):
    """The eigenvectors that belong to the `count` largest eigenvalues of a symmetric matrix without
    negative ones, the largest first. One run of ARPACK may miss some that belong to an eigenvalue
    several times over: more are looked for beside those that are found."""
    nodes = matrix.shape[0]
    start = np.random.default_rng(0).standard_normal(nodes)
    values, vectors = scipy.sparse.linalg.eigsh(matrix, count, which="LA", v0=start)
    while True:
        rest = scipy.sparse.linalg.LinearOperator(
            matrix.shape, lambda x: matrix @ x - vectors @ (values * (vectors.T @ x)), dtype=float)
        more, others = scipy.sparse.linalg.eigsh(rest, count, which="LA", v0=start)
        if more.max() <= values.min() + 1e-9:
            return vectors[:, np.argsort(-values)]
        # Those found are known well, the others may lean on them.
        order = np.argsort(-np.concatenate([values, more]))[:count]
        vectors, _ = np.linalg.qr(np.hstack([vectors, others])[:, np.sort(order)])
        values = np.concatenate([values, more])[np.sort(order)]


def encodeByLaplacian(matrix, count):
    laplacian, nodes = makeLaplacian(matrix), matrix.shape[0]
    if count >= nodes:
        raise EncodingError(f"--laplacian={count}: a graph of {nodes} nodes has {max(nodes - 1, 0)} "
                            "eigenvectors after the first")
    # ARPACK finds fewer than there are.
    if nodes <= max(MOST_DENSE, count + 1):
        _, vectors = np.linalg.eigh(laplacian.toarray())
        return fixSigns(vectors[:, 1:count + 1])
    # The smallest of L are the largest of 2 - L, which ARPACK finds without a factorisation.
    return fixSigns(findLargest(2 * scipy.sparse.identity(nodes) - laplacian, count + 1)[:, 1:])


def encodeByRandomWalk(matrix, count):
    nodes = matrix.shape[0]
    step = scipy.sparse.csr_matrix(
        scipy.sparse.diags(invert(np.asarray(matrix.sum(axis=1)).ravel(), 1)) @ matrix)
    result = np.zeros((nodes, count))
    # Some columns of the powers at a time.
    for first in range(0, nodes, 256):
        columns = np.arange(first, min(first + 256, nodes))
        power = np.zeros((nodes, len(columns)))
        power[columns, np.arange(len(columns))] = 1
        for t in range(count):
            power = step @ power
            result[columns, t] = power[columns, np.arange(len(columns))]
    return result


def write(path, array):
    """Completely, or not at all."""
    target = os.path.realpath(path)  # a link stays one
    if os.path.exists(target) and not os.path.isfile(target):
        raise EncodingError(f"{path}: cannot be written: is no regular file")
    staged = f"{target}.part"
    try:
        with open(staged, "wb") as file:
            np.save(file, array.astype(np.float32))
        os.replace(staged, target)
    except OSError as error:
        if os.path.exists(staged):
            os.unlink(staged)
        raise EncodingError(f"{path}: cannot be written: {error.strerror}")


def parseArguments():
    parser = argparse.ArgumentParser(prog="graph-encodings.py", description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", help="a Matrix Market file, row = destination")
    parser.add_argument("--laplacian", type=int, default=0, metavar="K",
                        help="columns from the Laplacian")
    parser.add_argument("--random-walk", type=int, default=0, metavar="K",
                        help="columns from a random walk")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
                        help="the .npy file to write, [nodes, columns]")
    arguments = parser.parse_args()
    if min(arguments.laplacian, arguments.random_walk) < 0:
        parser.error("a number of columns is negative")
    if not arguments.laplacian and not arguments.random_walk:
        parser.error("give --laplacian=K or --random-walk=K")
    return arguments


def main():
    arguments = parseArguments()
    try:
        matrix = readGraph(arguments.graph)
        columns = []
        if arguments.laplacian:
            columns.append(encodeByLaplacian(matrix, arguments.laplacian))
        if arguments.random_walk:
            columns.append(encodeByRandomWalk(matrix, arguments.random_walk))
        encodings = np.hstack(columns)
        write(arguments.output, encodings)
    except EncodingError as error:
        print(f"graph-encodings.py: error: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.output}: {encodings.shape[0]} nodes, {encodings.shape[1]} columns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
