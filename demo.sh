#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Clique and runs its main job: one attention layer, compiled once, on a
# sparse graph and on a complete one, each compared with the reference
# interpreter. The sparse graph is that of Debian's package dependencies, or
# the karate club where this machine has no package lists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

runAttention() {
  local title=$1 graph=$2
  echo
  echo "== $title"
  build/bin/clique-run examples/attention.mlir --graph "$graph" --seed 1 --verify --explain
}

scripts/build.sh clique-run

graph=build/graphs/debian.mtx
title="Attention on the Debian package dependency graph"
mkdir -p build/graphs
status=0
tools/debian-graph/debian-graph.py -o "$graph" || status=$?
if [[ $status -eq 3 ]]; then
  echo "Running on Zachary's karate club instead."
  graph=examples/graphs/karate.mtx
  title="Attention on Zachary's karate club"
elif [[ $status -ne 0 ]]; then
  exit "$status"
fi

runAttention "$title" "$graph"
runAttention "The same layer on a complete graph of 1024 nodes" complete:1024
