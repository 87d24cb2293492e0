//===- Invocation.cpp - One call of a layer -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry into compiled code, and what is given back if it fails.
//
//===----------------------------------------------------------------------===//
#include "runtime/Invocation.h"
#include "runtime/Decisions.h"
#include "runtime/Graph.h"
#include "runtime/compiled.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>

using namespace clique;

static std::atomic<int32_t> requestedThreads{0};
static thread_local Invocation *innermost = nullptr;

Invocation::Invocation(const char *layer, int32_t numThreads,
                       std::unique_ptr<Device> device)
    : layer(layer), place(std::move(device)), outer(innermost),
      outerThreads(omp_get_max_threads()) {
  static std::atomic<uint64_t> lastId{0};
  id = ++lastId;
  // The setting belongs to the thread: the host program's is put back after.
  omp_set_num_threads(numThreads);
  clearDecisions();
  innermost = this;
}

Invocation::~Invocation() {
  innermost = outer;
  omp_set_num_threads(outerThreads);
  for (clique_graph *graph : graphs)
    delete graph;
  for (void *block : argumentBlocks)
    memory().free(block);
}

Invocation *Invocation::current() { return innermost; }

uint64_t Invocation::currentId() { return innermost ? innermost->id : 0; }

Device *Invocation::currentDevice() {
  return innermost ? innermost->device() : nullptr;
}

BlockCache &Invocation::memory() const {
  return place ? place->memory() : hostMemory();
}

void Invocation::disown(clique_graph *graph) {
  graphs.erase(std::remove(graphs.begin(), graphs.end(), graph), graphs.end());
}

bool Invocation::owns(const clique_graph *graph) const {
  return std::find(graphs.begin(), graphs.end(), graph) != graphs.end();
}

void Invocation::adoptArguments(std::vector<void *> blocks) noexcept {
  argumentBlocks = std::move(blocks);
  for (void *block : argumentBlocks)
    memory().assign(block, id);
}

bool Invocation::takeArgument(const void *block, size_t bytes) noexcept {
  auto found = std::find(argumentBlocks.begin(), argumentBlocks.end(), block);
  if (found == argumentBlocks.end() || !memory().owns(id, block, bytes))
    return false;
  argumentBlocks.erase(found);
  return true;
}

/// The last ones kept are the first ones asked for.
static auto findKept(const std::vector<std::shared_ptr<const void>> &kept,
                     const void *object) {
  return std::find_if(kept.rbegin(), kept.rend(),
                      [&](const auto &each) { return each.get() == object; });
}

bool Invocation::keeps(const void *object) const {
  return findKept(kept, object) != kept.rend();
}

void Invocation::letGo(const void *object) {
  auto found = findKept(kept, object);
  if (found != kept.rend())
    kept.erase(std::next(found).base());
}

void Invocation::run(void (*entry)(void **args), void **args) {
  entry(args);
  if (status == CLIQUE_OK) {
    clock.stop();
    return;
  }
  memory().freeAllOf(id);
  argumentBlocks.clear();
  fail(status, "{}: {}{}", layer, placeInSpec ? placeInSpec : "",
       clique_last_error());
}

void Invocation::recordFailure(clique_status status) noexcept {
  // Code that was not called through clique_layer_invoke has nobody to tell.
  // The threads of parallel regions call nothing that fails like this.
  if (!innermost) {
    std::fprintf(stderr, "clique: %s\n", clique_last_error());
    std::abort();
  }
  innermost->status = status;
}

bool Invocation::hasFailed() {
  return innermost && innermost->status != CLIQUE_OK;
}

bool clique_rt_has_failed(void) { return Invocation::hasFailed(); }

/// Whether it is a number of threads, or several with commas between.
static bool isThreadSetting(const char *text) {
  constexpr long long most = 65536;
  for (;; ++text) {
    text += std::strspn(text, " \t");
    // libomp knows no signs.
    if (*text < '0' || *text > '9')
      return false;
    char *end = nullptr;
    if (std::strtoll(text, &end, 10) > most)
      return false;
    text = end + std::strspn(end, " ");
    if (*text != ',')
      return *text == '\0';
  }
}

void clique::checkThreadSetting() {
  // It is read once, when the first thread asks.
  static std::atomic<bool> isRead{false};
  if (isRead)
    return;
  const char *setting = std::getenv("OMP_NUM_THREADS");
  if (setting && !isThreadSetting(setting))
    fail(CLIQUE_INVALID_ARGUMENT,
         "the environment's OMP_NUM_THREADS is '{}', at which the OpenMP "
         "library ends the process; expected a number of threads: set it to "
         "one, or unset it",
         setting);
  isRead = true;
}

int32_t clique::threadsInUse() {
  int32_t requested = requestedThreads;
  return requested > 0 ? requested : omp_get_num_procs();
}

clique_status clique_set_num_threads(int32_t num_threads) {
  constexpr int32_t most = 1024;
  return guarded([&] {
    checkThreadSetting();
    if (num_threads < 0 || num_threads > most)
      fail(CLIQUE_INVALID_ARGUMENT,
           "clique_set_num_threads: {} threads, expected 1 to {}, or 0 for all "
           "cores",
           num_threads, most);
    requestedThreads = num_threads;
  });
}
