//===- Inputs.cpp - The values of a layer's arguments ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is given is read, the rest is random, in the shapes that graphs demand.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Inputs.h"
#include "dialect/IR/MPOps.h"
#include "tools/clique-run/Weights.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace clique;

namespace {
class InputMaker {
public:
  InputMaker(const LayerSignature &signature, mlir::func::FuncOp function,
             ArrayRef<GraphArgument> graphs)
      : signature(signature), function(function), graphs(graphs),
        tensors(signature.args.size()) {}

  Error addGiven(ArrayRef<std::string> given);
  Error addRandom(uint64_t seed);
  Error addWeights(ArrayRef<std::string> files) {
    return bindWeights(signature, function, files, tensors);
  }
  std::vector<TensorHandle> take() { return std::move(tensors); }

private:
  Expected<unsigned> findArgument(StringRef name, StringRef whole);
  Expected<TensorHandle> readScalar(const LayerArgument &arg, StringRef text);
  Expected<TensorHandle> readFile(const LayerArgument &arg, StringRef path);
  Expected<TensorHandle> makeRandom(unsigned argument, uint64_t seed);
  /// Rows of an argument that was not given, from its graph or from what was
  /// given; nothing if they do not say.
  std::optional<int64_t> findRows(const LayerArgument &arg);
  /// The rows of the smallest table that the spec looks something up in, as far
  /// as the type can count them.
  int64_t findIndexBound(DLDataType type);
  /// Whether the spec takes the argument for the variance of a batch.
  bool isVariance(unsigned argument);

  const LayerSignature &signature;
  mlir::func::FuncOp function;
  ArrayRef<GraphArgument> graphs;
  std::vector<TensorHandle> tensors;
};
} // namespace

//===----------------------------------------------------------------------===//
// Given
//===----------------------------------------------------------------------===//

Expected<unsigned> InputMaker::findArgument(StringRef name, StringRef whole) {
  SmallVector<StringRef> valid;
  for (auto [k, arg] : enumerate(signature.args)) {
    if (arg.kind != CLIQUE_ARG_GRAPH)
      valid.push_back(arg.name);
    if (arg.name != name)
      continue;
    if (arg.kind == CLIQUE_ARG_GRAPH)
      return createStringError("--input=" + whole + ": argument '" + name +
                               "' is a graph; give it with --graph=" + name +
                               "=...");
    return unsigned(k);
  }
  return createStringError("--input=" + whole + ": layer '" + signature.name +
                           "' has no argument '" + name +
                           "'; there is: " + join(valid, ", "));
}

static bool isInteger(DLDataType type) {
  return type.code == kDLInt || type.code == CLIQUE_DL_BOOL;
}

/// One number, or nothing where it cannot be exactly what the type holds.
static std::optional<double> parseScalar(DLDataType type, StringRef text) {
  if (!isInteger(type))
    return parseNumber(text);
  std::optional<int64_t> value = parseInteger(text);
  bool fits = value && (type.code == CLIQUE_DL_BOOL
                            ? *value == 0 || *value == 1
                            : type.bits == 64 || isIntN(type.bits, *value));
  if (!fits)
    return std::nullopt;
  return double(*value);
}

Expected<TensorHandle> InputMaker::readScalar(const LayerArgument &arg,
                                              StringRef text) {
  std::optional<double> value = parseScalar(arg.dtype, text);
  if (!value) {
    if (text.ends_with(".npy"))
      return readFile(arg, text);
    return createStringError("--input=" + arg.name + "=" + text + ": '" +
                             arg.name + "' is a scalar " +
                             getTypeName(arg.dtype) +
                             "; expected a number of that type");
  }
  if (!std::isfinite(roundToType(arg.dtype, *value)))
    return createStringError("--input=" + arg.name + "=" + text +
                             ": is too large for '" + arg.name +
                             "', a scalar " + getTypeName(arg.dtype) +
                             "; expected a number of that type");
  Expected<TensorHandle> tensor = makeTensor(arg.dtype, {});
  if (!tensor)
    return tensor;
  if (arg.dtype.code == kDLInt && arg.dtype.bits == 64)
    *static_cast<int64_t *>((*tensor)->dl_tensor.data) = *parseInteger(text);
  else
    setElement((*tensor)->dl_tensor, 0, *value);
  return tensor;
}

/// A copy in bf16, which files cannot hold.
static Expected<TensorHandle> toBFloat(const DLTensor &tensor,
                                       const Twine &name) {
  const DLDataType bf16{kDLBfloat, 16, 1};
  Expected<TensorHandle> result =
      makeTensor(bf16, ArrayRef(tensor.shape, tensor.ndim));
  if (!result)
    return result;
  const auto *from = static_cast<const float *>(tensor.data);
  for (int64_t k = 0, end = getNumElements(tensor); k < end; ++k) {
    if (std::isfinite(from[k]) && !std::isfinite(roundToType(bf16, from[k])))
      return createStringError(name + ": element " + Twine(k) +
                               " is too large for bf16, whose largest number "
                               "is about 3.39e38");
    setElement((*result)->dl_tensor, k, from[k]);
  }
  return result;
}

Expected<TensorHandle> InputMaker::readFile(const LayerArgument &arg,
                                            StringRef path) {
  DLManagedTensor *read = nullptr;
  if (clique_npy_read(path.str().c_str(), /*allow_nan=*/0, &read) != CLIQUE_OK)
    return makeRuntimeError("--input=" + arg.name + ": ");
  TensorHandle tensor(read);
  DLDataType type = read->dl_tensor.dtype;
  if (arg.dtype.code == kDLBfloat && type.code == kDLFloat && type.bits == 32)
    return toBFloat(read->dl_tensor, "--input=" + arg.name + ": " + path);
  // A mask as NumPy saves it serves as bytes too.
  if (type.code == CLIQUE_DL_BOOL && arg.dtype.code == kDLInt &&
      arg.dtype.bits == 8)
    read->dl_tensor.dtype = type = arg.dtype;
  if (type.code != arg.dtype.code || type.bits != arg.dtype.bits)
    return createStringError(
        "--input=" + arg.name + ": " + path + " holds elements of type " +
        getTypeName(type) + ", expected " + getTypeName(arg.dtype) +
        (arg.dtype.code == kDLBfloat ? " (stored as f32)" : "") +
        "; convert the array before it is saved");
  return tensor;
}

Error InputMaker::addGiven(ArrayRef<std::string> given) {
  // All names are checked before the first file is read.
  std::vector<std::optional<StringRef>> texts(signature.args.size());
  for (StringRef whole : given) {
    auto [name, text] = whole.split('=');
    if (name.empty() || text.empty())
      return createStringError(
          "--input=" + whole +
          ": expected ARG=FILE.npy, or ARG=NUMBER for a scalar");
    Expected<unsigned> argument = findArgument(name, whole);
    if (!argument)
      return argument.takeError();
    if (texts[*argument])
      return createStringError("--input=" + whole + ": argument '" + name +
                               "' is given a second time");
    texts[*argument] = text;
  }
  for (auto [k, arg] : enumerate(signature.args)) {
    if (!texts[k])
      continue;
    Expected<TensorHandle> tensor = arg.kind == CLIQUE_ARG_SCALAR
                                        ? readScalar(arg, *texts[k])
                                        : readFile(arg, *texts[k]);
    if (!tensor)
      return tensor.takeError();
    tensors[k] = std::move(*tensor);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Random
//===----------------------------------------------------------------------===//

std::optional<int64_t> InputMaker::findRows(const LayerArgument &arg) {
  for (const GraphArgument &graph : graphs)
    if (arg.extent != CLIQUE_EXTENT_NONE &&
        int32_t(graph.argument) == arg.graph)
      return arg.extent == CLIQUE_EXTENT_DST
                 ? clique_graph_num_dst(graph.graph.get())
             : arg.extent == CLIQUE_EXTENT_SRC
                 ? clique_graph_num_src(graph.graph.get())
                 : clique_graph_num_edges(graph.graph.get());
  if (!function) // a library does not say which sizes are equal
    return std::nullopt;
  for (auto [other, tensor] : zip_equal(signature.args, tensors)) {
    if (!tensor || other.sizeClass != arg.sizeClass)
      continue;
    const DLTensor &value = tensor->dl_tensor;
    if (other.kind != CLIQUE_ARG_SCALAR && value.ndim > 0)
      return value.shape[0];
    if (other.kind == CLIQUE_ARG_SCALAR && value.dtype.bits == 64 &&
        value.dtype.code == kDLInt &&
        *static_cast<const int64_t *>(value.data) >= 0)
      return *static_cast<const int64_t *>(value.data);
  }
  return std::nullopt;
}

int64_t InputMaker::findIndexBound(DLDataType type) {
  if (type.code == CLIQUE_DL_BOOL)
    return 2;
  // Without a table, integers are anybody's guess: truth values.
  int64_t bound = INT64_MAX;
  function->getParentOfType<mlir::ModuleOp>().walk([&](mp::LookupOp lookup) {
    auto table =
        mlir::dyn_cast<mlir::RankedTensorType>(lookup.getTable().getType());
    if (table && !table.isDynamicDim(0))
      bound = std::min(bound, table.getDimSize(0));
  });
  if (bound == INT64_MAX)
    return 2;
  return type.bits == 8 ? std::min<int64_t>(bound, INT8_MAX) : bound;
}

/// Whether a batch normalisation takes the value for its variance, here or in a
/// function that gets it.
static bool isVarianceOf(mlir::Value value) {
  return llvm::any_of(value.getUses(), [&](mlir::OpOperand &use) {
    if (auto norm = mlir::dyn_cast<mp::BatchNormOp>(use.getOwner()))
      return norm.getVariance() == value;
    auto call = mlir::dyn_cast<mlir::func::CallOp>(use.getOwner());
    auto callee =
        call ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
                   call, call.getCalleeAttr())
             : mlir::func::FuncOp();
    return callee && !callee.isExternal() &&
           isVarianceOf(callee.getArgument(use.getOperandNumber()));
  });
}

bool InputMaker::isVariance(unsigned argument) {
  return function && isVarianceOf(function.getArgument(argument));
}

Expected<TensorHandle> InputMaker::makeRandom(unsigned argument,
                                              uint64_t seed) {
  const LayerArgument &arg = signature.args[argument];
  std::string start = "layer '" + signature.name + "': argument '" + arg.name +
                      "' was not given";
  std::string mend = "; use --input=" + arg.name;
  bool isWhole = isInteger(arg.dtype);
  if (arg.kind == CLIQUE_ARG_SCALAR && isWhole)
    return createStringError(
        start + " and is an integer that nothing else says" + mend + "=NUMBER");
  if (isWhole && !function)
    return createStringError(start +
                             "; a library does not say which integers are "
                             "valid" +
                             mend + "=FILE.npy, or name the spec with --spec");
  std::vector<int64_t> shape = arg.shape;
  for (auto [dim, size] : enumerate(shape)) {
    if (size != CLIQUE_DYNAMIC)
      continue;
    std::optional<int64_t> rows =
        dim == 0 ? findRows(arg) : std::optional<int64_t>();
    if (!rows)
      return createStringError(start +
                               ", and no graph says how large its dimension " +
                               Twine(dim) + " is" + mend + "=FILE.npy");
    size = *rows;
  }
  Expected<TensorHandle> tensor = makeTensor(arg.dtype, shape);
  if (!tensor)
    return createStringError("argument '" + arg.name +
                             "': " + toString(tensor.takeError()));

  RandomStream random(seed, arg.name);
  const DLTensor &value = (*tensor)->dl_tensor;
  // Weights keep the size of what they multiply.
  bool isWeight = arg.extent == CLIQUE_EXTENT_NONE && shape.size() >= 2;
  double scale =
      isWeight ? 1.0 / std::sqrt(double(std::max<int64_t>(shape[0], 1))) : 1.0;
  int64_t bound = isWhole ? findIndexBound(arg.dtype) : 0;
  bool isPositive = isVariance(argument);
  for (int64_t k = 0, end = getNumElements(value); k < end; ++k) {
    double number = isWhole ? double(random.getInteger(k, bound))
                            : random.getUniform(k) * scale;
    setElement(value, k, isPositive ? std::abs(number) : number);
  }
  return tensor;
}

Error InputMaker::addRandom(uint64_t seed) {
  for (auto [k, arg] : enumerate(signature.args)) {
    if (arg.kind == CLIQUE_ARG_GRAPH || tensors[k])
      continue;
    Expected<TensorHandle> tensor = makeRandom(unsigned(k), seed);
    if (!tensor)
      return tensor.takeError();
    tensors[k] = std::move(*tensor);
  }
  return Error::success();
}

Expected<std::vector<TensorHandle>>
clique::makeInputs(const LayerSignature &signature, mlir::func::FuncOp function,
                   ArrayRef<GraphArgument> graphs, ArrayRef<std::string> given,
                   ArrayRef<std::string> weights, uint64_t seed) {
  InputMaker maker(signature, function, graphs);
  if (Error error = maker.addGiven(given))
    return std::move(error);
  if (Error error = maker.addWeights(weights))
    return std::move(error);
  if (Error error = maker.addRandom(seed))
    return std::move(error);
  return maker.take();
}
