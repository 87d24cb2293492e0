//===- LayerSignature.cpp - What a layer takes and returns ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the types of a function and the extents of its values.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/LayerSignature.h"
#include "compiler/Sizes/Extents.h"
#include "compiler/Target/NodeNumbers.h"
#include "compiler/Target/SourceNames.h"
#include "dialect/IR/MPDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace clique;

std::string clique::getTypeName(DLDataType type) {
  switch (type.code) {
  case kDLBfloat:
    return "bf16";
  case kDLFloat:
    return "f" + std::to_string(type.bits);
  case CLIQUE_DL_BOOL:
    return "i1";
  case kDLUInt:
    return "u" + std::to_string(type.bits);
  default:
    return "i" + std::to_string(type.bits);
  }
}

static std::optional<DLDataType> getDataType(Type type) {
  auto make = [](unsigned code, unsigned bits) {
    return DLDataType{uint8_t(code), uint8_t(bits), 1};
  };
  if (type.isBF16())
    return make(kDLBfloat, 16);
  if (type.isF16() || type.isF32() || type.isF64())
    return make(kDLFloat, type.getIntOrFloatBitWidth());
  if (type.isIndex())
    return make(kDLInt, 64);
  if (type.isSignlessInteger(1))
    return make(CLIQUE_DL_BOOL, 8);
  for (unsigned bits : {8u, 32u, 64u})
    if (type.isSignlessInteger(bits))
      return make(kDLInt, bits);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

namespace {
class SignatureBuilder {
public:
  explicit SignatureBuilder(func::FuncOp function)
      : function(function), extents(function) {}

  FailureOr<LayerSignature> build();

private:
  /// Kind, type and shape; an error at the function names `what`.
  LogicalResult describe(Type type, const Twine &what, LayerArgument &arg);
  LogicalResult describeElement(Type type, Type element, const Twine &what,
                                LayerArgument &arg);
  /// Ties the rows to the first graph argument that counts them.
  void tie(unsigned rowClass, LayerArgument &arg);

  func::FuncOp function;
  ExtentAnalysis extents;
};
} // namespace

LogicalResult SignatureBuilder::describeElement(Type type, Type element,
                                                const Twine &what,
                                                LayerArgument &arg) {
  std::optional<DLDataType> dtype = getDataType(element);
  if (!dtype)
    return function.emitOpError()
           << what << " has type " << type
           << ", which a compiled layer cannot exchange with its caller; "
              "elements may be bf16, f16, f32, f64, i1, i8, i32, i64 or "
              "index";
  arg.dtype = *dtype;
  return success();
}

LogicalResult SignatureBuilder::describe(Type type, const Twine &what,
                                         LayerArgument &arg) {
  if (auto graph = dyn_cast<mp::MPGraphType>(type)) {
    arg.kind = CLIQUE_ARG_GRAPH;
    arg.topology = clique_topology(graph.getTopology());
    arg.param = graph.getParam();
    arg.noSelf = graph.getNoSelf();
    return success();
  }
  if (auto edges = dyn_cast<mp::EdgesType>(type)) {
    arg.kind = CLIQUE_ARG_EDGES;
    arg.shape.push_back(CLIQUE_DYNAMIC);
    llvm::append_range(arg.shape, edges.getShape());
    return describeElement(type, edges.getElementType(), what, arg);
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding())
      return function.emitOpError()
             << what << " has type " << type
             << " with an encoding; expected a dense tensor without one";
    for (int64_t size : tensor.getShape())
      arg.shape.push_back(ShapedType::isDynamic(size) ? CLIQUE_DYNAMIC : size);
    return describeElement(type, tensor.getElementType(), what, arg);
  }
  if (isa<UnrankedTensorType>(type))
    return function.emitOpError()
           << what << " has type " << type
           << ", whose rank is not known; give its dimensions, with '?' for "
              "those that vary: tensor<?x64xf32>";
  if (!type.isIntOrIndexOrFloat())
    return function.emitOpError()
           << what << " has type " << type
           << "; a layer takes graphs (!mp.graph), tensors, edge features "
              "(!mp.edges) and scalars only";
  arg.kind = CLIQUE_ARG_SCALAR;
  return describeElement(type, type, what, arg);
}

void SignatureBuilder::tie(unsigned rowClass, LayerArgument &arg) {
  arg.sizeClass = rowClass;
  if (arg.shape.empty())
    return;
  static constexpr std::pair<Extent, clique_extent> counted[] = {
      {Extent::dst, CLIQUE_EXTENT_DST},
      {Extent::src, CLIQUE_EXTENT_SRC},
      {Extent::edges, CLIQUE_EXTENT_EDGES}};
  for (BlockArgument graph : function.getArguments()) {
    if (!isa<mp::MPGraphType>(graph.getType()))
      continue;
    for (auto [extent, code] : counted)
      if (extents.getArgumentClass(graph.getArgNumber(), extent) == rowClass) {
        arg.extent = code;
        arg.graph = graph.getArgNumber();
        return;
      }
  }
}

FailureOr<LayerSignature> SignatureBuilder::build() {
  LayerSignature signature;
  signature.name = function.getSymName().str();
  for (BlockArgument value : function.getArguments()) {
    unsigned index = value.getArgNumber();
    LayerArgument arg;
    arg.name = function.getArgAttrOfType<StringAttr>(index, kNameAttr).str();
    if (failed(describe(value.getType(), "argument '" + arg.name + "'", arg)))
      return failure();
    tie(extents.getArgumentClass(index, Extent::rows), arg);
    if (arg.kind == CLIQUE_ARG_GRAPH)
      arg.numberUse = findNodeNumberUse(function, index, extents);
    signature.args.push_back(std::move(arg));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    LayerArgument result;
    result.name =
        function.getResultAttrOfType<StringAttr>(index, kNameAttr).str();
    if (isa<mp::MPGraphType>(type))
      return function.emitOpError()
             << "result '" << result.name << "' has type " << type
             << "; a layer cannot return a graph: return what was computed on "
                "it, or make the function private";
    if (failed(describe(type, "result '" + result.name + "'", result)))
      return failure();
    tie(extents.getResultClass(index), result);
    signature.results.push_back(std::move(result));
  }
  return signature;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

FailureOr<std::vector<LayerSignature>>
clique::getLayerSignatures(ModuleOp module) {
  std::vector<LayerSignature> signatures;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (!isIdentifier(function.getSymName()))
      return function.emitOpError()
             << "has a name that no caller in C can write; use letters, digits "
                "and '_', or make the function private";
    // Its constant would be clique_layer_invoke.
    if (function.getSymName() == "invoke")
      return function.emitOpError()
             << "has a name that makes 'clique_layer_invoke' of it, which is a "
                "function of the runtime; give it another";
    FailureOr<LayerSignature> signature = SignatureBuilder(function).build();
    if (failed(signature))
      return failure();
    signatures.push_back(std::move(*signature));
  }
  return signatures;
}

llvm::Error clique::selectEntries(ModuleOp module,
                                  ArrayRef<std::string> entries) {
  SmallVector<StringRef> valid;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      valid.push_back(function.getSymName());
  if (valid.empty())
    return llvm::createStringError(
        "has no public function with a body; write the layer as "
        "'func.func @NAME(...) { ... }'");
  for (const std::string &entry : entries)
    if (!llvm::is_contained(valid, entry))
      return llvm::createStringError("has no public function '" + entry +
                                     "'; there is: " + llvm::join(valid, ", "));
  if (entries.empty())
    return llvm::Error::success();
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() &&
        !llvm::is_contained(entries, function.getSymName()))
      function.setPrivate();
  return llvm::Error::success();
}
