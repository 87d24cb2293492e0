//===- Invocation.h - One call of a layer -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the invocation under way on a thread: its status, its decisions,
// and what has to be given back if it ends early. Compiled code cannot unwind:
// a runtime function that fails leaves its status here, compiled code asks for
// it and returns, and run() gives back what the layer held.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_INVOCATION_H
#define CLIQUE_RUNTIME_INVOCATION_H

#include "runtime/Device.h"
#include "runtime/Error.h"
#include "runtime/Interruption.h"
#include "runtime/MeasuredChoice.h"

#include <memory>
#include <string>
#include <vector>

namespace clique {

class Invocation {
public:
  /// `layer`: its name, which outlives this. `device`: nullptr for the CPU.
  Invocation(const char *layer, int32_t numThreads,
             std::unique_ptr<Device> device);
  ~Invocation();
  Invocation(const Invocation &) = delete;
  Invocation &operator=(const Invocation &) = delete;

  /// The innermost invocation of this thread, or nullptr.
  static Invocation *current();
  /// Names the invocation under way for the allocator; 0 if none.
  static uint64_t currentId();

  /// The device of the invocation under way; nullptr if it is the CPU.
  static Device *currentDevice();

  Device *device() const { return place.get(); }
  /// The memory that the layer's tensors are in.
  BlockCache &memory() const;
  /// Names the invocation for the allocator.
  uint64_t identity() const { return id; }

  /// Runs compiled code. On failure its memory and graphs are given back and
  /// the error is thrown.
  void run(void (*entry)(void **args), void **args);

  /// Graphs made by the layer, until it releases them.
  void adopt(clique_graph *graph) { graphs.push_back(graph); }
  void disown(clique_graph *graph);
  bool owns(const clique_graph *graph) const;
  /// Takes over blocks of the host's memory in which arguments lie: each is
  /// free to be written to or freed once nothing reads the argument.
  void adoptArguments(std::vector<void *> blocks) noexcept;
  /// Whether `block` is one, of at least `bytes`; it is none from then on, and
  /// belongs to whoever asks.
  bool takeArgument(const void *block, size_t bytes = 0) noexcept;

  /// Keeps what others may drop while the layer uses it: until as many calls of
  /// letGo() have named it, or to the end.
  void keep(std::shared_ptr<const void> object) {
    kept.push_back(std::move(object));
  }
  void letGo(const void *object);
  bool keeps(const void *object) const;

  /// What errors begin with from now on; nullptr for nothing.
  void setPlaceInSpec(const char *text) { placeInSpec = text; }

  clique_interruption interruption;
  KernelClock clock;

  /// The thread's last error is that of the invocation under way, which is to
  /// return.
  static void recordFailure(clique_status status) noexcept;
  /// Whether the invocation under way is to return.
  static bool hasFailed();

private:
  const char *layer;
  const char *placeInSpec = nullptr;
  std::unique_ptr<Device> place;
  uint64_t id;
  Invocation *outer;
  int outerThreads;
  clique_status status = CLIQUE_OK;
  std::vector<clique_graph *> graphs;
  std::vector<std::shared_ptr<const void>> kept;
  /// Blocks of arguments, as long as they are those.
  std::vector<void *> argumentBlocks;
};

/// Runs the body of a function that compiled code calls. The result of one that
/// fails is null, 0 or false.
template <typename Fn>
auto guardedForLayer(Fn &&body) noexcept {
  try {
    return body();
  } catch (...) {
    Invocation::recordFailure(reportCurrentException());
  }
  return decltype(body())();
}

/// An error if the OpenMP library would end the process at its setting in the
/// environment.
void checkThreadSetting();

/// Threads that layers use, as set by the user.
int32_t threadsInUse();

} // namespace clique

#endif // CLIQUE_RUNTIME_INVOCATION_H
