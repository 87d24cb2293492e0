#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Clique with clang's sanitizers and runs its tests:
#
#   scripts/sanitize.sh address   all of Clique and the whole suite, with the
#                                 address and undefined-behaviour sanitizers
#   scripts/sanitize.sh runtime   the same for the runtime alone: its unit tests,
#                                 files that libFuzzer changes, compiled layers
#   scripts/sanitize.sh thread    the thread sanitizer: the runtime's unit tests
#                                 and compiled layers with two threads
#
# The last two compile their layers with the tools in build/bin (--tools=FOLDER),
# whose --sanitize has the layers' code checked too; --build=FOLDER is another
# place for the sanitized build, --seconds=N the time for libFuzzer. With
# --coverage the first one also prints which lines the suite runs, as
# scripts/coverage.sh does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "sanitize.sh: error: $*" >&2
  exit 1
}

kind=${1-}
case $kind in
address) preset=sanitize ;;
runtime) preset=sanitize-runtime ;;
thread) preset=thread ;;
*) fail "say what to check: address, runtime or thread" ;;
esac
shift
tools=build/bin
build=build-$preset
seconds=60
coverage=OFF
for option in "$@"; do
  case $option in
  --tools=*) tools=${option#*=} ;;
  --build=*) build=${option#*=} ;;
  --seconds=*) seconds=${option#*=} ;;
  --coverage) coverage=ON ;;
  *) fail "$option: there is --tools=FOLDER, --build=FOLDER, --seconds=N and --coverage" ;;
  esac
done
jobs=${CLIQUE_JOBS:-$(nproc)}

cmake --preset "$preset" -B "$build" -DCLIQUE_COVERAGE=$coverage >/dev/null
cmake --build "$build" -j "$jobs"
if [[ $coverage == ON ]]; then
  rm -rf "$build/profiles"
  export LLVM_PROFILE_FILE=$(realpath "$build")/profiles/%2m.profraw
  # A library that counts and is unloaded leaves the name of its profile behind.
  echo leak:strdup >"$build/leaks.supp"
  export LSAN_OPTIONS=suppressions=$(realpath "$build/leaks.supp")
fi

# What synchronises OpenMP's threads is known to the thread sanitizer through
# OpenMP's own tool, as https://openmp.llvm.org describes; without it every
# parallel loop looks like a race.
archer=/usr/lib/llvm-22/lib/libarcher.so
if [[ $kind == thread ]]; then
  [[ -e $archer ]] || fail "$archer is missing; install the package libomp-22-dev"
  export OMP_TOOL_LIBRARIES=$archer ARCHER_OPTIONS=verbose=1
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1
fi

status=0
ctest --test-dir "$build" --exclude-regex '^lit$' --parallel "$jobs" --output-on-failure \
  --no-tests=error | tail -n 15 || status=1

case $kind in
address)
  /usr/lib/llvm-22/bin/lit -sv --no-progress-bar -j "$jobs" "$build/test" || status=1
  [[ $coverage == OFF ]] ||
    scripts/coverage-report.sh "$build" 'dialect|compiler|runtime|tools' || status=1
  ;;
runtime)
  scripts/fuzz-files.sh "$build" "$seconds" || status=1
  scripts/sanitized-layers.py address --tools "$tools" --device "$build/bin/clique-device" || status=1
  ;;
thread)
  scripts/sanitized-layers.py thread --tools "$tools" --device "$build/bin/clique-device" || status=1
  ;;
esac
exit "$status"
