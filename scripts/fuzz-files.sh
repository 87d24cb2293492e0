#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# scripts/fuzz-files.sh BUILD SECONDS: files that libFuzzer changes through the
# runtime's readers, after those of the corpus. BUILD is a build of the preset
# sanitize-runtime. What fails is left in BUILD/fuzz; a file that is worth
# keeping goes into runtime/tests/fuzz/corpus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 seconds=$2
mkdir -p "$build/fuzz/found"
# Numbers that a session drew would say no more than the same ones every time.
"$build/bin/clique_fuzz_files" -seed=1 -max_total_time="$seconds" -max_len=4096 -timeout=60 \
  -rss_limit_mb=3000 -verbosity=0 -print_final_stats=1 -dict=runtime/tests/fuzz/files.dict \
  -artifact_prefix="$build/fuzz/" "$build/fuzz/found" runtime/tests/fuzz/corpus 2>&1 |
  grep -v '^Dictionary:\|^INFO:\|^WARNING:'
