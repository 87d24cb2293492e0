#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Counts which lines the tests run, in a build of its own (build-coverage/):
#
#   scripts/coverage.sh             the whole suite
#   scripts/coverage.sh runtime     the runtime by its own unit tests, without
#                                   the compiler
#
# Prints the share of each file, the least covered first, then those below 90 %
# and the total. `llvm-cov-22 show` with the same arguments, in
# build-coverage/show.sh, prints the lines of a file. `scripts/sanitize.sh
# address --coverage` counts while the sanitizers look: one build and one run of
# the suite for both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=${1-all}
case $what in
all) compiler=ON folders='dialect|compiler|runtime|tools' ;;
runtime) compiler=OFF folders=runtime ;;
*)
  echo "coverage.sh: error: '$what': there is all (default) and runtime" >&2
  exit 1
  ;;
esac
build=build-coverage
jobs=${CLIQUE_JOBS:-$(nproc)}
cmake --preset coverage -DCLIQUE_BUILD_COMPILER=$compiler >/dev/null
cmake --build "$build" -j "$jobs"

# Each binary has a few files, which its runs add to.
profiles=$PWD/$build/profiles
rm -rf "$profiles"
export LLVM_PROFILE_FILE=$profiles/%2m.profraw
status=0
ctest --test-dir "$build" --exclude-regex '^lit$' --parallel "$jobs" --output-on-failure \
  --no-tests=error | tail -n 15 || status=1
if [[ $what == all ]]; then
  /usr/lib/llvm-22/bin/lit -sv --no-progress-bar -j "$jobs" "$build/test" || status=1
fi
scripts/coverage-report.sh "$build" "$folders" || status=1
exit "$status"
