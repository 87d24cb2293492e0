//===- Donation.h - Arguments that the caller gives away --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors that a call takes over with its arguments, as JAX's donated
// arguments, or the saved tensors that PyTorch frees as its backward pass goes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_DONATION_H
#define CLIQUE_RUNTIME_DONATION_H

#include "runtime/Invocation.h"
#include "runtime/Tensor.h"

namespace clique {

class Donation {
public:
  /// Takes over `tensors`, of `count` arguments; NULL for none at all.
  Donation(DLManagedTensor *const *tensors, int32_t count);

  /// Refuses tensors that are not those of the arguments, that come twice, or
  /// that share memory with other arguments.
  void check(const clique_layer &layer, const clique_value *args) const;
  /// Makes their blocks arguments of the invocation, as far as they have any of
  /// the memory that it allocates. This lives longer than its arguments.
  void giveTo(Invocation &invocation);

private:
  /// By argument; nullptr where none is given away.
  std::vector<const DLManagedTensor *> ofArgument;
  /// Each once.
  std::vector<TensorPtr> tensors;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_DONATION_H
