//===- LaunchToRuntime.cpp - Launches of kernels are calls ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/RuntimeCalls.h"
#include "compiler/Device/DevicePasses.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace clique {
#define GEN_PASS_DEF_CONVERTGPULAUNCHTORUNTIMEPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

namespace {
class LaunchConverter {
public:
  explicit LaunchConverter(ModuleOp module)
      : module(module), calls(module), types(module.getContext()),
        builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult convert(gpu::LaunchFuncOp launch);

private:
  /// Values as the driver takes them.
  SmallVector<Value> flatten(Location loc, ValueRange operands);
  /// Stack space for one `type` at the start of the function.
  Value allocate(Operation *launch, Type type);
  void store(Location loc, Type type, Value aggregate, int32_t index,
             Value value);

  ModuleOp module;
  RuntimeCalls calls;
  LLVMTypeConverter types;
  OpBuilder builder;
  Type pointer;
};
} // namespace

SmallVector<Value> LaunchConverter::flatten(Location loc, ValueRange operands) {
  SmallVector<Value> converted;
  for (Value operand : operands) {
    Type type = types.convertType(operand.getType());
    if (type != operand.getType())
      operand = UnrealizedConversionCastOp::create(builder, loc, type, operand)
                    .getResult(0);
    converted.push_back(operand);
  }
  SmallVector<Value> flat;
  llvm::append_range(flat, types.promoteOperands(
                               loc, operands, ValueRange(converted), builder));
  return flat;
}

Value LaunchConverter::allocate(Operation *launch, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = launch->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value one = LLVM::ConstantOp::create(builder, launch->getLoc(),
                                       builder.getI64Type(), 1);
  return LLVM::AllocaOp::create(builder, launch->getLoc(), pointer, type, one);
}

void LaunchConverter::store(Location loc, Type type, Value aggregate,
                            int32_t index, Value value) {
  Value place = LLVM::GEPOp::create(builder, loc, pointer, type, aggregate,
                                    ArrayRef<LLVM::GEPArg>{int32_t(0), index});
  LLVM::StoreOp::create(builder, loc, value, place);
}

static Value toInt64(OpBuilder &builder, Location loc, Value number) {
  Type type = builder.getI64Type();
  if (number.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, number);
  if (number.getType() == type)
    return number;
  return arith::ExtUIOp::create(builder, loc, type, number);
}

LogicalResult LaunchConverter::convert(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.getAsyncObject())
    return launch.emitOpError(
        "is asynchronous; launches go to the stream of the "
        "invocation, in order: leave 'async' out");
  if (launch.hasClusterSize())
    return launch.emitOpError("has clusters of blocks, which the runtime does "
                              "not start; leave 'clusters' out");
  Location loc = launch.getLoc();
  builder.setInsertionPoint(launch);

  auto counts = LLVM::LLVMArrayType::get(builder.getI64Type(), 6);
  Value grid = allocate(launch, counts);
  gpu::KernelDim3 blocks = launch.getGridSizeOperandValues(),
                  threads = launch.getBlockSizeOperandValues();
  Value sizes[] = {blocks.x,  blocks.y,  blocks.z,
                   threads.x, threads.y, threads.z};
  for (auto [k, size] : llvm::enumerate(sizes)) {
    Value number = toInt64(builder, loc, size);
    store(loc, counts, grid, int32_t(k), number);
  }

  SmallVector<Value> values = flatten(loc, launch.getKernelOperands());
  auto fields = LLVM::LLVMStructType::getLiteral(
      module.getContext(), llvm::to_vector(ValueRange(values).getTypes()));
  auto pointers =
      LLVM::LLVMArrayType::get(pointer, std::max<size_t>(values.size(), 1));
  Value slots = allocate(launch, fields);
  Value parameters = allocate(launch, pointers);
  for (auto [k, value] : llvm::enumerate(values)) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pointer, fields, slots,
                            ArrayRef<LLVM::GEPArg>{int32_t(0), int32_t(k)});
    LLVM::StoreOp::create(builder, loc, value, place);
    store(loc, pointers, parameters, int32_t(k), place);
  }

  Value code = calls.getDeviceCode(builder, loc);
  Value name = calls.getString(builder, loc, launch.getKernelName().getValue());
  Value shared =
      launch.getDynamicSharedMemorySize()
          ? arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                         launch.getDynamicSharedMemorySize())
                .getResult()
          : arith::ConstantIndexOp::create(builder, loc, 0).getResult();
  calls.call(builder, loc, "clique_rt_launch",
             {code, name, grid, shared, parameters});
  launch.erase();
  return success();
}

namespace {
struct ConvertGPULaunchToRuntime
    : public clique::impl::ConvertGPULaunchToRuntimePassBase<
          ConvertGPULaunchToRuntime> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk(
        [&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    LaunchConverter converter(getOperation());
    for (gpu::LaunchFuncOp launch : launches)
      if (failed(converter.convert(launch)))
        return signalPassFailure();
  }
};
} // namespace
