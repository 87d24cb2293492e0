//===- GraphWriteTest.cpp - Graphs survive being written ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written is read as the same graph, its edges with the same numbers,
// or nothing is written.
//
//===----------------------------------------------------------------------===//
#include "runtime/tests/TestUtil.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clique::test;

constexpr clique_graph_format kFormats[] = {
    CLIQUE_GRAPH_MTX, CLIQUE_GRAPH_MTX_GZ, CLIQUE_GRAPH_NPZ};

static void expectSame(const clique_graph *graph, clique_graph_format format) {
  TempFolder folder;
  const std::string path = folder.path("g");
  ASSERT_OK(clique_graph_write(path.c_str(), format, graph));
  EXPECT_EQ(folder.count(), 1u);
  Graph read = make(clique_graph_read, path.c_str());
  ASSERT_TRUE(read);
  EXPECT_EQ(clique_graph_num_dst(read.get()), clique_graph_num_dst(graph));
  EXPECT_EQ(clique_graph_num_src(read.get()), clique_graph_num_src(graph));
  EXPECT_EQ(edgesOf(read.get()), edgesOf(graph));
}

TEST(GraphWrite, SameGraph) {
  for (clique_graph_format format : kFormats) {
    expectSame(makeGraph(3, 3, {{0, 2}, {1, 0}, {1, 1}}).get(), format);
    // By destination, but not by source; parallel edges.
    expectSame(makeGraph(4, 5, {{0, 4}, {0, 2}, {0, 4}, {3, 1}}).get(), format);
    expectSame(makeGraph(0, 0, {}).get(), format);
    expectSame(makeGraph(2, 7, {}).get(), format);
    expectSame(make(clique_graph_bipartite, int64_t(3), int64_t(5)).get(),
               format);
    expectSame(make(clique_graph_window, int64_t(300), int64_t(70), 1).get(),
               format);
  }
}

TEST(GraphWrite, Large) {
  // More text than any buffer holds.
  Graph graph = make(clique_graph_complete, int64_t(700), 0);
  for (clique_graph_format format : kFormats)
    expectSame(graph.get(), format);
}

TEST(GraphWrite, OtherOrders) {
  const Graph graph = makeGraph(3, 3, {{2, 0}, {0, 1}, {2, 2}, {1, 1}});
  expectSame(graph.get(), CLIQUE_GRAPH_MTX);
  expectSame(graph.get(), CLIQUE_GRAPH_MTX_GZ);
  TempFolder folder;
  EXPECT_EQ(clique_graph_write(folder.path("g.npz").c_str(), CLIQUE_GRAPH_NPZ,
                               graph.get()),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("g.npz: the edges are not listed by destination "
                           "(edge 1, to node 0, would be between 0 and 0)"));
  EXPECT_EQ(folder.count(), 0u);
}

TEST(GraphWrite, SameFile) {
  TempFolder folder;
  const Graph graph = makeGraph(3, 3, {{0, 2}, {1, 0}, {1, 1}});
  for (const char *name : {"a", "b"})
    ASSERT_OK(clique_graph_write(folder.path(name).c_str(), CLIQUE_GRAPH_NPZ,
                                 graph.get()));
  auto contents = [&](const char *name) {
    std::ifstream file(folder.path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(contents("a"), contents("b"));
}

TEST(GraphWrite, Refused) {
  TempFolder folder;
  const Graph graph = makeGraph(1, 1, {{0, 0}});
  for (clique_graph_format format : kFormats) {
    EXPECT_EQ(
        clique_graph_write(folder.path("none/g").c_str(), format, graph.get()),
        CLIQUE_IO_ERROR);
    EXPECT_TRUE(lastErrorHas("g: cannot be written: No such file"));
  }
  EXPECT_EQ(clique_graph_write("/", CLIQUE_GRAPH_NPZ, graph.get()),
            CLIQUE_IO_ERROR);
  EXPECT_TRUE(lastErrorHas("is no regular file"));
  const std::string path = folder.path("g");
  EXPECT_EQ(clique_graph_write(path.c_str(), clique_graph_format(3), // NOLINT
                               graph.get()),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_TRUE(lastErrorHas("format 3 is none of clique_graph_format"));
  EXPECT_EQ(clique_graph_write(nullptr, CLIQUE_GRAPH_MTX, graph.get()),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(clique_graph_write(path.c_str(), CLIQUE_GRAPH_MTX, nullptr),
            CLIQUE_INVALID_ARGUMENT);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(GraphWrite, ALinkStaysOne) {
  const Graph graph = makeGraph(1, 1, {{0, 0}});
  for (clique_graph_format format : kFormats) {
    TempFolder elsewhere, folder;
    const std::string target = elsewhere.path("g"), link = folder.path("g");
    ASSERT_OK(clique_graph_write(target.c_str(), format, graph.get()));
    ASSERT_EQ(symlink(target.c_str(), link.c_str()), 0);
    const Graph other = makeGraph(2, 1, {{1, 0}});
    ASSERT_OK(clique_graph_write(link.c_str(), format, other.get()));
    char buffer[4096];
    EXPECT_EQ(readlink(link.c_str(), buffer, sizeof buffer),
              ssize_t(target.size()));
    Graph read = make(clique_graph_read, target.c_str());
    ASSERT_TRUE(read);
    EXPECT_EQ(clique_graph_num_dst(read.get()), 2);
    EXPECT_EQ(folder.count() + elsewhere.count(), 2u);
  }
}

TEST(GraphWrite, FullDisk) {
  // A limit to the size of files stands for a disk without space.
  const Graph graph = make(clique_graph_complete, int64_t(700), 0);
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small = {1000, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  TempFolder folder;
  const std::string path = folder.path("g");
  for (clique_graph_format format : kFormats) {
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const clique_status status =
        clique_graph_write(path.c_str(), format, graph.get());
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_EQ(status, CLIQUE_IO_ERROR);
    EXPECT_TRUE(lastErrorHas("g: cannot be written: "));
    EXPECT_TRUE(lastErrorHas("File too large"));
    EXPECT_EQ(folder.count(), 0u);
  }
  std::signal(SIGXFSZ, handler);
}

// Whatever the signal, a half-written file has no name.
TEST(GraphWrite, EndedByASignal) {
  TempFolder folder;
  const std::string path = folder.path("g");
  const int probe = open(path.substr(0, path.rfind('/')).c_str(),
                         O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (probe < 0)
    GTEST_SKIP() << "no files without a name here";
  close(probe);
  const Graph graph = make(clique_graph_complete, int64_t(700), 0);
  for (clique_graph_format format : kFormats) {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit none = {0, 0}, small = {1000, 1000};
      setrlimit(RLIMIT_CORE, &none);
      setrlimit(RLIMIT_FSIZE, &small); // beyond it SIGXFSZ comes
      clique_graph_write(path.c_str(), format, graph.get());
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(folder.count(), 0u);
  }
}
