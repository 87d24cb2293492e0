#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over what a build compiles, only where something changed.

A file that was found clean is not looked at again until it, a header that it
includes, its command line, .clang-tidy or clang-tidy itself changes: what a
compilation read, as Ninja recorded it, is hashed, and the hashes of clean files
are kept in a folder that all builds share (CLIQUE_TIDY_CACHE, default
~/.cache/clique-tidy). What was changed last is looked at first. The build has to
be up to date."""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("benchmarks", "compiler", "dialect", "runtime", "test", "tools")


def fail(message):
    sys.exit(f"tidy.py: error: {message}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def readDependencies(build):
    """The files that each object was made from, as Ninja recorded them."""
    dependencies = {}
    for line in run(["ninja", "-C", build, "-t", "deps"]).splitlines():
        if line.startswith("    "):
            files.append(os.path.join(build, line.strip()))
        elif found := re.match(r"(\S+): #deps \d+, deps mtime \d+ \((\w+)\)", line):
            files = dependencies[found[1]] = []
    return dependencies


class Keys:
    """What the outcome for a file depends on, as a hash."""

    def __init__(self, build, tidy):
        self.build = build
        self.dependencies = readDependencies(build)
        with open(os.path.join(ROOT, ".clang-tidy"), encoding="utf-8") as file:
            self.common = file.read() + run([tidy, "--version"])

    @functools.lru_cache(maxsize=None)
    def contents(self, path):
        """Of a file of the repository or the build its contents, of the system's its size and time."""
        if path.startswith((ROOT + os.sep, self.build + os.sep)):
            with open(path, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()
        status = os.stat(path)
        return f"{path} {status.st_size} {int(status.st_mtime)}"

    def place(self, text):
        """The same text in every checkout."""
        return text.replace(self.build, "BUILD").replace(ROOT, "ROOT")

    @functools.lru_cache(maxsize=None)
    def hashObject(self, name):
        """Of all that an object was compiled from; None if Ninja does not know."""
        if name not in self.dependencies:
            return None
        total = hashlib.sha256()
        for path in sorted(map(os.path.abspath, self.dependencies[name])):
            # A precompiled header differs from build to build; what it holds does not.
            inner = os.path.relpath(path, self.build)
            part = self.hashObject(inner) if path.endswith(".pch") else self.contents(path)
            total.update(f"{self.place(path)} {part}\n".encode())
        return total.hexdigest()

    def of(self, entry):
        name = re.search(r" -o (\S+) -c ", entry["command"])[1]
        inner = self.hashObject(name)
        if inner is None:
            return None
        text = self.common + self.place(entry["command"]) + inner
        return hashlib.sha256(text.encode()).hexdigest()


class Checker:
    def __init__(self, build, commands, cache):
        self.commands = commands
        self.cache = cache
        self.tidy = shutil.which("clang-tidy-22")
        if not self.tidy:
            fail("clang-tidy-22 was not found; install the package clang-tidy-22")
        self.keys = Keys(build, self.tidy)
        os.makedirs(cache, exist_ok=True)

    def stamp(self, key):
        return os.path.join(self.cache, key[:2], key)

    def isKnown(self, entry):
        key = self.keys.of(entry)
        return key is not None and os.path.exists(self.stamp(key))

    def check(self, entry):
        """What clang-tidy says about a file; nothing if it is clean."""
        done = subprocess.run([self.tidy, "--quiet", "-p", self.commands, entry["file"]],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0 or "warning:" in done.stdout:
            return done.stdout + ("" if done.stdout else done.stderr)
        if key := self.keys.of(entry):
            os.makedirs(os.path.dirname(self.stamp(key)), exist_ok=True)
            open(self.stamp(key), "w", encoding="utf-8").close()
        return ""


def splitUnities(entries):
    """Files that are compiled as one, each with that one's command line."""
    for entry in entries:
        included = []
        if "/Unity/" in entry["file"]:
            with open(entry["file"], encoding="utf-8") as file:
                included = re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)
        for name in included or [entry["file"]]:
            command = re.sub(r" -c \S+$", f" -c {name}", entry["command"])
            yield {**entry, "file": name, "command": command}


def readCommands(build, patterns):
    path = os.path.join(build, "compile_commands.json")
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)
    except OSError as error:
        fail(f"{path}: {error.strerror}; configure the build first")
    chosen = {}
    for entry in splitUnities(entries):
        name = os.path.relpath(entry["file"], ROOT)
        if name.startswith(FOLDERS) and (
                not patterns or any(re.search(pattern, name) for pattern in patterns)):
            chosen[name] = entry
    return chosen


def readChanges():
    """The files of the repository, those changed last first; empty without Git."""
    changes = []
    for command in (["git", "diff", "--name-only", "HEAD"],
                    ["git", "log", "--format=", "--name-only"]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        changes += done.stdout.splitlines()
    return list(dict.fromkeys(changes))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="REGEX",
                        help="of names of files; all without one")
    parser.add_argument("-p", dest="build", default=os.path.join(ROOT, "build"), metavar="BUILD")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--seconds", type=float, metavar="S",
                        help="start no check after so long, and say how many were left")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    entries = readCommands(build, options.patterns)
    if not entries:
        fail("no file of the build has such a name")
    commands = os.path.join(build, "tidy")
    os.makedirs(commands, exist_ok=True)
    with open(os.path.join(commands, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(list(entries.values()), file)
    checker = Checker(build, commands, os.environ.get("CLIQUE_TIDY_CACHE") or
                      os.path.expanduser("~/.cache/clique-tidy"))
    ages = {name: age for age, name in enumerate(readChanges())}
    order = sorted(entries, key=lambda name: (ages.get(name, len(ages)), name))
    pending = [name for name in order if not checker.isKnown(entries[name])]
    end = time.monotonic() + options.seconds if options.seconds else float("inf")
    found = left = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        outcomes = threads.map(
            lambda name: None if time.monotonic() > end else checker.check(entries[name]), pending)
        for name, outcome in zip(pending, outcomes):
            if outcome is None:
                left += 1
            elif outcome:
                found += 1
                print(f"--- {name}\n{outcome}", flush=True)
    print(f"{len(entries)} files: {len(entries) - len(pending)} unchanged since they were clean, "
          f"{len(pending) - found - left} clean, {found} with warnings, {left} not looked at")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
