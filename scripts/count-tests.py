#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up JUnit reports of ctest and lit: 'N passed, N failed, N skipped'.

A report that is missing, unreadable or without a test counts as a failure."""

import sys
import xml.etree.ElementTree


def countReport(path):
    """(passed, failed, skipped) of one report."""
    passed = failed = skipped = 0
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    if passed + failed + skipped == 0:
        raise ValueError("holds no test")
    return passed, failed, skipped


def main():
    total = (0, 0, 0)
    broken = False
    for path in sys.argv[1:]:
        try:
            total = tuple(map(sum, zip(total, countReport(path))))
        except (OSError, ValueError, xml.etree.ElementTree.ParseError) as error:
            print(f"count-tests.py: error: {path}: {error}", file=sys.stderr)
            broken = True
    passed, failed, skipped = total
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or broken else 0


if __name__ == "__main__":
    sys.exit(main())
