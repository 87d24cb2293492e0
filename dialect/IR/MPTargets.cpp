//===- MPTargets.cpp - Descriptions of machines ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPTargets.h"
#include "dialect/IR/MPArguments.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique::mp;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult CpuAttr::verify(EmitError emitError, int64_t vectorBits,
                              int64_t registers, int64_t lineBytes,
                              int64_t l2Bytes, int64_t cores, bool, Rates) {
  // C1
  if (vectorBits < 64 || !llvm::isPowerOf2_64(vectorBits) || registers < 8)
    return emitError() << "a CPU with " << registers << " vector registers of "
                       << vectorBits
                       << " bits: expected at least 8 registers of 64, 128, "
                          "256 ... bits";
  // C2
  if (lineBytes < 16 || !llvm::isPowerOf2_64(lineBytes) || l2Bytes < 65536 ||
      cores < 1)
    return emitError() << "a CPU of " << cores << " cores with " << l2Bytes
                       << " bytes of second-level cache in lines of "
                       << lineBytes
                       << ": expected at least 1 core, 65536 bytes and lines "
                          "of 16, 32, 64 ... bytes";
  return success();
}

LogicalResult GpuAttr::verify(EmitError emitError, int64_t sharedBytes,
                              int64_t multiprocessorSharedBytes,
                              MatrixUnit matrix, int64_t threadRegisters,
                              int64_t warp) {
  // C1
  if (sharedBytes < 16384 || sharedBytes > multiprocessorSharedBytes)
    return emitError() << "a GPU whose blocks have " << sharedBytes << " of "
                       << multiprocessorSharedBytes
                       << " bytes of shared memory: expected at least 16384, "
                          "and no more than the multiprocessor has";
  // C2
  if (threadRegisters < 32 || warp != 32)
    return emitError() << "a GPU with warps of " << warp << " threads of "
                       << threadRegisters
                       << " registers: expected warps of 32 threads with at "
                          "least 32 registers each";
  return success();
}

GpuAttr GpuAttr::join(GpuAttr other) const {
  return GpuAttr::get(
      getContext(), std::min(getSharedBytes(), other.getSharedBytes()),
      std::max(getMultiprocessorSharedBytes(),
               other.getMultiprocessorSharedBytes()),
      getMatrix() == other.getMatrix() ? getMatrix()
      : getMatrix() == MatrixUnit::none || other.getMatrix() == MatrixUnit::none
          ? MatrixUnit::none
          : MatrixUnit::mma,
      std::min(getThreadRegisters(), other.getThreadRegisters()), getWarp());
}

LogicalResult clique::mp::verifyTarget(Operation *op, NamedAttribute attr) {
  if (!isa<ModuleOp>(op))
    return op->emitOpError("has '")
           << kTargetAttr << "': a machine is described for a whole module";
  if (!isa<CpuAttr, GpuAttr>(attr.getValue()))
    return op->emitOpError("has '")
           << kTargetAttr << "' " << attr.getValue()
           << ": expected #mp.cpu<...> or #mp.gpu<...>";
  return success();
}

LogicalResult clique::mp::verifyThreads(Operation *op, NamedAttribute attr) {
  auto fail = [&](StringRef expected) {
    return op->emitOpError("has '")
           << attr.getName().getValue() << "' " << attr.getValue()
           << ": expected " << expected;
  };
  auto number = dyn_cast<IntegerAttr>(attr.getValue());
  const bool isCount = number && number.getType().isInteger(64);
  if (attr.getName() == kThreadsAttr) {
    if (!isCount || number.getInt() < 1 ||
        !llvm::isPowerOf2_64(number.getInt()))
      return fail("an i64, a power of two");
  } else if (attr.getName() == kRowsAttr ||
             attr.getName() == kSharedBytesAttr) {
    if (!isCount || number.getInt() < 0)
      return fail("an i64 of at least 0");
  } else if (attr.getName() == kProductTypeAttr) {
    auto type = dyn_cast<TypeAttr>(attr.getValue());
    if (!type || !(type.getValue().isF16() || type.getValue().isBF16()))
      return fail("f16 or bf16");
  } else {
    return success();
  }
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("has '")
           << attr.getName().getValue()
           << "', which says how threads compute a function";
  return success();
}

/// Bytes of a row of a buffer of any number of rows that lie one behind the
/// other; none if it is no such buffer.
static std::optional<int64_t> getRowBits(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getRank() == 0 || !buffer.isDynamicDim(0) ||
      buffer.getNumDynamicDims() != 1 || !buffer.getLayout().isIdentity() ||
      !buffer.getElementType().isIntOrFloat())
    return std::nullopt;
  return ShapedType::getNumElements(buffer.getShape().drop_front()) *
         buffer.getElementTypeBitWidth();
}

/// An input whose rows are overwritten, and the result that is written there.
static LogicalResult verifyRowPair(FunctionOpInterface function,
                                   NamedAttribute attr) {
  SmallVector<Type> inputs, results;
  for (auto [k, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (function.getArgAttr(k, kOverwrittenAttr) == attr.getValue())
      inputs.push_back(type);
    if (function.getArgAttr(k, kOverwritesAttr) == attr.getValue())
      results.push_back(type);
  }
  if (inputs.size() == 1 && results.size() == 1) {
    std::optional<int64_t> bits = getRowBits(inputs.front());
    if (bits && bits == getRowBits(results.front()))
      return success();
  }
  return function.emitOpError("has '")
         << attr.getName().getValue() << "' " << attr.getValue()
         << ": expected it on one argument, and '"
         << (attr.getName() == kOverwritesAttr ? kOverwrittenAttr
                                               : kOverwritesAttr)
         << "' with the same number on another one, memrefs of any number of "
            "rows of equally many bytes";
}

LogicalResult clique::mp::verifyArgument(Operation *op, Type type,
                                         NamedAttribute attr) {
  auto fail = [&](StringRef expected) {
    return op->emitOpError("has '")
           << attr.getName().getValue() << "' on an argument of type " << type
           << ": expected " << expected;
  };
  auto buffer = dyn_cast<MemRefType>(type);
  if (attr.getName() == kFirstDestinationAttr && !type.isIndex())
    return fail("index, the number of a row");
  if (attr.getName() == kWidenedFromAttr &&
      (!isa<TypeAttr>(attr.getValue()) ||
       !isa<FloatType>(getElementTypeOrSelf(type))))
    return fail("floats, and the type that they have in memory");
  if (attr.getName() == kDonatableAttr && !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError("has '") << kDonatableAttr << "' " << attr.getValue()
                                    << ": expected it without a value";
  if (attr.getName() == kOverwrittenAttr || attr.getName() == kOverwritesAttr)
    return verifyRowPair(cast<FunctionOpInterface>(op), attr);
  if (attr.getName() != kPrefetchAttr)
    return success();
  auto distance = dyn_cast<IntegerAttr>(attr.getValue());
  if (!distance || !distance.getType().isInteger(64) || distance.getInt() < 1)
    return op->emitOpError("has '")
           << kPrefetchAttr << "' " << attr.getValue()
           << ": expected an i64 of at least 1, a number of entries";
  if (!buffer || buffer.getRank() != 1 ||
      !isa<IntegerType>(buffer.getElementType()))
    return fail("a list (memref<?xi32>, say) of the numbers of rows");
  return success();
}

CpuAttr clique::mp::getDefaultCpu(MLIRContext *context) {
  return CpuAttr::get(context, 512, 32, 64, 1 << 20, 8,
                      /*bf16_pairs=*/false, Rates::zen5);
}

GpuAttr clique::mp::getDefaultGpu(MLIRContext *context) {
  return GpuAttr::get(context, 227 * 1024, 228 * 1024, MatrixUnit::mma, 255,
                      32);
}

/// What the module around `op` says; null if nothing.
static Attribute getDescription(Operation *op) {
  Attribute found;
  for (; op; op = op->getParentOp())
    if (Attribute attr = op->getDiscardableAttr(kTargetAttr))
      found = attr;
  return found;
}

GpuAttr clique::mp::getGpu(Operation *op) {
  return dyn_cast_or_null<GpuAttr>(getDescription(op));
}

GpuAttr clique::mp::getGpuOrDefault(Operation *op) {
  GpuAttr gpu = getGpu(op);
  return gpu ? gpu : getDefaultGpu(op->getContext());
}

CpuAttr clique::mp::getCpu(Operation *op) {
  auto cpu = dyn_cast_or_null<CpuAttr>(getDescription(op));
  return cpu ? cpu : getDefaultCpu(op->getContext());
}
