#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs the Debian packages that Clique is built with and that are missing,
# after saying which and why. CLIQUE_INSTALL=no leaves the machine as it is.
set -euo pipefail

# package: what it is for.
packages="
cmake: configures the build
ninja-build: runs the build
ccache: makes the second build fast
pkg-config: finds libraries
clang-22: C and C++ compiler
lld-22: linker
clang-format-22: checks how the sources are formatted
clang-tidy-22: checks the sources
libclang-rt-22-dev: sanitizers, libFuzzer and coverage
liblld-22-dev: the linker as a library, for compiled layers
llvm-22-dev: LLVM's headers and CMake files
llvm-22-tools: FileCheck and lit, which run the tests
libmlir-22-dev: MLIR's headers and library
mlir-22-tools: mlir-tblgen, which generates the dialect
libomp-22-dev: OpenMP threads
libclc-22: functions of f64 on GPUs
libfmt-dev: formatted output
libgtest-dev: unit tests
zlib1g-dev: compressed Matrix Market files
libzip-dev: npz files
libjemalloc-dev: malloc of the tools
libboost-context-dev: threads of the emulated GPU, which tests CUDA layers
libdlpack-dev: tensors handed over from other frameworks
python3: tools and tests
python3-dev: the extension module of the Python package
python3-numpy: the tests' independent implementations
python3-scipy: the tests' sparse matrices
"

fail() {
  echo "error: $*" >&2
  exit 1
}

isInstalled() {
  [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# Sets `missing` to the names of the packages that are not installed.
findMissing() {
  missing=()
  local line
  while IFS= read -r line; do
    if [[ -n $line ]] && ! isInstalled "${line%%:*}"; then
      missing+=("${line%%:*}")
    fi
  done <<<"$packages"
}

announceMissing() {
  echo "Clique is built with these Debian packages, which this machine lacks:"
  local name
  for name in "${missing[@]}"; do
    printf '  %-20s %s\n' "$name" \
      "$(sed -n "s/^$name: //p" <<<"$packages")"
  done
}

# Every command that changes the machine, as it is run.
asRoot() {
  echo "+ ${sudo:+$sudo }$*"
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive "$@"
}

checkAvailable() {
  local name policy unavailable=()
  for name in "${missing[@]}"; do
    policy=$(LC_ALL=C apt-cache policy "$name")
    # An unknown package gets an empty answer, one without a source '(none)'.
    [[ $policy =~ Candidate:\ [^\(] ]] || unavailable+=("$name")
  done
  [[ ${#unavailable[@]} -eq 0 ]] && return
  fail "apt finds no package '${unavailable[*]}'.
Debian 12 has LLVM 22 in its security archive. If /etc/apt does not name it yet, run as root
  echo 'deb http://deb.debian.org/debian-security bookworm-security main' >/etc/apt/sources.list.d/bookworm-security.list
and try again."
}

if [[ "${CLIQUE_INSTALL:-yes}" == no ]]; then
  exit 0
fi
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this machine has no apt-get; the packages can be installed on Debian 12 only.
Install CMake, Ninja, LLVM/MLIR/clang 22, lld 22 with its libraries, libomp, fmt, GoogleTest, zlib, libzip, DLPack, Boost.Context and
Python 3 with its headers, NumPy and SciPy by other means, and set CLIQUE_INSTALL=no."
fi

findMissing
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi
announceMissing

sudo=
if [[ $EUID -ne 0 ]]; then
  command -v sudo >/dev/null ||
    fail "installing them needs root, and this machine has no sudo. Run as root:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  sudo=sudo
fi
asRoot apt-get update || fail "apt-get update failed: see its message above"
checkAvailable
asRoot apt-get install -y --no-install-recommends "${missing[@]}" ||
  fail "apt-get install failed: see its message above"
