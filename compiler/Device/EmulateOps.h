//===- EmulateOps.h - Ops of a device as calls ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the emulated driver that a device's thread calls.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_EMULATEOPS_H
#define CLIQUE_COMPILER_DEVICE_EMULATEOPS_H

#include "dialect/IR/MPOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace clique {

/// Replaces ops by calls; the functions are declared in `module` when needed.
/// Buffers have no memory space and tokens of asynchronous copies are i32.
class DeviceOpEmulator {
public:
  explicit DeviceOpEmulator(mlir::ModuleOp module)
      : module(module), builder(module.getContext()) {}

  /// Whether only a device has the op.
  static bool isDeviceOp(mlir::Operation *op);

  /// Replaces such an op; an error if it has no emulation.
  mlir::LogicalResult emulate(mlir::Operation *op);

private:
  /// Calls a function of the driver; null if it returns nothing. What only asks
  /// for the thread's place may be asked once.
  mlir::Value call(mlir::Location loc, llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands, bool isPlace = false);
  mlir::Value getInt32(mlir::Location loc, int64_t number);
  mlir::Value askForPlace(mlir::Location loc, llvm::StringRef name,
                          int32_t dimension);
  /// `mode` as clique_emu_shuffle takes it.
  mlir::Value shuffle(mlir::Location loc, mlir::Value value,
                      mlir::Value operand, mlir::Value width, int32_t mode,
                      mlir::Value mask);
  mlir::Value spill(mlir::Location loc, mlir::Value fragment);
  mlir::Value reload(mlir::Location loc, mlir::Value slot, mlir::Type type);
  mlir::Value createSlot(mlir::Location loc, mlir::Type fragment);
  mlir::Value toBits(mlir::Location loc, mlir::Value value);
  mlir::Value fromBits(mlir::Location loc, mlir::Value bits, mlir::Type type);
  /// What replaces the results of an op.
  using Results = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;
  Results shuffleLanes(mlir::gpu::ShuffleOp op);
  Results multiplyTiles(mlir::nvgpu::MmaSyncOp op);
  Results multiplyPanels(mp::WarpgroupProductOp op);
  Results loadTiles(mlir::nvgpu::LdMatrixOp op);
  Results startCopy(mlir::nvgpu::DeviceAsyncCopyOp op);
  Results createCalls(mlir::Operation *op);

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
};

} // namespace clique
#endif // CLIQUE_COMPILER_DEVICE_EMULATEOPS_H
