//===- NpyFiles.h - Array files for tests -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_TESTS_NPYFILES_H
#define CLIQUE_RUNTIME_TESTS_NPYFILES_H

#include "runtime/tests/TestUtil.h"

namespace clique::test {

/// A .npy file of version 1 (or another) around a header and elements.
inline std::string npy(const std::string &header, const std::string &elements,
                       char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += char(header.size() & 0xff);
  file += char(header.size() >> 8);
  if (version > 1)
    file += std::string(2, '\0');
  return file + header + elements;
}

inline std::string header(const std::string &descr, const std::string &shape,
                          const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

template <typename T>
std::string bytes(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

inline Tensor read(const std::string &path, int32_t allowNan = 0) {
  DLManagedTensor *tensor = nullptr;
  EXPECT_OK(clique_npy_read(path.c_str(), allowNan, &tensor));
  return Tensor(tensor);
}

} // namespace clique::test
#endif // CLIQUE_RUNTIME_TESTS_NPYFILES_H
