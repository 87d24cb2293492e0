//===- Safetensors.cpp - Arrays in a .safetensors file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of the header is believed before it is checked.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Safetensors.h"
#include "runtime/clique.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clique;

static constexpr uint64_t kLengthBytes = 8;
/// The largest header that the format allows.
static constexpr uint64_t kMaxHeader = 100'000'000;

/// A header has arrays, of lists; the parser needs stack for each level.
static constexpr size_t kMaxDepth = 100;

static Error fail(StringRef path, const Twine &what) {
  return createStringError(path + ": " + what);
}

/// How deep objects and lists stand in each other, in a text of JSON.
static size_t measureDepth(StringRef text) {
  size_t depth = 0, deepest = 0;
  bool inString = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"')
      inString = !inString;
    else if (inString)
      k += c == '\\';
    else if (c == '[' || c == '{')
      deepest = std::max(deepest, ++depth);
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

static std::optional<DLDataType> parseType(StringRef name) {
  return StringSwitch<std::optional<DLDataType>>(name)
      .Case("F64", DLDataType{kDLFloat, 64, 1})
      .Case("F32", DLDataType{kDLFloat, 32, 1})
      .Case("F16", DLDataType{kDLFloat, 16, 1})
      .Case("BF16", DLDataType{kDLBfloat, 16, 1})
      .Case("I64", DLDataType{kDLInt, 64, 1})
      .Case("I32", DLDataType{kDLInt, 32, 1})
      .Case("I16", DLDataType{kDLInt, 16, 1})
      .Case("I8", DLDataType{kDLInt, 8, 1})
      .Case("BOOL", DLDataType{CLIQUE_DL_BOOL, 8, 1})
      .Default(std::nullopt);
}

/// The numbers of a JSON array, none of them negative.
static std::optional<std::vector<int64_t>> parseSizes(const json::Array *list) {
  if (!list)
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (const json::Value &value : *list) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

/// Bytes of all elements; nothing if that is no number of 64 bits.
static std::optional<uint64_t> countBytes(const StoredArray &array) {
  uint64_t bytes = array.dtype.bits / 8;
  for (int64_t size : array.shape) {
    bool overflows = false;
    bytes = SaturatingMultiply(bytes, uint64_t(size), &overflows);
    if (overflows)
      return std::nullopt;
  }
  return bytes;
}

static Expected<StoredArray> parseArray(StringRef path, StringRef name,
                                        const json::Value &value,
                                        StringRef data) {
  auto refuse = [&](const Twine &what) {
    return fail(path, "array '" + name + "' " + what);
  };
  const json::Object *fields = value.getAsObject();
  if (!fields)
    return refuse("is no object with dtype, shape and data_offsets");
  StoredArray array;
  std::optional<StringRef> typeName = fields->getString("dtype");
  std::optional<DLDataType> type =
      typeName ? parseType(*typeName) : std::optional<DLDataType>();
  if (!type)
    return refuse("has the dtype '" + typeName.value_or("") +
                  "'; expected F64, F32, F16, BF16, I64, I32, I16, I8 or BOOL");
  array.dtype = *type;
  auto shape = parseSizes(fields->getArray("shape"));
  if (!shape)
    return refuse("has no shape; expected a list of sizes");
  array.shape = std::move(*shape);
  auto offsets = parseSizes(fields->getArray("data_offsets"));
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return refuse("has no data_offsets; expected its first byte and the one "
                  "after its last");
  const uint64_t first = (*offsets)[0], end = (*offsets)[1];
  if (end > data.size())
    return refuse("ends at byte " + Twine(end) + " of the data, which has " +
                  Twine(data.size()) + ": the file is cut off");
  if (countBytes(array) != end - first)
    return refuse("has " + Twine(end - first) +
                  " bytes, which are not those of its shape and dtype");
  array.bytes = data.slice(first, end);
  return array;
}

Expected<SafetensorsFile> clique::readSafetensors(StringRef path) {
  auto opened = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!opened)
    return fail(path, "cannot be read: " + opened.getError().message());
  SafetensorsFile file{path.str(), std::move(*opened), {}};
  StringRef bytes = file.memory->getBuffer();
  if (bytes.size() < kLengthBytes)
    return fail(path, "has " + Twine(bytes.size()) +
                          " bytes; expected a safetensors file, which begins "
                          "with the 8 bytes of a length");
  const uint64_t length = support::endian::read64le(bytes.data());
  if (length > kMaxHeader || length > bytes.size() - kLengthBytes)
    return fail(path, "has a header of " + Twine(length) +
                          " bytes by its first 8; expected a safetensors file, "
                          "with a header inside it of at most 100000000");
  StringRef text = bytes.substr(kLengthBytes, length);
  if (size_t depth = measureDepth(text); depth > kMaxDepth)
    return fail(path, "has a header of " + Twine(depth) +
                          " levels of objects and lists; expected at most " +
                          Twine(kMaxDepth));
  Expected<json::Value> header = json::parse(text);
  if (!header)
    return fail(path, "has a header that is no JSON: " +
                          toString(header.takeError()));
  const json::Object *entries = header->getAsObject();
  if (!entries)
    return fail(path, "has a header that is no JSON object");
  StringRef data = bytes.drop_front(kLengthBytes + length);
  for (const auto &[key, value] : *entries) {
    if (StringRef(key) == "__metadata__")
      continue;
    Expected<StoredArray> array = parseArray(path, key, value, data);
    if (!array)
      return array.takeError();
    file.arrays.emplace(StringRef(key).str(), std::move(*array));
  }
  return file;
}
