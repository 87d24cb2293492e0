//===- NpyTest.cpp - Array files -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays survive a round trip; damaged and hostile files are refused.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/NpyFiles.h"

#include <cmath>
#include <cstring>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

using namespace clique::test;

template <typename T>
static std::vector<T> values(const Tensor &tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor->dl_tensor.ndim; ++d)
    count *= tensor->dl_tensor.shape[d];
  auto *data = static_cast<const T *>(tensor->dl_tensor.data);
  return {data, data + count};
}

static std::vector<int64_t> shape(const Tensor &tensor) {
  return {tensor->dl_tensor.shape,
          tensor->dl_tensor.shape + tensor->dl_tensor.ndim};
}

/// The message of a read that has to fail.
static std::string readError(const TempFolder &folder,
                             const std::string &file) {
  DLManagedTensor *tensor = nullptr;
  const std::string path = folder.write("bad.npy", file);
  EXPECT_EQ(clique_npy_read(path.c_str(), 0, &tensor), CLIQUE_FORMAT_ERROR);
  EXPECT_EQ(tensor, nullptr);
  EXPECT_TRUE(lastErrorHas("bad.npy: "));
  return clique_last_error();
}

#define EXPECT_HAS(TEXT, PART)                                                 \
  EXPECT_NE((TEXT).find(PART), std::string::npos) << (TEXT)

TEST(NpyRead, AllVersionsAndKeyOrders) {
  TempFolder folder;
  const std::string elements = bytes<float>({1, 2, 3, 4, 5, 6});
  for (char version : {1, 2, 3}) {
    Tensor tensor = read(
        folder.write("a.npy", npy(header("<f4", "(2, 3)"), elements, version)));
    EXPECT_EQ(shape(tensor), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(values<float>(tensor), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
  Tensor tensor = read(folder.write(
      "a.npy", npy("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f4\"}",
                   elements)));
  EXPECT_EQ(shape(tensor), (std::vector<int64_t>{6}));
}

TEST(NpyRead, ElementTypes) {
  TempFolder folder;
  struct Case {
    const char *descr;
    DLDataType type;
  };
  for (const Case &c :
       {Case{"<f2", {kDLFloat, 16, 1}}, Case{"<f8", {kDLFloat, 64, 1}},
        Case{"<i4", {kDLInt, 32, 1}}, Case{"<i8", {kDLInt, 64, 1}},
        Case{"|u1", {kDLUInt, 8, 1}}, Case{"|i1", {kDLInt, 8, 1}},
        Case{"|b1", {CLIQUE_DL_BOOL, 8, 1}}}) {
    Tensor tensor = read(folder.write(
        "a.npy", npy(header(c.descr, "(2,)"),
                     std::string(size_t(c.type.bits) / 8 * 2, '\1'))));
    EXPECT_EQ(tensor->dl_tensor.dtype.code, c.type.code) << c.descr;
    EXPECT_EQ(tensor->dl_tensor.dtype.bits, c.type.bits) << c.descr;
  }
}

TEST(NpyRead, TruthValuesAreZeroOrOne) {
  TempFolder folder;
  Tensor mask = read(folder.write(
      "a.npy", npy(header("|b1", "(3,)"), std::string("\0\1\1", 3))));
  EXPECT_EQ(values<uint8_t>(mask), (std::vector<uint8_t>{0, 1, 1}));
  EXPECT_HAS(
      readError(folder, npy(header("|b1", "(3,)"), std::string("\0\2\1", 3))),
      "truth value 1 of 3 is the byte 2, expected 0 or 1");
}

TEST(NpyRead, ScalarsAndEmptyArrays) {
  TempFolder folder;
  Tensor scalar = read(
      folder.write("a.npy", npy(header("<i8", "()"), bytes<int64_t>({7}))));
  EXPECT_TRUE(shape(scalar).empty());
  EXPECT_EQ(values<int64_t>(scalar), std::vector<int64_t>{7});
  Tensor empty = read(folder.write("a.npy", npy(header("<f4", "(0, 64)"), "")));
  EXPECT_EQ(shape(empty), (std::vector<int64_t>{0, 64}));
}

TEST(NpyRead, FortranOrderIsTransposed) {
  TempFolder folder;
  Tensor tensor =
      read(folder.write("a.npy", npy(header("<i4", "(2, 3)", "True"),
                                     bytes<int32_t>({0, 10, 1, 11, 2, 12}))));
  EXPECT_EQ(values<int32_t>(tensor),
            (std::vector<int32_t>{0, 1, 2, 10, 11, 12}));
  std::vector<int32_t> columns(2 * 3 * 4), rows;
  for (int32_t i = 0; i < 2; ++i)
    for (int32_t j = 0; j < 3; ++j)
      for (int32_t k = 0; k < 4; ++k) {
        columns[i + 2 * j + 6 * k] = 100 * i + 10 * j + k;
        rows.push_back(100 * i + 10 * j + k);
      }
  tensor = read(folder.write(
      "a.npy", npy(header("<i4", "(2, 3, 4)", "True"), bytes(columns))));
  EXPECT_EQ(values<int32_t>(tensor), rows);
}

TEST(NpyRead, GzipByContent) {
  TempFolder folder;
  const std::string file =
      npy(header("<f4", "(1000,)"), std::string(4000, '\0'));
  gzFile gz = gzopen(folder.path("a.npy").c_str(), "wb");
  gzwrite(gz, file.data(), unsigned(file.size()));
  gzclose(gz);
  EXPECT_EQ(shape(read(folder.path("a.npy"))), (std::vector<int64_t>{1000}));
}

TEST(NpyRead, TruncatedGzip) {
  TempFolder folder;
  std::string file = npy(header("<i4", "(1000,)"), "");
  for (int32_t k = 0; k < 1000; ++k)
    file += bytes<int32_t>({k * 7919});
  gzFile gz = gzopen(folder.path("a.gz").c_str(), "wb");
  gzwrite(gz, file.data(), unsigned(file.size()));
  gzclose(gz);
  std::ifstream stream(folder.path("a.gz"), std::ios::binary);
  std::string packed(std::istreambuf_iterator<char>(stream), {});
  EXPECT_HAS(readError(folder, packed.substr(0, packed.size() / 2)),
             "the gzip data end too early; the file is truncated");
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_HAS(readError(folder, packed), "the gzip data are damaged: ");
}

TEST(NpyRead, NansAndInfinities) {
  TempFolder folder;
  const std::string nan =
      npy(header("<f4", "(2, 2)"), bytes<float>({1, 2, 3, NAN}));
  EXPECT_HAS(readError(folder, nan), "element [1, 1] is NaN");
  EXPECT_HAS(
      readError(folder, npy(header("<f8", "(1,)"), bytes<double>({-NAN}))),
      "element [0] is NaN");
  EXPECT_HAS(
      readError(folder, npy(header("<f2", "(1,)"), bytes<uint16_t>({0x7c01}))),
      "element [0] is NaN");
  Tensor tensor = read(folder.write("a.npy", nan), 1);
  EXPECT_TRUE(std::isnan(values<float>(tensor)[3]));

  Tensor f4 = read(folder.write(
      "f4.npy", npy(header("<f4", "(2,)"), bytes<float>({-INFINITY, 1}))));
  EXPECT_EQ(values<float>(f4)[0], -INFINITY);
  Tensor f8 = read(folder.write(
      "f8.npy", npy(header("<f8", "(1,)"), bytes<double>({INFINITY}))));
  EXPECT_EQ(values<double>(f8)[0], INFINITY);
  Tensor f2 = read(folder.write(
      "f2.npy", npy(header("<f2", "(1,)"), bytes<uint16_t>({0xfc00}))));
  EXPECT_EQ(values<uint16_t>(f2)[0], 0xfc00);
}

TEST(NpyRead, DamagedHeaders) {
  TempFolder folder;
  const std::string four = std::string(16, '\0');
  EXPECT_HAS(readError(folder, ""), "truncated");
  EXPECT_HAS(readError(folder, "hello, world"), "is no npy array");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4,)"), four, 9)),
             "npy version 9");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4,)"), "").substr(0, 30)),
             "ends within the npy header");
  EXPECT_HAS(readError(folder, npy("{'descr': '<f4', 'shape': (4,)}", four)),
             "lacks one of the keys");
  EXPECT_HAS(readError(folder, npy("{'other': 1}", four)), "one of the keys");
  EXPECT_HAS(readError(folder, npy("nonsense", four)),
             "the npy header is damaged at byte 0: expected '{'");
  EXPECT_HAS(readError(folder, npy("{'descr: 1", four)),
             "expected the end of a string");
  EXPECT_HAS(readError(folder, npy(header("<f4", "4"), four)),
             "expected '(', the start of the shape");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(-4,)"), four)),
             "a size of 0 or more");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4;)"), four)),
             "in the shape");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4,)") + "x", four)),
             "the end of the header");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4,)", "None"), four)),
             "True or False");
  std::string long2 = npy("", "", 2);
  long2[8] = long2[9] = long2[10] = long2[11] = '\x7f';
  EXPECT_HAS(readError(folder, long2), "claims 2139062143 bytes");
}

TEST(NpyRead, HostileShapes) {
  TempFolder folder;
  const std::string four = std::string(16, '\0');
  for (const char *shape :
       {"(5,)", "(4294967296, 4294967296)", "(9223372036854775807,)",
        "(4611686018427387905, 4)", "(1000000000000,)"})
    EXPECT_HAS(readError(folder, npy(header("<f4", shape), four)), "truncated");
  EXPECT_HAS(
      readError(folder, npy(header("<f4", "(99999999999999999999,)"), four)),
      "fits into 63 bits");
  std::string deep = "(";
  for (int d = 0; d < 40; ++d)
    deep += "1,";
  EXPECT_HAS(readError(folder, npy(header("<f4", deep + ")"), four)),
             "at most 32 dimensions");
}

TEST(NpyRead, WrongTypes) {
  TempFolder folder;
  const std::string data(64, '\0');
  EXPECT_HAS(readError(folder, npy(header(">f4", "(4,)"), data)),
             "element type '>f4' is big-endian, expected little-endian");
  EXPECT_HAS(readError(folder, npy(header("|O", "(4,)"), data)),
             "element type '|O' is not supported");
  EXPECT_HAS(readError(folder, npy(header("<c8", "(4,)"), data)),
             "not supported");
  EXPECT_HAS(readError(folder, npy("{'descr': [('a', '<f4')], "
                                   "'fortran_order': False, 'shape': (4,)}",
                                   data)),
             "structured types");
}

TEST(NpyRead, WrongLength) {
  TempFolder folder;
  EXPECT_HAS(readError(folder, npy(header("<f4", "(4,)"), std::string(17, 0))),
             "more bytes follow");
  EXPECT_HAS(readError(folder, npy(header("<f4", "(8,)"), std::string(30, 0))),
             "has 30 bytes of elements, the header expects 32: the file is "
             "truncated");
}

TEST(NpyRead, MissingFileAndFolder) {
  TempFolder folder;
  DLManagedTensor *tensor = nullptr;
  EXPECT_EQ(clique_npy_read(folder.path("none.npy").c_str(), 0, &tensor),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("none.npy: cannot be read: No such file"));
  EXPECT_EQ(clique_npy_read("/tmp", 0, &tensor), CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("no regular file"));
}

TEST(NpyRead, ErrorsOfTheSystem) {
  DLManagedTensor *tensor = nullptr;
  // A regular file that has no first page.
  EXPECT_EQ(clique_npy_read("/proc/self/mem", 0, &tensor), CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("/proc/self/mem: cannot be read: Input/output"));
  TempFolder folder;
  const std::string path =
      folder.write("a.npy", npy(header("<f4", "(1,)"), std::string(4, 0)));
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none = {0, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const clique_status status = clique_npy_read(path.c_str(), 0, &tensor);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(status, CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("a.npy: cannot be read: Too many open files"));
  EXPECT_EQ(shape(read(path)), std::vector<int64_t>{1});
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static DLTensor view(void *data, DLDataType type, std::vector<int64_t> &shape) {
  return {data, {kDLCPU, 0}, int(shape.size()), type, shape.data(), nullptr, 0};
}

TEST(NpyWrite, RoundTrip) {
  TempFolder folder;
  const std::string path = folder.path("a.npy");
  std::vector<double> data = {1, -2, 3.5, 0, 1e300, -1e-300};
  for (std::vector<int64_t> s :
       {std::vector<int64_t>{6}, {2, 3}, {1, 3, 2}, {6, 1}}) {
    DLTensor tensor = view(data.data(), {kDLFloat, 64, 1}, s);
    ASSERT_OK(clique_npy_write(path.c_str(), &tensor));
    Tensor back = read(path);
    EXPECT_EQ(shape(back), s);
    EXPECT_EQ(values<double>(back), data);
  }
  std::vector<int64_t> none;
  DLTensor scalar = view(data.data(), {kDLFloat, 64, 1}, none);
  ASSERT_OK(clique_npy_write(path.c_str(), &scalar));
  EXPECT_EQ(values<double>(read(path)), std::vector<double>{1});
  // Nothing but the array is left behind.
  EXPECT_EQ(folder.count(), 1u);
}

TEST(NpyWrite, ElementsStartAligned) {
  TempFolder folder;
  std::vector<float> data(3);
  std::vector<int64_t> s = {3};
  DLTensor tensor = view(data.data(), {kDLFloat, 32, 1}, s);
  ASSERT_OK(clique_npy_write(folder.path("a.npy").c_str(), &tensor));
  EXPECT_EQ((std::filesystem::file_size(folder.path("a.npy")) - 12) % 64, 0u);
}

TEST(NpyWrite, Bfloat16IsWidened) {
  TempFolder folder;
  std::vector<uint16_t> data = {0x3f80, 0xc000, 0x0000};
  std::vector<int64_t> s = {3};
  DLTensor tensor = view(data.data(), {kDLBfloat, 16, 1}, s);
  ASSERT_OK(clique_npy_write(folder.path("a.npy").c_str(), &tensor));
  EXPECT_EQ(values<float>(read(folder.path("a.npy"))),
            (std::vector<float>{1, -2, 0}));
}

TEST(NpyWrite, RefusesWhatItCannotWrite) {
  TempFolder folder;
  std::vector<float> data(6);
  std::vector<int64_t> s = {2, 3}, strides = {1, 2};
  DLTensor tensor = view(data.data(), {kDLFloat, 32, 1}, s);
  EXPECT_EQ(clique_npy_write(folder.path("no/a.npy").c_str(), &tensor),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("no/a.npy: cannot be written: No such file"));
  // What stands in the place of the file is no file that may be replaced.
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(clique_npy_write(folder.path("pipe").c_str(), &tensor),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("pipe: cannot be written: is no regular file"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path("pipe")));
  tensor.strides = strides.data();
  EXPECT_EQ(clique_npy_write(folder.path("a.npy").c_str(), &tensor),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("the tensor is not contiguous and row-major"));
  tensor.strides = nullptr;
  tensor.device = {kDLCUDA, 0};
  EXPECT_EQ(clique_npy_write(folder.path("a.npy").c_str(), &tensor),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("a.npy: the tensor is not on the CPU"));
  tensor.device = {kDLCPU, 0};
  tensor.shape = nullptr;
  EXPECT_EQ(clique_npy_write(folder.path("a.npy").c_str(), &tensor),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("a.npy: the tensor: has 2 dimensions, and NULL"));
  tensor = view(nullptr, {kDLFloat, 32, 1}, s);
  EXPECT_EQ(clique_npy_write(folder.path("a.npy").c_str(), &tensor),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("the tensor of shape [2, 3] has no data"));
  tensor = view(data.data(), {kDLComplex, 64, 1}, s);
  EXPECT_EQ(clique_npy_write(folder.path("a.npy").c_str(), &tensor),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("element type complex64 is not supported, expected "
                           "one of f16, bf16, f32"));
  EXPECT_EQ(folder.count(), 1u);
}
