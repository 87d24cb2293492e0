# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers with PyTorch's fused attention; biases of scores are masks of numbers there."""

from .parts import (ahead, attend, attend_along, flex_attend, functions, heads, layer_norm,
                    made_before, scatter, square)


def finish(y, s1, t1, s2, t2, w1, w2):
    y = layer_norm(y, s1, t1)
    return layer_norm(y + (y @ w1).relu() @ w2, s2, t2)


def sparse(edges, h, p, wp, wq, wk, wv, wo, s1, t1, s2, t2, w1, w2):
    x = h + p @ wp
    m = attend_along(edges, *heads(x, wq, wk, wv)).flatten(1)
    return finish(x + m @ wo, s1, t1, s2, t2, w1, w2)


def full(_, x, distance, bias, wq, wk, wv, wo, s1, t1, s2, t2, w1, w2):
    mask = bias[distance].T.unflatten(1, (len(x), len(x)))
    m = attend(*heads(x, wq, wk, wv), mask).flatten(1)
    return finish(x + m @ wo, s1, t1, s2, t2, w1, w2)


def mixed(edges, x, m, wq, wk, wv, wo, s1, t1, s2, t2, w1, w2):
    j, i = edges
    far = attend(*heads(x, wq, wk, wv)).flatten(1) @ wo
    near = scatter((x @ m)[j], i, len(x), "sum").relu()
    return finish(x + far + near, s1, t1, s2, t2, w1, w2)


def encoder_decoder(_, x, y, q1, k1, v1, o1, q2, k2, v2, o2, q3, k3, v3, o3, u1, d1, u2, d2):
    def attention(a, b, q, k, v, o, is_causal=False):
        out = attend(*heads(a, q), *heads(b, k, v), is_causal=is_causal)
        return layer_norm(a + out.flatten(1) @ o)

    def feed_forward(a, u, d):
        return layer_norm(a + (a @ u).relu() @ d)

    m = feed_forward(attention(x, x, q1, k1, v1, o1), u1, d1)
    z = attention(y, y, q2, k2, v2, o2, is_causal=True)
    return feed_forward(attention(z, m, q3, k3, v3, o3), u2, d2)


def sinusoidal(_, x):
    import torch
    frequency = 10000.0 ** (-torch.arange(16, dtype=torch.float64) / 16)
    angle = torch.arange(len(x))[:, None] * frequency.float()
    return x + torch.cat([angle.sin(), angle.cos()], 1)


def rotary(_, x, wq, wk, wv):
    import torch
    frequency = 10000.0 ** (-torch.arange(4, dtype=torch.float64) / 4)
    angle = (torch.arange(len(x))[:, None] * frequency.float()).repeat(1, 2)[:, None]
    cos, sin = angle.cos(), angle.sin()

    def turn(p):
        a, b = p.chunk(2, 2)
        return p * cos + torch.cat([-b, a], 2) * sin

    q, k, v = heads(x, wq, wk, wv)
    return attend(turn(q), turn(k), v, is_causal=True)


def alibi_mask(setting, inputs):
    """Slopes are not learned."""
    steps = square(setting, inputs)
    return (inputs["slope"][:, None, None] * steps).masked_fill(steps > 0, float("-inf"))


@made_before(alibi_mask)
def alibi(mask, x, slope, wq, wk, wv):
    return attend(*heads(x, wq, wk, wv), mask)


def causal_blocks(setting, inputs):
    return block_mask(lambda b, h, i, j: j <= i, setting.sizes["nodes"])


def block_mask(allowed, rows, sources=None):
    from torch.nn.attention.flex_attention import create_block_mask
    return create_block_mask(allowed, None, None, rows, sources or rows, device="cpu")


@made_before(causal_blocks)
def alibi_flex(blocks, x, slope, wq, wk, wv):
    return flex_attend(*heads(x, wq, wk, wv), lambda s, b, h, i, j: s + slope[h] * (j - i), blocks)


def table_rows(reach):
    """The row of a table of relative positions of each pair."""
    return lambda setting, inputs: square(setting, inputs).clamp(-reach, reach) + reach


@made_before(table_rows(16))
def bias_table(row, x, table, wq, wk, wv):
    return attend(*heads(x, wq, wk, wv), table.T[:, row])


def bias_table_flex(_, x, table, wq, wk, wv):
    return flex_attend(*heads(x, wq, wk, wv), lambda s, b, h, i, j:
                       s + table[(j - i).clamp(-16, 16) + 16, h])


@made_before(table_rows(4))
def relative_keys(row, x, ta, tb, wq, wk, wv):
    """Products with the 9 rows of the tables, in place of one row for each pair."""
    q, k, v = (p.transpose(0, 1) for p in heads(x, wq, wk, wv))
    rows = row.expand(len(q), -1, -1)
    scores = q @ k.transpose(1, 2) + (q @ ta.T).gather(2, rows)
    weight = (scores / q.shape[2] ** 0.5).softmax(2)
    places = weight.new_zeros(*weight.shape[:2], len(tb)).scatter_add(2, rows, weight)
    return (weight @ v + places @ tb).transpose(0, 1)


def generation(_, x, keys, values, wq, wk, wv, wo):
    import torch
    q, k, v = heads(x, wq, wk, wv)
    k, v = torch.cat([keys, k]), torch.cat([values, v])
    return attend(q, k, v).flatten(1) @ wo, k, v


def back_and_mask(setting, inputs):
    """How far back a source is, as a row of the table, and where it is allowed."""
    rows, first = len(inputs["x"]), len(inputs["memory"])
    back = -ahead(rows, first + rows, first)
    return back.clamp(0, len(inputs["rp"]) - 1), back >= 0


def segment_parts(x, memory, wq, wk, wv):
    import torch
    y = torch.cat([memory, x])
    return *heads(x, wq), *heads(y, wk, wv)


@made_before(back_and_mask)
def segments(back_mask, x, memory, wq, wk, wv, rp, b, c, wo):
    import torch
    back, mask = back_mask
    q, k, v = segment_parts(x, memory, wq, wk, wv)
    place = torch.einsum("ihd,rhd->hir", q + c, rp) / q.shape[2] ** 0.5
    bias = place.gather(2, back.expand(len(place), -1, -1)).masked_fill(~mask, float("-inf"))
    return x + attend(q + b, k, v, bias).flatten(1) @ wo


def segment_blocks(setting, inputs):
    rows, first = len(inputs["x"]), len(inputs["memory"])
    return block_mask(lambda b, h, i, j: j <= i + first, rows, first + rows)


@made_before(segment_blocks)
def segments_flex(blocks, x, memory, wq, wk, wv, rp, b, c, wo):
    import torch
    q, k, v = segment_parts(x, memory, wq, wk, wv)
    place = torch.einsum("ihd,rhd->hir", q + c, rp) / q.shape[2] ** 0.5
    first, last = len(memory), len(rp) - 1

    def score(s, _, h, i, j):
        return s + place[h, i, (i + first - j).clamp(0, last)]

    return x + flex_attend(q + b, k, v, score, blocks).flatten(1) @ wo


def one_head(x, wq, wk, wv):
    return ((x @ w)[:, None] for w in (wq, wk, wv))


def syntax_attention(edges, x, wq, wk, wv, tq, tk, tv, wo):
    import torch
    every = attend(*one_head(x, wq, wk, wv)).flatten(1)
    tree = attend_along(edges, *one_head(x, tq, tk, tv)).flatten(1)
    return layer_norm(x + torch.cat([every, tree], 1) @ wo)


def memory_network(_, q, x, a, c, h, hops):
    keys, values = (x @ a)[:, None], (x @ c)[:, None]
    for _ in range(int(hops)):
        q = q @ h + attend(q[:, None], keys, values, scale=1.0)[:, 0]
    return q


FUNCTIONS = functions(sparse, full, mixed, encoder_decoder, sinusoidal, rotary, alibi, bias_table,
                      relative_keys, generation, segments, syntax_attention, memory_network)
FLEX = {"alibi": alibi_flex, "bias_table": bias_table_flex, "segments": segments_flex}
