//===- InvokeUtil.h - Calls of the runtime from a layer ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs what compiled code would do inside an invocation.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H
#define CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H

#include "runtime/tests/TestUtil.h"

#include <functional>

namespace clique::test {

/// What the layer under test does.
inline std::function<void()> body;
inline void runBody(void **) { body(); }

inline clique_status invoke(std::function<void()> function) {
  body = std::move(function);
  const clique_variant variant = {"", runBody};
  const clique_layer layer = {
      CLIQUE_ABI_VERSION, 0,      0, 1,      "layer", nullptr, nullptr,
      &variant,           kDLCPU, 0, nullptr};
  return clique_layer_invoke(&layer, nullptr, 0, nullptr, 0);
}

/// The layer fails with this message, and nothing after the failure runs.
inline void expectFailure(std::function<void()> function,
                          const std::string &message,
                          clique_status status = CLIQUE_INVALID_ARGUMENT) {
  static bool passed;
  static std::function<void()> failing;
  passed = false;
  failing = std::move(function);
  EXPECT_EQ(invoke([] {
              failing();
              passed = true;
            }),
            status);
  EXPECT_FALSE(passed);
  EXPECT_TRUE(lastErrorHas("layer: "));
  EXPECT_TRUE(lastErrorHas(message));
}

} // namespace clique::test

#endif // CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H
