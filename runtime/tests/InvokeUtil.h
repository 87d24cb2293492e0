//===- InvokeUtil.h - Calls of the runtime from a layer ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs what compiled code would do inside an invocation.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H
#define CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H

#include "runtime/compiled.h"
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

/// The layer fails with this message, and is told so before it returns.
inline void expectFailure(const std::function<void()> &function,
                          const std::string &message,
                          clique_status status = CLIQUE_INVALID_ARGUMENT) {
  EXPECT_EQ(invoke([&] {
              EXPECT_FALSE(clique_rt_has_failed());
              function();
              EXPECT_TRUE(clique_rt_has_failed());
            }),
            status);
  EXPECT_TRUE(lastErrorHas("layer: "));
  EXPECT_TRUE(lastErrorHas(message));
}

} // namespace clique::test

#endif // CLIQUE_RUNTIME_TESTS_INVOKEUTIL_H
