#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the wheel from nothing, and uses it where there is no LLVM:
#
#   scripts/test-wheel.sh [FOLDER]
#
# FOLDER (default: build/wheel) gets the wheel and a fresh virtual environment
# made by PYTHON (3.10 and later). WHEEL names one that is built already. The
# wheel's libraries may ask for none of LLVM's, and as root, who can hide it,
# the environment is used without /usr/lib/llvm-22.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
folder=$(realpath -m "${1:-build/wheel}")
python=${PYTHON:-python3}

fail() {
  echo "error: $*" >&2
  exit 1
}

rm -rf "$folder/user"
mkdir -p "$folder"
if [[ -z ${WHEEL:-} ]]; then
  rm -f "$folder"/clique-*.whl
  "$python" -m pip wheel . --quiet --no-deps -w "$folder"
  WHEEL=$(echo "$folder"/clique-*.whl)
fi
"$python" -m venv "$folder/user"
"$folder/user/bin/pip" install --quiet numpy "$WHEEL"
installed=$(echo "$folder"/user/lib/python3.*/site-packages/clique)
echo "wheel $(du -m "$WHEEL" | cut -f1) MB, installed $(du -sm "$installed" | cut -f1) MB"

for library in "$installed"/lib/*.so* "$installed"/*.so; do
  if readelf -d "$library" | grep -E 'NEEDED.*lib(LLVM|MLIR|clang|lld)'; then
    fail "$library needs a library of LLVM's"
  fi
  if LD_LIBRARY_PATH= ldd "$library" | grep 'not found'; then
    fail "$library needs a library that this machine lacks"
  fi
done

cat >"$folder/use.sh" <<'SCRIPT'
set -euo pipefail
cd "$FOLDER"
export CLIQUE_CACHE_DIR=$FOLDER/cache PATH=$FOLDER/user/bin:/usr/bin:/bin
unset PYTHONPATH LD_LIBRARY_PATH
rm -rf "$CLIQUE_CACHE_DIR"
python "$ROOT/test/Python/calls.py" "$ROOT/test/Python/Inputs"
mkdir -p specs
python "$ROOT/test/Python/specs.py" "$ROOT/test/Python/Inputs" "$ROOT/examples/gat.mlir" \
  "$ROOT/examples/graphs/karate.mtx" specs
python -m clique run "$ROOT/examples/gat.mlir" --graph="$ROOT/examples/graphs/karate.mtx" --verify
python -m clique compile "$ROOT/examples/gat.mlir" -o gat.so
SCRIPT
hide=(bash)
if unshare -m true 2>/dev/null && [[ -d /usr/lib/llvm-22 ]]; then
  hide=(unshare -m bash -c 'mount -t tmpfs none /usr/lib/llvm-22 && exec bash "$0"')
  echo "without /usr/lib/llvm-22:"
fi
FOLDER=$folder ROOT=$root "${hide[@]}" "$folder/use.sh"
echo "the wheel works"
