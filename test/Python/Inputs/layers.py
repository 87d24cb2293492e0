# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small layers for the tests of the Python package, and what NumPy makes of them."""

import numpy as np

# Two layers in one spec: results of two kinds, a scalar, an edge feature, another type.
SPEC = """
func.func @mean(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<3xf32> {
    %x = mp.linear %hj, %w : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
    mp.yield %x : tensor<3xf32>
  }
  %o = mp.aggregate %g mean %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}

func.func @scaled(%g: !mp.graph, %h: tensor<?x2xf64>, %e: !mp.edges<f64>, %c: f64)
    -> (tensor<?x2xf64>, !mp.edges<f64> {mp.name = "weight"}) {
  %t = tensor.from_elements %c : tensor<f64>
  %m, %k = mp.message %g src(%hj = %h : tensor<?x2xf64>) edge(%w = %e : !mp.edges<f64>)
      -> !mp.edges<2xf64>, !mp.edges<f64> {
    %s = arith.mulf %w, %t : tensor<f64>
    %b = mp.broadcast %s : tensor<f64> to tensor<2xf64>
    %x = arith.mulf %hj, %b : tensor<2xf64>
    mp.yield %x, %s : tensor<2xf64>, tensor<f64>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<2xf64>) -> tensor<?x2xf64>
  return %o, %k : tensor<?x2xf64>, !mp.edges<f64>
}

func.func @half(%g: !mp.graph, %h: tensor<?x2xbf16>) -> tensor<?x2xbf16> {
  %m = mp.message %g src(%hj = %h : tensor<?x2xbf16>) -> !mp.edges<2xbf16> {
    mp.yield %hj : tensor<2xbf16>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<2xbf16>) -> tensor<?x2xbf16>
  return %o : tensor<?x2xbf16>
}

func.func @kept(%g: !mp.graph, %h: tensor<?x2xf32>, %keep: !mp.edges<i1>, %some: i1)
    -> (tensor<?x2xf32>, !mp.edges<i1> {mp.name = "used"}) {
  %t = tensor.from_elements %some : tensor<i1>
  %m, %k = mp.message %g src(%hj = %h : tensor<?x2xf32>) edge(%e = %keep : !mp.edges<i1>)
      -> !mp.edges<2xf32>, !mp.edges<i1> {
    %used = arith.andi %e, %t : tensor<i1>
    %all = mp.broadcast %used : tensor<i1> to tensor<2xi1>
    %zero = arith.constant dense<0.0> : tensor<2xf32>
    %x = arith.select %all, %hj, %zero : tensor<2xi1>, tensor<2xf32>
    mp.yield %x, %used : tensor<2xf32>, tensor<i1>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %o, %k : tensor<?x2xf32>, !mp.edges<i1>
}
"""

DST = np.array([0, 0, 2, 2, 2, 3])
SRC = np.array([1, 2, 3, 0, 2, 3])
NODES = 4


def adjacency():
    matrix = np.zeros((NODES, NODES))
    np.add.at(matrix, (DST, SRC), 1)
    return matrix


def mean(h, w):
    matrix = adjacency()
    return (matrix / np.maximum(matrix.sum(1, keepdims=True), 1)) @ (h @ w)


def scaled(h, e, c):
    out = np.zeros_like(h)
    np.add.at(out, DST, h[SRC] * (e * c)[:, None])
    return out, e * c


def raises(kind, text, function, *args, **keywords):
    """Fails unless the call raises `kind` with `text` in its message."""
    try:
        function(*args, **keywords)
    except kind as error:
        assert text in str(error), f"expected '{text}' in: {error}"
        return error
    raise AssertionError(f"no {kind.__name__} was raised: expected '{text}'")
