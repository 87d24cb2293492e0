//===- AccessDeviceMemory.cpp - The host and the device's memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/RuntimeCalls.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/MemRefAddress.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace clique {
#define GEN_PASS_DEF_ACCESSDEVICEMEMORYPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// What the buffer is a view of.
static Value getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

static bool isOnStack(Value buffer) {
  return isa_and_present<memref::AllocaOp>(getRoot(buffer).getDefiningOp());
}

/// Of a constant only what is read of it directly: views are of its copy on the
/// device.
static bool isOnHost(Value buffer) {
  return isOnStack(buffer) ||
         isa_and_present<memref::GetGlobalOp>(buffer.getDefiningOp());
}

static bool isContiguous(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.areTrailingDimsContiguous(type.getRank());
}

namespace {
class HostAccess {
public:
  explicit HostAccess(ModuleOp module)
      : calls(module), types(module.getContext()),
        builder(module.getContext()) {}

  /// Rewrites all accesses of a function of the host.
  LogicalResult convert(func::FuncOp function);

private:
  void convert(memref::LoadOp op);
  void convert(memref::StoreOp op);
  LogicalResult convert(memref::CopyOp op);
  void upload(memref::GetGlobalOp op);
  Value getSize(Location loc, Value buffer);
  Value getConstant(Location loc, int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

  RuntimeCalls calls;
  LLVMTypeConverter types;
  OpBuilder builder;
};
} // namespace

/// Bytes of a contiguous buffer.
Value HostAccess::getSize(Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value bytes = getConstant(loc, getElementBytes(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size =
        builder.createOrFold<memref::DimOp>(loc, buffer, getConstant(loc, dim));
    bytes = builder.createOrFold<arith::MulIOp>(loc, bytes, size);
  }
  return bytes;
}

void HostAccess::convert(memref::LoadOp op) {
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Type type = op.getType();
  Value slot = createScratch(builder, loc, MemRefType::get({}, type));
  Value from = getAddress(builder, loc, op.getMemRef(), op.getIndices());
  calls.call(builder, loc, "clique_rt_read",
             {getAddress(builder, loc, slot), from,
              getConstant(loc, getElementBytes(type))});
  Value number = memref::LoadOp::create(builder, loc, slot);
  op.replaceAllUsesWith(number);
  op.erase();
}

void HostAccess::convert(memref::StoreOp op) {
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Type type = op.getValueToStore().getType();
  Value slot = createScratch(builder, loc, MemRefType::get({}, type));
  memref::StoreOp::create(builder, loc, op.getValueToStore(), slot);
  Value to = getAddress(builder, loc, op.getMemRef(), op.getIndices());
  calls.call(builder, loc, "clique_rt_write",
             {to, getAddress(builder, loc, slot),
              getConstant(loc, getElementBytes(type))});
  op.erase();
}

LogicalResult HostAccess::convert(memref::CopyOp op) {
  Value from = op.getSource(), to = op.getTarget();
  if (!isContiguous(from) || !isContiguous(to))
    return op.emitOpError("copies rows that do not follow each other in device "
                          "memory, which the runtime does not; make the copy a "
                          "kernel");
  StringRef name = isOnStack(to)     ? "clique_rt_read"
                   : isOnStack(from) ? "clique_rt_write"
                                     : "clique_rt_copy";
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  auto getStart = [&](Value buffer) {
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    return getAddress(builder, loc, buffer,
                      SmallVector<Value>(rank, getConstant(loc, 0)));
  };
  Value size = getSize(loc, from);
  calls.call(builder, loc, name, {getStart(to), getStart(from), size});
  op.erase();
  return success();
}

/// Constants stand in the host's memory; for what is no load there the runtime
/// has a copy.
void HostAccess::upload(memref::GetGlobalOp op) {
  Location loc = op.getLoc();
  auto isAccess = [](Operation *user) {
    return isa<memref::LoadOp, memref::DimOp>(user);
  };
  if (llvm::all_of(op->getUsers(), isAccess))
    return;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (!isAccess(use.getOwner()))
      uses.push_back(&use);
  builder.setInsertionPointAfter(op);
  Value start = calls.call(builder, loc, "clique_rt_constant",
                           {calls.getDeviceCode(builder, loc),
                            getAddress(builder, loc, op), getSize(loc, op)});
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, types,
                                                       op.getType(), start);
  auto copy = UnrealizedConversionCastOp::create(builder, loc, op.getType(),
                                                 descriptor);
  for (OpOperand *use : uses)
    use->set(copy.getResult(0));
}

/// An op of upstream that would touch device memory from the processor.
static LogicalResult checkAccess(Operation *op) {
  if (isa<memref::DeallocOp, memref::LoadOp, memref::StoreOp, memref::CopyOp>(
          op))
    return success();
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return success();
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()) || isOnHost(operand))
      continue;
    if (effects.getEffectOnValue<MemoryEffects::Read>(operand) ||
        effects.getEffectOnValue<MemoryEffects::Write>(operand))
      return op->emitOpError("reads or writes device memory on the host, which "
                             "only memref.load, store and copy can; make it a "
                             "kernel");
  }
  return success();
}

LogicalResult HostAccess::convert(func::FuncOp function) {
  SmallVector<Operation *> accesses;
  SmallVector<memref::GetGlobalOp> constants;
  WalkResult walk = function.walk([&](Operation *op) {
    bool isAccess =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case<memref::LoadOp, memref::StoreOp>(
                [](auto op) { return !isOnHost(op.getMemRef()); })
            .Case([](memref::CopyOp op) {
              return !isOnStack(op.getSource()) || !isOnStack(op.getTarget());
            })
            .Default(false);
    if (isAccess)
      accesses.push_back(op);
    if (auto constant = dyn_cast<memref::GetGlobalOp>(op))
      constants.push_back(constant);
    return failed(checkAccess(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  for (Operation *op : accesses) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
              convert(access);
              return success();
            })
            .Case([&](memref::CopyOp copy) { return convert(copy); });
    if (failed(result))
      return failure();
  }
  for (memref::GetGlobalOp constant : constants)
    upload(constant);
  return success();
}

namespace {
struct AccessDeviceMemory
    : public clique::impl::AccessDeviceMemoryPassBase<AccessDeviceMemory> {
  void runOnOperation() override {
    HostAccess access(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(access.convert(function)))
        return signalPassFailure();
  }
};
} // namespace
