//===- TypedRowCaller.h - The loop over blocks of edges by type -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_TYPEDROWCALLER_H
#define CLIQUE_COMPILER_LOWERING_TYPEDROWCALLER_H

#include "compiler/Lowering/RowCaller.h"
#include "compiler/Lowering/TypedProduct.h"

namespace clique {

/// Sparse rows, whose blocks have their edges by type as well.
class TypedRowCaller : public RowCaller {
public:
  TypedRowCaller(const KernelInfo &info, const TypedProduct &product,
                 TileShape shape, HubFunctions hubs)
      : RowCaller(info, shape, std::move(hubs)), product(product) {}

protected:
  void emitGraphReads() override;
  void emitBeforeBlocks(mlir::ValueRange args) override;
  llvm::SmallVector<mlir::Value> getLastArgs(const Job &job) override;

private:
  TypedProduct product;
  mp::EdgesByTypeOp edges;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_TYPEDROWCALLER_H
