//===- Outputs.cpp - Results as files -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results go to temporary files first, all of them, and are renamed then.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Outputs.h"
#include "tools/clique-run/Graphs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clique;

/// Splits `[RESULT=]FILE.npy` into the result's number and the file.
static Expected<std::pair<unsigned, StringRef>>
findResult(const LayerSignature &signature, StringRef whole) {
  SmallVector<StringRef> names;
  for (const LayerArgument &result : signature.results)
    names.push_back(result.name);
  auto [name, path] = whole.split('=');
  if (!whole.contains('=')) {
    if (names.size() == 1)
      return std::pair(0u, whole);
    return createStringError("--output=" + whole + ": layer '" +
                             signature.name + "' has " + Twine(names.size()) +
                             " results; say which one: --output=RESULT=" +
                             whole + " (there is: " + join(names, ", ") + ")");
  }
  for (auto [k, known] : enumerate(names))
    if (name == known)
      return std::pair(unsigned(k), path);
  return createStringError(
      "--output=" + whole + ": layer '" + signature.name + "' has no result '" +
      name + "'; expected RESULT=FILE.npy, where RESULT is one of: " +
      join(names, ", "));
}

Expected<Outputs> Outputs::open(const LayerSignature &signature,
                                ArrayRef<std::string> descriptions) {
  std::vector<std::pair<unsigned, StringRef>> wanted;
  StringSet<> paths;
  for (StringRef whole : descriptions) {
    auto found = findResult(signature, whole);
    if (!found)
      return found.takeError();
    if (!found->second.ends_with(".npy"))
      return createStringError(
          "--output=" + whole +
          ": results are written as NumPy arrays; the file's "
          "name must end in .npy");
    if (!paths.insert(resolvePath(found->second)).second)
      return createStringError("--output=" + whole + ": " + found->second +
                               " is named twice");
    wanted.push_back(*found);
  }
  Outputs outputs;
  for (auto [result, path] : wanted) {
    Expected<AtomicFile> file = AtomicFile::create(path);
    if (!file)
      return file.takeError();
    outputs.files.emplace_back(result, std::move(*file));
  }
  return outputs;
}

Error Outputs::write(ArrayRef<TensorHandle> results) {
  for (auto &[result, file] : files)
    if (clique_npy_write(file.getTemporaryPath().c_str(),
                         &results[result]->dl_tensor) != CLIQUE_OK)
      return makeRuntimeError();
  SmallVector<AtomicFile *> all;
  for (auto &[result, file] : files)
    all.push_back(&file);
  return AtomicFile::commitAll(all);
}
