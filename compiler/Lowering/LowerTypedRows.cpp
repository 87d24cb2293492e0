//===- LowerTypedRows.cpp - Kernels of weights by the type of an edge ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-lower-typed-rows.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Lowering/LoopDialects.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Lowering/RowCaller.h"
#include "compiler/Lowering/TypedProduct.h"
#include "dialect/IR/MPTargets.h"

namespace clique {
#define GEN_PASS_DEF_LOWERTYPEDROWSPASS
#include "compiler/Lowering/LoweringPasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
/// Sparse rows, whose blocks have their edges by type as well.
class TypedRowCaller : public RowCaller {
public:
  TypedRowCaller(const KernelInfo &info, const TypedProduct &product,
                 TileShape shape, HubFunctions hubs)
      : RowCaller(info, shape, std::move(hubs)), product(product) {}

protected:
  void emitGraphReads() override;
  void emitBeforeBlocks(ValueRange args) override;
  SmallVector<Value> getLastArgs(const Job &job) override;

private:
  TypedProduct product;
  mp::EdgesByTypeOp edges;
};
} // namespace

void TypedRowCaller::emitGraphReads() {
  // Long blocks, whose weights come from memory once, but some for each thread.
  const int64_t jobs = tuning::jobsPerCore * mp::getCpu(info.kernel).getCores();
  Value limit = arith::CeilDivUIOp::create(
      builder, loc, create<mp::NumEdgesOp>(graph), constantIndex(jobs));
  limit = arith::MaxUIOp::create(builder, loc, limit, blockEdges);
  blockEdges = arith::MinUIOp::create(builder, loc, limit,
                                      constantIndex(tuning::mostTypedEdges));
}

void TypedRowCaller::emitBeforeBlocks(ValueRange args) {
  RowCaller::emitBeforeBlocks(args);
  Value types = asBuffer(asTensor(KernelInfo::getSource(product.types)));
  edges = mp::EdgesByTypeOp::create(
      builder, loc, graph, types, constantIndex(shape.rows), blockEdges,
      shape.groups, product.getNumTypes(), product.readsEdges);
}

SmallVector<Value> TypedRowCaller::getLastArgs(const Job &job) {
  auto [firstChunk, pastChunk] = loadBounds(edges.getBlocks(), job.block);
  return {firstChunk,           pastChunk,          edges.getChunks(),
          edges.getGroupList(), edges.getSources(), edges.getIds()};
}

static LogicalResult lowerTypedRows(const KernelInfo &info) {
  TileShape shape(info.kernel.getScheduleAttr());
  std::optional<TypedProduct> product = TypedProduct::find(info);
  if (!product)
    return info.kernel.emitOpError(
        "is scheduled as #mp.typed_blocks, but its messages are no sums of "
        "products with weights by the type of an edge: schedule it as "
        "#mp.row_blocks");
  FailureOr<func::FuncOp> function = lowerToTypedRows(info, *product, shape);
  if (failed(function))
    return failure();
  FailureOr<HubFunctions> hubs = lowerHubs(info, shape, /*inChunks=*/false);
  if (failed(hubs))
    return failure();
  TypedRowCaller(info, *product, shape, *hubs).replaceWithCalls(*function);
  return success();
}

namespace {
struct LowerTypedRows
    : public clique::impl::LowerTypedRowsPassBase<LowerTypedRows> {
  void runOnOperation() override {
    if (failed(
            lowerKernels<mp::TypedBlocksAttr>(getOperation(), lowerTypedRows)))
      signalPassFailure();
  }
};
} // namespace
