//===- RuntimeCalls.cpp - Calls from compiled code to the runtime ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signatures of runtime/compiled.h as the compiler knows them.
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/RuntimeCalls.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

namespace {
/// One function. Types are letters, so that a signature reads like a prototype:
/// p pointer, n index (int64_t), b bool, I array of int64_t, J array of
/// int32_t.
struct Signature {
  StringRef name;
  StringRef result;
  StringRef params;
  bool mayFail = true;

  /// Arrays are passed by descriptor, through the C interface.
  bool usesArrays() const {
    return result.contains('I') || result.contains('J') ||
           params.contains('I') || params.contains('J');
  }
};
} // namespace

static constexpr bool kNeverFails = false;
static constexpr Signature kSignatures[] = {
    {"clique_rt_num_dst", "n", "p", kNeverFails},
    {"clique_rt_num_src", "n", "p", kNeverFails},
    {"clique_rt_num_edges", "n", "p", kNeverFails},
    {"clique_rt_indptr", "I", "p"},
    {"clique_rt_row_sources", "I", "p"},
    {"clique_rt_sources", "J", "p"},
    {"clique_rt_edge_ids", "I", "p"},
    {"clique_rt_row_begin", "I", "p"},
    {"clique_rt_row_end", "I", "p"},
    {"clique_rt_no_self", "b", "p"},
    {"clique_rt_in_order", "p", "p"},
    {"clique_rt_node_order", "J", "p"},
    {"clique_rt_row_blocks", "I", "pnnnb"},
    {"clique_rt_hub_chunks", "I", "pn"},
    {"clique_rt_hubs", "I", "pn"},
    {"clique_rt_tiles", "p", "pnnn"},
    {"clique_rt_tiles_are_listed", "b", "p", kNeverFails},
    {"clique_rt_tile_blocks", "I", "p"},
    {"clique_rt_tile_list", "I", "p"},
    {"clique_rt_tile_register_blocks", "I", "p"},
    {"clique_rt_tile_words", "I", "p"},
    {"clique_rt_tile_first_edges", "I", "p"},
    {"clique_rt_edges_by_type", "p", "pJnnnnb"},
    {"clique_rt_type_blocks", "I", "p"},
    {"clique_rt_type_chunks", "I", "p"},
    {"clique_rt_type_groups", "I", "p"},
    {"clique_rt_type_sources", "J", "p"},
    {"clique_rt_type_edge_ids", "I", "p"},
    {"clique_rt_choose_dense", "b", "ppnnnnnnnnnnn"},
    {"clique_rt_interruption", "p", "", kNeverFails},
    {"clique_rt_goes_on", "b", "p", kNeverFails},
    {"clique_rt_fail_if_interrupted", "", "p"},
    {"clique_rt_complete", "p", "nb"},
    {"clique_rt_bipartite", "p", "nn"},
    {"clique_rt_causal", "p", "nb"},
    {"clique_rt_window", "p", "nnb"},
    {"clique_rt_cliques", "p", "Ibb"},
    {"clique_rt_at", "", "p", kNeverFails},
    {"clique_rt_csr", "p", "IJn"},
    {"clique_rt_coo", "p", "JJnn"},
    {"clique_rt_reverse", "p", "p"},
    {"clique_rt_self_loops", "p", "p"},
    {"clique_rt_levels", "p", "p"},
    {"clique_rt_level_nodes", "J", "p"},
    {"clique_rt_level_places", "J", "p"},
    {"clique_rt_level_offsets", "I", "p"},
    {"clique_rt_rows", "p", "pnn"},
    {"clique_rt_row_edges", "I", "p"},
    {"clique_rt_group_edges", "p", "pJn"},
    {"clique_rt_group_rows", "J", "p"},
    {"clique_rt_group_keys", "J", "p"},
    {"clique_rt_release", "", "p", kNeverFails},
    {"clique_rt_check_offsets", "n", "In"},
    {"clique_rt_check", "", "nnnp"},
    {"clique_rt_take_argument", "b", "pn", kNeverFails},
    {"clique_rt_free_argument", "", "p", kNeverFails},
    {"clique_rt_outgrows_caches", "b", "n", kNeverFails},
    {"clique_rt_launch", "", "pppnp"},
    {"clique_rt_read", "", "ppn"},
    {"clique_rt_write", "", "ppn"},
    {"clique_rt_copy", "", "ppn"},
    {"clique_rt_constant", "p", "ppn"},
};

static const Signature &getSignature(StringRef name) {
  const auto *signature = llvm::find_if(
      kSignatures, [&](const Signature &s) { return s.name == name; });
  if (signature == std::end(kSignatures))
    llvm::report_fatal_error("no function of the runtime: " + name);
  return *signature;
}

bool RuntimeCalls::mayFail(StringRef name) {
  // What memref's allocations become upstream.
  if (name == "_mlir_memref_to_llvm_alloc" ||
      name == "_mlir_memref_to_llvm_aligned_alloc" ||
      name == "clique_rt_out_of_memory")
    return true;
  name.consume_front("_mlir_ciface_");
  return llvm::any_of(kSignatures, [&](const Signature &s) {
    return s.name == name && s.mayFail;
  });
}

static Type getType(Builder &builder, char letter) {
  switch (letter) {
  case 'p':
    return LLVM::LLVMPointerType::get(builder.getContext());
  case 'n':
    return builder.getIndexType();
  case 'b':
    return builder.getI1Type();
  case 'I':
    return MemRefType::get(ShapedType::kDynamic, builder.getI64Type());
  case 'J':
    return MemRefType::get(ShapedType::kDynamic, builder.getI32Type());
  default:
    llvm_unreachable("no type has this letter");
  }
}

/// What the function of the IR returns. An array is its descriptor: a memref
/// that a call returns would belong to the caller, who would free it.
static Type getResultType(Builder &builder, char letter) {
  Type type = getType(builder, letter);
  if (!isa<MemRefType>(type))
    return type;
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type integer = builder.getI64Type();
  auto perDimension = LLVM::LLVMArrayType::get(integer, 1);
  return LLVM::LLVMStructType::getLiteral(
      context, {pointer, pointer, integer, perDimension, perDimension});
}

//===----------------------------------------------------------------------===//
// Declarations and calls
//===----------------------------------------------------------------------===//

func::FuncOp RuntimeCalls::getFunction(StringRef name) const {
  if (auto function = symbols.lookup<func::FuncOp>(name))
    return function;

  const Signature &signature = getSignature(name);
  Builder builder(symbols.getOp()->getContext());
  SmallVector<Type> params, results;
  for (char letter : signature.params)
    params.push_back(getType(builder, letter));
  for (char letter : signature.result)
    results.push_back(getResultType(builder, letter));
  auto function =
      func::FuncOp::create(symbols.getOp()->getLoc(), name,
                           builder.getFunctionType(params, results));
  function.setPrivate();
  // C passes a bool in a register that it may read as a whole.
  auto zeroExtend = LLVM::LLVMDialect::getZExtAttrName();
  for (auto [index, letter] : llvm::enumerate(signature.params))
    if (letter == 'b')
      function.setArgAttr(index, zeroExtend, builder.getUnitAttr());
  if (signature.result == "b")
    function.setResultAttr(0, zeroExtend, builder.getUnitAttr());
  if (signature.usesArrays())
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      builder.getUnitAttr());
  symbols.insert(function, cast<ModuleOp>(symbols.getOp()).getBody()->begin());
  return function;
}

Value RuntimeCalls::call(OpBuilder &builder, Location loc, StringRef name,
                         ValueRange args) const {
  auto call = func::CallOp::create(builder, loc, getFunction(name), args);
  if (call.getNumResults() == 0)
    return {};
  Value result = call.getResult(0);
  Type type = getType(builder, getSignature(name).result.front());
  if (type == result.getType())
    return result;
  return UnrealizedConversionCastOp::create(builder, loc, type, result)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

Value RuntimeCalls::getString(OpBuilder &builder, Location loc,
                              StringRef text) const {
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto value = builder.getStringAttr(bytes);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());

  auto module = cast<ModuleOp>(symbols.getOp());
  auto strings = module.getOps<LLVM::GlobalOp>();
  auto same = llvm::find_if(strings, [&](LLVM::GlobalOp global) {
    return global.getConstant() && global.getValueAttr() == value &&
           global.getGlobalType() == type;
  });
  LLVM::GlobalOp global;
  if (same != strings.end()) {
    global = *same;
  } else {
    OpBuilder detached(builder.getContext());
    global = LLVM::GlobalOp::create(
        detached, module.getLoc(), type,
        /*isConstant=*/true, LLVM::Linkage::Internal, "clique_string", value);
    // Gives it a number if the name is taken.
    symbols.insert(global, module.getBody()->begin());
  }
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      global.getSymName());
}

Value RuntimeCalls::getDeviceCode(OpBuilder &builder, Location loc) const {
  constexpr StringLiteral name = "clique_device_code";
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  if (!symbols.lookup(name)) {
    Type integer = builder.getI32Type();
    auto type = LLVM::LLVMStructType::getLiteral(
        context, {integer, integer, pointer, pointer});
    auto module = cast<ModuleOp>(symbols.getOp());
    OpBuilder detached(context);
    symbols.insert(LLVM::GlobalOp::create(detached, module.getLoc(), type,
                                          /*isConstant=*/false,
                                          LLVM::Linkage::External, name,
                                          Attribute()),
                   module.getBody()->begin());
  }
  return LLVM::AddressOfOp::create(builder, loc, pointer, name);
}
