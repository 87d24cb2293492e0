//===- MatrixMarket.cpp - Matrix Market files -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coordinate format of https://math.nist.gov/MatrixMarket/formats.html as a
// graph: an edge for each entry, values are checked and ignored. A symmetric
// file's mirrored entries follow all listed ones, in the same order.
//
//===----------------------------------------------------------------------===//
#include "runtime/Error.h"
#include "runtime/GraphFiles.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

using namespace clique;

namespace {

/// The lines of a file through one buffer, numbered from 1.
class LineReader {
public:
  explicit LineReader(ByteSource &source) : source(source), buffer(kInitial) {}

  /// Advances to the next line; false at the end of the file. The line ends
  /// with '\n', also the last one of a file that lacks it.
  bool next();
  /// The current line, of which at least the '\n' is left.
  const char *cursor = nullptr;

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format,
                           Args &&...args) const {
    throw Error(CLIQUE_FORMAT_ERROR,
                fmt::format("{}:{}: ", source.name(), number) +
                    fmt::format(format, std::forward<Args>(args)...));
  }

private:
  static constexpr size_t kInitial = 1 << 20;

  void refill();

  ByteSource &source;
  std::vector<char> buffer;
  size_t begin = 0, end = 0;
  bool atEnd = false;
  int64_t number = 0;
};

enum class Field { Pattern, Integer, Real };

class MatrixMarketReader {
public:
  explicit MatrixMarketReader(ByteSource &source)
      : lines(source), maxEntries(source.maxBytes() / kMinEntryBytes + 1) {}

  GraphPtr read();

private:
  /// "1 1" and its line end.
  static constexpr uint64_t kMinEntryBytes = 4;

  void readBanner();
  void readSizes();
  void readEntries();
  void expectEnd();
  bool nextDataLine();

  bool isBlankFrom(const char *p) const;
  int64_t parseCount(const char *what);
  int32_t parseIndex(const char *what, int64_t limit);
  void parseValue();

  LineReader lines;
  uint64_t maxEntries;
  Field field = Field::Pattern;
  bool symmetric = false;
  int64_t numRows = 0, numColumns = 0, numEntries = 0;
  EdgeList edges;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Moves the rest of the buffer to its start and reads more behind it.
void LineReader::refill() {
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  // One byte is kept for the line end that a last line may lack.
  const size_t space = buffer.size() - 1 - end;
  if (space == 0)
    refuse("line is longer than {} bytes; is this a Matrix Market file?",
           buffer.size());
  const size_t got = source.read(buffer.data() + end, space);
  atEnd = got < space;
  end += got;
}

bool LineReader::next() {
  ++number;
  while (true) {
    const char *first = buffer.data() + begin;
    if (const void *lineEnd = std::memchr(first, '\n', end - begin)) {
      cursor = first;
      begin = size_t(static_cast<const char *>(lineEnd) - buffer.data()) + 1;
      return true;
    }
    if (!atEnd) {
      refill();
      continue;
    }
    if (begin == end)
      return false;
    buffer[end++] = '\n';
  }
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool endsToken(char c) { return isSpace(c) || c == '\n'; }

static std::string_view tokenAt(const char *p) {
  const char *end = p;
  while (!endsToken(*end))
    ++end;
  return {p, size_t(end - p)};
}

/// What a message shows of a token.
static std::string shown(const char *p) {
  std::string_view token = tokenAt(p);
  if (token.empty())
    return "the end of the line";
  std::string text = "'";
  for (char c : token.substr(0, 40))
    text += c >= ' ' && c < 127 ? c : '?';
  return text + (token.size() > 40 ? "...'" : "'");
}

static void skipSpace(const char *&p) {
  while (isSpace(*p))
    ++p;
}

bool MatrixMarketReader::isBlankFrom(const char *p) const {
  skipSpace(p);
  return *p == '\n';
}

/// Skips comments and blank lines.
bool MatrixMarketReader::nextDataLine() {
  while (lines.next())
    if (*lines.cursor != '%' && !isBlankFrom(lines.cursor))
      return true;
  return false;
}

int64_t MatrixMarketReader::parseCount(const char *what) {
  skipSpace(lines.cursor);
  const char *first = lines.cursor;
  int64_t value = 0;
  for (; isDigit(*lines.cursor); ++lines.cursor)
    if (__builtin_mul_overflow(value, int64_t(10), &value) ||
        __builtin_add_overflow(value, int64_t(*lines.cursor - '0'), &value))
      lines.refuse("{} is {}, more than 63 bits hold", what, shown(first));
  if (lines.cursor == first || !endsToken(*lines.cursor))
    lines.refuse("{} is {}, expected a whole number of 0 or more", what,
                 shown(first));
  return value;
}

/// An index from 1; returned from 0. The common case is a few digits.
int32_t MatrixMarketReader::parseIndex(const char *what, int64_t limit) {
  skipSpace(lines.cursor);
  const char *first = lines.cursor, *p = first;
  uint64_t value = 0;
  while (isDigit(*p) && p - first < 12)
    value = value * 10 + uint64_t(*p++ - '0');
  if (p == first || !endsToken(*p) || value == 0 || value > uint64_t(limit))
    lines.refuse("{} is {}, expected a whole number from 1 to {}", what,
                 shown(first), limit);
  lines.cursor = p;
  return int32_t(value - 1);
}

static void skipDigits(const char *&p) {
  while (isDigit(*p))
    ++p;
}

/// Passes over a decimal number; false if there is none.
static bool skipNumber(const char *&p, bool integer) {
  if (*p == '+' || *p == '-')
    ++p;
  const char *digits = p;
  skipDigits(p);
  bool any = p != digits;
  if (!integer && *p == '.') {
    digits = ++p;
    skipDigits(p);
    any |= p != digits;
  }
  if (!integer && any && (*p == 'e' || *p == 'E')) {
    ++p;
    if (*p == '+' || *p == '-')
      ++p;
    digits = p;
    skipDigits(p);
    any = p != digits;
  }
  return any && endsToken(*p);
}

/// NaN and infinity are no numbers here.
void MatrixMarketReader::parseValue() {
  skipSpace(lines.cursor);
  const char *first = lines.cursor;
  if (!skipNumber(lines.cursor, field == Field::Integer))
    lines.refuse("value is {}, expected {}", shown(first),
                 field == Field::Integer ? "a whole number"
                                         : "a finite number");
}

//===----------------------------------------------------------------------===//
// The parts of the file
//===----------------------------------------------------------------------===//

static std::string nextLowerWord(const char *&p) {
  skipSpace(p);
  std::string word(tokenAt(p));
  p += word.size();
  for (char &c : word)
    c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return word;
}

void MatrixMarketReader::readBanner() {
  if (!lines.next())
    lines.refuse("the file is empty, expected '%%MatrixMarket matrix "
                 "coordinate pattern general'");
  const char *p = lines.cursor;
  if (nextLowerWord(p) != "%%matrixmarket" || nextLowerWord(p) != "matrix")
    lines.refuse("expected '%%MatrixMarket matrix coordinate pattern general' "
                 "or the like");
  std::string format = nextLowerWord(p), type = nextLowerWord(p),
              symmetry = nextLowerWord(p);
  if (format != "coordinate")
    lines.refuse("format '{}', expected 'coordinate': a list of edges", format);
  // SciPy says of unsigned values that they are.
  if (type == "integer" || type == "unsigned-integer")
    field = Field::Integer;
  else if (type == "real" || type == "double")
    field = Field::Real;
  else if (type != "pattern")
    lines.refuse("field '{}', expected 'pattern', 'integer' or 'real'", type);
  symmetric = symmetry == "symmetric";
  if (!symmetric && symmetry != "general")
    lines.refuse("symmetry '{}', expected 'general' or 'symmetric'", symmetry);
}

void MatrixMarketReader::readSizes() {
  if (!nextDataLine())
    lines.refuse("the file ends before the sizes, expected 'rows columns "
                 "entries'");
  numRows = parseCount("the number of rows");
  numColumns = parseCount("the number of columns");
  numEntries = parseCount("the number of entries");
  if (!isBlankFrom(lines.cursor))
    lines.refuse("{} after the sizes, expected 'rows columns entries'",
                 shown(lines.cursor + 1));
  constexpr int64_t maxNodes = std::numeric_limits<int32_t>::max();
  if (numRows > maxNodes || numColumns > maxNodes)
    lines.refuse("{} rows and {} columns, expected at most {}: node ids have "
                 "32 bits",
                 numRows, numColumns, maxNodes);
  if (symmetric && numRows != numColumns)
    lines.refuse("{} rows and {} columns, expected as many in a symmetric "
                 "matrix",
                 numRows, numColumns);
  if (uint64_t(numEntries) > maxEntries)
    lines.refuse("{} entries, more than the file can hold: the file is "
                 "truncated or damaged",
                 numEntries);
}

void MatrixMarketReader::readEntries() {
  edges.dst.reserve(size_t(numEntries) * (symmetric ? 2 : 1));
  edges.src.reserve(size_t(numEntries) * (symmetric ? 2 : 1));
  for (int64_t k = 0; k < numEntries; ++k) {
    if (!nextDataLine())
      lines.refuse("the file ends after {} of {} entries: it is truncated", k,
                   numEntries);
    edges.dst.push_back(parseIndex("row", numRows));
    edges.src.push_back(parseIndex("column", numColumns));
    if (field != Field::Pattern)
      parseValue();
    if (*lines.cursor != '\n' && !isBlankFrom(lines.cursor))
      lines.refuse("{} after the entry, expected the end of the line",
                   shown(lines.cursor + 1));
  }
}

void MatrixMarketReader::expectEnd() {
  if (nextDataLine())
    lines.refuse("more than the {} entries that the sizes announce",
                 numEntries);
}

static void mirror(EdgeList &edges) {
  LoopInterruption interruption;
  const size_t count = edges.dst.size();
  for (size_t k = 0; k < count; ++k) {
    interruption.check();
    if (edges.dst[k] != edges.src[k]) {
      edges.dst.push_back(edges.src[k]);
      edges.src.push_back(edges.dst[k]);
    }
  }
}

GraphPtr MatrixMarketReader::read() {
  readBanner();
  readSizes();
  readEntries();
  expectEnd();
  if (symmetric)
    mirror(edges);
  return std::make_unique<clique_graph>(numRows, numColumns,
                                        int64_t(edges.dst.size()),
                                        edges.dst.data(), edges.src.data());
}

GraphPtr clique::readMatrixMarket(ByteSource &source) {
  return MatrixMarketReader(source).read();
}
