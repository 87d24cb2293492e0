#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the dependency graph of Debian's packages as a Matrix Market file.

Nodes are the packages of this machine's package lists, in alphabetical order.
The package that depends is the destination (row), the dependency the source
(column). Depends, Pre-Depends and Recommends count; every alternative of
"a | b" is an edge. A name that no package bears stands for every package that
provides it. Versions are not compared, a pair of packages is one edge however
often it is named, and a package does not depend on itself."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

EXIT_ERROR = 1
EXIT_NO_PACKAGE_LISTS = 3

DEPENDENCY_FIELDS = ("depends", "pre-depends", "recommends")
PACKAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*")

EPILOG = """\
exit status:
  0  the graph was written
  1  an input could not be read, or an output not written
  2  the command line is wrong
  3  this machine has no package lists (`apt-get update` fetches them)

examples:
  debian-graph.py -o debian.mtx
  debian-graph.py -o debian.mtx --names debian.names
  debian-graph.py --packages Packages -o -
"""


class GraphError(Exception):
    """A failure with a message for the user and an exit status."""

    def __init__(self, message, status=EXIT_ERROR):
        super().__init__(message)
        self.status = status


def runApt(*command):
    """The output of one of apt's own tools, decoded."""
    try:
        result = subprocess.run(command, capture_output=True, check=True)
    except FileNotFoundError:
        raise GraphError(f"'{command[0]}' was not found: this machine has no apt; give a "
                         "package list with --packages", EXIT_NO_PACKAGE_LISTS)
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip()
        raise GraphError(f"'{' '.join(command)}' failed: {reason}")
    return result.stdout.decode(errors="replace")


def readAptLists():
    """The newest version of every package that apt knows, as one control file."""
    # Without lists, dumpavail still answers, with the installed packages only.
    lists = runApt("apt-get", "indextargets", "--format", "$(FILENAME)",
                   "Created-By: Packages")
    if not lists.strip():
        raise GraphError("this machine has no package lists; fetch them with 'apt-get "
                         "update', or give one with --packages", EXIT_NO_PACKAGE_LISTS)
    return runApt("apt-cache", "dumpavail")


def readPackagesFile(path):
    """The text of a control file; '-' is the standard input."""
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode(errors="replace")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise GraphError(f"{path}: cannot be read: {error.strerror}")


def parseStanzas(text, origin):
    """Yields each stanza as (line number, {field in lower case: value})."""
    fields, last, start = {}, None, 1
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            if fields:
                yield start, fields
            fields, last = {}, None
            continue
        if line[0] in " \t":
            if last is None:
                raise GraphError(f"{origin}:{number}: a continuation line without a field "
                                 "before it; expected 'Field: value'")
            fields[last] += " " + line.strip()
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise GraphError(f"{origin}:{number}: '{line[:40]}' is not a field; expected "
                             "'Field: value' (compressed lists must be unpacked first)")
        if not fields:
            start = number
        last = name.strip().lower()
        fields[last] = value.strip()
    if fields:
        yield start, fields


def parseNames(field):
    """The package names of a dependency field: 'a (>= 1) | b:any, c' is a, b, c."""
    for term in re.split(r"[,|]", field):
        match = PACKAGE_NAME.match(term.strip())
        if match:
            yield match.group()


def readPackages(text, origin):
    """Two dictionaries: package to the names it wants, virtual name to providers."""
    wanted, providers = {}, {}
    for line, fields in parseStanzas(text, origin):
        package = fields.get("package", "")
        if not PACKAGE_NAME.fullmatch(package):
            raise GraphError(f"{origin}:{line}: this stanza names no package; expected a "
                             f"field 'Package: name', found '{package}'")
        names = wanted.setdefault(package, set())
        for field in DEPENDENCY_FIELDS:
            names.update(parseNames(fields.get(field, "")))
        for name in parseNames(fields.get("provides", "")):
            providers.setdefault(name, set()).add(package)
    return wanted, providers


def buildEdges(wanted, providers):
    """The sorted package names, and for each the sorted indices of its sources."""
    names = sorted(wanted)
    index = {name: node for node, name in enumerate(names)}
    rows = []
    for package in names:
        sources = set()
        for name in wanted[package]:
            sources.update([name] if name in index else providers.get(name, ()))
        sources.discard(package)
        rows.append(sorted(index[source] for source in sources))
    return names, rows


def formatMatrixMarket(names, rows):
    """The graph as the text of a Matrix Market file."""
    nodes, edges = len(names), sum(map(len, rows))
    lines = ["%%MatrixMarket matrix coordinate pattern general",
             "% Debian package dependencies: row depends on column.",
             f"{nodes} {nodes} {edges}"]
    for row, sources in enumerate(rows, 1):
        lines.extend(f"{row} {source + 1}" for source in sources)
    return "\n".join(lines) + "\n"


def stage(path, text):
    """Writes the text beside the file that `path` names; returns the file to rename and the other
    one, or None twice for '-'."""
    if path == "-":
        return None, None
    target = os.path.realpath(path)  # a link stays one
    if os.path.exists(target) and not os.path.isfile(target):
        raise GraphError(f"{path}: cannot be written: is no regular file")
    handle, staged = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".debian-graph-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        file.write(text)
    return staged, target


def writeOutputs(outputs):
    """Writes every (path, text) completely, or none of them."""
    staged = []
    path = None
    try:
        for path, text in outputs:
            staged.append((*stage(path, text), path, text))
        while staged:
            temporary, target, path, text = staged[0]
            if temporary is None:
                sys.stdout.write(text)
                sys.stdout.flush()
            else:
                os.replace(temporary, target)
            staged.pop(0)
    except OSError as error:
        if path == "-":  # what is left of it would be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise GraphError(f"{path}: cannot be written: {error.strerror}")
    finally:
        for temporary, _, _, _ in staged:
            if temporary is not None:
                os.unlink(temporary)


def parseArguments():
    parser = argparse.ArgumentParser(
        prog="debian-graph.py", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
                        help="the Matrix Market file to write; - is the standard output")
    parser.add_argument("--names", metavar="FILE",
                        help="also write the package names, one per line, line i being node i")
    parser.add_argument("--packages", metavar="FILE",
                        help="read this uncompressed 'Packages' file instead of the "
                             "machine's lists; - is the standard input")
    return parser.parse_args()


def main():
    arguments = parseArguments()
    try:
        if arguments.packages is None:
            text, origin = readAptLists(), "apt-cache dumpavail"
        else:
            text, origin = readPackagesFile(arguments.packages), arguments.packages
        names, rows = buildEdges(*readPackages(text, origin))
        outputs = [(arguments.output, formatMatrixMarket(names, rows))]
        if arguments.names is not None:
            outputs.append((arguments.names, "".join(f"{name}\n" for name in names)))
        writeOutputs(outputs)
    except GraphError as error:
        print(f"debian-graph.py: error: {error}", file=sys.stderr)
        return error.status
    print(f"{arguments.output}: {len(names)} nodes, {sum(map(len, rows))} edges",
          file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
