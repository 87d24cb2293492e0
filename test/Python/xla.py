# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in JAX: called, jitted, differentiated; what is wrong with a call."""
# REQUIRES: jax
# RUN: %torch_python %s %S/Inputs | FileCheck %s
# CHECK: calls agree
# CHECK-NEXT: gradients are right

import sys

sys.path.insert(0, sys.argv[1])

import unittest.mock

import clique
import jax
import numpy as np
from clique import Node, Scalar

jax.config.update("jax_enable_x64", True)

import clique.jax
import jax.numpy as jnp
from layers import DST, NODES, SPEC, SRC, adjacency, mean, raises, scaled

graph = clique.Graph.from_coo(DST, SRC, NODES)
random = np.random.default_rng(1)
h = random.standard_normal((NODES, 4), dtype=np.float32)
w = random.standard_normal((4, 3), dtype=np.float32)
layer = clique.jax.op(SPEC, "mean")
out = layer(graph, h, w=w)
assert isinstance(out, jax.Array) and np.allclose(out, mean(h.astype(float), w), atol=1e-6)
compiled = jax.jit(lambda h, w: 2 * layer(graph, h, w))
assert np.allclose(compiled(h, w), 2 * out)
assert np.allclose(jax.vmap(lambda h: layer(graph, h, w))(jnp.stack([h, -h]))[1], -out)
x, e = random.standard_normal((NODES, 2)), random.standard_normal(len(DST))
for got, want in zip(clique.jax.op(SPEC, "scaled")(graph, x, e, 2.5), scaled(x, e, 2.5)):
    assert np.allclose(got, want)
half = clique.jax.op(SPEC, "half")(clique.Graph.complete(NODES), jnp.ones((NODES, 2)))
assert half.dtype == jnp.bfloat16 and (half == NODES).all()
raises(TypeError, "f32[n, 3]: called with 2 values and []", layer, graph, h)
raises(clique.ArgumentError, "has a size that only a call knows, which JAX cannot take",
       clique.jax.op("""
func.func @parts(%o: tensor<?xi64>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = mp.readout %o sum %h : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}"""), np.array([0, NODES]), h)
raises(TypeError, "expected a clique.Graph", layer, h, h, w)
raises(Exception, "has 3 rows, expected 4", lambda: layer(graph, h[:3], w).block_until_ready())
with unittest.mock.patch.object(clique.jax, "_platform", lambda value: "cuda"):
    raises(clique.ArgumentError, "argument 'h' is on a device of the platform 'cuda'", layer, graph,
           h, w)
print("calls agree")

degrees = np.maximum(adjacency().sum(1, keepdims=True), 1)


def reference(h, w):
    return jnp.tanh(jnp.asarray(adjacency() / degrees) @ (h @ w)).sum()


def loss(h, w):
    return jnp.tanh(layer(graph, h, w)).sum()


for got, want in zip(jax.jit(jax.grad(loss, (0, 1)))(h, w), jax.grad(reference, (0, 1))(h, w)):
    assert np.allclose(got, want, atol=1e-5), (got, want)


# The gradient by an argument whose rows no graph counts is of its shape.
@clique.layer
def loose(g, h: Node[4], u: Node[4], s: Scalar["f32"]):
    return g.sum(g.src(h)) * s


layer = clique.jax.op(loose)
by_h, by_u, by_s = jax.grad(lambda *values: layer(graph, *values).sum(), (0, 1, 2))(h, h[:2], 3.0)
degrees = adjacency().sum(0)[:, None]
assert by_u.shape == (2, 4) and not by_u.any() and np.allclose(by_h, 3 * degrees)
assert np.isclose(by_s, (degrees * h).sum(), rtol=1e-4)
print("gradients are right")
