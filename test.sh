#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Clique and runs its whole test suite: the unit tests of the runtime
# and the compiler (ctest), then the lit suite. The last line counts both.
#   ./test.sh --quick   the part that finds most in about three minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Every stage of the compiler on its own, its tools, and one run through all of
# it for each lowering, aggregator and element type.
quick='^CLIQUE :: (Codegen|Conversion|Dialect|Graphs|Lowering|Threads|Transforms)/'
quick+='|^CLIQUE :: (Checks/(format|source)|Tools/(clique|help|generated))'
quick+='|^CLIQUE :: Device/[^.]*[.]mlir'
quick+='|^CLIQUE :: Integration/(attention|block-sparse|causal-attention|element-types|gat|gcn|pna|rgcn|typed-edges|hubs)[.]'
filter=.
case ${1-} in
'') ;;
--quick) filter=$quick ;;
*)
  echo "test.sh: error: $1: there is no option but --quick" >&2
  exit 1
  ;;
esac

scripts/build.sh

jobs=$(nproc)
results=build/test-results
rm -rf "$results"
mkdir -p "$results"
status=0
ctest --test-dir build --exclude-regex '^lit$' --parallel "$jobs" --output-on-failure \
  --no-tests=error --output-junit "$PWD/$results/ctest.xml" || status=1
/usr/lib/llvm-22/bin/lit -sv --no-progress-bar -j "$jobs" --filter="$filter" \
  --xunit-xml-output "$results/lit.xml" build/test || status=1
scripts/count-tests.py "$results/ctest.xml" "$results/lit.xml" || status=1
exit "$status"
