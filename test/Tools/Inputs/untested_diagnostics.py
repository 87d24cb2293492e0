# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names every text that the sources can print and that no test expects.

A text is a string literal of three words or more (adjacent literals are one), outside
of help, assertions and the reasons of notifyMatchFailure. It is tested if a test expects
a part of it that no other text of the sources has: PART characters in a row between the
places where values are put in, or the longest such stretch if all are shorter. What a
test expects stands after expected-error and the like, on the lines of FileCheck, and in
string literals of C++ and Python."""

import argparse
import ast
import pathlib
import re
import sys

PART = 12
WORDS = 3
# Calls whose literals nobody sees, or sees in --help only.
SILENT = {"desc", "value_desc", "notifyMatchFailure", "assert", "static_assert",
          "llvm_unreachable", "report_fatal_error", "PassPipelineRegistration",
          "CliquePipelineOptions", "clEnumValN", "progress", "dataCategory",
          "runCategory", "checkCategory", "outputCategory", "targetCategory",
          "insightCategory"}
# Sources whose literals are not for users: the text of a C header, which is compiled,
# and the generator of test cases.
OTHER_TEXT = {"CHeader.cpp", "clique-smith"}
# In the Python package most literals are for its readers or for the compiler; these raise.
PACKAGE = "python"
RAISING = {"PyErr_SetString", "PyErr_Format", "raise"}
# Texts without a test, by the part that tells them apart, and why.
WITHOUT = {
    "read, not printed": [
        "kernels for the emulated device",
        "bytes spill stores", "bytes spill loads", "is not defined for option 'gpu-name'",
        "Created-By: Packages", "apt-cache dumpavail",
        # Names of a pattern and of passes.
        "(anonymous namespace)::", "Loop Strength Reduction", "Loop Invariant Code Motion",
        "Common Subexpression Elimination", "Machine code sinking", "Early Tail Duplication",
        "Control Flow Optimizer", "Basic Block Placement"],
    "on machines that are unlike that of the tests": [
        "no code generator for %s", "LLVM cannot emit this kind of file",
        "; sm_80 is the oldest",
        # On a full disk.
        "the compiled code could not be linked", "the linker failed without a message",
        "the CUDA devices", "which compiled layers need, cannot be loaded"],
    "where memory begins or ends": [
        "in front of all device memory",
        "the list of the dense tiles of a graph", "no memory for the image"],
    "defects of the compiler, which no spec is known to show": [
        "cannot be tiled", "cannot be divided into blocks of its result", "this is a defect of the compiler's pipeline",
        "left IR that is not valid", "failed and did not say why",
        "the variants for different processors cannot be joined",
        "cannot be linked to the kernels"],
    "of the package's parts to each other": [
        "import clique, not its module _native", "expected a row of integers"],
}
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|R"\((?P<raw>.*?)\)"'
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|'(?:[^'\\]|\\.)'"
    r'|(?P<preprocessor>^[ \t]*#[ \t]*(?:include|error)[^\n]*)'
    r'|(?P<name>\w+)'
    r'|(?P<other>\S)', re.S | re.M)
# Where values are put in: {} of fmt, %d of printf, and what separates words.
PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[-+.\d]*[a-z]*[a-zRUSA]|\n")


def unescape(literal):
    return ast.literal_eval("b" + literal).decode("utf-8", "replace") \
        if literal.isascii() else ast.literal_eval(literal)


def cpp_literals(text, is_package=False):
    """(line, literal) of the strings of a C++ file. Adjacent ones are joined, and so are
    those that one statement prints in a row, with a {} between them."""
    calls, last_name, message = [], "", None
    is_adjacent = False
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind in ("comment", "preprocessor"):
            continue
        if (kind == "string" and SILENT.isdisjoint(calls)
                and not (is_package and RAISING.isdisjoint(calls))):
            literal = unescape(token["string"])
            if message is None:
                message = (text.count("\n", 0, token.start()) + 1, literal)
            else:
                message = (message[0], message[1] + ("" if is_adjacent else "{}") + literal)
        is_adjacent = kind == "string"
        if kind == "name":
            last_name = token["name"]
        elif kind == "other":
            other = token["other"]
            if other in ";{}?:,+" and message is not None:
                yield message
                message = None
            # An object that is made by braces, as an option is, counts as a call.
            if other in "({":
                calls.append(last_name)
            elif other in ")}" and calls:
                calls.pop()
            if other not in ">":
                last_name = ""


def f_string(node):
    """Its text, with {} where values are put in."""
    return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)


def python_literals(text, is_package=False):
    tree = ast.parse(text)
    if is_package:
        raised = [part for node in ast.walk(tree) if isinstance(node, ast.Raise)
                  for part in ast.walk(node)]
        inner = {part for node in raised if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in raised:
            if isinstance(node, ast.JoinedStr):
                yield node.lineno, f_string(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
                yield node.lineno, node.value
        return
    silent = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(node.value)
        if isinstance(node, ast.keyword) and node.arg in ("help", "description", "epilog"):
            silent.update(ast.walk(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in silent:
            yield node.lineno, node.value


def expectations(path):
    """The texts that a test expects, and its other literals."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        texts = [literal for _, literal in python_literals(text)]
    elif path.suffix in (".cpp", ".h"):
        texts = [literal for _, literal in cpp_literals(text)]
    else:
        texts = re.findall(r"expected-(?:error|warning|remark|note).*|"
                           r"^[ #/]*(?!RUN|DEFINE|REDEFINE|TODO)[A-Z][A-Z0-9_-]*:.*|"
                           r"^.*\bgrep\b.*", text, re.M)
    return [re.sub(r"\s+", " ", text) for text in texts]


def stretches(literal):
    """What stands between the places of values."""
    parts = [re.sub(r"\s+", " ", part) for part in PLACEHOLDER.split(literal)]
    longest = max(map(len, parts))
    return [part for part in parts if len(part) >= min(PART, longest)]


def windows(literal):
    for part in stretches(literal):
        size = min(PART, len(part))
        for start in range(len(part) - size + 1):
            yield part[start:start + size]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--tests", type=pathlib.Path, nargs="+", required=True)
    arguments = parser.parse_args()

    messages = []
    for root in arguments.sources:
        for path in sorted(root.rglob("*")):
            if ("tests" in path.parts or OTHER_TEXT.intersection(path.parts)
                    or path.suffix not in (".cpp", ".h", ".py")):
                continue
            read = python_literals if path.suffix == ".py" else cpp_literals
            is_package = PACKAGE in path.relative_to(root.parent).parts
            for line, literal in read(path.read_text(encoding="utf-8"), is_package):
                if len(re.findall(r"[A-Za-z]{2,}", literal)) >= WORDS and " " in literal.strip():
                    messages.append((f"{path}:{line}", literal, is_package))
    if not messages:
        sys.exit("the sources print nothing")

    owners = {}
    for _, literal, is_package in messages:
        for window in windows(literal):
            owners.setdefault((window, is_package), set()).add(literal)

    corpus = "\n".join(text for root in arguments.tests for path in sorted(root.rglob("*"))
                       if path.suffix in (".mlir", ".test", ".py", ".cpp", ".h")
                       and path.name != pathlib.Path(__file__).name
                       for text in expectations(path))

    known = {part: 0 for parts in WITHOUT.values() for part in parts}
    untested = 0
    for place, literal, is_package in messages:
        own = [window for window in windows(literal) if len(owners[window, is_package]) == 1]
        if any(window in corpus for window in own or windows(literal)):
            continue
        listed = [part for part in known if part in literal]
        for part in listed:
            known[part] += 1
        if not listed:
            untested += 1
            print(f"{place}: no test expects: {literal.strip()!r}")
    for part, count in known.items():
        if not count:
            untested += 1
            print(f"listed as without a test, but it has one, or is no more: {part!r}")
    print(f"{len(messages) - untested - sum(known.values())} texts tested, "
          f"{sum(known.values())} listed as without a test, {untested} left")
    sys.exit(bool(untested))


main()
