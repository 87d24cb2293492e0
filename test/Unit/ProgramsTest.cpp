//===- ProgramsTest.cpp - Other programs, and files that fail -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that cannot be run, an assembler of the test's, and outputs that
// vanish or find no place on the disk.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Programs.h"
#include "compiler/Target/AtomicFile.h"
#include "compiler/Target/Ptxas.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace clique;
namespace fs = llvm::sys::fs;

namespace {
/// A folder for each test.
class ProgramsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("clique-programs", folder));
  }
  void TearDown() override { EXPECT_FALSE(fs::remove_directories(folder)); }

  std::string getPath(const Twine &name) const {
    return (folder + "/" + name).str();
  }
  std::string write(const Twine &name, StringRef text) const {
    std::error_code code;
    raw_fd_ostream(getPath(name), code) << text;
    EXPECT_FALSE(code);
    return getPath(name);
  }
  std::string writeProgram(const Twine &name, StringRef text) const {
    std::string path = write(name, "#!/bin/sh\n" + text.str());
    chmod(path.c_str(), 0700);
    return path;
  }
  unsigned countFiles() const {
    std::error_code code;
    unsigned count = 0;
    for (fs::directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code))
      ++count;
    return count;
  }

  SmallString<128> folder;
};

/// Files cannot grow beyond `bytes`: as on a full disk.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &former);
    const rlimit limit = {bytes, former.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &former);
    std::signal(SIGXFSZ, handler);
  }
  FileLimit(const FileLimit &) = delete;
  FileLimit &operator=(const FileLimit &) = delete;

private:
  void (*handler)(int);
  rlimit former;
};

/// A variable of the environment; null: it is not set.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *set = getenv(name))
      former = set;
    set(value);
  }
  ~Variable() { set(former ? former->c_str() : nullptr); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  void set(const char *value) const {
    if (value)
      setenv(name, value, /*overwrite=*/1);
    else
      unsetenv(name);
  }

  const char *name;
  std::optional<std::string> former;
};
} // namespace

static bool contains(StringRef text, StringRef part) {
  return text.contains(part);
}

//===----------------------------------------------------------------------===//
// Programs and temporary files
//===----------------------------------------------------------------------===//

TEST_F(ProgramsTest, statusAndOutput) {
  Expected<ProgramResult> result =
      runProgram("/bin/sh", {"-c", "echo one; echo two >&2; exit 3"});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "one\ntwo");
}

TEST_F(ProgramsTest, noProgram) {
  Expected<ProgramResult> result = runProgram(getPath("none"), {});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_NE(result->status, 0);
  EXPECT_PRED2(contains, result->output, "No such file or directory");
}

TEST_F(ProgramsTest, temporaryFilesVanish) {
  std::string path;
  {
    Expected<TemporaryFile> file = TemporaryFile::create("txt", "text");
    ASSERT_TRUE(bool(file)) << toString(file.takeError());
    path = file->getPath();
    EXPECT_PRED2(contains, path, ".txt");
    Expected<std::string> text = file->read();
    ASSERT_TRUE(bool(text)) << toString(text.takeError());
    EXPECT_EQ(*text, "text");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ProgramsTest, temporaryFilesThatFail) {
  Expected<TemporaryFile> file = TemporaryFile::create("txt");
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  ASSERT_FALSE(fs::remove(file->getPath()));
  EXPECT_PRED2(contains, toString(file->read().takeError()),
               ".txt: cannot be read: No such file or directory");

  Variable temporary("TMPDIR", folder.c_str());
  {
    FileLimit limit(10);
    Expected<TemporaryFile> large =
        TemporaryFile::create("txt", "more than ten bytes");
    ASSERT_FALSE(bool(large));
    EXPECT_PRED2(contains, toString(large.takeError()),
                 ".txt: cannot be written: File too large");
  }
  EXPECT_EQ(countFiles(), 0u);
  Variable none("TMPDIR", getPath("none").c_str());
  EXPECT_PRED2(contains, toString(runProgram("/bin/true", {}).takeError()),
               "no temporary file can be made: No such file or directory");
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

TEST_F(ProgramsTest, whereTheAssemblerIs) {
  ASSERT_FALSE(fs::create_directory(getPath("bin")));
  std::string program = writeProgram("bin/ptxas", "");
  Variable path("PATH", folder.c_str());
  {
    Variable home("CUDA_HOME", folder.c_str());
    EXPECT_EQ(findPtxas(), program);
  }
  Variable home("CUDA_HOME", "");
  {
    Variable other("CUDA_PATH", folder.c_str());
    EXPECT_EQ(findPtxas(), program);
  }
  Variable bin("PATH", getPath("bin").c_str());
  EXPECT_EQ(findPtxas(), program);
}

/// Writes its last argument but one into the file that the last one names.
static constexpr StringRef kAssembler = R"(
while [ "$1" != -o ]; do source=$1; shift; done
cat "$source" > "$2"
cat <<END
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90a'
ptxas info    : Function properties for first
    8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function 'second' for 'sm_90a'
ptxas info    : Used 255 registers, 400 bytes cmem[0]
END
)";

TEST_F(ProgramsTest, reportOfTheAssembler) {
  std::string program = writeProgram("ptxas", kAssembler);
  Expected<std::optional<Cubin>> cubin =
      assemblePtx(program, "a kernel", "sm_90a");
  ASSERT_TRUE(bool(cubin)) << toString(cubin.takeError());
  ASSERT_TRUE(cubin->has_value());
  EXPECT_EQ((*cubin)->code, "a kernel");
  ArrayRef<KernelUsage> usage = (*cubin)->usage;
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0].kernel, "first");
  EXPECT_EQ(usage[0].registers, 40);
  EXPECT_EQ(usage[0].spillStores, 16);
  EXPECT_EQ(usage[0].spillLoads, 24);
  EXPECT_EQ(usage[0].sharedBytes, 1024);
  EXPECT_EQ(usage[1].kernel, "second");
  EXPECT_EQ(usage[1].registers, 255);
  EXPECT_EQ(usage[1].sharedBytes, 0);
}

TEST_F(ProgramsTest, assemblersThatFail) {
  auto getError = [&](StringRef text) {
    return toString(
        assemblePtx(writeProgram("ptxas", text), "x", "sm_80").takeError());
  };
  EXPECT_PRED2(contains, getError("echo what is wrong; exit 1"),
               "could not assemble the kernels for sm_80:\nwhat is wrong");
  EXPECT_PRED2(contains, getError("while [ $1 != -o ]; do shift; done; rm $2"),
               ".cubin: cannot be read: No such file or directory");
  Variable none("TMPDIR", getPath("none").c_str());
  EXPECT_PRED2(contains, getError(""), "no temporary file can be made");
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static Error writeText(AtomicFile &file, StringRef text) {
  return file.write([&](raw_pwrite_stream &out) {
    out << text;
    return Error::success();
  });
}

TEST_F(ProgramsTest, outputsThatFindNoPlace) {
  std::string path = write("out", "old");
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  {
    FileLimit limit(10);
    EXPECT_EQ(toString(writeText(*file, "more than ten bytes")),
              path + ": cannot be written: File too large");
  }
  {
    AtomicFile dropped = std::move(*file);
  }
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_EQ((*MemoryBuffer::getFile(path))->getBuffer(), "old");
}

TEST_F(ProgramsTest, outputsThatVanish) {
  std::string path = getPath("out");
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  EXPECT_EQ(toString(writeText(*file, "text")), "");
  ASSERT_FALSE(fs::remove(file->getTemporaryPath()));
  EXPECT_EQ(toString(file->commit()),
            path + ": cannot be written: No such file or directory");
  EXPECT_EQ(countFiles(), 0u);
}

/// A pipe is written when all of the output is there.
TEST_F(ProgramsTest, outputsThatAreNoFiles) {
  std::string path = getPath("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  ASSERT_FALSE(fs::remove(file->getTemporaryPath()));
  EXPECT_EQ(toString(file->commit()),
            path + ": cannot be written: No such file or directory");

  Expected<AtomicFile> other = AtomicFile::create(path);
  ASSERT_TRUE(bool(other)) << toString(other.takeError());
  ASSERT_EQ(unlink(path.c_str()), 0);
  EXPECT_EQ(toString(other->commit()),
            path + ": cannot be written: No such file or directory");
}
