//===- NpyHeader.cpp - The header of a .npy file --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and
// nothing that is not such a dictionary.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/Npy.h"

#include <cstring>
#include <string_view>

using namespace clique;

/// Longer headers belong to structured types, which are not supported.
constexpr size_t kMaxHeaderBytes = 1 << 16;
constexpr size_t kMaxRank = 32;

namespace {

class HeaderParser {
public:
  HeaderParser(const std::string &file, std::string_view text)
      : file(file), text(text) {}

  NpyHeader parse();

private:
  [[noreturn]] void refuse(const char *expected) const {
    fail(CLIQUE_FORMAT_ERROR,
         "{}: the npy header is damaged at byte {}: expected {}", file,
         position, expected);
  }
  void skipSpace() {
    while (position < text.size() && std::strchr(" \n\t\r", text[position]))
      ++position;
  }
  bool accept(char c) {
    skipSpace();
    if (position == text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  void expect(char c, const char *name) {
    if (!accept(c))
      refuse(name);
  }
  std::string parseString();
  bool parseBool();
  int64_t parseSize();
  std::vector<int64_t> parseShape();

  const std::string &file;
  std::string_view text;
  size_t position = 0;
};

} // namespace

std::string HeaderParser::parseString() {
  const char quote = accept('\'') ? '\'' : accept('"') ? '"' : 0;
  if (!quote)
    refuse("a quoted string (structured types are not supported)");
  size_t end = text.find(quote, position);
  if (end == std::string_view::npos)
    refuse("the end of a string");
  std::string result(text.substr(position, end - position));
  position = end + 1;
  return result;
}

bool HeaderParser::parseBool() {
  skipSpace();
  for (std::string_view word : {"True", "False"})
    if (text.substr(position, word.size()) == word) {
      position += word.size();
      return word == "True";
    }
  refuse("True or False");
}

int64_t HeaderParser::parseSize() {
  skipSpace();
  const size_t first = position;
  int64_t value = 0;
  for (;
       position < text.size() && text[position] >= '0' && text[position] <= '9';
       ++position)
    if (__builtin_mul_overflow(value, int64_t(10), &value) ||
        __builtin_add_overflow(value, int64_t(text[position] - '0'), &value))
      refuse("a size that fits into 63 bits");
  if (position == first)
    refuse("a size of 0 or more");
  return value;
}

std::vector<int64_t> HeaderParser::parseShape() {
  std::vector<int64_t> shape;
  expect('(', "'(', the start of the shape");
  while (!accept(')')) {
    shape.push_back(parseSize());
    if (shape.size() > kMaxRank)
      refuse("at most 32 dimensions");
    if (accept(','))
      continue;
    expect(')', "',' or ')' in the shape");
    break;
  }
  return shape;
}

NpyHeader HeaderParser::parse() {
  NpyHeader header;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  expect('{', "'{'");
  while (!accept('}')) {
    std::string key = parseString();
    expect(':', "':'");
    if (key == "descr") {
      header.descr = parseString();
      hasDescr = true;
    } else if (key == "fortran_order") {
      header.fortranOrder = parseBool();
      hasOrder = true;
    } else if (key == "shape") {
      header.shape = parseShape();
      hasShape = true;
    } else {
      refuse("one of the keys 'descr', 'fortran_order' and 'shape'");
    }
    if (accept(','))
      continue;
    expect('}', "',' or '}'");
    break;
  }
  if (!hasDescr || !hasOrder || !hasShape)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: the npy header lacks one of the keys 'descr', 'fortran_order' "
         "and 'shape'",
         file);
  skipSpace();
  if (position != text.size())
    refuse("the end of the header");
  return header;
}

static void readExactly(ByteSource &source, void *data, size_t size) {
  if (source.read(data, size) != size)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: ends within the npy header; the file is "
         "truncated or no npy array",
         source.name());
}

NpyHeader clique::readNpyHeader(ByteSource &source) {
  unsigned char start[8];
  readExactly(source, start, sizeof(start));
  if (std::memcmp(start, kNpyMagic, sizeof(kNpyMagic) - 1) != 0)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: is no npy array: does not start with \\x93NUMPY; write one with "
         "numpy.save",
         source.name());
  const int version = start[6];
  if (version < 1 || version > 3)
    fail(CLIQUE_FORMAT_ERROR, "{}: npy version {}, expected 1, 2 or 3",
         source.name(), version);
  unsigned char lengthBytes[4] = {};
  readExactly(source, lengthBytes, version == 1 ? 2 : 4);
  const size_t length = lengthBytes[0] | lengthBytes[1] << 8 |
                        lengthBytes[2] << 16 | size_t(lengthBytes[3]) << 24;
  if (length > kMaxHeaderBytes)
    fail(CLIQUE_FORMAT_ERROR,
         "{}: the npy header claims {} bytes, expected at most {}",
         source.name(), length, kMaxHeaderBytes);
  std::string text(length, '\0');
  readExactly(source, text.data(), length);
  return HeaderParser(source.name(), text).parse();
}
