//===- WarpgroupsToPTX.cpp - Products of warpgroups as wgmma --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "compiler/Device/MemRefAddress.h"
#include "compiler/Device/MmaFragments.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace clique {
#define GEN_PASS_DEF_ALIGNSHAREDMEMORYPASS
#define GEN_PASS_DEF_CONVERTWARPGROUPSTOPTXPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

/// What an instruction sums at a time.
constexpr int64_t kDepth = 16;
/// Bytes of an element of half precision.
constexpr int64_t kHalfBytes = 2;

namespace {
/// Where the right operand lies, for descriptors (PTX ISA, "Strides", and
/// "Matrix Descriptor Format").
class Panels {
public:
  explicit Panels(mp::WarpgroupProductOp op)
      : rows(op.getRight().getType().getDimSize(0)), width(op.getPanelWidth()),
        isTransposed(op.getTransposed()) {}

  /// Bytes from the beginning to what is summed from `depth` on.
  int64_t getOffset(int64_t depth) const {
    if (!isTransposed)
      return depth * width * kHalfBytes;
    return (depth / width * rows * width + depth % width) * kHalfBytes;
  }
  /// A descriptor without an address.
  uint64_t describe() const {
    constexpr int64_t rowsTogether = 8;
    uint64_t panelBytes = rows * width * kHalfBytes;
    uint64_t groupBytes = rowsTogether * width * kHalfBytes;
    // The leading dimension's stride is that between panels, where an
    // instruction has several.
    constexpr unsigned leadingBit = 16, strideBit = 32, swizzleBit = 62;
    return panelBytes / kUnit << leadingBit | groupBytes / kUnit << strideBit |
           getSwizzle() << swizzleBit;
  }
  /// Bytes that addresses are counted in.
  static constexpr int64_t kUnit = 16;

private:
  /// 1 for rows of 128 bytes, 2 for 64, 3 for 32.
  uint64_t getSwizzle() const {
    constexpr int64_t widest = 64;
    return 1 + llvm::Log2_64(widest / width);
  }

  int64_t rows, width;
  bool isTransposed;
};
} // namespace

/// Operands [first, first + count) of a piece of assembly.
static std::string nameOperands(int64_t first, int64_t count) {
  return llvm::join(
      llvm::map_range(
          llvm::seq(first, first + count),
          [](int64_t number) { return llvm::formatv("${0}", number).str(); }),
      ", ");
}

/// The instructions of a product: its operands are the sums, the registers of
/// the left operand, and a descriptor for each step.
static std::string writeAssembly(mp::WarpgroupProductOp op) {
  int64_t size = op.getType().getDimSize(0);
  auto steps = int64_t(op.getLeft().size());
  constexpr int64_t leftRegisters = 4;
  bool isBF16 = op.getRight().getType().getElementType().isBF16();
  std::string text = "{\n.reg .b32 zero;\n.reg .pred none, all;\n"
                     "mov.b32 zero, 0;\n"
                     "setp.ne.b32 none, zero, 0;\nsetp.eq.b32 all, zero, 0;\n"
                     "wgmma.fence.sync.aligned;\n";
  for (int64_t step = 0; step < steps; ++step)
    text += llvm::formatv(
        "wgmma.mma_async.sync.aligned.m64n{0}k16.f32.{1}.{1} {{{2}}, {{{3}}, "
        "${4}, {5}, 1, 1, {6};\n",
        op.getColumns(), isBF16 ? "bf16" : "f16", nameOperands(0, size),
        nameOperands(size + step * leftRegisters, leftRegisters),
        size + steps * leftRegisters + step,
        step == 0 && !op.getSums() ? "none" : "all",
        op.getTransposed() ? 0 : 1);
  return text + "wgmma.commit_group.sync.aligned;\n"
                "wgmma.wait_group.sync.aligned 0;\n}";
}

/// A descriptor for each step.
static SmallVector<Value> describeRight(OpBuilder &b, Location loc,
                                        mp::WarpgroupProductOp op) {
  Panels panels(op);
  auto number = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     b.getI64IntegerAttr(int64_t(value)));
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value start = arith::IndexCastOp::create(
      b, loc, b.getI64Type(),
      getAddressAsIndex(b, loc, op.getRight(), {zero, zero}));
  constexpr uint64_t unitBits = 4;
  start = arith::ShRUIOp::create(b, loc, start, number(unitBits));
  start = arith::OrIOp::create(b, loc, start, number(panels.describe()));
  SmallVector<Value> descriptors;
  for (int64_t depth = 0; depth < op.getDepth(); depth += kDepth)
    descriptors.push_back(arith::AddIOp::create(
        b, loc, start, number(panels.getOffset(depth) / Panels::kUnit)));
  return descriptors;
}

static LogicalResult convert(mp::WarpgroupProductOp op) {
  if (!op.getPanels())
    return op.emitOpError("reads no panels: run clique-swizzle-shared first");
  OpBuilder b(op);
  Location loc = op.getLoc();
  int64_t size = op.getType().getDimSize(0);
  SmallVector<Value> operands;
  SmallVector<std::string> constraints(size, "=f");
  auto add = [&](Value operand, StringRef constraint) {
    operands.push_back(operand);
    constraints.push_back(constraint.str());
  };
  for (Value fragment : op.getLeft())
    for (Value pair : packRows(b, loc, fragment))
      add(pair, "r");
  for (Value descriptor : describeRight(b, loc, op))
    add(descriptor, "l");
  if (op.getSums())
    for (int64_t number = 0; number < size; ++number)
      add(vector::ExtractOp::create(b, loc, op.getSums(), number),
          std::to_string(number));
  constraints.push_back("~{memory}");
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(size, b.getF32Type()));
  auto assembly = LLVM::InlineAsmOp::create(
      b, loc, type, operands, writeAssembly(op), llvm::join(constraints, ","),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  SmallVector<Value> elements;
  for (int64_t number = 0; number < size; ++number)
    elements.push_back(
        LLVM::ExtractValueOp::create(b, loc, assembly.getRes(), number));
  op.replaceAllUsesWith(
      vector::FromElementsOp::create(b, loc, op.getType(), elements)
          .getResult());
  op.erase();
  return success();
}

namespace {
struct ConvertWarpgroupsToPTX
    : public clique::impl::ConvertWarpgroupsToPTXPassBase<
          ConvertWarpgroupsToPTX> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](mp::WarpgroupProductOp op) {
      return succeeded(convert(op)) ? WalkResult::advance()
                                    : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

struct AlignSharedMemory
    : public clique::impl::AlignSharedMemoryPassBase<AlignSharedMemory> {
  void runOnOperation() override {
    constexpr unsigned sharedSpace = 3;
    constexpr uint64_t alignment = 1024;
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == sharedSpace)
        global.setAlignment(alignment);
  }
};
} // namespace
