//===- Request.h - A request to the compiler's C ABI ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CAPI_REQUEST_H
#define CLIQUE_COMPILER_CAPI_REQUEST_H

#include "compiler/CApi/clique_compiler.h"
#include "compiler/Target/LayerCompiler.h"
#include "compiler/Target/Spec.h"

namespace clique {

/// One call of the C ABI: its spec, its target, and what it has to say.
class Request {
public:
  /// `messages` is filled when this is destroyed.
  Request(const clique_compile_request &request, clique_buffer *messages);
  ~Request();

  /// Null after an error, which was reported.
  Spec *readSpec();
  /// The same of its compiler's options.
  std::optional<LayerCompiler::Options> readOptions();

  TargetDevice getTarget() const { return target; }
  llvm::StringRef getName() const { return name; }

  /// Reports an error of the request as a whole.
  clique_status fail(llvm::Error error);
  clique_status fail(const llvm::Twine &reason);
  /// After an error that is reported.
  static clique_status getFailure() { return CLIQUE_INVALID_ARGUMENT; }

private:
  bool readTarget();

  const clique_compile_request &request;
  clique_buffer *buffer;
  std::string text;
  llvm::raw_string_ostream messages{text};
  std::string name;
  TargetDevice target = TargetDevice::cpu;
  std::unique_ptr<Spec> spec;
};

/// A copy with a NUL behind it, for a caller to free.
clique_buffer copyToBuffer(llvm::StringRef contents);

} // namespace clique
#endif // CLIQUE_COMPILER_CAPI_REQUEST_H
