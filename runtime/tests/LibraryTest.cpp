//===- LibraryTest.cpp - Loading compiled libraries ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer is found; what is none is refused with its reason.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <sys/stat.h>

using namespace clique::test;

static clique_status tryOpen(const std::string &path) {
  clique_library *library = nullptr;
  const clique_layer *const *layers = nullptr;
  clique_status status = clique_library_open(path.c_str(), &library, &layers);
  EXPECT_EQ(library, nullptr);
  EXPECT_EQ(layers, nullptr);
  return status;
}

TEST(Library, LayersAreFoundAndRun) {
  clique_library *library = nullptr;
  const clique_layer *const *layers = nullptr;
  ASSERT_OK(clique_library_open(TEST_LAYER, &library, &layers));
  ASSERT_NE(layers[0], nullptr);
  EXPECT_STREQ(layers[0]->name, "nothing");
  EXPECT_EQ(layers[1], nullptr);
  EXPECT_OK(clique_layer_invoke(layers[0], nullptr, 0, nullptr, 0));
  clique_library_close(library);
  clique_library_close(nullptr);
}

TEST(Library, MissingFile) {
  EXPECT_EQ(tryOpen("/nonexistent/layer.so"), CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas(
      "/nonexistent/layer.so: cannot be read: No such file or directory"));
}

TEST(Library, NamesAreFilesNotSystemLibraries) {
  EXPECT_EQ(tryOpen("libc.so.6"), CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("libc.so.6: cannot be read"));
}

TEST(Library, NoLibrary) {
  TempFolder folder;
  EXPECT_EQ(tryOpen(folder.write("layer.so", "not a library")),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("layer.so: cannot be loaded as a shared library"));
}

/// Of a pipe that nobody writes to the first byte never comes.
TEST(Library, NoFile) {
  TempFolder folder;
  const std::string pipe = folder.path("pipe.so");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(tryOpen(pipe), CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("pipe.so: is no regular file"));
}

TEST(Library, CutOffFile) {
  std::ifstream whole(TEST_LAYER, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(whole)), {});
  TempFolder folder;
  for (size_t size : {bytes.size() - 1, bytes.size() / 2, size_t(100)}) {
    EXPECT_EQ(tryOpen(folder.write("layer.so", bytes.substr(0, size))),
              CLIQUE_FORMAT_ERROR);
    EXPECT_TRUE(lastErrorHas("layer.so: is cut off"));
  }
}

TEST(Library, NoTable) {
  EXPECT_EQ(tryOpen(TEST_NO_TABLE), CLIQUE_FORMAT_ERROR);
  EXPECT_TRUE(lastErrorHas("exports no table 'clique_layers'"));
}

TEST(Library, OtherAbiVersion) {
  EXPECT_EQ(tryOpen(TEST_OLD_LAYER), CLIQUE_INCOMPATIBLE);
  EXPECT_TRUE(
      lastErrorHas("compiled for ABI version 0, this runtime has version " +
                   std::to_string(clique_abi_version())));
}

TEST(Library, ReplacedFile) {
  TempFolder folder;
  auto copy = [&](const char *from) {
    std::ifstream file(from, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::rename(folder.write("new.so", bytes).c_str(),
                folder.path("layer.so").c_str());
  };
  const std::string path = folder.path("layer.so");
  clique_library *library = nullptr;
  const clique_layer *const *layers = nullptr;
  copy(TEST_LAYER);
  ASSERT_OK(clique_library_open(path.c_str(), &library, &layers));
  copy(TEST_OLD_LAYER);
  EXPECT_EQ(tryOpen(path), CLIQUE_INCOMPATIBLE);
  clique_library_close(library);
}
