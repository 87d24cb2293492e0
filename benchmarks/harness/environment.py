# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers' virtual environment, and the conditions that all contenders share."""

import fcntl
import hashlib
import os
import subprocess
import sys
import venv


def requirements(file):
    lines = (line.split("#")[0].strip() for line in file.read_text().splitlines())
    return [line for line in lines if line]


def prepare(folder, file, install):
    """The environment's Python, after installing what it lacks. A peer that cannot be
    installed is reported and left out."""
    python = folder / "bin" / "python"
    if not install:
        if not python.exists():
            sys.exit(f"error: {folder} is no virtual environment: leave out --no-install")
        return python
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "installed"
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        if python.exists() and stamp.exists() and stamp.read_text() == digest:
            return python
        print(f"The peers are installed from PyPI into {folder} (about 7 GB, PyTorch's "
              "libraries for GPUs included: its wheel does not load without them):")
        if not python.exists():
            venv.create(folder, with_pip=True)
        for line in requirements(file):
            install_one(python, line)
        stamp.write_text(digest)
    return python


def install_one(python, line):
    print(f"  {line}", flush=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet",
                           "--disable-pip-version-check", *line.split()],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, FORCE_ONLY_CPU="1"))
    if done.returncode:
        reason = [text for text in done.stdout.splitlines() if "ERROR" in text] or ["see pip"]
        print(f"  {line} cannot be installed, the tables do without it: {reason[-1]}", flush=True)


def conditions(chosen):
    """Environment variables for everyone. Several OpenMP libraries meet in one process: LLVM's
    (Clique), GNU's (PyTorch, MKL, DGL); each wants its own idle threads to stop spinning soon,
    or they take the cores of whoever comes next."""
    count = str(chosen.threads)
    variables = {
        "OMP_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        # LLVM's OpenMP: spin for 10 ms after a loop, in place of 200.
        "KMP_BLOCKTIME": "0" if chosen.passive else "10",
        # MKL with the OpenMP library that PyTorch brings, no third one.
        "MKL_THREADING_LAYER": "GNU",
        "MKL_INTERFACE_LAYER": "LP64",
        "DGLBACKEND": "pytorch",
        "PYTHONWARNINGS": "ignore",
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
    }
    if chosen.passive:
        variables["OMP_WAIT_POLICY"] = "passive"
    return variables
