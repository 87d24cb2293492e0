//===- MPSyntax.cpp - Syntax of messages, aggregations, updates -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers and printers of the ops with regions:
//
//   mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(...) edge(...)
//       -> !mp.edges<8xf32> { ... }
//   mp.aggregate %g softmax(%s) %v : (types) -> types
//   mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
//   mp.scan %g reversed from(...) edge(...) -> types { ... }
//
// A graph of a type other than the plain one carries it: `%g : !mp.graph<...>`.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;

namespace {
/// The features bound in parentheses: `(%hi = %h : tensor<?x8xf32>, ...)`.
struct Bindings {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc;
};
} // namespace

/// `%g` or `%g : type`.
static ParseResult parseGraph(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand graph;
  Type type = MPGraphType::get(parser.getContext());
  if (parser.parseOperand(graph))
    return failure();
  if (succeeded(parser.parseOptionalColon()))
    return failure(parser.parseType(type) ||
                   parser.resolveOperand(graph, type, state.operands));
  // A parser is not told the type of a value, only that it is another one.
  ScopedDiagnosticHandler hint(
      parser.getContext(), [](Diagnostic &error) {
        if (StringRef(error.str()).contains("!mp.graph<"))
          error.attachNote()
              << "without a type a graph is a plain !mp.graph: write its type "
                 "behind it, or cast it once with mp.cast";
        return failure();
      });
  return parser.resolveOperand(graph, type, state.operands);
}

static void printGraph(OpAsmPrinter &printer, Value graph) {
  printer << ' ' << graph;
  if (!cast<MPGraphType>(graph.getType()).isUnknown())
    printer << " : " << graph.getType();
}

static ParseResult parseBindings(OpAsmParser &parser, Bindings &bindings) {
  bindings.loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = bindings.arguments.emplace_back();
    SMLoc typeLoc;
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(bindings.operands.emplace_back()) ||
        parser.parseColon() || parser.getCurrentLocation(&typeLoc) ||
        parser.parseType(bindings.types.emplace_back()))
      return failure();
    Type type = bindings.types.back();
    if (auto edges = dyn_cast<EdgesType>(type)) {
      argument.type = edges.getFeatureType();
      return success();
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0)
      return parser.emitError(typeLoc,
                              "expected a node feature tensor<?x...> "
                              "or an edge feature !mp.edges<...>, got ")
             << type;
    argument.type = getNodeFeature(type);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne);
}

static ParseResult resolve(OpAsmParser &parser, OperationState &state,
                           Bindings &bindings) {
  return parser.resolveOperands(bindings.operands, bindings.types, bindings.loc,
                                state.operands);
}

static void printBindings(OpAsmPrinter &printer, ValueRange operands,
                          ArrayRef<BlockArgument> arguments) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(arguments, operands), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : "
                << std::get<1>(pair).getType();
      });
  printer << ')';
}

/// Types, separated by commas; parentheses around them may be left out.
static ParseResult parseResultTypes(OpAsmParser &parser,
                                    OperationState &state) {
  if (failed(parser.parseOptionalLParen()))
    return parser.parseTypeList(state.types);
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseTypeList(state.types) || parser.parseRParen());
}

/// `types attributes { region }`, the end of messages and updates.
static ParseResult parseResultsAndBody(OpAsmParser &parser,
                                       OperationState &state,
                                       ArrayRef<OpAsmParser::Argument> args) {
  return failure(parseResultTypes(parser, state) ||
                 parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), args));
}

static void printResultsAndBody(OpAsmPrinter &printer, Operation *op,
                                ArrayRef<StringRef> elided) {
  printer << " -> ";
  llvm::interleaveComma(op->getResultTypes(), printer);
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// MessageOp
//===----------------------------------------------------------------------===//

ParseResult MessageOp::parse(OpAsmParser &parser, OperationState &state) {
  if (parseGraph(parser, state))
    return failure();
  // In any order; the op's own is this one.
  static const StringRef roles[] = {"dst", "src", "edge"};
  Bindings bound[std::size(roles)];
  SMLoc loc = parser.getCurrentLocation();
  StringRef role;
  while (succeeded(parser.parseOptionalKeyword(&role, roles))) {
    Bindings &bindings = bound[llvm::find(roles, role) - roles];
    if (bindings.loc.isValid())
      return parser.emitError(loc, role)
             << "(...) is given a second time: bind all of its features in one";
    if (parseBindings(parser, bindings))
      return failure();
    loc = parser.getCurrentLocation();
  }
  if (failed(parser.parseOptionalArrow()))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected dst(...), src(...), edge(...) or '->'");
  SmallVector<int32_t> segments = {1};
  SmallVector<OpAsmParser::Argument> arguments;
  for (Bindings &bindings : bound) {
    if (resolve(parser, state, bindings))
      return failure();
    segments.push_back(bindings.operands.size());
    llvm::append_range(arguments, bindings.arguments);
  }
  llvm::copy(
      segments,
      state.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return parseResultsAndBody(parser, state, arguments);
}

void MessageOp::print(OpAsmPrinter &printer) {
  printGraph(printer, getGraph());
  auto printRole = [&](StringRef keyword, ValueRange operands,
                       ArrayRef<BlockArgument> arguments) {
    if (operands.empty())
      return;
    printer << ' ' << keyword;
    printBindings(printer, operands, arguments);
  };
  printRole("dst", getDst(), getDstArgs());
  printRole("src", getSrc(), getSrcArgs());
  printRole("edge", getEdge(), getEdgeArgs());
  printResultsAndBody(printer, *this, {"operandSegmentSizes"});
}

//===----------------------------------------------------------------------===//
// AggregateOp
//===----------------------------------------------------------------------===//

/// The regions of a custom aggregator, in order.
static constexpr StringLiteral kMonoidRegions[] = {"identity", "lift",
                                                   "combine", "finalise"};

/// An aggregator's name, as a keyword.
static ParseResult parseKind(OpAsmParser &parser, AggregatorKind &kind) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<AggregatorKind> parsed = symbolizeAggregatorKind(keyword);
  if (!parsed)
    return parser.emitError(loc, "unknown aggregator '")
           << keyword
           << "': expected sum, mean, max, min, std, prod, logsumexp, softmax "
              "or "
              "custom";
  kind = *parsed;
  return success();
}

/// `identity {...} lift {...} ...`, or nothing.
static ParseResult parseMonoid(OpAsmParser &parser, OperationState &state) {
  for (StringRef keyword : kMonoidRegions) {
    Region *region = state.addRegion();
    if (succeeded(parser.parseOptionalKeyword(keyword)) &&
        parser.parseRegion(*region))
      return failure();
  }
  return success();
}

static void printMonoid(OpAsmPrinter &printer, Operation *op) {
  for (auto [keyword, region] :
       llvm::zip_equal(kMonoidRegions, op->getRegions())) {
    if (region.empty())
      continue;
    printer << ' ' << keyword << ' ';
    printer.printRegion(region);
  }
}

ParseResult AggregateOp::parse(OpAsmParser &parser, OperationState &state) {
  AggregatorKind kind;
  if (parseGraph(parser, state) || parseKind(parser, kind))
    return failure();
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.kind = AggregatorKindAttr::get(parser.getContext(), kind);

  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  bool hasScore = succeeded(parser.parseOptionalLParen());
  if (hasScore &&
      (parser.parseOperand(operands.emplace_back()) || parser.parseRParen()))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren,
          [&] { return parser.parseType(types.emplace_back()); }) ||
      parser.parseArrow() || parseResultTypes(parser, state) ||
      parser.resolveOperands(operands, types, loc, state.operands))
    return failure();
  properties.operandSegmentSizes = {
      1, hasScore, static_cast<int32_t>(operands.size()) - hasScore};
  return parseMonoid(parser, state);
}

void AggregateOp::print(OpAsmPrinter &printer) {
  printGraph(printer, getGraph());
  printer << ' ' << stringifyAggregatorKind(getKind());
  if (getScore())
    printer << '(' << getScore() << ')';
  if (!getValues().empty())
    printer << ' ' << getValues();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"operandSegmentSizes", "kind"});
  printer << " : ";
  printer.printFunctionalType(TypeRange(getOperandTypes()).drop_front(),
                              getResultTypes());
  printMonoid(printer, *this);
}

//===----------------------------------------------------------------------===//
// UpdateOp
//===----------------------------------------------------------------------===//

ParseResult UpdateOp::parse(OpAsmParser &parser, OperationState &state) {
  Bindings bindings;
  if (parseBindings(parser, bindings) || resolve(parser, state, bindings) ||
      parser.parseArrow())
    return failure();
  return parseResultsAndBody(parser, state, bindings.arguments);
}

void UpdateOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printBindings(printer, getNodes(), getBody().getArguments());
  printResultsAndBody(printer, *this, {});
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  if (parseGraph(parser, state))
    return failure();
  Properties &properties = state.getOrAddProperties<Properties>();
  if (succeeded(parser.parseOptionalKeyword("reversed")))
    properties.setReversed(parser.getBuilder().getUnitAttr());
  Bindings from, edge;
  if (parser.parseKeyword("from") || parseBindings(parser, from) ||
      resolve(parser, state, from))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("edge")) &&
      (parseBindings(parser, edge) || resolve(parser, state, edge)))
    return failure();
  if (parser.parseArrow())
    return failure();
  properties.operandSegmentSizes = {1,
                                    static_cast<int32_t>(from.operands.size()),
                                    static_cast<int32_t>(edge.operands.size())};
  SmallVector<OpAsmParser::Argument> arguments(from.arguments);
  llvm::append_range(arguments, edge.arguments);
  return parseResultsAndBody(parser, state, arguments);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printGraph(printer, getGraph());
  if (getReversed())
    printer << " reversed";
  printer << " from";
  printBindings(printer, getFrom(), getFromArgs());
  if (!getEdge().empty()) {
    printer << " edge";
    printBindings(printer, getEdge(), getEdgeArgs());
  }
  printResultsAndBody(printer, *this, {"operandSegmentSizes", "reversed"});
}

//===----------------------------------------------------------------------===//
// ReadoutOp
//===----------------------------------------------------------------------===//

ParseResult ReadoutOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  AggregatorKind kind;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(operands.emplace_back()) || parseKind(parser, kind))
    return failure();
  if (succeeded(parser.parseOptionalLParen()) &&
      (parser.parseOperand(operands.emplace_back()) || parser.parseRParen()))
    return failure();
  if (parser.parseOperand(operands.emplace_back()) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, state.operands))
    return failure();
  state.getOrAddProperties<Properties>().kind =
      AggregatorKindAttr::get(parser.getContext(), kind);
  state.addTypes(type.getResults());
  return parseMonoid(parser, state);
}

void ReadoutOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOffsets() << ' ' << stringifyAggregatorKind(getKind());
  if (getScore())
    printer << '(' << getScore() << ')';
  printer << ' ' << getNodes();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"kind"});
  printer << " : ";
  printer.printFunctionalType(*this);
  printMonoid(printer, *this);
}
