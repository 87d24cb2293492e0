//===- NpyProgressTest.cpp - Array files that take long -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/NpyFiles.h"

#include <chrono>
#include <fcntl.h>
#include <pty.h>
#include <thread>
#include <zlib.h>

using namespace clique::test;

namespace {
/// Standard error is a terminal, whose text is kept.
class Terminal {
public:
  Terminal() : former(dup(STDERR_FILENO)) {
    int terminal;
    EXPECT_EQ(openpty(&screen, &terminal, nullptr, nullptr, nullptr), 0);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
  }
  ~Terminal() {
    dup2(former, STDERR_FILENO);
    close(former);
    close(screen);
  }
  Terminal(const Terminal &) = delete;
  Terminal &operator=(const Terminal &) = delete;

  /// What was shown since the last question.
  std::string take() {
    std::string shown;
    char part[256];
    fcntl(screen, F_SETFL, O_NONBLOCK);
    for (ssize_t got; (got = ::read(screen, part, sizeof part)) > 0;)
      shown.append(part, size_t(got));
    return shown;
  }

private:
  int former, screen = -1;
};
} // namespace

TEST(NpyRead, ShowsOnATerminalThatItTakesLong) {
  constexpr int64_t count = 96 << 20;
  TempFolder folder;
  const std::string path = folder.path("a.npy.gz");
  const std::string start =
      npy(header("<f4", "(" + std::to_string(count) + ",)"), "");
  const std::string zeros(size_t(1) << 20, 0);
  gzFile file = gzopen(path.c_str(), "wb1");
  gzwrite(file, start.data(), unsigned(start.size()));
  for (int64_t written = 0; written < 4 * count; written += int64_t(1) << 20)
    gzwrite(file, zeros.data(), unsigned(zeros.size()));
  gzclose(file);

  bool hasSlept = false;
  clique_set_interrupt(
      [](void *data) -> int32_t {
        if (!std::exchange(*static_cast<bool *>(data), true))
          std::this_thread::sleep_for(std::chrono::milliseconds(2100));
        return 0;
      },
      &hasSlept);
  // Who asks, and who shows, looks at the clock now and then: a file that is
  // read fast may be at its end by then.
  std::string shown;
  for (int attempt = 0; attempt < 50 && shown.empty(); ++attempt) {
    hasSlept = false;
    Terminal terminal;
    Tensor tensor = read(path);
    shown = terminal.take();
  }
  clique_set_interrupt(nullptr, nullptr);
  const std::string line = "\rreading " + path + ": ";
  EXPECT_EQ(shown.compare(0, line.size(), line), 0) << shown;
  const std::string wiped = " %\r\033[K";
  ASSERT_GT(shown.size(), wiped.size());
  EXPECT_EQ(shown.substr(shown.size() - wiped.size()), wiped);
}
