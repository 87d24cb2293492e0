//===- XlaInterface.h - XLA's interface for foreign functions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of XLA's C interface (xla/ffi/api/c_api.h, version 0.1 and later
// 0.x) that a handler of dense arrays needs, so that the package is built
// without JAX. The layouts are XLA's, which adds members at the ends only.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_XLAINTERFACE_H
#define CLIQUE_PYTHON_NATIVE_XLAINTERFACE_H

#include <cstddef>
#include <cstdint>

namespace clique::python::xla {

enum class DataType : int32_t {
  pred = 1,
  s8 = 2,
  s32 = 4,
  s64 = 5,
  f16 = 10,
  f32 = 11,
  f64 = 12,
  bf16 = 16
};

struct Extension {
  size_t size;
  int32_t type; ///< 1: metadata
  Extension *next;
};

struct Version {
  size_t size;
  Extension *extensions;
  int32_t major;
  int32_t minor;
};

/// What XLA asks a handler for before it calls it.
struct Metadata {
  size_t size;
  Version version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

struct Error;

struct ErrorArguments {
  size_t size;
  Extension *extensions;
  const char *message;
  int32_t code; ///< Abseil's
};

struct Api {
  size_t size;
  Extension *extensions;
  Version version;
  const void *internal;
  Error *(*makeError)(ErrorArguments *arguments);
};

struct Buffer {
  size_t size;
  Extension *extensions;
  DataType dtype;
  void *data;
  int64_t rank;
  int64_t *dims;
};

/// Arguments or results.
struct Buffers {
  size_t size;
  Extension *extensions;
  int64_t count;
  int32_t *types;
  Buffer **buffers;
};

struct Text {
  const char *data;
  size_t size;
};

/// An attribute: a scalar has its value, an array `size` of them.
struct Scalar {
  DataType dtype;
  const void *value;
};
struct Array {
  DataType dtype;
  size_t size;
  const void *data;
};

struct Attributes {
  size_t size;
  Extension *extensions;
  int64_t count;
  int32_t *types;
  Text **names;
  void **values;
};

enum class Stage : int32_t { instantiate, prepare, initialize, execute };

struct CallFrame {
  size_t size;
  Extension *extensions;
  const Api *api;
  void *context;
  Stage stage;
  Buffers arguments;
  Buffers results;
  Attributes attributes;
};

} // namespace clique::python::xla

#endif // CLIQUE_PYTHON_NATIVE_XLAINTERFACE_H
