# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every source file of the repository keeps to, and no tool checks in less time: a line
with its license, headers of C++ and not of C, `using` and no `typedef`."""
# RUN: %python %s %clique_src_root

import pathlib
import re
import subprocess
import sys

SOURCES = ("*.c", "*.cpp", "*.h", "*.py", "*.sh", "*.td", "*.test.in")
DEPRECATED = re.compile(
    r"#include <(assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stddef"
    r"|stdint|stdio|stdlib|string|time|wchar)\.h>")


def find_mistakes(name, text):
    if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text[:600]:
        yield 1, "has no line with its license; begin as the other files do"
    # A header that C programs read, too.
    if not name.endswith((".cpp", ".h")) or '__cplusplus' in text:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if (found := DEPRECATED.match(line)) and "NOLINT" not in line:
            yield number, f"{found[0]} is C's header; include <c{found[1]}>"
        if re.match(r"\s*typedef\b", line):
            yield number, "typedef; write 'using NAME = TYPE;'"


def main():
    root = pathlib.Path(sys.argv[1])
    files = subprocess.run(["git", "-C", str(root), "ls-files", "--", *SOURCES],
                           capture_output=True, text=True, check=True).stdout.split()
    assert len(files) > 300, files
    mistakes = [f"{name}:{number}: error: {what}" for name in files
                for number, what in find_mistakes(name, (root / name).read_text())]
    print("\n".join(mistakes))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
