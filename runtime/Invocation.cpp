//===- Invocation.cpp - One call of a layer -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry into compiled code and the early way out of it.
//
//===----------------------------------------------------------------------===//
#include "runtime/Invocation.h"
#include "runtime/Decisions.h"
#include "runtime/Graph.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

using namespace clique;

static std::atomic<int32_t> requestedThreads{0};
static thread_local Invocation *innermost = nullptr;

Invocation::Invocation(const char *layer, int32_t numThreads,
                       std::unique_ptr<Device> device)
    : layer(layer), place(std::move(device)), outer(innermost),
      outerThreads(omp_get_max_threads()), parallelLevel(omp_get_level()) {
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

/// No object of this frame needs a destructor: it may be left by longjmp.
bool Invocation::enter(void (*entry)(void **args), void **args) {
  if (setjmp(exit) != 0)
    return false;
  entry(args);
  return true;
}

void Invocation::run(void (*entry)(void **args), void **args) {
  if (enter(entry, args))
    return;
  memory().freeAllOf(id);
  fail(status, "{}: {}{}", layer, placeInSpec ? placeInSpec : "",
       clique_last_error());
}

void Invocation::end(clique_status status) noexcept {
  // A parallel region's threads cannot be left behind, and code that was not
  // called through clique_layer_invoke has no place to return to.
  if (!innermost || omp_get_level() != innermost->parallelLevel) {
    std::fprintf(stderr, "clique: %s\n", clique_last_error());
    std::abort();
  }
  innermost->status = status;
  std::longjmp(innermost->exit, 1);
}

int32_t clique::threadsInUse() {
  int32_t requested = requestedThreads;
  return requested > 0 ? requested : omp_get_num_procs();
}

void clique_set_num_threads(int32_t num_threads) {
  requestedThreads = std::max(num_threads, 0);
}
