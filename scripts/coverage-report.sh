#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/coverage-report.sh BUILD FOLDERS: the table of what the runs of a build
# with CLIQUE_COVERAGE, whose profiles are in BUILD/profiles, covered of the
# sources in FOLDERS (a regular expression), and BUILD/show.sh, which prints the
# lines of a file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "$1") folders=$2
llvm-profdata-22 merge -sparse "$build"/profiles/*.profraw -o "$build/coverage.profdata"
# The first binary is an argument of its own; what follows it are sources.
objects=()
while IFS= read -r file; do
  objects+=(${objects[0]+--object} "$file")
done < <(find "$build/bin" "$build/lib" -type f \( -perm -u+x -o -name '*.so' \) | sort)
# Code of tests, and what is generated, is not counted.
arguments=("${objects[@]}" --instr-profile "$build/coverage.profdata"
  --ignore-filename-regex "$PWD/(test|benchmarks)/|$build/|/tests/|^/usr/")
printf '#!/bin/bash\nllvm-cov-22 show %s "$@"\n' "${arguments[*]@Q}" >"$build/show.sh"
chmod +x "$build/show.sh"
llvm-cov-22 export --summary-only "${arguments[@]}" 2>/dev/null |
  scripts/coverage-table.py "$PWD" "$folders"
