//===- Safetensors.h - Arrays in a .safetensors file ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format (huggingface.co/docs/safetensors): the length of a header as 8
// bytes, little endian; the header, a JSON object with "dtype", "shape" and
// "data_offsets" for each name; the elements of all arrays, without gaps
// between those of one.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_SAFETENSORS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_SAFETENSORS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlpack/dlpack.h>
#include <map>
#include <memory>
#include <vector>

namespace clique {

/// One array of a file: where its elements are, in row-major order.
struct StoredArray {
  DLDataType dtype;
  std::vector<int64_t> shape;
  llvm::StringRef bytes; ///< at any address
};

/// A file that is mapped into memory, and its arrays by name.
struct SafetensorsFile {
  std::string path;
  std::shared_ptr<llvm::MemoryBuffer> memory;
  std::map<std::string, StoredArray> arrays;
};

/// An error that begins with the path if the file cannot be read, or is not
/// what the format says.
llvm::Expected<SafetensorsFile> readSafetensors(llvm::StringRef path);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_SAFETENSORS_H
