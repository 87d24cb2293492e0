# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes texts the way mistakes and malice do: tokens and lines go, come twice
or change places, numbers and types become others, two texts are joined, a text
ends too early. Everything follows from the random numbers given."""

import re

TOKEN = re.compile(r'//[^\n]*|"[^"\n]*"|[%@^!#]?[\w.$-]+|->|::|\s+|.', re.S)
NUMBERS = ("0", "1", "2", "3", "5", "7", "8", "13", "16", "17", "33", "64", "65", "100", "1000",
           "65536", "2147483647", "2147483648", "4294967296", "9223372036854775807",
           "9223372036854775808", "-1", "-2", "-9223372036854775808", "?", "0.0", "-0.0", "1.0e38",
           "1.0e-45", "1.0e400", "0x7FC00000", "0x7F800000", "0xFFF")
ELEMENTS = ("f16", "bf16", "f32", "f64", "i1", "i8", "i32", "i64", "ui8", "index", "f8E4M3FN",
            "complex<f32>", "f80", "i0", "i65", "tf32")
TOPOLOGIES = ("complete", "complete, no_self", "bipartite", "causal", "window, 2", "window, 0",
              "cliques", "causal_cliques", "blocks, 4", "blocks, 0", "sparse", "tree")


def tokenise(text):
    return TOKEN.findall(text)


def isWord(token):
    return not token.isspace() and not token.startswith("//")


def pick(random, tokens, isWanted=isWord):
    """The number of a token, or None."""
    found = [k for k, token in enumerate(tokens) if isWanted(token)]
    return random.choice(found) if found else None


def deleteToken(random, tokens, others):
    k = pick(random, tokens)
    if k is not None:
        del tokens[k]


def doubleToken(random, tokens, others):
    k = pick(random, tokens)
    if k is not None:
        tokens.insert(k, tokens[k] + " ")


def swapTokens(random, tokens, others):
    k, m = pick(random, tokens), pick(random, tokens)
    if k is not None:
        tokens[k], tokens[m] = tokens[m], tokens[k]


def replaceToken(random, tokens, others):
    """By one of the same kind, from here or from another text."""
    k = pick(random, tokens)
    if k is None:
        return
    donor = tokens if random.random() < 0.5 else others
    m = pick(random, donor, lambda token: isWord(token) and token[0] == tokens[k][0])
    if m is not None:
        tokens[k] = donor[m]


def changeNumber(random, tokens, others):
    """One number, or all that are the same: shapes then still agree. Not that of a result:
    MLIR's parser takes memory for all results up to %0#2147483648."""
    number = re.compile(r"(?<![\w.%#])-?\d+(\.\d+)?(e[+-]?\d+)?(?=x|\b)")
    k = pick(random, tokens, lambda token: isWord(token) and number.search(token))
    if k is None:
        return
    old = random.choice(list(number.finditer(tokens[k])))[0]
    new = random.choice(NUMBERS)
    same = re.compile(rf"(?<![\w.%#]){re.escape(old)}(?![\d.])|(?<=x){re.escape(old)}(?=x)")
    if random.random() < 0.6:
        tokens[:] = [same.sub(lambda _: new, token) for token in tokens]
    else:
        tokens[k] = same.sub(lambda _: new, tokens[k], count=1)


def changeElement(random, tokens, others):
    """One element type, or all that are the same."""
    element = re.compile(r"(?<![a-zA-Z_%@.])(bf16|f16|f32|f64|i1|i8|i32|i64)\b|(?<=x)(f32|f64|i32)")
    k = pick(random, tokens, lambda token: token[0] not in "%@" and element.search(token))
    if k is None:
        return
    old, new = element.search(tokens[k])[0], random.choice(ELEMENTS)
    if random.random() < 0.7:
        tokens[:] = [re.sub(rf"{old}\b", new, token) if token[0] not in "%@" else token
                     for token in tokens]
    else:
        tokens[k] = tokens[k].replace(old, new)


def changeRank(random, tokens, others):
    """A dimension more or less in a shape."""
    k = pick(random, tokens, lambda token: re.match(r"(\d+x)+[a-z]", token))
    if k is None:
        return
    old = tokens[k]
    new = old.split("x", 1)[1] if random.random() < 0.5 else random.choice("1237") + "x" + old
    if random.random() < 0.5:
        tokens[:] = [new if token == old else token for token in tokens]
    else:
        tokens[k] = new


def changeTopology(random, tokens, others):
    text = "".join(tokens)
    new = f"!mp.graph<{random.choice(TOPOLOGIES)}>"
    tokens[:] = tokenise(re.sub(r"!mp\.graph(<[^>]*>)?", new, text))


def changeLines(random, tokens, others):
    """A line goes, comes twice, or moves."""
    lines = "".join(tokens).split("\n")
    k, m = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(4)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(m, lines[k])
    elif kind == 2:
        lines[k], lines[m] = lines[m], lines[k]
    else:
        foreign = "".join(others).split("\n")
        lines[k] = random.choice(foreign)
    tokens[:] = tokenise("\n".join(lines))


def splice(random, tokens, others):
    """The beginning of this, the end of another."""
    if others:
        tokens[random.randrange(len(tokens) + 1):] = others[random.randrange(len(others)):]


def truncate(random, tokens, others):
    text = "".join(tokens)
    tokens[:] = tokenise(text[:random.randrange(len(text) + 1)])


def changeByte(random, tokens, others):
    if not tokens:
        return
    k = random.randrange(len(tokens))
    at = random.randrange(len(tokens[k]))
    tokens[k] = tokens[k][:at] + chr(random.choice((0, 9, 34, 37, 60, 123, 127, 233, 0x1f600))) \
        + tokens[k][at + 1:]


# What leaves most texts well formed comes more often.
CHANGES = [(deleteToken, 3), (doubleToken, 2), (swapTokens, 3), (replaceToken, 12),
           (changeNumber, 14), (changeElement, 6), (changeRank, 6), (changeTopology, 4),
           (changeLines, 6), (splice, 1), (truncate, 1), (changeByte, 1)]


def mutate(random, text, other):
    """`text` with one to four changes; `other` lends its parts."""
    tokens, others = tokenise(text), tokenise(other)
    changes, weights = zip(*CHANGES)
    for change in random.choices(changes, weights, k=random.choice((1, 1, 1, 2, 2, 3, 4))):
        if not tokens:
            break
        change(random, tokens, others)
    return "".join(tokens)
