//===- PackSources.cpp - Small source features side by side ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source feature of an edge is a cache line of its own, however few
// numbers it has. Where many are small, a kernel on the nodes puts them into
// one row first.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Fusion/Passes.h"
#include "dialect/IR/MPOps.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace clique {
#define GEN_PASS_DEF_PACKSOURCESPASS
#include "compiler/Fusion/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

static constexpr int64_t kElementBytes = 4;

static int64_t getSize(Value nodes) {
  return mp::getNodeFeature(nodes.getType()).getNumElements();
}

namespace {
/// What of the sources of a kernel lies in one row.
struct Row {
  /// Features, and where each begins.
  llvm::MapVector<Value, int64_t> offsets;
  int64_t size = 0;

  void add(Value nodes) {
    offsets[nodes] = size;
    size += getSize(nodes);
  }
};

struct PackSourcesPass : clique::impl::PackSourcesPassBase<PackSourcesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<mp::KernelOp> kernels;
    getOperation()->walk([&](mp::KernelOp kernel) {
      if (kernel.getLowering() == mp::Lowering::sparse && !mp::getGpu(kernel))
        kernels.push_back(kernel);
    });
    for (mp::KernelOp kernel : kernels) {
      Row row = findRow(kernel);
      if (row.offsets.empty())
        continue;
      Value packed = makeRows(kernel, row);
      for (auto message : kernel.getBody().getOps<mp::MessageOp>())
        readRow(message, packed, row);
    }
  }

private:
  Row findRow(mp::KernelOp kernel);
  Value makeRows(mp::KernelOp kernel, const Row &row);
  void readRow(mp::MessageOp message, Value packed, const Row &row);
};
} // namespace

Row PackSourcesPass::findRow(mp::KernelOp kernel) {
  SetVector<Value> sources;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<mp::ScanOp>(op))
      return {};
    auto message = dyn_cast<mp::MessageOp>(op);
    if (!message)
      continue;
    // Products of edges gather their sources into matrices.
    if (!message.getBody().getOps<mp::LinearOp>().empty())
      return {};
    for (Value source : message.getSrc())
      if (getElementTypeOrSelf(source.getType()).isF32())
        sources.insert(source);
  }
  const int64_t line = mp::getCpu(kernel).getLineBytes() / kElementBytes;
  // A line has so many rows of very small features that a cache keeps them.
  const int64_t least = line / tuning::fewestPerLine;
  Row row;
  for (Value source : sources)
    if (getSize(source) >= least && getSize(source) < line)
      row.add(source);
  const int64_t lines = llvm::divideCeil(row.size, line);
  for (Value source : sources)
    if (getSize(source) < least && row.size + getSize(source) <= lines * line)
      row.add(source);
  if (int64_t(row.offsets.size()) - lines < tuning::leastLinesSaved)
    return {};
  return row;
}

/// The kernel that writes the rows, before the one that reads them.
Value PackSourcesPass::makeRows(mp::KernelOp kernel, const Row &row) {
  OpBuilder b(kernel);
  Location loc = kernel.getLoc();
  SmallVector<Value> nodes;
  for (auto [source, offset] : row.offsets)
    nodes.push_back(source);
  auto first = cast<RankedTensorType>(nodes[0].getType());
  const int64_t line = mp::getCpu(kernel).getLineBytes() / kElementBytes;
  const int64_t size = llvm::alignTo(row.size, line);
  auto type = first.clone({first.getDimSize(0), size});
  auto writer = mp::KernelOp::create(
      b, loc, TypeRange(type), (kernel.getSym() + "_pack").str(),
      mp::LoweringAttr::get(b.getContext(), mp::Lowering::nodes), IntegerAttr(),
      Attribute());
  b.setInsertionPointToStart(&writer.getBody().emplaceBlock());
  auto update = mp::UpdateOp::create(b, loc, nodes, TypeRange(type));
  mp::YieldOp::create(b, loc, update.getResults());
  b.setInsertionPointToEnd(&update.getBody().front());
  SmallVector<Value> parts;
  auto addPart = [&](Value part) {
    auto feature = cast<RankedTensorType>(part.getType());
    auto flat = feature.clone({feature.getNumElements()});
    if (feature.getRank() == 0)
      part = mp::BroadcastOp::create(b, loc, flat, part, /*trailing=*/false);
    else if (feature.getRank() > 1)
      part = tensor::CollapseShapeOp::create(
          b, loc, flat, part,
          SmallVector<ReassociationIndices>{
              llvm::to_vector<2>(llvm::seq<int64_t>(0, feature.getRank()))});
    parts.push_back(part);
  };
  for (Value arg : update.getBody().getArguments())
    addPart(arg);
  if (size > row.size)
    parts.push_back(arith::ConstantOp::create(
        b, loc,
        cast<TypedAttr>(b.getZeroAttr(first.clone({size - row.size})))));
  Value packed = tensor::ConcatOp::create(b, loc, 0, parts);
  mp::YieldOp::create(b, loc, packed);
  remark::passed(loc,
                 remark::RemarkOpts::name("mp-pack-sources").category("fusion"))
      << ("kernel " + kernel.getSym() + ": " + Twine(row.offsets.size()) +
          " source features are put into rows of " +
          Twine(size * kElementBytes) +
          " bytes first, of which an edge reads one")
             .str();
  return writer.getResult(0);
}

/// The feature of this type at `offset` of a row.
static Value takeFeature(OpBuilder &b, Location loc, Value row, int64_t offset,
                         RankedTensorType type) {
  auto flat = type.getRank() == 0 ? type : type.clone({type.getNumElements()});
  Value part = tensor::ExtractSliceOp::create(
      b, loc, flat, row, ArrayRef<OpFoldResult>{b.getIndexAttr(offset)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(type.getNumElements())},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  if (type.getRank() > 1)
    part = tensor::ExpandShapeOp::create(
        b, loc, type, part,
        SmallVector<ReassociationIndices>{
            llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))});
  return part;
}

void PackSourcesPass::readRow(mp::MessageOp message, Value packed,
                              const Row &row) {
  Block &body = message.getBody().front();
  const unsigned firstSource = message.getDst().size(),
                 numSources = message.getSrc().size();
  SmallVector<unsigned> taken;
  for (auto [k, source] : llvm::enumerate(message.getSrc()))
    if (row.offsets.contains(source))
      taken.push_back(k);
  if (taken.empty())
    return;
  SmallVector<Value> sources(message.getSrc());
  Location loc = message.getLoc();
  message.getSrcMutable().append(packed);
  BlockArgument own = body.insertArgument(
      firstSource + numSources, mp::getNodeFeature(packed.getType()), loc);
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  for (unsigned k : llvm::reverse(taken)) {
    BlockArgument arg = body.getArgument(firstSource + k);
    arg.replaceAllUsesWith(takeFeature(b, loc, own,
                                       row.offsets.lookup(sources[k]),
                                       cast<RankedTensorType>(arg.getType())));
    body.eraseArgument(firstSource + k);
    message.getSrcMutable().erase(k);
  }
}
