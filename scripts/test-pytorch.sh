#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the tests of the Python package with a current PyTorch, PyG and JAX, and
# checks its type hints:
#
#   scripts/test-pytorch.sh [FOLDER]
#
# FOLDER (default: build/pytorch) is a virtual environment, made if it is not
# there. PYTHON is the interpreter it is made of (3.10 and later). PyTorch comes
# from PyPI, whose releases are for GPUs and take 6 GB; those for the CPU take 1:
#
#   TORCH_INDEX=https://download.pytorch.org/whl/cpu scripts/test-pytorch.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/pytorch}
index=${TORCH_INDEX:-}

if [[ ! -e $folder/installed ]]; then
  "${PYTHON:-python3}" -m venv "$folder"
  "$folder/bin/pip" install --quiet ${index:+--index-url "$index"} torch
  "$folder/bin/pip" install --quiet numpy scipy torch_geometric safetensors \
    "jax[cpu]" mypy
  touch "$folder/installed"
fi
CLIQUE_TORCH_PYTHON=$(realpath "$folder")/bin/python \
  /usr/lib/llvm-22/bin/lit -sv build/test --filter='Python/(pytorch|nn|train|xla|types)'
