//===- Features.h - Types of generated values -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The feature of one edge or node, and how it is written as a type.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_FEATURES_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_FEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clique::smith {

enum class Element { f32, f64, f16, bf16, i32, i64, i8, i1 };
using Shape = llvm::SmallVector<int64_t, 4>;

struct Feature {
  Shape shape;
  Element element = Element::f32;

  bool isFloat() const { return element <= Element::bf16; }
  int64_t count() const {
    int64_t product = 1;
    for (int64_t size : shape)
      product *= size;
    return product;
  }
  Feature with(Element other) const { return {shape, other}; }
  bool operator==(const Feature &other) const {
    return shape == other.shape && element == other.element;
  }
};

/// A value of the generated text. Numbers stay small by construction: `size`
/// bounds what its elements are about.
struct Value {
  std::string name; ///< with its %
  Feature type;
  double size = 1;
};

const char *getName(Element element);
/// "8x16xf32".
std::string describe(const Feature &type);
inline std::string tensorType(const Feature &type) {
  return "tensor<" + describe(type) + ">";
}
inline std::string nodeType(const Feature &type) {
  return "tensor<?x" + describe(type) + ">";
}
inline std::string edgesType(const Feature &type) {
  return "!mp.edges<" + describe(type) + ">";
}
/// "a, b, c".
std::string joinNames(llvm::ArrayRef<Value> values);
std::string joinTypes(llvm::ArrayRef<Value> values,
                      std::string (*write)(const Feature &));

/// What coverage tells apart: "scalar", "unit", "even", "odd", "wide".
const char *getShapeClass(const Feature &type);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_FEATURES_H
