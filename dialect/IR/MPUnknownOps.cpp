//===- MPUnknownOps.cpp - What to write in place of an unknown op ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPDialect.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace clique::mp;

/// Names that other libraries have, and how the same is said here.
static constexpr std::pair<StringLiteral, StringLiteral> kOtherNames[] = {
    {"abs", "math.absf"},
    {"add", "arith.addf"},
    {"attention", "mp.message, and mp.aggregate with softmax"},
    {"cat", "tensor.concat"},
    {"compare", "arith.cmpf"},
    {"concat", "tensor.concat"},
    {"constant", "arith.constant"},
    {"cos", "math.cos"},
    {"div", "arith.divf"},
    {"embedding", "mp.lookup"},
    {"exp", "math.exp"},
    {"flatten", "tensor.collapse_shape"},
    {"gather", "the operands src(...) of mp.message"},
    {"log", "math.log"},
    {"matmul", "mp.linear"},
    {"max", "arith.maximumf, mp.reduce max or mp.aggregate with max"},
    {"mean", "mp.reduce mean or mp.aggregate with mean"},
    {"min", "arith.minimumf, mp.reduce min or mp.aggregate with min"},
    {"mul", "arith.mulf"},
    {"neg", "arith.negf"},
    {"pow", "math.powf"},
    {"reshape", "tensor.collapse_shape or tensor.expand_shape"},
    {"scatter", "mp.aggregate"},
    {"select", "arith.select"},
    {"sin", "math.sin"},
    {"slice", "tensor.extract_slice"},
    {"softmax", "mp.aggregate with softmax, or mp.edge_softmax"},
    {"sqrt", "math.sqrt"},
    {"sub", "arith.subf"},
    {"sum", "mp.reduce sum or mp.aggregate with sum"},
    {"tanh", "math.tanh"},
    {"where", "arith.select"}};

/// The op of the dialect whose name is nearest, if it is near.
static StringRef findNearest(MLIRContext *context, StringRef name) {
  StringRef nearest;
  unsigned distance = name.size() < 6 ? 1 : 2;
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    if (op.getDialectNamespace() != MPDialect::getDialectNamespace())
      continue;
    const unsigned own =
        name.edit_distance(op.stripDialect(), /*AllowReplacements=*/true,
                           /*MaxEditDistance=*/distance);
    if (own <= distance && (nearest.empty() || own < distance)) {
      distance = own;
      nearest = op.getStringRef();
    }
  }
  return nearest;
}

std::optional<Dialect::ParseOpHook>
MPDialect::getParseOperationHook(StringRef op) const {
  if (RegisteredOperationName::lookup(op, getContext()))
    return Dialect::getParseOperationHook(op);
  return ParseOpHook([](OpAsmParser &parser, OperationState &state) {
    auto diagnostic = parser.emitError(parser.getNameLoc(), "is unknown: ");
    const StringRef name = state.name.stripDialect();
    const auto *other = llvm::find_if(
        kOtherNames, [&](const auto &entry) { return entry.first == name; });
    if (other != std::end(kOtherNames))
      return ParseResult(diagnostic << "write " << other->second);
    StringRef nearest = findNearest(parser.getContext(), name);
    if (!nearest.empty())
      return ParseResult(diagnostic << "is it '" << nearest << "'?");
    return ParseResult(diagnostic << "docs/language.md lists those there are");
  });
}
