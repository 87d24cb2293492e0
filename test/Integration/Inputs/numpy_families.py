# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of examples/families/ in NumPy, from their equations, in double precision.

@family declares what a function of a spec runs on: the graph, named as on the command
line (a name without ':' is a file that the test makes; none if the spec makes its
graphs), and the inputs, arrays or shapes of random ones. The function takes the graph and
the inputs and returns the results by name."""

import types

import numpy as np
from scipy.special import expit, softmax

from numpy_graph import make_graph
from numpy_layers import attend, elu, join_heads, layer_norm, project, relu

FAMILIES = []
N = 34  # nodes of Zachary's club


def family(example, entry=None, graph="karate", **inputs):
    def register(function):
        FAMILIES.append(types.SimpleNamespace(example=example, entry=entry or example, graph=graph,
                                              inputs=inputs, compute=function))
        return function
    return register


def norm(x):
    return layer_norm(x, 1, 0)


@family("deepgcn", h=(N, 32), scale=(32,), shift=(32,), t=(32,), w=(32, 32))
def deepgcn(g, h, scale, shift, t, w):
    z = relu(layer_norm(h, scale, shift))
    m = z[g.src] + 1e-7
    return {"out": h + (z + g.sum(g.softmax(t * m) * m)) @ w}


@family("gatedgcn", h=(N, 32), e=(156, 32), a=(32, 32), b=(32, 32), c=(32, 32), d=(32, 32),
        u=(32, 32), sn=(32,), tn=(32,), se=(32,), te=(32,))
def gatedgcn(g, h, e, a, b, c, d, u, sn, tn, se, te):
    x = e @ c + (h @ d)[g.dst] + (h @ u)[g.src]
    gate = expit(x)
    mean = g.sum(gate * (h @ b)[g.src]) / (g.sum(gate) + 1e-6)
    return {"out": h + relu(layer_norm(h @ a + mean, sn, tn)),
            "e_out": e + relu(layer_norm(x, se, te))}


@family("ggnn", h=(N, 16), w=(16, 16), wz=(32, 16), wr=(32, 16), wc=(32, 16), steps=3)
def ggnn(g, h, w, wz, wr, wc, steps):
    for _ in range(steps):
        a = g.sum((h @ w)[g.src])
        z, r = (expit(np.hstack([a, h]) @ gate) for gate in (wz, wr))
        h = (1 - z) * h + z * np.tanh(np.hstack([a, r * h]) @ wc)
    return {"out": h}


@family("propagation", "appnp", h=(N, 16), alpha=np.float32(0.125), steps=10)
def appnp(g, h, alpha, steps):
    a = np.eye(N)
    a[g.dst, g.src] = 1
    a /= np.sqrt(np.outer(a.sum(axis=1), a.sum(axis=1)))
    z = h
    for _ in range(steps):
        z = (1 - alpha) * a @ z + alpha * h
    return {"out": z}


KNOWN = np.zeros(N, bool)
KNOWN[[0, 5, 16, 33]] = True
LABELS = np.zeros((N, 4), np.float32)
LABELS[KNOWN] = np.eye(4)


@family("propagation", "label_propagation", y=LABELS, known=KNOWN, tolerance=1e-3)
def label_propagation(g, y, known, tolerance):
    x, change, steps = y, np.inf, 0
    while change > tolerance:
        after = np.where(known[:, None], y, g.mean(x[g.src]))
        x, change, steps = after, np.abs(after - x).max(), steps + 1
    return {"out": x, "steps": np.array(steps)}


OFFSETS = np.array([0, 5, 8, 8, 16])


@family("graph_network", graph="cliques:5,3,8", h=(16, 16), e=(98, 8), u=(4, 8), offsets=OFFSETS,
        we=(48, 8), be=(8,), wv=(32, 16), bv=(16,), wu=(32, 8), bu=(8,))
def graph_network(g, h, e, u, offsets, we, be, wv, bv, wu, bu):
    graph_of = np.repeat(np.arange(4), np.diff(offsets))
    e1 = relu(np.hstack([e, h[g.dst], h[g.src], u[graph_of[g.dst]]]) @ we + be)
    en = g.sum(e1)
    h1 = relu(np.hstack([en, h, u[graph_of]]) @ wv + bv)
    totals = [np.stack([x[graph_of == k].sum(axis=0) for k in range(4)]) for x in (en, h1)]
    return {"h_out": h1, "e_out": e1, "u_out": relu(np.hstack([*totals, u]) @ wu + bu)}


@family("attention_pooling", graph=None, x=(16, 32), offsets=OFFSETS, seeds=(4, 16), wk=(32, 16),
        wv=(32, 16))
def attention_pooling(g, x, offsets, seeds, wk, wv):
    out = np.zeros((4, 4, 16))
    for k, (first, end) in enumerate(zip(offsets, offsets[1:])):
        if first < end:
            nodes = x[first:end]
            out[k] = softmax(seeds @ (nodes @ wk).T / 4, axis=1) @ (nodes @ wv)
    return {"out": out}


BLOCK = {"wq": (32, 4, 8), "wk": (32, 4, 8), "wv": (32, 4, 8), "wo": (32, 32), "s1": (32,),
         "t1": (32,), "s2": (32,), "t2": (32,), "w1": (32, 64), "w2": (64, 32)}
PAIRS = {name: (32, 4, 8) for name in ("wq", "wk", "wv")}


def finish(a, s1, t1, s2, t2, w1, w2):
    y = layer_norm(a, s1, t1)
    return {"out": layer_norm(y + relu(y @ w1) @ w2, s2, t2)}


def multi_head(g, x, wq, wk, wv, wo, bias=lambda head: 0):
    return join_heads(attend(g, project(x, wq), project(x, wk), project(x, wv), bias)) @ wo


@family("graph_transformer", "sparse", h=(N, 32), p=(N, 4), wp=(4, 32), **BLOCK)
def transformer_sparse(g, h, p, wp, wq, wk, wv, wo, **rest):
    x = h + p @ wp
    return finish(x + multi_head(g, x, wq, wk, wv, wo), **rest)


@family("graph_transformer", "full", graph="complete:20", x=(20, 32),
        distance=np.random.default_rng(1).integers(0, 8, 400, np.int32), bias=(8, 4), **BLOCK)
def transformer_full(g, x, distance, bias, wq, wk, wv, wo, **rest):
    m = multi_head(g, x, wq, wk, wv, wo, lambda head: bias[distance, head])
    return finish(x + m, **rest)


@family("graph_transformer", "mixed", x=(N, 32), m=(32, 32), **BLOCK)
def transformer_mixed(g, x, m, wq, wk, wv, wo, **rest):
    far = multi_head(make_graph(f"complete:{N}"), x, wq, wk, wv, wo)
    return finish(x + far + relu(g.sum(x[g.src] @ m)), **rest)


def dense_attention(q, k, v, mask=None):
    """Rows of q over those of k and v, [rows, heads, size]."""
    scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(q.shape[2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return np.einsum("hij,jhd->ihd", softmax(scores, axis=2), v)


HALF = {f"{name}{k}": shape for k in (1, 2, 3) for name, shape in
        (("q", (32, 4, 8)), ("k", (32, 4, 8)), ("v", (32, 4, 8)), ("o", (32, 32)))}


@family("encoder_decoder", graph=None, x=(19, 32), y=(11, 32), u1=(32, 64), d1=(64, 32),
        u2=(32, 64), d2=(64, 32), **HALF)
def encoder_decoder(g, x, y, u1, d1, u2, d2, **w):
    def part(k, a, b, mask=None):
        q, keys, values = (project(s, w[f"{n}{k}"]) for n, s in (("q", a), ("k", b), ("v", b)))
        return norm(a + join_heads(dense_attention(q, keys, values, mask)) @ w[f"o{k}"])

    m = part(1, x, x)
    m = norm(m + relu(m @ u1) @ d1)
    z = part(3, part(2, y, y, np.tri(11, dtype=bool)), m)
    return {"out": norm(z + relu(z @ u2) @ d2)}


@family("positions", "sinusoidal", graph=None, x=(20, 32))
def sinusoidal(g, x):
    angles = np.outer(np.arange(20), 10000.0 ** (-np.arange(16) / 16))
    return {"out": x + np.hstack([np.sin(angles), np.cos(angles)])}


@family("positions", "rotary", graph="causal:30", x=(30, 32), **PAIRS)
def rotary(g, x, wq, wk, wv):
    turn = np.exp(1j * np.outer(np.arange(30), 10000.0 ** (-np.arange(4) / 4)))[:, None]
    q, k = (turn * (p[..., :4] + 1j * p[..., 4:]) for p in (project(x, wq), project(x, wk)))
    q, k = (np.concatenate([p.real, p.imag], axis=2) for p in (q, k))
    return {"out": dense_attention(q, k, project(x, wv), np.tri(30, dtype=bool))}


@family("positions", "alibi", graph="causal:30", x=(30, 32), slope=(4,), **PAIRS)
def alibi(g, x, slope, **w):
    bias = lambda head: slope[head] * (g.src - g.dst)
    return {"out": attend(g, *(project(x, w[n]) for n in ("wq", "wk", "wv")), bias)}


@family("positions", "bias_table", graph="complete:40", x=(40, 32), table=(33, 4), **PAIRS)
def bias_table(g, x, table, **w):
    bias = lambda head: table[np.clip(g.src - g.dst, -16, 16) + 16, head]
    return {"out": attend(g, *(project(x, w[n]) for n in ("wq", "wk", "wv")), bias)}


@family("positions", "relative_keys", graph="complete:20", x=(20, 32), ta=(9, 8), tb=(9, 8),
        **PAIRS)
def relative_keys(g, x, ta, tb, wq, wk, wv):
    q, k, v = project(x, wq), project(x, wk), project(x, wv)
    out = np.zeros((20, 4, 8))
    for i in range(20):
        row = np.clip(np.arange(20) - i, -4, 4) + 4
        for head in range(4):
            weights = softmax((k[:, head] + ta[row]) @ q[i, head] / np.sqrt(8))
            out[i, head] = weights @ (v[:, head] + tb[row])
    return {"out": out}


@family("generation", graph=None, x=(1, 32), keys=(6, 4, 8), values=(6, 4, 8), wo=(32, 32), **PAIRS)
def generation(g, x, keys, values, wo, wq, wk, wv):
    k, v = np.vstack([keys, project(x, wk)]), np.vstack([values, project(x, wv)])
    out = join_heads(dense_attention(project(x, wq), k, v)) @ wo
    return {"out": out, "keys_out": k, "values_out": v}


@family("generation", graph=None, x=(1, 32), keys=(0, 4, 8), values=(0, 4, 8), wo=(32, 32), **PAIRS)
def first_token(g, **inputs):
    return generation(g, **inputs)


@family("segments", graph=None, x=(9, 32), memory=(14, 32), rp=(64, 4, 8), b=(4, 8), c=(4, 8),
        wo=(32, 32), **PAIRS)
def segments(g, x, memory, rp, b, c, wo, wq, wk, wv):
    y = np.vstack([memory, x])
    q, k, v = project(x, wq), project(y, wk), project(y, wv)
    out = np.array(x)
    for i in range(9):
        sources = np.arange(15 + i)
        content = np.einsum("hd,jhd->jh", q[i] + b, k[sources])
        place = np.einsum("hd,jhd->jh", q[i] + c, rp[14 + i - sources])
        weights = softmax((content + place) / np.sqrt(8), axis=0)
        out[i] += np.einsum("jh,jhd->hd", weights, v[sources]).reshape(32) @ wo
    return {"out": out}


ONE_HEAD = {name: (32, 16) for name in ("wq", "wk", "wv")}


def one_head(x, wq, wk, wv, mask, bias=0):
    """A matrix of scores, what is not in the mask left out."""
    scores = np.where(mask, (x @ wq) @ (x @ wk).T / 4 + bias, -np.inf)
    top = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = weights.sum(axis=1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ (x @ wv)


def apart(n):
    return np.abs(np.arange(n)[:, None] - np.arange(n))


@family("sparse_attention", "window_global", graph="complete:150", x=(150, 32),
        globals=np.int32(3), **ONE_HEAD)
def window_global(g, x, globals, **w):
    first = np.minimum(np.arange(150)[:, None], np.arange(150))
    return {"out": one_head(x, mask=(apart(150) <= 4) | (first < globals), **w)}


@family("sparse_attention", "dilated", graph="complete:150", x=(150, 32), dilation=np.int32(3),
        **ONE_HEAD)
def dilated(g, x, dilation, **w):
    places = np.arange(-4, 5) * dilation
    mask = np.isin(np.arange(150)[:, None] - np.arange(150), places)
    return {"out": one_head(x, mask=mask, **w)}


@family("sparse_attention", "adaptive_span", graph="complete:40", x=(40, 32), span=np.float32(5.5),
        **ONE_HEAD)
def adaptive_span(g, x, span, wq, wk, wv):
    soft = np.clip((8 + span - apart(40)) / 8, 0, 1)
    weights = soft * np.exp((x @ wq) @ (x @ wk).T / 4)
    return {"out": weights / weights.sum(axis=1, keepdims=True) @ (x @ wv)}


@family("sparse_attention", "partition", graph="partition", x=(31, 32), type="partition_types",
        table=(8,), **ONE_HEAD)
def partition(g, x, type, table, **w):
    mask, bias = np.zeros((31, 31), bool), np.zeros((31, 31))
    mask[g.dst, g.src] = True
    bias[g.dst, g.src] = table[type]
    return {"out": one_head(x, mask=mask, bias=bias, **w)}


@family("syntax_attention", graph="tree", x=(9, 32), tq=(32, 16), tk=(32, 16), tv=(32, 16),
        wo=(32, 32), **ONE_HEAD)
def syntax_attention(g, x, tq, tk, tv, wo, wq, wk, wv):
    mask = np.zeros((9, 9), bool)
    mask[g.dst, g.src] = True
    both = [one_head(x, wq, wk, wv, np.ones((9, 9), bool)), one_head(x, tq, tk, tv, mask)]
    return {"out": norm(x + np.hstack(both) @ wo)}


@family("memory_network", graph="bipartite:4x20", q=(4, 16), x=(20, 32), a=(32, 16), c=(32, 16),
        h=(16, 16), hops=3)
def memory_network(g, q, x, a, c, h, hops):
    for _ in range(hops):
        q = q @ h + softmax(q @ (x @ a).T, axis=1) @ (x @ c)
    return {"out": q}


def convolve(x, weights):
    """weights: [nodes, 7, heads]; zeros beyond the ends."""
    padded = np.pad(x, ((3, 3), (0, 0), (0, 0)))
    return {"out": sum(weights[:, k, :, None] * padded[k:k + len(x)] for k in range(7))}


@family("convolution", "lightweight", graph="window:30,3", x=(30, 4, 8), w=(7, 4))
def lightweight(g, x, w):
    return convolve(x, np.broadcast_to(softmax(w, axis=0), (30, 7, 4)))


@family("convolution", "dynamic", graph="window:30,3", x=(30, 4, 8), w=(4, 8, 7, 4))
def dynamic(g, x, w):
    return convolve(x, softmax(np.einsum("nab,abkh->nkh", x, w), axis=1))


@family("linear_attention", graph="complete:30", x=(30, 32), **PAIRS)
def linear_attention(g, x, wq, wk, wv):
    q, k, v = elu(project(x, wq)) + 1, elu(project(x, wk)) + 1, project(x, wv)
    top = np.einsum("ihd,hde->ihe", q, np.einsum("jhd,jhe->hde", k, v))
    return {"out": top / np.einsum("ihd,hd->ih", q, k.sum(axis=0))[..., None]}


def sources_first(g, count):
    """The nodes of an acyclic graph, each behind those that it receives from."""
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in g.src[g.dst == node]:
                visit(source)
            order.append(node)

    for node in range(count):
        visit(node)
    return order


TREE_LSTM = {"w": (16, 4, 16), "u": (16, 3, 16), "uf": (16, 16)}


@family("tree_lstm", graph="sentences", x="sentence_words", **TREE_LSTM)
@family("tree_lstm", graph="tree", x=(9, 16), **TREE_LSTM)
def tree_lstm(g, x, w, u, uf):
    h, c = np.zeros((len(x), 16)), np.zeros((len(x), 16))
    wi, wo, wu, wf = w.transpose(1, 0, 2)
    ui, uo, uu = u.transpose(1, 0, 2)
    for j in sources_first(g, len(x)):
        children = list(g.src[g.dst == j])
        total = h[children].sum(axis=0)
        i, o = expit(x[j] @ wi + total @ ui), expit(x[j] @ wo + total @ uo)
        kept = sum((expit(x[j] @ wf + h[k] @ uf) * c[k] for k in children), np.zeros(16))
        c[j] = i * np.tanh(x[j] @ wu + total @ uu) + kept
        h[j] = o * np.tanh(c[j])
    return {"h": h, "c": c}


@family("tree_lstm", "nary_tree_lstm", graph="tree", x=(9, 16), place="tree_places",
        w=(16, 4, 16), u=(3, 16, 6, 16))
def nary_tree_lstm(g, x, place, w, u):
    h, c = np.zeros((9, 16)), np.zeros((9, 16))
    for j in sources_first(g, 9):
        edges = np.flatnonzero(g.dst == j)
        z = np.einsum("a,agb->gb", x[j], w)
        total = sum((np.einsum("a,agb->gb", h[g.src[e]], u[place[e]]) for e in edges),
                    np.zeros((6, 16)))
        c[j] = expit(z[0] + total[0]) * np.tanh(z[2] + total[2])
        for e in edges:
            c[j] += expit(z[3] + total[3 + place[e]]) * c[g.src[e]]
        h[j] = expit(z[1] + total[1]) * np.tanh(c[j])
    return {"h": h, "c": c}


@family("dagnn", graph="dag", x=(40, 16), w1=(16,), w2=(16,), w=(16, 3, 16), u=(16, 3, 16))
def dagnn(g, x, w1, w2, w, u):
    h = np.zeros((40, 16))
    for v in sources_first(g, 40):
        before = h[g.src[g.dst == v]]
        m = softmax(x[v] @ w1 + before @ w2) @ before if len(before) else np.zeros(16)
        (xr, xz, xn), (mr, mz, mn) = np.einsum("a,agb->gb", x[v], w), np.einsum("a,agb->gb", m, u)
        z = expit(xz + mz)
        h[v] = (1 - z) * np.tanh(xn + expit(xr + mr) * mn) + z * m
    return {"h": h}


@family("lsh_attention", graph=None, x=(50, 32), r=(32, 4), wq=(32, 4, 8), wv=(32, 4, 8))
def lsh_attention(g, x, r, wq, wv):
    bucket = np.hstack([x @ r, -(x @ r)]).argmax(axis=1)
    q, v = project(x, wq), project(x, wv)
    key = q / np.linalg.norm(q, axis=2, keepdims=True)
    scores = np.einsum("ihd,jhd->ijh", q, key) / np.sqrt(8)
    scores[bucket[:, None] != bucket] = -np.inf
    return {"out": np.einsum("ijh,jhd->ihd", softmax(scores, axis=1), v).reshape(50, 32),
            "bucket": bucket}
