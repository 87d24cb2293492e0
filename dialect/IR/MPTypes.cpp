//===- MPTypes.cpp - Graphs and edge features -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax and constraints of the dialect's types.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique::mp;

#define GET_TYPEDEF_CLASSES
#include "dialect/IR/MPTypes.cpp.inc"

void MPDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/IR/MPTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// MPGraphType
//===----------------------------------------------------------------------===//

static bool hasParameter(Topology topology) {
  return topology == Topology::window || topology == Topology::blocks;
}

/// What an error says after the name of a topology with a missing or a
/// superfluous parameter.
static StringRef explainParameter(Topology topology) {
  switch (topology) {
  case Topology::window:
    return " needs its half width, as in !mp.graph<window, 128>";
  case Topology::blocks:
    return " needs its block size, as in !mp.graph<blocks, 64>";
  default:
    return " takes no parameter: drop it";
  }
}

Type MPGraphType::parse(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (failed(parser.parseOptionalLess()))
    return MPGraphType::get(context);

  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<Topology> topology = symbolizeTopology(keyword);
  if (!topology || *topology == Topology::unknown) {
    parser.emitError(loc, "unknown topology '")
        << keyword
        << "': expected complete, bipartite, causal, window, cliques, "
           "causal_cliques, blocks or sparse, or a plain !mp.graph";
    return {};
  }

  int64_t param = 0;
  bool hasParam = false;
  bool comma = succeeded(parser.parseOptionalComma());
  if (comma) {
    OptionalParseResult parsed = parser.parseOptionalInteger(param);
    hasParam = parsed.has_value();
    if (hasParam && failed(*parsed))
      return {};
    if (hasParam)
      comma = succeeded(parser.parseOptionalComma());
  }
  if (hasParam != hasParameter(*topology)) {
    parser.emitError(loc) << keyword << explainParameter(*topology);
    return {};
  }
  // After the parameter, a comma announces no_self.
  bool noSelf = comma;
  if (noSelf && parser.parseKeyword("no_self"))
    return {};
  if (parser.parseGreater())
    return {};
  return MPGraphType::getChecked([&] { return parser.emitError(loc); }, context,
                                 *topology, param, noSelf);
}

void MPGraphType::print(AsmPrinter &printer) const {
  if (isUnknown())
    return;
  printer << '<' << stringifyTopology(getTopology());
  if (hasParameter(getTopology()))
    printer << ", " << getParam();
  if (getNoSelf())
    printer << ", no_self";
  printer << '>';
}

LogicalResult MPGraphType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Topology topology, int64_t param,
                                  bool noSelf) {
  // C1
  if (topology == Topology::window && param < 0)
    return emitError() << "window has half width " << param
                       << ": expected 0 or more";
  if (topology == Topology::blocks && (param < 1 || param > kLargestBlock))
    return emitError() << "blocks have size " << param << ": expected 1 to "
                       << kLargestBlock;
  if (!hasParameter(topology) && param != 0)
    return emitError() << stringifyTopology(topology)
                       << explainParameter(topology);
  // C2
  if (noSelf && !mayLackSelfLoops(topology))
    return emitError() << "no_self does not go with "
                       << stringifyTopology(topology)
                       << ": it is for complete, causal, window, cliques and "
                          "causal_cliques";
  return success();
}

//===----------------------------------------------------------------------===//
// EdgesType
//===----------------------------------------------------------------------===//

Type EdgesType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return EdgesType::getChecked([&] { return parser.emitError(loc); },
                               parser.getContext(), shape, elementType);
}

void EdgesType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << '>';
}

LogicalResult EdgesType::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, Type elementType) {
  // C1
  for (int64_t size : shape)
    if (size <= 0)
      return emitError() << "edge feature has a dimension of size " << size
                         << ": expected static sizes of 1 or more";
  // C2
  if (!detail::isFeatureElement(elementType))
    return emitError() << "edge feature has element type " << elementType
                       << ": expected bf16, f16, f32, f64, i1, i8, i32 or i64";
  return success();
}

RankedTensorType EdgesType::getFeatureType() const {
  return RankedTensorType::get(getShape(), getElementType());
}
