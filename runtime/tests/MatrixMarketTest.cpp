//===- MatrixMarketTest.cpp - Matrix Market files ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each variant that is read, and an error with its line for each that is not.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <zlib.h>

using namespace clique::test;

// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
static const std::string pattern =
    "%%MatrixMarket matrix coordinate pattern general\n";

static Graph readGraph(const std::string &path) {
  return make(clique_graph_read, path.c_str());
}

static Edges readEdges(const std::string &text) {
  TempFolder folder;
  return edgesOf(readGraph(folder.write("g.mtx", text)).get());
}

/// Reading fails with a message that holds "g.mtx:" and `part`.
static void expectError(const std::string &text, const std::string &part) {
  TempFolder folder;
  const std::string path = folder.write("g.mtx", text);
  clique_graph *graph = nullptr;
  EXPECT_EQ(clique_graph_read(path.c_str(), &graph), CLIQUE_FORMAT_ERROR)
      << text;
  EXPECT_EQ(graph, nullptr);
  EXPECT_TRUE(lastErrorHas("g.mtx:" + part)) << text;
}

TEST(MatrixMarket, RowsAreDestinations) {
  EXPECT_EQ(readEdges(pattern + "2 3 3\n1 3\n2 1\n1 1\n"),
            (Edges{{0, 2}, {1, 0}, {0, 0}}));
}

TEST(MatrixMarket, CommentsBlankLinesAndSpaces) {
  EXPECT_EQ(readEdges("%%matrixmarket MATRIX Coordinate Pattern GENERAL\r\n"
                      "% made by hand\n\n  2\t2  2 \r\n%\n 1   2 \r\n\n2 1"),
            (Edges{{0, 1}, {1, 0}}));
}

TEST(MatrixMarket, ValuesAreIgnored) {
  EXPECT_EQ(readEdges("%%MatrixMarket matrix coordinate real general\n"
                      "2 2 4\n1 1 0.5\n1 2 -1e-3\n2 1 +7.\n2 2 .25E+10\n"),
            (Edges{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(readEdges("%%MatrixMarket matrix coordinate integer general\n"
                      "2 2 1\n2 1 -3\n"),
            (Edges{{1, 0}}));
  EXPECT_EQ(readEdges("%%MatrixMarket matrix coordinate unsigned-integer "
                      "general\n2 2 1\n2 1 3\n"),
            (Edges{{1, 0}}));
}

TEST(MatrixMarket, SymmetricFilesAreExpanded) {
  EXPECT_EQ(readEdges("%%MatrixMarket matrix coordinate pattern symmetric\n"
                      "3 3 3\n2 1\n3 3\n3 1\n"),
            (Edges{{1, 0}, {2, 2}, {2, 0}, {0, 1}, {0, 2}}));
}

TEST(MatrixMarket, GzipByContent) {
  TempFolder folder;
  const std::string text = pattern + "2 2 1\n2 1\n";
  gzFile gz = gzopen(folder.path("graph").c_str(), "wb");
  gzwrite(gz, text.data(), unsigned(text.size()));
  gzclose(gz);
  EXPECT_EQ(edgesOf(readGraph(folder.path("graph")).get()), (Edges{{1, 0}}));
}

TEST(MatrixMarket, ManyLinesCrossTheBuffer) {
  // Several megabytes, so that lines straddle the ends of the buffer.
  std::string text = pattern + "100000 100000 400000\n";
  Edges edges;
  for (int32_t k = 0; k < 400000; ++k) {
    edges.emplace_back(k / 4, int32_t((int64_t(k) * 7919) % 100000));
    text += std::to_string(edges.back().first + 1) + " " +
            std::to_string(edges.back().second + 1) + "\n";
  }
  EXPECT_EQ(readEdges(text), edges);
}

TEST(MatrixMarket, EmptyGraph) {
  EXPECT_TRUE(readEdges(pattern + "0 0 0\n").empty());
  EXPECT_TRUE(readEdges(pattern + "5 5 0\n").empty());
}

TEST(MatrixMarket, BadBanner) {
  const std::string expected =
      "1: expected '%%MatrixMarket matrix coordinate pattern general' or the "
      "like";
  expectError("%%MatrixMarket tensor coordinate pattern general\n", expected);
  expectError("%%MatrixMarket matrix array real general\n",
              "1: format 'array', expected 'coordinate'");
  expectError("%%MatrixMarket matrix coordinate complex general\n",
              "1: field 'complex', expected 'pattern', 'integer' or 'real'");
  expectError("%%MatrixMarket matrix coordinate pattern hermitian\n",
              "1: symmetry 'hermitian', expected 'general' or 'symmetric'");
  expectError("%%MatrixMarket", expected);
}

TEST(MatrixMarket, BadSizes) {
  expectError(pattern, "2: the file ends before the sizes");
  expectError(pattern + "% only\n\n", "4: the file ends before the sizes");
  expectError(pattern + "2 2\n",
              "2: the number of entries is the end of the line");
  expectError(pattern + "2 2 1 1\n1 1\n", "2: '1' after the sizes");
  expectError(
      pattern + "-2 2 1\n1 1\n",
      "2: the number of rows is '-2', expected a whole number of 0 or more");
  expectError(pattern + "2 x 1\n1 1\n", "2: the number of columns is 'x'");
  expectError(pattern + "2147483648 2 1\n1 1\n",
              "2: 2147483648 rows and 2 columns");
  expectError(pattern + "99999999999999999999 2 1\n",
              "2: the number of rows is '99999999999999999999', more than "
              "63 bits hold");
  expectError(pattern + "2 2 9000000000000000000\n1 1\n",
              "2: 9000000000000000000 entries, more than the file can hold");
  expectError("%%MatrixMarket matrix coordinate pattern symmetric\n2 3 0\n",
              "2: 2 rows and 3 columns, expected as many in a symmetric "
              "matrix");
}

TEST(MatrixMarket, BadIndices) {
  expectError(pattern + "2 3 2\n1 1\n0 1\n",
              "4: row is '0', expected a whole number from 1 to 2");
  expectError(pattern + "2 3 1\n3 1\n", "3: row is '3'");
  expectError(pattern + "2 3 1\n1 4\n",
              "3: column is '4', expected a whole number from 1 to 3");
  expectError(pattern + "2 3 1\n1 -1\n", "3: column is '-1'");
  expectError(pattern + "2 3 1\n1 99999999999999999999\n", "3: column is '999");
  expectError(pattern + "2 3 1\n1.0 1\n", "3: row is '1.0'");
  expectError(pattern + "2 3 1\n1\n", "3: column is the end of the line");
  expectError(pattern + "2 3 1\nx y\n", "3: row is 'x'");
  expectError(pattern + "2 3 1\n\x80\xff 1\n", "3: row is '?\?'");
  expectError(pattern + "2 3 1\n1 1 5\n", "3: '5' after the entry");
}

TEST(MatrixMarket, BadValues) {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n"
                           "2 2 1\n1 1";
  for (const char *value : {" nan", " NaN", " inf", " -Inf", " 1e", " .", " -",
                            " 1.2.3", " x", "", " 0x10", " 1,5"})
    expectError(real + value + "\n", "3: value is ");
  expectError("%%MatrixMarket matrix coordinate integer general\n"
              "2 2 1\n1 1 1.5\n",
              "3: value is '1.5', expected a whole number");
}

TEST(MatrixMarket, WrongNumberOfEntries) {
  expectError(pattern + "2 2 3\n1 1\n1 2\n",
              "5: the file ends after 2 of 3 entries");
  expectError(pattern + "2 2 1\n1 1\n1 2\n",
              "4: more than the 1 entries that the sizes announce");
}

TEST(MatrixMarket, EndlessLine) {
  expectError(pattern + std::string(3 << 20, ' '), "2: line is longer");
}

TEST(GraphRead, OtherFiles) {
  TempFolder folder;
  clique_graph *graph = nullptr;
  EXPECT_EQ(clique_graph_read(folder.path("none").c_str(), &graph),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("none: cannot be read: No such file"));
  EXPECT_EQ(clique_graph_read(folder.write("e", "").c_str(), &graph),
            CLIQUE_FORMAT_ERROR);
  EXPECT_TRUE(lastErrorHas("e: is empty, expected a graph"));
  EXPECT_EQ(clique_graph_read(folder.write("u", "1 2\n2 1\n").c_str(), &graph),
            CLIQUE_FORMAT_ERROR);
  EXPECT_TRUE(lastErrorHas("u: is of an unknown format"));
  EXPECT_EQ(
      clique_graph_read(folder.write("a", "\x93NUMPY...").c_str(), &graph),
      CLIQUE_FORMAT_ERROR);
  EXPECT_TRUE(lastErrorHas("a: is a single npy array"));
  EXPECT_EQ(clique_graph_read("/tmp", &graph), CLIQUE_IO_ERROR);
  EXPECT_EQ(clique_graph_read(nullptr, &graph), CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
}
