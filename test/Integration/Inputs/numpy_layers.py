# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of examples/ in NumPy, from their equations, in double precision.

@layer declares the inputs of a function of a spec: their shapes, of numbers and
of n (destinations), m (sources) and e (edges), and where a random number will not
do, after a colon, what they hold. The function takes the graph and the inputs and
returns the results by name."""

import types

import numpy as np
import scipy.special

LAYERS = {}


def layer(example, entry=None, takes_graph=True, **inputs):
    def register(function):
        name = entry or example
        LAYERS[example, name] = types.SimpleNamespace(
            entry=name, compute=function, inputs=inputs, takes_graph=takes_graph)
        return function
    return register


def relu(x):
    return np.maximum(x, 0)


def leaky_relu(x, slope):
    return np.where(x > 0, x, slope * x)


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def gelu(x):
    return x * scipy.special.ndtr(x)


def layer_norm(x, scale, shift):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred ** 2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * scale + shift


def attend(g, query, key, value, bias=lambda head: 0):
    """softmax(query . key / sqrt(size) + bias) value, per head: [nodes, heads, size]."""
    size = query.shape[2]
    out = np.zeros((g.num_dst, *value.shape[1:]))
    for head in range(query.shape[1]):
        products = np.einsum("ed,ed->e", query[g.dst, head], key[g.src, head])
        weights = g.softmax(products / np.sqrt(size) + bias(head))
        out[:, head] = g.sum(weights[:, None] * value[g.src, head])
    return out


def project(x, w):
    """[nodes, in] times [in, heads, size]."""
    return np.einsum("ni,ihd->nhd", x, w)


def join_heads(x):
    return x.reshape(len(x), x.shape[1] * x.shape[2])


BASIC = {"h": "n 64", "u": "64 32", "v": "64 32", "b": "32"}


@layer("basic", "sum", **BASIC)
def basic_sum(g, h, u, v, b):
    return {"out": relu(h @ u + g.sum((h @ v)[g.src]) + b)}


@layer("basic", "mean", **BASIC)
def basic_mean(g, h, u, v, b):
    return {"out": relu(h @ u + g.mean((h @ v)[g.src]) + b)}


@layer("basic", "max", **BASIC)
def basic_max(g, h, u, v, b):
    return {"out": relu(h @ u + g.max((h @ v)[g.src]) + b)}


@layer("gcn", h="n 64", w="64 32")
def gcn(g, h, w):
    a = g.with_self_loops()
    c = 1 / np.sqrt(a.degree)
    # D^-1/2 A D^-1/2 (H W), from the right.
    return {"out": relu(c[:, None] * a.sum((c[:, None] * (h @ w))[a.src]))}


def sage_update(h, m, w):
    z = relu(np.hstack([h, m]) @ w)
    norm = np.linalg.norm(z, axis=1, keepdims=True)
    return {"out": z / np.where(norm == 0, 1, norm)}


@layer("graphsage", "mean", h="n 64", w="128 32")
def graphsage_mean(g, h, w):
    return sage_update(h, g.mean(h[g.src]), w)


@layer("graphsage", "max_pool", h="n 64", p="64 64", b="64", w="128 32")
def graphsage_max_pool(g, h, p, b, w):
    return sage_update(h, g.max(relu(h[g.src] @ p + b)), w)


GIN = {"h": "n 64", "eps": "", "w1": "64 128", "b1": "128", "w2": "128 32", "b2": "32"}


@layer("gin", **GIN)
def gin(g, h, eps, w1, b1, w2, b2):
    x = (1 + eps) * h + g.sum(h[g.src])
    return {"out": relu(x @ w1 + b1) @ w2 + b2}


@layer("gin", "gin_batch_norm", mean="128", variance="128: positive", scale="128",
       shift="128", **GIN)
def gin_batch_norm(g, h, eps, w1, b1, mean, variance, scale, shift, w2, b2):
    x = ((1 + eps) * h + g.sum(h[g.src])) @ w1 + b1
    normal = (x - mean) / np.sqrt(variance + 1e-5)
    return {"out": relu(scale * normal + shift) @ w2 + b2}


@layer("attention", h="n 64", wq="64 8 16", wk="64 8 16", wv="64 8 16", wo="128 64")
def attention(g, h, wq, wk, wv, wo):
    heads = attend(g, project(h, wq), project(h, wk), project(h, wv))
    return {"out": h + join_heads(heads) @ wo}


@layer("grouped_query", h="n 64", wq="64 4 2 16", wk="64 2 16", wv="64 2 16", wo="128 64")
def grouped_query(g, h, wq, wk, wv, wo):
    key, value = (np.tile(project(h, w), (1, 4, 1)) for w in (wk, wv))
    heads = attend(g, project(h, wq.reshape(64, 8, 16)), key, value)
    return {"out": h + join_heads(heads) @ wo}


@layer("gat_dot", h="n 64", w="64 8 8")
def gat_dot(g, h, w):
    z = project(h, w)
    return {"out": elu(join_heads(attend(g, z, z, z)))}


@layer("gat", h="n 64", w="64 8 8", a="8 16")
def gat(g, h, w, a):
    g = g.with_self_loops()
    heads = []
    for k in range(8):
        z = h @ w[:, k]
        pairs = np.hstack([z[g.dst], z[g.src]])
        alpha = g.softmax(leaky_relu(pairs @ a[k], 0.2))
        heads.append(elu(g.sum(alpha[:, None] * z[g.src])))
    return {"out": np.hstack(heads)}


@layer("gatv2", h="n 64", l="64 8 8", r="64 8 8", a="8 8")
def gatv2(g, h, l, r, a):
    heads = []
    for k in range(8):
        left, right = h @ l[:, k], h @ r[:, k]
        alpha = g.softmax(leaky_relu(left[g.dst] + right[g.src], 0.2) @ a[k])
        heads.append(g.sum(alpha[:, None] * right[g.src]))
    return {"out": np.hstack(heads)}


@layer("gated_edges", h="n 32", e="e 32", a="32 32", b="32 32", c="32 32", u="32 32",
       v="32 32")
def gated_edges(g, h, e, a, b, c, u, v):
    x = (h @ a)[g.dst] + (h @ b)[g.src] + e @ c
    gate = scipy.special.expit(x)
    eta = gate / (g.sum(gate) + 1e-6)[g.dst]
    return {"h_out": h + relu(h @ u + g.sum(eta * (h @ v)[g.src])), "e_out": e + relu(x)}


@layer("monet", h="n 64", p="2 2", b="2", mu="3 2", inv_sigma="3 2", w="64 3 32")
def monet(g, h, p, b, mu, inv_sigma, w):
    c = 1 / np.sqrt(g.degree + 1)
    u = np.tanh(np.stack([c[g.dst], c[g.src]], axis=1) @ p + b)
    total = 0
    for k in range(3):
        inverse_covariance = np.diag(inv_sigma[k] ** 2)
        distance = np.einsum("ec,cd,ed->e", u - mu[k], inverse_covariance, u - mu[k])
        total = total + g.sum(np.exp(-distance / 2)[:, None] * (h @ w[:, k])[g.src])
    return {"out": relu(total)}


@layer("edgeconv", h="n 32", w1="64 64", b1="64", w2="64 64", b2="64")
def edgeconv(g, h, w1, b1, w2, b2):
    x = np.hstack([h[g.dst], h[g.src] - h[g.dst]])
    return {"out": g.max(relu(relu(x @ w1 + b1) @ w2 + b2))}


TRANSFORMER = {"x": "n 64", "wq": "64 4 16", "wk": "64 4 16", "wv": "64 4 16",
               "wo": "64 64", "s1": "64", "t1": "64", "s2": "64", "t2": "64",
               "w1": "64 256", "b1": "256", "w2": "256 64", "b2": "64"}


@layer("transformer", "pre_norm", **TRANSFORMER)
def pre_norm(g, x, wq, wk, wv, wo, s1, t1, s2, t2, w1, b1, w2, b2):
    n = layer_norm(x, s1, t1)
    y = x + join_heads(attend(g, project(n, wq), project(n, wk), project(n, wv))) @ wo
    return {"out": y + gelu(layer_norm(y, s2, t2) @ w1 + b1) @ w2 + b2}


@layer("transformer", "post_norm", **TRANSFORMER)
def post_norm(g, x, wq, wk, wv, wo, s1, t1, s2, t2, w1, b1, w2, b2):
    heads = attend(g, project(x, wq), project(x, wk), project(x, wv))
    y = layer_norm(x + join_heads(heads) @ wo, s1, t1)
    return {"out": layer_norm(y + gelu(y @ w1 + b1) @ w2 + b2, s2, t2)}


@layer("cross_attention", x="n 64", y="m 48", wq="64 4 16", wk="48 4 16", wv="48 4 16",
       wo="64 64")
def cross_attention(g, x, y, wq, wk, wv, wo):
    heads = attend(g, project(x, wq), project(y, wk), project(y, wv))
    return {"out": x + join_heads(heads) @ wo}


@layer("causal_attention", x="n 64", wq="64 4 16", wk="64 4 16", wv="64 4 16", wo="64 64")
def causal_attention(g, x, wq, wk, wv, wo):
    heads = attend(g, project(x, wq), project(x, wk), project(x, wv))
    return {"out": x + join_heads(heads) @ wo}


@layer("block_sparse", x="n 64", wq="64 4 16", wk="64 4 16", wv="64 4 16", wo="64 64")
def block_sparse(g, x, wq, wk, wv, wo):
    return causal_attention(g, x, wq, wk, wv, wo)


@layer("pna", h="n 32", w="64 32", u="416 32", delta=": positive")
def pna(g, h, w, u, delta):
    m = np.hstack([h[g.dst], h[g.src]]) @ w
    a = np.hstack([g.mean(m), g.max(m), g.min(m), g.std(m)])
    c = np.log(np.maximum(g.degree, 1) + 1)[:, None] / delta
    return {"out": relu(np.hstack([h, a, c * a, a / c]) @ u)}


@layer("rgcn", h="n 32", type="e: below 45", w="45 32 16", w0="32 16")
def rgcn(g, h, type, w, w0):
    messages = np.zeros((g.num_edges, 16))
    for r in range(45):
        of_type = type == r
        messages[of_type] = h[g.src[of_type]] @ w[r]
    return {"out": relu(h @ w0 + g.mean(messages))}


@layer("distance_attention", h="n 64", length="e: positive", gamma="8", bias="33 8",
       wq="64 8 16", wk="64 8 16", wv="64 8 16")
def distance_attention(g, h, length, gamma, bias, wq, wk, wv):
    relative = np.clip(g.src - g.dst, -16, 16)
    heads = attend(g, project(h, wq), project(h, wk), project(h, wv),
                   lambda k: bias[relative + 16, k] - gamma[k] * length)
    return {"out": heads.max(axis=1)}


def classify(x, offsets, c, b):
    parts = [x[first:last] for first, last in zip(offsets, offsets[1:])]
    means = [part.mean(axis=0) if len(part) else np.zeros(x.shape[1]) for part in parts]
    return {"out": np.reshape(means, (len(parts), x.shape[1])) @ c + b}


@layer("batch_readout", "graphs", offsets=": offsets", h="n 32", u="32 64", v="32 64",
       c="64 2", b="2")
def batch_graphs(g, offsets, h, u, v, c, b):
    return classify(relu(h @ u + g.sum((h @ v)[g.src])), offsets, c, b)


@layer("batch_readout", "sequences", takes_graph=False, offsets=": offsets", h="n 32",
       q="32 64", k="32 64", v="32 64", c="64 2", b="2")
def batch_sequences(g, offsets, h, q, k, v, c, b):
    one_head = [(h @ w)[:, None] for w in (q, k, v)]
    return classify(join_heads(attend(g, *one_head)), offsets, c, b)
