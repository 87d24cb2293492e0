# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU, its driver, and what is installed beside it."""

import pathlib
import re
import shutil
import subprocess
import sys

# Name in Python, and what is said where it is missing.
PEERS = {"torch": "PyTorch (SDPA, FlexAttention, cuSPARSE)", "torch_geometric": "PyG"}

# In a process of its own: CUDA must not be set up before children are made.
PROBE = """
import importlib
for name in {names}:
    try:
        print(name, importlib.import_module(name).__version__)
    except Exception as error:
        print(name, "-", type(error).__name__)
try:
    import torch
    print("cuda", torch.version.cuda if torch.cuda.is_available() else "-")
    print("cudnn", torch.backends.cudnn.version())
except Exception:
    pass
"""


def packages():
    """name -> version of what can be imported; "cuda" only if PyTorch can use the GPU."""
    done = subprocess.run([sys.executable, "-c", PROBE.format(names=list(PEERS))],
                          capture_output=True, text=True, check=False)
    words = [line.split() for line in done.stdout.splitlines()]
    return {line[0]: line[1] for line in words if len(line) > 1 and line[1] not in ("-", "None")}


def driver_version():
    if shutil.which("nvidia-smi"):
        done = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.splitlines()[0].strip()
    file = pathlib.Path("/proc/driver/nvidia/version")
    found = re.search(r"Module.*?\s(\d+\.[\d.]+)", file.read_text()) if file.exists() else None
    return found[1] if found else "unknown"


def missing_peers(found):
    lines = [text for name, text in PEERS.items() if name not in found]
    if "torch" in found and "cuda" not in found:
        lines.append(f"{PEERS['torch']}: installed, but it cannot use the GPU")
    return lines
