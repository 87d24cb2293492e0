//===- Picture.cpp - Where the edges of a graph are -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG is a stream of zlib with a few fields around it, so that no further
// library is needed.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-graph/Picture.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <zlib.h>

using namespace llvm;
using namespace clique;

Pattern clique::drawPattern(const Adjacency &rows, int64_t most) {
  const int64_t numDst = rows.getNumDst(), numSrc = rows.getNumSrc();
  Pattern result;
  result.cell =
      std::max<int64_t>(int64_t(divideCeil(std::max(numDst, numSrc), most)), 1);
  result.height = int64_t(divideCeil(numDst, result.cell));
  result.width = int64_t(divideCeil(numSrc, result.cell));
  result.shares.resize(result.height * result.width, 0);
  rows.visitBlocks(result.cell, [&](const BlockRun &run) {
    const int64_t height =
        std::min(result.cell, numDst - run.row * result.cell);
    for (int64_t column = run.begin; column < run.end; ++column) {
      const int64_t width =
          std::min(result.cell, numSrc - column * result.cell);
      result.shares[run.row * result.width + column] =
          float(double(run.pairs) / (double(height) * double(width)));
    }
  });
  for (float share : result.shares)
    result.densest = std::max(result.densest, share);
  return result;
}

/// From 0, no edge, to 1, the densest cell.
static float getDarkness(const Pattern &pattern, float share) {
  return share > 0 ? 0.25f + 0.75f * std::sqrt(share / pattern.densest) : 0;
}

/// Pixels of a cell's side, so that small graphs are not small pictures.
static int64_t getScale(const Pattern &pattern) {
  constexpr int64_t side = 512;
  const int64_t cells = std::max(pattern.height, pattern.width);
  return cells ? std::max<int64_t>(side / cells, 1) : 1;
}

void clique::writeSvg(const Pattern &pattern, raw_ostream &out) {
  const int64_t scale = getScale(pattern);
  out << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                 "height=\"{1}\" viewBox=\"0 0 {2} {3}\">\n"
                 "<title>rows: destinations, columns: sources, {4} nodes a "
                 "cell</title>\n"
                 "<rect width=\"{2}\" height=\"{3}\" fill=\"white\"/>\n",
                 pattern.width * scale, pattern.height * scale, pattern.width,
                 pattern.height, pattern.cell);
  for (int64_t row = 0; row < pattern.height; ++row)
    for (int64_t column = 0, end; column < pattern.width; column = end) {
      const float share = pattern.getShare(row, column);
      end = column + 1;
      while (end < pattern.width && pattern.getShare(row, end) == share)
        ++end;
      if (share > 0)
        out << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"1\" "
                       "fill-opacity=\"{3:f2}\"/>\n",
                       column, row, end - column, getDarkness(pattern, share));
    }
  out << "</svg>\n";
}

//===----------------------------------------------------------------------===//
// PNG
//===----------------------------------------------------------------------===//

using Bytes = SmallString<0>;

static void addNumber(Bytes &bytes, uint32_t number) {
  char digits[4];
  support::endian::write32be(digits, number);
  bytes.append(StringRef(digits, 4));
}

/// The size, the type, the contents and a checksum of both.
static void writeChunk(StringRef type, StringRef contents, raw_ostream &out) {
  Bytes chunk(type);
  chunk += contents;
  const auto sum = crc32(0, reinterpret_cast<const Bytef *>(chunk.data()),
                         uInt(chunk.size()));
  Bytes numbers;
  addNumber(numbers, uint32_t(contents.size()));
  addNumber(numbers, uint32_t(sum));
  out << StringRef(numbers).take_front(4) << chunk
      << StringRef(numbers).take_back(4);
}

void clique::writePng(const Pattern &pattern, raw_ostream &out) {
  const int64_t scale = getScale(pattern);
  // A picture has a pixel, also that of a graph without nodes.
  const int64_t width = std::max<int64_t>(pattern.width * scale, 1);
  const int64_t height = std::max<int64_t>(pattern.height * scale, 1);
  Bytes rows;
  for (int64_t y = 0; y < height; ++y) {
    // As it is, and not as its difference from another row.
    rows.push_back('\0');
    for (int64_t x = 0; x < width; ++x) {
      const float darkness =
          pattern.shares.empty()
              ? 0
              : getDarkness(pattern, pattern.getShare(y / scale, x / scale));
      rows.push_back(char(uint8_t(std::lround(255 * (1 - darkness)))));
    }
  }
  uLongf size = compressBound(rows.size());
  Bytes stream;
  stream.resize_for_overwrite(size);
  // It has room for the worst case.
  compress(reinterpret_cast<Bytef *>(stream.data()), &size,
           reinterpret_cast<const Bytef *>(rows.data()), rows.size());
  stream.truncate(size);
  Bytes header;
  addNumber(header, uint32_t(width));
  addNumber(header, uint32_t(height));
  // Eight bits of grey, and the only methods that there are.
  header.append(StringRef("\x08\0\0\0\0", 5));
  out << StringRef("\x89PNG\r\n\x1a\n", 8);
  writeChunk("IHDR", header, out);
  writeChunk("IDAT", stream, out);
  writeChunk("IEND", "", out);
}
