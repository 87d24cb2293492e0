//===- CHeader.cpp - The C header of compiled layers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper takes plain pointers, whose types the C compiler checks, and builds
// the tensors from the sizes of the graphs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CHeader.h"
#include "compiler/Target/CNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace llvm;
using namespace clique;

//===----------------------------------------------------------------------===//
// One layer
//===----------------------------------------------------------------------===//

namespace {
class WrapperWriter {
public:
  WrapperWriter(raw_ostream &out, const LayerSignature &signature);
  void write();

private:
  bool isTensor(const LayerArgument &arg) const {
    return arg.kind == CLIQUE_ARG_TENSOR || arg.kind == CLIQUE_ARG_EDGES;
  }
  /// The size of a dimension is an argument of the wrapper.
  bool isSizeGiven(const LayerArgument &arg, unsigned dim) const {
    return arg.shape[dim] == CLIQUE_DYNAMIC &&
           (dim > 0 || arg.extent == CLIQUE_EXTENT_NONE);
  }
  std::string describeShape(const LayerArgument &arg);
  std::string describe(const LayerArgument &arg);
  void writeComment();
  /// Whether argument `k` is a tensor with its deleter.
  bool isGiven(unsigned k) const {
    return isLast && signature.args[k].isGivenAway;
  }
  void writeParameters();
  void writeTensor(unsigned k);
  void writeFunction(StringRef name);
  void writeCall();
  std::string getSize(unsigned k, unsigned dim);

  raw_ostream &out;
  const LayerSignature &signature;
  SmallVector<std::string> argNames, resultNames;
  /// Of the sizes that are given, by argument and dimension.
  std::map<std::pair<unsigned, unsigned>, std::string> sizeNames;
  /// Whether this is the function that takes arguments over.
  bool isLast = false;
};
} // namespace

WrapperWriter::WrapperWriter(raw_ostream &out, const LayerSignature &signature)
    : out(out), signature(signature) {
  StringSet<> taken;
  auto choose = [&](StringRef name) {
    std::string result = toIdentifier(name);
    while (!taken.insert(result).second)
      result += "_";
    return result;
  };
  for (const LayerArgument &arg : signature.args)
    argNames.push_back(choose(arg.name));
  for (const LayerArgument &result : signature.results)
    resultNames.push_back(choose(result.name));
  for (auto [k, arg] : enumerate(signature.args))
    for (unsigned dim = 0; isTensor(arg) && dim < arg.shape.size(); ++dim)
      if (isSizeGiven(arg, dim))
        sizeNames[{k, dim}] =
            choose(argNames[k] + "_dim" + std::to_string(dim));
}

std::string WrapperWriter::describeShape(const LayerArgument &arg) {
  SmallVector<std::string> sizes;
  for (auto [dim, size] : enumerate(arg.shape)) {
    static constexpr StringLiteral counts[] = {"", "dst", "src", "edges"};
    if (size != CLIQUE_DYNAMIC)
      sizes.push_back(std::to_string(size));
    else if (dim == 0 && arg.extent != CLIQUE_EXTENT_NONE)
      sizes.push_back(
          (counts[arg.extent] + "(" + argNames[arg.graph] + ")").str());
    else
      sizes.push_back("?");
  }
  return "[" + join(sizes, ", ") + "]";
}

std::string WrapperWriter::describe(const LayerArgument &arg) {
  if (arg.kind == CLIQUE_ARG_GRAPH) {
    if (arg.topology == CLIQUE_TOPOLOGY_UNKNOWN ||
        arg.topology == CLIQUE_TOPOLOGY_SPARSE)
      return "a graph";
    std::string text = std::string("a graph of topology ") +
                       clique_topology_name(arg.topology);
    if (arg.topology == CLIQUE_TOPOLOGY_WINDOW ||
        arg.topology == CLIQUE_TOPOLOGY_BLOCKS)
      text += " " + std::to_string(arg.param);
    return text + (arg.noSelf ? ", without self-loops" : "");
  }
  std::string text = getTypeName(arg.dtype);
  if (arg.kind == CLIQUE_ARG_SCALAR)
    return text;
  text += " " + describeShape(arg);
  if (arg.kind == CLIQUE_ARG_EDGES)
    text += ", in the order of the caller's edges";
  return text;
}

void WrapperWriter::writeComment() {
  size_t width = 0;
  for (const std::string &name : argNames)
    width = std::max(width, name.size());
  for (const std::string &name : resultNames)
    width = std::max(width, name.size());
  auto line = [&](StringRef name, StringRef text) {
    out << "     " << left_justify(name, width) << "  " << text << "\n";
  };
  out << "/* Layer " << signature.name << ". Arguments, in this order:\n";
  for (auto [name, arg] : zip_equal(argNames, signature.args))
    line(name, describe(arg));
  out << "   Results:\n";
  for (auto [name, result] : zip_equal(resultNames, signature.results))
    line(name, describe(result));
  if (!signature.note.empty())
    out << "   " << signature.note << "\n";
  out << "   Tensors are row-major and contiguous. */\n";
}

void WrapperWriter::writeParameters() {
  SmallVector<std::string> parameters;
  for (auto [k, arg] : enumerate(signature.args)) {
    if (arg.kind == CLIQUE_ARG_GRAPH) {
      parameters.push_back("const clique_graph *" + argNames[k]);
      continue;
    }
    if (isGiven(k)) {
      parameters.push_back("DLManagedTensor *" + argNames[k]);
      continue;
    }
    std::string type = getCType(arg.dtype).str();
    if (arg.kind == CLIQUE_ARG_SCALAR) {
      parameters.push_back(type + " " + argNames[k]);
      continue;
    }
    parameters.push_back("const " + type + " *" + argNames[k]);
    for (unsigned dim = 0; dim < arg.shape.size(); ++dim)
      if (isSizeGiven(arg, dim))
        parameters.push_back("int64_t " + sizeNames.at({k, dim}));
  }
  for (const std::string &name : resultNames)
    parameters.push_back("DLManagedTensor **" + name);
  if (parameters.empty())
    parameters.push_back("void");
  out << "    " << join(parameters, ",\n    ") << ") {\n";
}

std::string WrapperWriter::getSize(unsigned k, unsigned dim) {
  const LayerArgument &arg = signature.args[k];
  if (arg.shape[dim] != CLIQUE_DYNAMIC)
    return std::to_string(arg.shape[dim]);
  if (isSizeGiven(arg, dim))
    return sizeNames.at({k, dim});
  StringRef graph = argNames[arg.graph];
  StringRef count = arg.extent == CLIQUE_EXTENT_DST   ? "num_dst"
                    : arg.extent == CLIQUE_EXTENT_SRC ? "num_src"
                                                      : "num_edges";
  // Without a graph the invocation is refused, with a message.
  return formatv("{0} ? clique_graph_{1}({0}) : 0", graph, count);
}

void WrapperWriter::writeTensor(unsigned k) {
  const LayerArgument &arg = signature.args[k];
  std::string shape = "NULL";
  unsigned rank = isTensor(arg) ? arg.shape.size() : 0;
  if (rank > 0) {
    shape = "clique_shape_" + std::to_string(k);
    out << "  int64_t " << shape << "[" << rank << "] = {";
    for (unsigned dim = 0; dim < rank; ++dim)
      out << (dim ? ", " : "") << getSize(k, dim);
    out << "};\n";
  }
  out << "  DLTensor clique_tensor_" << k << " = clique_describe_tensor("
      << (isTensor(arg) ? "" : "&") << argNames[k] << ", "
      << getDLPackCode(arg.dtype) << ", " << unsigned(arg.dtype.bits) << ", "
      << rank << ", " << shape << ");\n";
}

void WrapperWriter::write() {
  out << "\n";
  writeComment();
  out << "extern const clique_layer clique_layer_" << signature.name << ";\n\n";
  writeFunction(signature.wrapper);
  if (signature.lastWrapper.empty())
    return;
  SmallVector<StringRef> given;
  for (auto [name, arg] : zip_equal(argNames, signature.args))
    if (arg.isGivenAway)
      given.push_back(name);
  out << "\n/* The same, which takes over " << join(given, ", ")
      << ",\n   whether or not it succeeds, and needs less memory. */\n";
  isLast = true;
  writeFunction(signature.lastWrapper);
}

void WrapperWriter::writeCall() {
  size_t numArgs = signature.args.size();
  if (isLast) {
    SmallVector<StringRef> given;
    for (unsigned k = 0; k < numArgs; ++k)
      given.push_back(isGiven(k) ? StringRef(argNames[k]) : "NULL");
    out << "  DLManagedTensor *clique_donated[" << numArgs << "] = {"
        << join(given, ", ") << "};\n";
  }
  out << "  clique_outcome = clique_layer_invoke" << (isLast ? "_donating" : "")
      << "(&clique_layer_" << signature.name << ", clique_args, " << numArgs
      << (isLast ? ", clique_donated" : "") << ", clique_results, "
      << resultNames.size() << ");\n";
}

void WrapperWriter::writeFunction(StringRef name) {
  size_t numArgs = signature.args.size(), numResults = resultNames.size();
  out << "static inline clique_status " << name << "(\n";
  writeParameters();
  out << "  clique_value clique_args[" << std::max<size_t>(numArgs, 1) << "];\n"
      << "  DLManagedTensor *clique_results[" << std::max<size_t>(numResults, 1)
      << "];\n"
      << "  clique_status clique_outcome;\n";
  for (auto [k, arg] : enumerate(signature.args))
    if (arg.kind != CLIQUE_ARG_GRAPH && !isGiven(k))
      writeTensor(k);
  for (auto [k, arg] : enumerate(signature.args)) {
    out << "  clique_args[" << k << "]";
    if (arg.kind == CLIQUE_ARG_GRAPH)
      out << ".graph = " << argNames[k] << ";\n";
    else if (isGiven(k))
      out << ".tensor = " << argNames[k] << " ? &" << argNames[k]
          << "->dl_tensor : NULL;\n";
    else
      out << ".tensor = &clique_tensor_" << k << ";\n";
  }
  writeCall();
  if (numResults) {
    out << "  if (clique_outcome == CLIQUE_OK) {\n";
    for (auto [k, name] : enumerate(resultNames))
      out << "    *" << name << " = clique_results[" << k << "];\n";
    out << "  }\n";
  }
  out << "  return clique_outcome;\n}\n";
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kIntroduction = R"(
   dst(g), src(g) and edges(g) are the numbers of destinations, sources and
   edges of the graph g. A clique_run_NAME function returns CLIQUE_OK and hands
   out one new tensor per result, which the caller frees: out->deleter(out). On
   failure it returns another status, hands out nothing, and
   clique_last_error() says what was given, what was expected and how to mend
   it: CLIQUE_INVALID_ARGUMENT (a NULL, a graph of another topology, an index
   out of range), CLIQUE_INCOMPATIBLE (another ABI version, a CPU without the
   features), CLIQUE_OUT_OF_MEMORY. Half-precision numbers are the bits of a
   bf16 or f16 in a uint16_t. The functions may be called from several threads
   at once. Link with the compiled layer and with libclique_runtime. */
)";

/// Shared by all such headers.
static constexpr StringLiteral kTensorHelper = R"(
#ifndef CLIQUE_DESCRIBE_TENSOR
#define CLIQUE_DESCRIBE_TENSOR
static inline DLTensor clique_describe_tensor(const void *data, uint8_t code,
                                              uint8_t bits, int32_t rank,
                                              int64_t *shape) {
  DLTensor tensor;
  tensor.data = (void *)data;
  tensor.device.device_type = kDLCPU;
  tensor.device.device_id = 0;
  tensor.ndim = rank;
  tensor.dtype.code = code;
  tensor.dtype.bits = bits;
  tensor.dtype.lanes = 1;
  tensor.shape = shape;
  tensor.strides = NULL;
  tensor.byte_offset = 0;
  return tensor;
}
#endif
)";

void clique::emitCHeader(raw_ostream &out, ArrayRef<LayerSignature> signatures,
                         StringRef headerName, StringRef specName) {
  std::string wrappers;
  raw_string_ostream text(wrappers);
  for (const LayerSignature &signature : signatures)
    WrapperWriter(text, signature).write();
  // Headers of one name, in several folders, are several headers.
  std::string guard = "CLIQUE_LAYER_" + toIdentifier(headerName) + "_" +
                      utohexstr(xxh3_64bits(wrappers));
  guard = StringRef(guard).upper();
  out << "/* " << headerName << ": the layers of " << specName
      << ", compiled by Clique.\n   Generated by clique-compile; changes will "
         "be lost.\n"
      << kIntroduction << "#ifndef " << guard << "\n#define " << guard
      << "\n\n#include \"runtime/clique.h\"\n\n#include <stdbool.h>\n\n"
      << "#if CLIQUE_ABI_VERSION != " << CLIQUE_ABI_VERSION << "\n#error \""
      << toIdentifier(headerName) << ": generated for version "
      << CLIQUE_ABI_VERSION
      << " of Clique's ABI; generate it again with the clique-compile that "
         "belongs to this clique.h\"\n#endif\n\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
      << kTensorHelper << wrappers
      << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n#endif /* "
      << guard << " */\n";
}
