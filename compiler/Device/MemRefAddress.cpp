//===- MemRefAddress.cpp - Where an element of a buffer is ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/MemRefAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace clique;

int64_t clique::getElementBytes(Type type) {
  constexpr int64_t indexBytes = 8, bitsPerByte = 8;
  if (type.isIndex())
    return indexBytes;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), bitsPerByte);
}

static Value toPointer(OpBuilder &builder, Location loc, Value address) {
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

Value clique::getAddressAsIndex(OpBuilder &builder, Location loc, Value buffer,
                                ValueRange indices) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value place = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(indices, metadata.getStrides())) {
    Value step = arith::MulIOp::create(builder, loc, index, stride);
    place = arith::AddIOp::create(builder, loc, place, step);
  }
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc,
      getElementBytes(cast<MemRefType>(buffer.getType()).getElementType()));
  place = arith::MulIOp::create(builder, loc, place, bytes);
  Value start =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  return arith::AddIOp::create(builder, loc, start, place);
}

Value clique::getAddress(OpBuilder &builder, Location loc, Value buffer,
                         ValueRange indices) {
  return toPointer(builder, loc,
                   getAddressAsIndex(builder, loc, buffer, indices));
}

Value clique::getAddress(OpBuilder &builder, Location loc, Value buffer) {
  return toPointer(
      builder, loc,
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer));
}

Value clique::createScratch(OpBuilder &builder, Location loc, MemRefType type) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  constexpr int64_t alignment = 16;
  return memref::AllocaOp::create(builder, loc, type,
                                  builder.getI64IntegerAttr(alignment));
}
