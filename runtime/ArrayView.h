//===- ArrayView.h - Elements that somebody else owns -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_ARRAYVIEW_H
#define CLIQUE_RUNTIME_ARRAYVIEW_H

#include <cstddef>
#include <vector>

namespace clique {

/// As much of std::span as graphs need; constant elements.
template <typename T>
class ArrayView {
public:
  ArrayView() = default;
  ArrayView(const T *first, size_t count) : first(first), count(count) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as std::span
  ArrayView(const std::vector<T> &elements)
      : ArrayView(elements.data(), elements.size()) {}

  const T *data() const { return first; }
  size_t size() const { return count; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  const T &operator[](size_t k) const { return first[k]; }

private:
  const T *first = nullptr;
  size_t count = 0;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_ARRAYVIEW_H
