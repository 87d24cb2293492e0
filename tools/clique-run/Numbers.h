//===- Numbers.h - Numbers as text, as bits and at random -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small things about numbers and tensors that the inputs are made with.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_NUMBERS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_NUMBERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <dlpack/dlpack.h>
#include <memory>
#include <optional>

namespace clique {

std::optional<int64_t> parseInteger(llvm::StringRef text);
/// A finite number.
std::optional<double> parseNumber(llvm::StringRef text);

struct FreeTensor {
  void operator()(DLManagedTensor *tensor) const { tensor->deleter(tensor); }
};
using TensorHandle = std::unique_ptr<DLManagedTensor, FreeTensor>;

/// A new, contiguous tensor with undefined contents; an error if there is no
/// memory for it.
llvm::Expected<TensorHandle> makeTensor(DLDataType type,
                                        llvm::ArrayRef<int64_t> shape);

int64_t getNumElements(const DLTensor &tensor);

/// The number of this type that is nearest.
double roundToType(DLDataType type, double value);

/// Sets element `k`, rounded to the tensor's element type.
void setElement(const DLTensor &tensor, int64_t k, double value);

/// A stream of random numbers that depends on nothing but its seed and its
/// name: number k is a hash of both and k.
class RandomStream {
public:
  RandomStream(uint64_t seed, llvm::StringRef name);
  /// Uniform in [-1, 1).
  double getUniform(uint64_t k) const;
  /// Uniform in [0, bound).
  int64_t getInteger(uint64_t k, int64_t bound) const;

private:
  uint64_t getBits(uint64_t k) const;
  uint64_t key;
};

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_NUMBERS_H
