//===- Features.cpp - Types of generated values ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Features.h"
#include "llvm/ADT/STLExtras.h"

using namespace clique::smith;

const char *clique::smith::getName(Element element) {
  static constexpr const char *kNames[] = {"f32", "f64", "f16", "bf16",
                                           "i32", "i64", "i8",  "i1"};
  return kNames[unsigned(element)];
}

std::string clique::smith::describe(const Feature &type) {
  std::string text;
  for (int64_t size : type.shape)
    text += std::to_string(size) + "x";
  return text + getName(type.element);
}

std::string clique::smith::joinNames(llvm::ArrayRef<Value> values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + value.name;
  return text;
}

std::string clique::smith::joinTypes(llvm::ArrayRef<Value> values,
                                     std::string (*write)(const Feature &)) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + write(value.type);
  return text;
}

const char *clique::smith::getShapeClass(const Feature &type) {
  if (type.shape.empty())
    return "scalar";
  if (llvm::is_contained(type.shape, 1))
    return "unit";
  if (llvm::any_of(type.shape, [](int64_t size) { return size > 64; }))
    return "wide";
  return type.shape.back() % 2 ? "odd" : "even";
}
