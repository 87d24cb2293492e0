//===- Weights.cpp - Arguments from a .safetensors file -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By name: as they lie in the file, or as a copy that is transposed or of
// another type.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Weights.h"
#include "tools/clique-run/Report.h"
#include "tools/clique-run/Safetensors.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace clique;

namespace {
/// What an argument says of its array.
struct Storage {
  bool isTransposed = false;
  DLDataType dtype;
};

/// One argument and its array.
class WeightReader {
public:
  WeightReader(const LayerArgument &arg, const SafetensorsFile &file,
               const StoredArray &array)
      : arg(arg), file(file), array(array) {}

  Expected<TensorHandle> read(const Storage &storage) const;

private:
  Error refuse(const Twine &what) const {
    return createStringError("--weights: " + file.path + ": array '" +
                             arg.name + "' " + what);
  }
  bool isFloat() const {
    return array.dtype.code == kDLFloat || array.dtype.code == kDLBfloat;
  }
  /// Whether the array has the type of the argument.
  bool isSame() const {
    return arg.dtype.code == array.dtype.code &&
           arg.dtype.bits == array.dtype.bits;
  }
  double getElement(int64_t k) const;
  Error checkFinite() const;
  Expected<TensorHandle> share() const;
  Expected<TensorHandle> copy(int64_t rows, int64_t columns) const;

  const LayerArgument &arg;
  const SafetensorsFile &file;
  const StoredArray &array;
};

/// A tensor in a mapped file.
struct MappedTensor {
  DLManagedTensor managed;
  std::vector<int64_t> shape;
  std::shared_ptr<MemoryBuffer> memory;
};
} // namespace

static void freeMapped(DLManagedTensor *tensor) {
  delete static_cast<MappedTensor *>(tensor->manager_ctx);
}

static int64_t getProduct(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

static std::string describeShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [dim, size] : enumerate(shape))
    text += (dim ? ", " : "") +
            (size == CLIQUE_DYNAMIC ? std::string("n") : std::to_string(size));
  return text + "]";
}

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

template <typename T>
static T load(const char *bytes, int64_t k) {
  T value;
  std::memcpy(&value, bytes + k * int64_t(sizeof(T)), sizeof(T));
  return value;
}

double WeightReader::getElement(int64_t k) const {
  const char *bytes = array.bytes.data();
  if (array.dtype.bits == 64)
    return load<double>(bytes, k);
  if (array.dtype.bits == 32)
    return load<float>(bytes, k);
  const fltSemantics &half =
      array.dtype.code == kDLBfloat ? APFloat::BFloat() : APFloat::IEEEhalf();
  APFloat number(half, APInt(16, load<uint16_t>(bytes, k)));
  return number.convertToDouble();
}

Error WeightReader::checkFinite() const {
  if (!isFloat())
    return Error::success();
  for (int64_t k = 0, end = getProduct(array.shape); k < end; ++k) {
    const double number = getElement(k);
    if (!std::isfinite(number))
      return refuse("has element " + Twine(k) +
                    ", which is no finite number; expected only such");
    if (!isSame() && !std::isfinite(roundToType(arg.dtype, number)))
      return refuse("has element " + Twine(k) + ", which is too large for " +
                    getTypeName(arg.dtype) + ", the type of the argument");
  }
  return Error::success();
}

/// Whether an array of shape `stored` has the elements of one of shape `wanted`
/// in its order: neighbouring dimensions may be one.
static bool isMerged(ArrayRef<int64_t> stored, ArrayRef<int64_t> wanted) {
  for (int64_t size : stored) {
    int64_t product = 1;
    // A size of 0 is no product of others. Sizes of 1 belong to the dimension
    // before them.
    auto isPart = [&] { return size == 0 ? product != 0 : product < size; };
    while (!wanted.empty() && (isPart() || wanted.front() == 1)) {
      product *= wanted.front();
      wanted = wanted.drop_front();
    }
    if (product != size)
      return false;
  }
  return wanted.empty();
}

Expected<TensorHandle> WeightReader::share() const {
  const uint64_t alignment = array.dtype.bits / 8;
  if (reinterpret_cast<uintptr_t>(array.bytes.data()) % alignment != 0)
    return copy(/*rows=*/1, getProduct(array.shape));
  auto *mapped = new MappedTensor{{}, arg.shape, file.memory};
  for (auto [dim, size] : enumerate(mapped->shape))
    if (size == CLIQUE_DYNAMIC)
      size = array.shape[dim];
  DLTensor &tensor = mapped->managed.dl_tensor;
  tensor.data = const_cast<char *>(array.bytes.data());
  tensor.device = {kDLCPU, 0};
  tensor.ndim = int(mapped->shape.size());
  tensor.dtype = arg.dtype;
  tensor.shape = mapped->shape.data();
  mapped->managed.manager_ctx = mapped;
  mapped->managed.deleter = freeMapped;
  return TensorHandle(&mapped->managed);
}

/// The transpose of a matrix of as many rows and columns, in the argument's
/// type.
Expected<TensorHandle> WeightReader::copy(int64_t rows, int64_t columns) const {
  std::vector<int64_t> shape = arg.shape;
  for (auto [dim, size] : enumerate(shape))
    if (size == CLIQUE_DYNAMIC)
      size = array.shape[dim];
  Expected<TensorHandle> tensor = makeTensor(arg.dtype, shape);
  if (!tensor)
    return tensor;
  const DLTensor &to = (*tensor)->dl_tensor;
  const int64_t bytes = array.dtype.bits / 8;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t from = row * columns + column;
      const int64_t position = column * rows + row;
      if (isSame())
        std::memcpy(static_cast<char *>(to.data) + position * bytes,
                    array.bytes.data() + from * bytes, bytes);
      else
        setElement(to, position, getElement(from));
    }
  return tensor;
}

Expected<TensorHandle> WeightReader::read(const Storage &storage) const {
  if (array.dtype.code != storage.dtype.code ||
      array.dtype.bits != storage.dtype.bits) {
    std::string hint;
    if (isFloat() && storage.dtype.code != kDLInt)
      hint = "; " + kStoredAttr.str() + " = \"" + getTypeName(array.dtype) +
             "\" on the argument has floats converted";
    return refuse("holds elements of type " + getTypeName(array.dtype) +
                  ", expected " + getTypeName(storage.dtype) + hint);
  }
  if (Error error = checkFinite())
    return std::move(error);
  auto hasShape = [&](ArrayRef<int64_t> stored) {
    std::vector<int64_t> wanted = arg.shape;
    // A size that is not known is any, of a dimension of its own.
    for (auto [dim, size] : enumerate(wanted))
      if (size == CLIQUE_DYNAMIC)
        size = stored.size() == wanted.size() ? stored[dim] : -1;
    return isMerged(stored, wanted);
  };
  if (!storage.isTransposed) {
    if (!hasShape(array.shape))
      return refuse("has shape " + describeShape(array.shape) + ", expected " +
                    describeShape(arg.shape));
    return isSame() ? share() : copy(/*rows=*/1, getProduct(array.shape));
  }
  bool fits = array.shape.size() == 2 &&
              hasShape({array.shape[1], array.shape[0]}) &&
              !is_contained(arg.shape, CLIQUE_DYNAMIC);
  if (!fits)
    return refuse("has shape " + describeShape(array.shape) +
                  ", expected the transpose of " + describeShape(arg.shape) +
                  " as a matrix");
  return copy(array.shape[0], array.shape[1]);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// An error if the words of the attribute are not known.
static Expected<Storage> getStorage(const LayerArgument &arg,
                                    mlir::func::FuncOp function,
                                    unsigned index) {
  Storage storage{false, arg.dtype};
  auto words =
      function ? function.getArgAttr(index, kStoredAttr) : mlir::Attribute();
  if (!words)
    return storage;
  const std::pair<StringRef, DLDataType> types[] = {
      {"f64", {kDLFloat, 64, 1}},
      {"f32", {kDLFloat, 32, 1}},
      {"f16", {kDLFloat, 16, 1}},
      {"bf16", {kDLBfloat, 16, 1}}};
  const bool isFloat =
      arg.dtype.code == kDLFloat || arg.dtype.code == kDLBfloat;
  SmallVector<StringRef> list;
  auto text = mlir::dyn_cast<mlir::StringAttr>(words);
  SplitString(text ? text.getValue() : "?", list);
  for (StringRef word : list) {
    const auto *type =
        llvm::find_if(types, [&](auto &known) { return known.first == word; });
    if (word == "transposed")
      storage.isTransposed = true;
    else if (isFloat && type != std::end(types))
      storage.dtype = type->second;
    else
      return createStringError(
          "--weights: argument '" + arg.name + "' has " + kStoredAttr +
          " with '" + word +
          "'; expected a text of 'transposed' and, for floats, 'f64', 'f32', "
          "'f16' or 'bf16'");
  }
  return storage;
}

static bool isWeight(const LayerArgument &arg) {
  return arg.kind == CLIQUE_ARG_TENSOR &&
         !is_contained(arg.shape, CLIQUE_DYNAMIC);
}

static Error checkMissing(const LayerSignature &signature,
                          ArrayRef<std::string> files,
                          ArrayRef<TensorHandle> tensors) {
  SmallVector<StringRef> missing;
  for (auto [arg, tensor] : zip_equal(signature.args, tensors))
    if (isWeight(arg) && !tensor)
      missing.push_back(arg.name);
  if (missing.empty())
    return Error::success();
  return createStringError("--weights: " + join(files, ", ") +
                           ": no array for " + join(missing, ", ") +
                           "; expected one of the name of each weight, or "
                           "--input=ARG=FILE.npy");
}

static void reportTaken(const SafetensorsFile &file, const StringSet<> &taken) {
  SmallVector<StringRef> left;
  for (const auto &[name, array] : file.arrays)
    if (!taken.contains(name))
      left.push_back(name);
  std::string text = file.path + ": " +
                     std::to_string(file.arrays.size() - left.size()) + " of " +
                     std::to_string(file.arrays.size()) + " arrays";
  if (!left.empty())
    text += ", not taken: " + join(left, ", ");
  reportLine("weights", text);
}

Error clique::bindWeights(const LayerSignature &signature,
                          mlir::func::FuncOp function,
                          ArrayRef<std::string> files,
                          MutableArrayRef<TensorHandle> tensors) {
  if (!files.empty() && !function)
    return createStringError("--weights: a library does not say how its "
                             "weights are stored; name its spec with --spec");
  for (const std::string &path : files) {
    Expected<SafetensorsFile> file = readSafetensors(path);
    if (!file)
      return createStringError("--weights: " + toString(file.takeError()));
    StringSet<> taken;
    for (auto [index, arg] : enumerate(signature.args)) {
      auto found = file->arrays.find(arg.name);
      if (arg.kind == CLIQUE_ARG_GRAPH || found == file->arrays.end() ||
          tensors[index])
        continue;
      Expected<Storage> storage = getStorage(arg, function, index);
      if (!storage)
        return storage.takeError();
      Expected<TensorHandle> tensor =
          WeightReader(arg, *file, found->second).read(*storage);
      if (!tensor)
        return tensor.takeError();
      tensors[index] = std::move(*tensor);
      taken.insert(arg.name);
    }
    reportTaken(*file, taken);
  }
  return files.empty() ? Error::success()
                       : checkMissing(signature, files, tensors);
}
