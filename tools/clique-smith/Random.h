//===- Random.h - Choices that a seed repeats -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every choice of a case comes from one stream, so that its seed says it all.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_RANDOM_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cstdint>
#include <initializer_list>

namespace clique::smith {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed + 0x632be59bd9b4e019)) {}

  uint64_t bits() { return mix(state += 0x9e3779b97f4a7c15); }
  /// Uniform in [0, bound).
  int64_t below(int64_t bound) {
    assert(bound > 0);
    return int64_t(bits() % uint64_t(bound));
  }
  /// Uniform in [first, last].
  int64_t between(int64_t first, int64_t last) {
    return first + below(last - first + 1);
  }
  bool chance(double probability) {
    return double(bits() >> 11) * 0x1p-53 < probability;
  }
  template <typename T>
  const T &pick(llvm::ArrayRef<T> items) {
    return items[below(int64_t(items.size()))];
  }
  template <typename T>
  T pick(std::initializer_list<T> items) {
    return items.begin()[below(int64_t(items.size()))];
  }
  /// An index, each as probable as its weight.
  unsigned weighted(llvm::ArrayRef<double> weights) {
    double total = 0;
    for (double weight : weights)
      total += weight;
    double left = double(bits() >> 11) * 0x1p-53 * total;
    for (auto [k, weight] : llvm::enumerate(weights)) {
      left -= weight;
      if (left < 0)
        return unsigned(k);
    }
    return unsigned(weights.size()) - 1;
  }

private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  uint64_t state;
};

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_RANDOM_H
