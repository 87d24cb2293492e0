//===- MessageSeparation.h - Messages as products of their ends -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a message's value is the destination's and which the source's.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_MESSAGESEPARATION_H
#define CLIQUE_COMPILER_STRUCTURE_MESSAGESEPARATION_H

#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/Memo.h"

namespace clique {

/// a_i (q_i . k_j) b_j / d_i, elementwise but for the inner product. Parts that
/// a message has not are null; all are values of its region.
struct SeparatedValue {
  /// a_i and d_i, of the value's type.
  mlir::Value factor, divisor;
  /// b_j, of the value's type.
  mlir::Value source;
  /// q_i and k_j. The shape of their product is a prefix of the value's.
  mlir::Value query, key;

  /// The value is the source's alone.
  bool isSource() const { return source && !factor && !divisor && !query; }
  bool usesDestination() const { return factor || divisor || query; }
  /// What is summed over sources, where the sum has that shape already: an
  /// inner product with the sum of the keys, or a multiple of the sum of b_j.
  mlir::Value getSummed() const {
    if (query && source)
      return {};
    return query ? key : source;
  }
};

class MessageSeparation {
public:
  explicit MessageSeparation(mp::MessageOp message)
      : message(message), ends(message) {}

  /// Nothing if the value is no such product. Products of parts are new ops of
  /// the region.
  std::optional<SeparatedValue> separate(mlir::Value value) {
    using Result = std::optional<SeparatedValue>;
    return known.get(value, [&]() -> Result { return findParts(value); });
  }
  /// Erases what nobody uses: products for values that were not separated.
  void eraseUnused();

private:
  std::optional<SeparatedValue> findParts(mlir::Value value);
  std::optional<SeparatedValue> multiply(mlir::Operation *op);
  std::optional<SeparatedValue> divide(mlir::Operation *op);
  std::optional<SeparatedValue> negate(mlir::Operation *op);
  std::optional<SeparatedValue> separateDot(mp::DotOp op);
  std::optional<SeparatedValue> reshape(mlir::Operation *op);
  /// The product, or the one that is not null.
  mlir::Value multiply(mlir::Location loc, mlir::Value a, mlir::Value b);

  mp::MessageOp message;
  EndpointDependence ends;
  Memo<std::optional<SeparatedValue>> known;
};

} // namespace clique
#endif // CLIQUE_COMPILER_STRUCTURE_MESSAGESEPARATION_H
