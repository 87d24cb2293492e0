//===- EmulateOps.cpp - Ops of a device as calls --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call may switch to another thread of the device: to the optimiser it is a
// function that it knows nothing of, so that no access of memory passes it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/EmulateOps.h"
#include "compiler/Device/MemRefAddress.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

bool DeviceOpEmulator::isDeviceOp(Operation *op) {
  return isa_and_present<gpu::GPUDialect, NVVM::NVVMDialect,
                         nvgpu::NVGPUDialect>(op->getDialect()) ||
         isa<mp::WarpgroupProductOp>(op);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LLVM::MemoryEffectsAttr getNoEffects(MLIRContext *context) {
  constexpr auto none = LLVM::ModRefInfo::NoModRef;
  return LLVM::MemoryEffectsAttr::get(context,
                                      {none, none, none, none, none, none});
}

Value DeviceOpEmulator::call(Location loc, StringRef name, Type result,
                             ValueRange operands, bool isPlace) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    if (!result)
      result = LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    llvm::to_vector(operands.getTypes())));
    if (isPlace) {
      function.setMemoryEffectsAttr(getNoEffects(builder.getContext()));
      function.setNoUnwind(true);
      function.setWillReturn(true);
    }
  }
  auto call = LLVM::CallOp::create(builder, loc, function, operands);
  return call.getNumResults() ? call.getResult() : Value();
}

Value DeviceOpEmulator::getInt32(Location loc, int64_t number) {
  return arith::ConstantIntOp::create(builder, loc, number, 32);
}

Value DeviceOpEmulator::askForPlace(Location loc, StringRef name,
                                    int32_t dimension) {
  Value number = call(loc, name, builder.getI64Type(), getInt32(loc, dimension),
                      /*isPlace=*/true);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number);
}

//===----------------------------------------------------------------------===//
// Values through memory and as bits
//===----------------------------------------------------------------------===//

static VectorType flatten(Type fragment) {
  auto type = cast<VectorType>(fragment);
  return VectorType::get(type.getNumElements(), type.getElementType());
}

Value DeviceOpEmulator::createSlot(Location loc, Type fragment) {
  VectorType flat = flatten(fragment);
  return createScratch(builder, loc,
                       MemRefType::get(flat.getShape(), flat.getElementType()));
}

/// Puts a fragment into memory, in the order of its registers.
Value DeviceOpEmulator::spill(Location loc, Value fragment) {
  Value slot = createSlot(loc, fragment.getType());
  Value flat = vector::ShapeCastOp::create(
      builder, loc, flatten(fragment.getType()), fragment);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  vector::StoreOp::create(builder, loc, flat, slot, zero);
  return getAddress(builder, loc, slot);
}

Value DeviceOpEmulator::reload(Location loc, Value slot, Type type) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value flat = vector::LoadOp::create(builder, loc, flatten(type), slot, zero);
  return vector::ShapeCastOp::create(builder, loc, type, flat);
}

Value DeviceOpEmulator::toBits(Location loc, Value value) {
  Type wide = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, wide, value);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (!value.getType().isInteger())
    value = arith::BitcastOp::create(builder, loc,
                                     builder.getIntegerType(width), value);
  if (value.getType() == wide)
    return value;
  return arith::ExtUIOp::create(builder, loc, wide, value);
}

Value DeviceOpEmulator::fromBits(Location loc, Value bits, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, bits);
  Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (integer != bits.getType())
    bits = arith::TruncIOp::create(builder, loc, integer, bits);
  if (integer == type)
    return bits;
  return arith::BitcastOp::create(builder, loc, type, bits);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The numbers by which the driver knows the types of elements.
static FailureOr<int32_t> getElementCode(Type type, bool isTf32) {
  if (type.isF16())
    return 0;
  if (type.isBF16())
    return 1;
  if (type.isF32() && isTf32)
    return 2;
  return failure();
}

/// The lanes among which a shuffle has its sources; nothing where it bounds
/// them further.
static std::optional<int32_t> getSegmentWidth(NVVM::ShflOp op) {
  APInt clamp;
  if (!matchPattern(op.getMaskAndClamp(), m_ConstantInt(&clamp)))
    return std::nullopt;
  // PTX ISA, shfl.sync: the last lane in 5 bits (the first for `up`), and from
  // bit 8 on the bits of a lane's number that name its segment.
  constexpr int32_t last = 31;
  auto bits = int32_t(clamp.getZExtValue());
  if ((bits & last) != (op.getKind() == NVVM::ShflKind::up ? 0 : last))
    return std::nullopt;
  return last + 1 - (bits >> 8 & last);
}

Value DeviceOpEmulator::shuffle(Location loc, Value value, Value operand,
                                Value width, int32_t mode, Value mask) {
  Value bits =
      call(loc, "clique_emu_shuffle", builder.getI64Type(),
           {toBits(loc, value), operand, width, getInt32(loc, mode), mask});
  return fromBits(loc, bits, value.getType());
}

/// The buffer of a block's shared memory.
static Value createSharedBuffer(OpBuilder &builder, Location loc, Value start,
                                MemRefType type) {
  LLVMTypeConverter types(builder.getContext());
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
  };
  // The op does not know it; a launch may ask for at most 227 KiB.
  constexpr int64_t size = 227 * 1024;
  Value descriptor = MemRefDescriptor::pack(
      builder, loc, types, type,
      {start, start, number(0), number(size), number(1)});
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

DeviceOpEmulator::Results DeviceOpEmulator::shuffleLanes(gpu::ShuffleOp op) {
  Location loc = op.getLoc();
  Type type = op.getValue().getType();
  if (!type.isIntOrIndexOrFloat())
    return failure();
  static constexpr int32_t codes[] = {0, 2, 1, 3}; // xor down up idx
  // Upstream's lowering to NVVM names the first lanes of the warp.
  Value left =
      arith::SubIOp::create(builder, loc, getInt32(loc, 32), op.getWidth());
  Value lanes = arith::ShRUIOp::create(builder, loc, getInt32(loc, -1), left);
  Value other = shuffle(loc, op.getValue(), op.getOffset(), op.getWidth(),
                        codes[int32_t(op.getMode())], lanes);
  // Lanes outside do not exist: warps are whole.
  Value valid = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return SmallVector<Value>{other, valid};
}

DeviceOpEmulator::Results DeviceOpEmulator::multiplyTiles(nvgpu::MmaSyncOp op) {
  Location loc = op.getLoc();
  FailureOr<int32_t> code =
      getElementCode(getElementTypeOrSelf(op.getMatrixA().getType()),
                     op.getTf32Enabled().value_or(false));
  if (failed(code) || !getElementTypeOrSelf(op.getType()).isF32())
    return failure();
  Value a = spill(loc, op.getMatrixA()), b = spill(loc, op.getMatrixB()),
        c = spill(loc, op.getMatrixC());
  Value slot = createSlot(loc, op.getType());
  auto [m, n, k] = op.getMmaShapeAsArray();
  call(loc, "clique_emu_mma", Type(),
       {a, b, c, getAddress(builder, loc, slot), getInt32(loc, m),
        getInt32(loc, n), getInt32(loc, k), getInt32(loc, *code)});
  return SmallVector<Value>{reload(loc, slot, op.getType())};
}

DeviceOpEmulator::Results
DeviceOpEmulator::multiplyPanels(mp::WarpgroupProductOp op) {
  Location loc = op.getLoc();
  FailureOr<int32_t> code = getElementCode(
      op.getRight().getType().getElementType(), /*isTf32=*/false);
  if (failed(code) || !op.getPanels())
    return failure();
  SmallVector<Value> elements;
  for (Value fragment : op.getLeft())
    for (int64_t row = 0; row < 4; ++row)
      for (int64_t k = 0; k < 2; ++k)
        elements.push_back(vector::ExtractOp::create(
            builder, loc, fragment, ArrayRef<int64_t>{row, k}));
  auto type = VectorType::get(int64_t(elements.size()),
                              op.getRight().getType().getElementType());
  Value a =
      spill(loc, vector::FromElementsOp::create(builder, loc, type, elements));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value right = getAddress(builder, loc, op.getRight(), {zero, zero});
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value sums = op.getSums()
                   ? spill(loc, op.getSums())
                   : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
  Value slot = createSlot(loc, op.getType());
  call(loc, "clique_emu_wgmma", Type(),
       {a, right, sums, getAddress(builder, loc, slot),
        getInt32(loc, op.getColumns()), getInt32(loc, op.getDepth()),
        getInt32(loc, op.getPanelWidth()), getInt32(loc, op.getTransposed()),
        getInt32(loc, *code)});
  return SmallVector<Value>{reload(loc, slot, op.getType())};
}

DeviceOpEmulator::Results DeviceOpEmulator::loadTiles(nvgpu::LdMatrixOp op) {
  Location loc = op.getLoc();
  Value slot = createSlot(loc, op.getType());
  Value row = getAddress(builder, loc, op.getSrcMemref(), op.getIndices());
  call(loc, "clique_emu_ldmatrix", Type(),
       {row, getAddress(builder, loc, slot), getInt32(loc, op.getNumTiles()),
        getInt32(loc, op.getTranspose())});
  return SmallVector<Value>{reload(loc, slot, op.getType())};
}

DeviceOpEmulator::Results
DeviceOpEmulator::startCopy(nvgpu::DeviceAsyncCopyOp op) {
  Location loc = op.getLoc();
  int64_t size = getElementBytes(op.getDst().getType().getElementType());
  int64_t bytes = op.getDstElements().getSExtValue() * size;
  Value sourceBytes = getInt32(loc, bytes);
  if (Value count = op.getSrcElements()) {
    Value number =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), count);
    sourceBytes =
        arith::MulIOp::create(builder, loc, number, getInt32(loc, size));
  }
  call(loc, "clique_emu_copy_async", Type(),
       {getAddress(builder, loc, op.getDst(), op.getDstIndices()),
        getAddress(builder, loc, op.getSrc(), op.getSrcIndices()),
        getInt32(loc, bytes), sourceBytes});
  return SmallVector<Value>{getInt32(loc, 0)};
}

DeviceOpEmulator::Results DeviceOpEmulator::createCalls(Operation *op) {
  Location loc = op->getLoc();
  auto place = [&](StringRef name, gpu::Dimension dimension) -> Results {
    return SmallVector<Value>{askForPlace(loc, name, int32_t(dimension))};
  };
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](gpu::ThreadIdOp op) {
        return place("clique_emu_thread_id", op.getDimension());
      })
      .Case([&](gpu::BlockIdOp op) {
        return place("clique_emu_block_id", op.getDimension());
      })
      .Case([&](gpu::BlockDimOp op) {
        return place("clique_emu_block_dim", op.getDimension());
      })
      .Case([&](gpu::GridDimOp op) {
        return place("clique_emu_grid_dim", op.getDimension());
      })
      .Case([&](gpu::LaneIdOp) -> Results {
        // Blocks have one dimension.
        Value thread = askForPlace(loc, "clique_emu_thread_id", 0);
        Value last = arith::ConstantIndexOp::create(builder, loc, 31);
        Value lane = arith::AndIOp::create(builder, loc, thread, last);
        return SmallVector<Value>{lane};
      })
      .Case([&](gpu::BarrierOp) -> Results {
        call(loc, "clique_emu_barrier", Type(), {});
        return SmallVector<Value>{};
      })
      .Case([&](NVVM::SyncWarpOp op) -> Results {
        call(loc, "clique_emu_warp_sync", Type(), op.getMask());
        return SmallVector<Value>{};
      })
      // All accesses of the processor go the same way.
      .Case([&](NVVM::FenceProxyOp) -> Results { return SmallVector<Value>{}; })
      .Case([&](gpu::ShuffleOp op) { return shuffleLanes(op); })
      .Case([&](NVVM::ShflOp op) -> Results {
        std::optional<int32_t> width = getSegmentWidth(op);
        if (!width || op.getReturnValueAndIsValid())
          return failure();
        return SmallVector<Value>{
            shuffle(loc, op.getVal(), op.getOffset(), getInt32(loc, *width),
                    int32_t(op.getKind()), op.getThreadMask())};
      })
      .Case([&](gpu::DynamicSharedMemoryOp op) -> Results {
        Value start = call(loc, "clique_emu_shared", pointer, {});
        return SmallVector<Value>{
            createSharedBuffer(builder, loc, start, op.getType())};
      })
      .Case([&](nvgpu::MmaSyncOp op) { return multiplyTiles(op); })
      .Case([&](mp::WarpgroupProductOp op) { return multiplyPanels(op); })
      .Case([&](nvgpu::LdMatrixOp op) { return loadTiles(op); })
      .Case([&](nvgpu::DeviceAsyncCopyOp op) { return startCopy(op); })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp) -> Results {
        call(loc, "clique_emu_copy_commit", Type(), {});
        return SmallVector<Value>{getInt32(loc, 0)};
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp op) -> Results {
        call(loc, "clique_emu_copy_wait", Type(),
             getInt32(loc, op.getNumGroups().value_or(0)));
        return SmallVector<Value>{};
      })
      .Default([](Operation *) -> Results { return failure(); });
}

LogicalResult DeviceOpEmulator::emulate(Operation *op) {
  builder.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> results = createCalls(op);
  if (failed(results))
    return op->emitOpError("has no emulation on the processor");
  op->replaceAllUsesWith(*results);
  op->erase();
  return success();
}
