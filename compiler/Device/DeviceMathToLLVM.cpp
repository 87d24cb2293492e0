//===- DeviceMathToLLVM.cpp - The mathematics a GPU has -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Device/DevicePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace clique {
#define GEN_PASS_DEF_CONVERTDEVICEMATHTOLLVMPASS
#include "compiler/Device/DevicePasses.h.inc"
} // namespace clique

using namespace mlir;

/// The intrinsic that the code generator for GPUs knows; empty if there is
/// none.
static StringRef getIntrinsic(Operation *op) {
  static const llvm::StringMap<StringRef> exact = {
      {"arith.maxnumf", "llvm.maxnum"},   {"arith.minnumf", "llvm.minnum"},
      {"math.absf", "llvm.fabs"},         {"math.ceil", "llvm.ceil"},
      {"math.copysign", "llvm.copysign"}, {"math.ctpop", "llvm.ctpop"},
      {"math.floor", "llvm.floor"},       {"math.fma", "llvm.fma"},
      {"math.round", "llvm.round"},       {"math.roundeven", "llvm.rint"},
      {"math.sqrt", "llvm.sqrt"},         {"math.trunc", "llvm.trunc"},
  };
  static const llvm::StringMap<StringRef> approximate = {
      {"math.log2", "llvm.log2"},
      {"math.sin", "llvm.sin"},
      {"math.cos", "llvm.cos"},
  };
  StringRef name = op->getName().getStringRef();
  if (auto found = exact.find(name); found != exact.end())
    return found->second;
  bool isFloat = getElementTypeOrSelf(op->getResultTypes().front()).isF32();
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!isFloat || !math)
    return "";
  if (!bitEnumContainsAny(math.getFastMathFlagsAttr().getValue(),
                          arith::FastMathFlags::afn))
    return "";
  auto found = approximate.find(name);
  return found == approximate.end() ? "" : found->second;
}

static Value constantLike(OpBuilder &builder, Location loc, Type type,
                          double number) {
  TypedAttr value = builder.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

static Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name,
                           Type type, ValueRange operands,
                           LLVM::FastmathFlags flags) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, TypeRange{type}, builder.getStringAttr(name),
             operands,
             LLVM::FastmathFlagsAttr::get(builder.getContext(), flags))
      .getResults();
}

/// What `function` makes of numbers, for each element of vectors of them.
static Value mapElements(OpBuilder &builder, Location loc, Type type,
                         ValueRange operands,
                         llvm::function_ref<Value(ValueRange)> function) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return function(operands);
  Value result = LLVM::PoisonOp::create(builder, loc, vector);
  for (int64_t k = 0; k < vector.getNumElements(); ++k) {
    Value place = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                           builder.getI64IntegerAttr(k));
    SmallVector<Value> elements;
    for (Value operand : operands)
      elements.push_back(
          LLVM::ExtractElementOp::create(builder, loc, operand, place));
    result = LLVM::InsertElementOp::create(builder, loc, result,
                                           function(elements), place);
  }
  return result;
}

/// 2^x of f32 by the instruction, which is good to 2 units of the last place. A
/// result below 2^-126 is 0: to keep it would take three more instructions.
static Value raise2(OpBuilder &builder, Location loc, Value x) {
  return mapElements(
      builder, loc, x.getType(), x, [&](ValueRange exponent) -> Value {
        return callIntrinsic(builder, loc, "llvm.nvvm.ex2.approx.ftz.f32",
                             exponent[0].getType(), exponent,
                             LLVM::FastmathFlags::none);
      });
}

/// The classes of numbers that an op asks for, as LLVM numbers them; 0 if it
/// asks for none.
static unsigned getClasses(Operation *op) {
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case([](math::IsNaNOp) { return llvm::fcNan; })
      .Case([](math::IsInfOp) { return llvm::fcInf; })
      .Case([](math::IsFiniteOp) { return llvm::fcFinite; })
      .Case([](math::IsNormalOp) { return llvm::fcNormal; })
      .Default(unsigned(llvm::fcNone));
}

/// Replaces what is no intrinsic itself; null if that is not known.
static Value expand(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  constexpr auto none = LLVM::FastmathFlags::none;
  if (auto power = dyn_cast<math::Exp2Op>(op))
    if (getElementTypeOrSelf(power.getType()).isF32())
      return raise2(builder, loc, power.getOperand());
  if (auto root = dyn_cast<math::RsqrtOp>(op)) {
    Type type = root.getType();
    Value size =
        callIntrinsic(builder, loc, "llvm.sqrt", type, root.getOperand(), none);
    return arith::DivFOp::create(builder, loc,
                                 constantLike(builder, loc, type, 1.0), size);
  }
  if (auto remainder = dyn_cast<arith::RemFOp>(op)) {
    Value a = remainder.getLhs(), b = remainder.getRhs();
    Value quotient = arith::DivFOp::create(builder, loc, a, b);
    Value whole =
        callIntrinsic(builder, loc, "llvm.trunc", a.getType(), quotient, none);
    Value rest = arith::MulFOp::create(builder, loc, whole, b);
    return arith::SubFOp::create(builder, loc, a, rest);
  }
  // Of 0 they are the number of bits, as math says.
  if (auto leading = dyn_cast<math::CountLeadingZerosOp>(op))
    return LLVM::CountLeadingZerosOp::create(builder, loc, leading.getType(),
                                             leading.getOperand(),
                                             /*is_zero_poison=*/false);
  if (auto trailing = dyn_cast<math::CountTrailingZerosOp>(op))
    return LLVM::CountTrailingZerosOp::create(builder, loc, trailing.getType(),
                                              trailing.getOperand(),
                                              /*is_zero_poison=*/false);
  if (unsigned classes = getClasses(op))
    return LLVM::IsFPClass::create(builder, loc, op->getResultTypes().front(),
                                   op->getOperand(0), classes);
  if (auto absolute = dyn_cast<math::AbsIOp>(op)) {
    Value x = absolute.getOperand();
    Value zero = arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(x.getType()));
    Value negated = arith::SubIOp::create(builder, loc, zero, x);
    return arith::MaxSIOp::create(builder, loc, x, negated);
  }
  return {};
}

/// The name that libclc has for the function of one number: OpenCL's, mangled.
/// Empty if there is none.
static std::string getLibraryName(Operation *op) {
  static const llvm::StringMap<StringRef> names = {
      {"math.acos", "acos"},   {"math.acosh", "acosh"}, {"math.asin", "asin"},
      {"math.asinh", "asinh"}, {"math.atan", "atan"},   {"math.atan2", "atan2"},
      {"math.atanh", "atanh"}, {"math.cbrt", "cbrt"},   {"math.cos", "cos"},
      {"math.cosh", "cosh"},   {"math.erf", "erf"},     {"math.erfc", "erfc"},
      {"math.exp", "exp"},     {"math.exp2", "exp2"},   {"math.expm1", "expm1"},
      {"math.fpowi", "pown"},  {"math.log", "log"},     {"math.log10", "log10"},
      {"math.log1p", "log1p"}, {"math.log2", "log2"},   {"math.powf", "pow"},
      {"math.sin", "sin"},     {"math.sinh", "sinh"},   {"math.tan", "tan"},
      {"math.tanh", "tanh"},
  };
  auto found = names.find(op->getName().getStringRef());
  if (found == names.end())
    return "";
  std::string mangled =
      llvm::formatv("_Z{0}{1}", found->second.size(), found->second).str();
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isF64() && !element.isInteger(32))
      return "";
    mangled += element.isF32() ? "f" : element.isF64() ? "d" : "i";
  }
  return mangled;
}

/// Calls a function of numbers for each element.
static Value callLibrary(OpBuilder &builder, Operation *op, StringRef name) {
  Location loc = op->getLoc();
  Type type = op->getResultTypes().front();
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    SmallVector<Type> types;
    for (Type operand : op->getOperandTypes())
      types.push_back(getElementTypeOrSelf(operand));
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        atStart, loc, name,
        LLVM::LLVMFunctionType::get(getElementTypeOrSelf(type), types));
  }
  return mapElements(
      builder, loc, type, op->getOperands(), [&](ValueRange numbers) -> Value {
        return LLVM::CallOp::create(builder, loc, function, numbers)
            .getResult();
      });
}

static LogicalResult convert(Operation *op) {
  OpBuilder builder(op);
  Value result = expand(builder, op);
  StringRef intrinsic = result ? "" : getIntrinsic(op);
  if (!result && intrinsic.empty()) {
    const std::string name = getLibraryName(op);
    if (name.empty())
      return op->emitOpError("has no lowering for ")
             << op->getResultTypes().front()
             << " on a GPU; compute it in f32 or f64";
    result = callLibrary(builder, op, name);
  }
  if (!result) {
    auto math = dyn_cast<arith::ArithFastMathInterface>(op);
    bool isApproximate =
        math && bitEnumContainsAny(math.getFastMathFlagsAttr().getValue(),
                                   arith::FastMathFlags::afn);
    result = callIntrinsic(builder, op->getLoc(), intrinsic,
                           op->getResultTypes().front(), op->getOperands(),
                           isApproximate ? LLVM::FastmathFlags::afn
                                         : LLVM::FastmathFlags::none);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

namespace {
struct ConvertDeviceMathToLLVM
    : public clique::impl::ConvertDeviceMathToLLVMPassBase<
          ConvertDeviceMathToLLVM> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) ||
          isa_and_present<math::MathDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(convert(op)))
        return signalPassFailure();
  }
};
} // namespace
