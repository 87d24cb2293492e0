#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Clique and runs its whole test suite: the unit tests of the runtime
# and the compiler (ctest), then the lit suite. The last line counts both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/build.sh

jobs=$(nproc)
results=build/test-results
rm -rf "$results"
mkdir -p "$results"
status=0
ctest --test-dir build --exclude-regex '^lit$' --parallel "$jobs" --output-on-failure \
  --no-tests=error --output-junit "$PWD/$results/ctest.xml" || status=1
/usr/lib/llvm-22/bin/lit -sv --no-progress-bar -j "$jobs" --xunit-xml-output "$results/lit.xml" \
  build/test || status=1
scripts/count-tests.py "$results/ctest.xml" "$results/lit.xml" || status=1
exit "$status"
