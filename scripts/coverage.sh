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
# build-coverage/show.sh, prints the lines of a file.
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

llvm-profdata-22 merge -sparse "$profiles"/*.profraw -o "$build/coverage.profdata"
objects=()
while IFS= read -r file; do
  objects+=(--object "$file")
done < <(find "$build/bin" "$build/lib" -type f \( -perm -u+x -o -name '*.so' \) | sort)
# Code of tests, and what is generated, is not counted.
arguments=(--instr-profile "$build/coverage.profdata" "${objects[@]}"
  --ignore-filename-regex "$PWD/(test|benchmarks|$build)/|/tests/|^/usr/")
printf '#!/bin/bash\nllvm-cov-22 show %s "$@"\n' "${arguments[*]@Q}" >"$build/show.sh"
chmod +x "$build/show.sh"
llvm-cov-22 export --summary-only "${arguments[@]}" 2>/dev/null |
  scripts/coverage-table.py "$PWD" "$folders" || status=1
exit "$status"
