//===- Exchange.h - DLPack's table of functions for Python ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of DLPack 1.3 that older headers lack: tensors with a version, and
// the C functions that a library lends under `__dlpack_c_exchange_api__`. The
// layouts are DLPack's (https://dmlc.github.io/dlpack).
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_EXCHANGE_H
#define CLIQUE_PYTHON_NATIVE_EXCHANGE_H

#include <dlpack/dlpack.h>

namespace clique::python {

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct VersionedTensor {
  Version version;
  void *context;
  void (*deleter)(VersionedTensor *self);
  uint64_t flags;
  DLTensor tensor;
};

struct ExchangeHeader {
  Version version;
  ExchangeHeader *previous;
};

struct ExchangeFunctions {
  ExchangeHeader header;
  int (*allocate)(DLTensor *prototype, VersionedTensor **out, void *context,
                  void (*setError)(void *context, const char *kind,
                                   const char *message));
  int (*exportOwned)(void *object, VersionedTensor **out);
  /// Takes over the tensor.
  int (*import)(VersionedTensor *tensor, void **object);
  /// Lends the memory of `object`; may be NULL.
  int (*lend)(void *object, DLTensor *out);
  int (*getStream)(DLDeviceType type, int32_t device, void **stream);
};

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_EXCHANGE_H
