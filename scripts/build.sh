#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, configures build/ and builds the given targets
# (default: everything). CLIQUE_JOBS sets the number of parallel compilations.
# A first build compiles several files at a time, which takes a third less time;
# fewer of them where there are processors for more compilations;
# `cmake build -DCMAKE_UNITY_BUILD=OFF` compiles each on its own from then on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One per processor, and no more than the memory holds: a file that includes
# MLIR takes about 1.5 GB to compile.
countJobs() {
  local processors memoryKiB byMemory
  processors=$(nproc)
  memoryKiB=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
  byMemory=$((${memoryKiB:-4000000} / 1500000))
  ((byMemory >= 1)) || byMemory=1
  echo $((processors < byMemory ? processors : byMemory))
}

scripts/install-packages.sh
log=build/configure.log
mkdir -p build
first=()
if [[ ! -f build/build.ninja ]]; then
  echo "Configuring build/ (log: $log)"
  first=(-DCMAKE_UNITY_BUILD=ON
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=$(($(nproc) > 4 ? 8 : 20)))
fi
if ! cmake --preset default "${first[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "error: CMake could not configure build/; its output is above and in $log" >&2
  exit 1
fi
cmake --build build -j "${CLIQUE_JOBS:-$(countJobs)}" ${1+--target "$@"}
