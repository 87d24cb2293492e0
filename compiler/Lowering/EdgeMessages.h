//===- EdgeMessages.h - The messages of a chunk of edges --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the messages of a chunk its edges are the leading axis, as nodes are in
// updates: a linear map is a product of matrices. The monoids then take in what
// belongs to one edge after the other.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_EDGEMESSAGES_H
#define CLIQUE_COMPILER_LOWERING_EDGEMESSAGES_H

#include "compiler/Lowering/EdgeStream.h"
#include "compiler/Lowering/GatherEdges.h"

namespace clique {

class EdgeMessages : EdgeChunkLoops {
public:
  /// By result of a message.
  using EdgeValues = llvm::DenseMap<mlir::Value, Lifted>;
  /// `stream`: of rows, without a destination axis.
  EdgeMessages(BlockFunction &function, EdgeStream &stream)
      : EdgeChunkLoops(function), info(stream.getInfo()), stream(stream) {}

  /// The messages of a chunk, [dst, feature...] with an edge for each `dst`.
  mlir::FailureOr<EdgeValues> compute(GatheredEdges &gathered);
  /// Those of the edge at `place` of the chunk.
  EdgeValues getOwn(Lifter &lifter, const EdgeValues &values,
                    mlir::Value place);
  /// What aggregators take in ahead of places [from, from + count), from the
  /// front of a tensor on.
  EdgeValues takeAhead(Lifter &lifter, const EdgeValues &values,
                       mlir::Value from, mlir::Value count);

private:
  /// The scalar that a message repeats along its features, if it does: the
  /// chunk has it once for each edge.
  mlir::Value getRepeated(mlir::Value result);
  /// What a lifted value is for the edge at `place`.
  Lifted getPlace(const Lifted &value, mlir::Value place);

  const KernelInfo &info;
  EdgeStream &stream;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_EDGEMESSAGES_H
