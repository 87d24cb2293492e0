//===- EmulateDevice.cpp - Kernels as functions of the processor ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/EmulateOps.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace clique {
#define GEN_PASS_DEF_EMULATEDEVICEPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// A processor has one memory, and does nothing asynchronously.
static void eraseDeviceTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](nvgpu::DeviceAsyncTokenType type) {
    return IntegerType::get(type.getContext(), 32);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// The kernel's body as a function.
static func::FuncOp convertKernel(gpu::GPUFuncOp kernel, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, kernel.getLoc(), kernel.getName(), kernel.getFunctionType());
  function.setPrivate();
  function.getBody().takeBody(kernel.getBody());
  function.walk([](gpu::ReturnOp op) {
    OpBuilder builder(op);
    func::ReturnOp::create(builder, op.getLoc(), op.getOperands());
    op.erase();
  });
  return function;
}

namespace {
/// Reads the parameters of a launch, one after the other.
class ParameterReader {
public:
  ParameterReader(OpBuilder &builder, Location loc, Value parameters)
      : builder(builder), loc(loc), parameters(parameters),
        types(builder.getContext()) {}

  Value read(Type type);

private:
  Value readField(Type type);

  OpBuilder &builder;
  Location loc;
  Value parameters;
  LLVMTypeConverter types;
  int32_t next = 0;
};
} // namespace

Value ParameterReader::readField(Type type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, parameters,
                                    ArrayRef<LLVM::GEPArg>{next++});
  Value address = LLVM::LoadOp::create(builder, loc, pointer, place);
  return LLVM::LoadOp::create(builder, loc, type, address);
}

Value ParameterReader::read(Type type) {
  Type integer = builder.getI64Type();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, readField(integer));
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type,
                                   readField(builder.getI8Type()));
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return readField(type);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Value> fields = {readField(pointer), readField(pointer)};
  for (int64_t k = 0; k < 1 + 2 * buffer.getRank(); ++k)
    fields.push_back(readField(integer));
  Value descriptor =
      MemRefDescriptor::pack(builder, loc, types, buffer, fields);
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

/// `clique_emu_kernel_NAME`, what the driver starts for each thread.
static void createEntry(func::FuncOp kernel, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = func::FuncOp::create(
      builder, loc, ("clique_emu_kernel_" + kernel.getName()).str(),
      builder.getFunctionType(pointer, {}));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  ParameterReader reader(builder, loc, entry.getArgument(0));
  SmallVector<Value> operands;
  for (Type type : kernel.getArgumentTypes())
    operands.push_back(reader.read(type));
  func::CallOp::create(builder, loc, kernel, operands);
  func::ReturnOp::create(builder, loc);
}

static LogicalResult emulate(gpu::GPUModuleOp device, ModuleOp module) {
  for (Operation &op :
       llvm::make_early_inc_range(device.getBodyRegion().front()))
    if (!isa<gpu::GPUFuncOp>(op))
      op.moveBefore(module.getBody(), module.getBody()->end());
  DeviceOpEmulator emulator(module);
  for (auto kernel :
       llvm::make_early_inc_range(device.getOps<gpu::GPUFuncOp>())) {
    func::FuncOp function = convertKernel(kernel, module);
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (DeviceOpEmulator::isDeviceOp(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(emulator.emulate(op)))
        return failure();
    if (kernel.isKernel())
      createEntry(function, module);
  }
  device.erase();
  return success();
}

namespace {
struct EmulateDevice
    : public clique::impl::EmulateDevicePassBase<EmulateDevice> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (!isa<gpu::GPUModuleOp>(op))
        op.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    eraseDeviceTypes(module);
    SmallVector<gpu::GPUModuleOp> devices(module.getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp device : devices)
      if (failed(emulate(device, module)))
        return signalPassFailure();
  }
};
} // namespace
