//===- Installation.cpp - Files that come with the compiler ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found from where this code was loaded: an installation may be moved.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Installation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace llvm;
using namespace clique;

std::string clique::findOwnLibrary() {
  Dl_info info;
  void *here = reinterpret_cast<void *>(&findOwnLibrary);
  if (dladdr(here, &info) && info.dli_fname &&
      sys::path::filename(info.dli_fname).contains(".so"))
    return info.dli_fname;
  return "";
}

std::string clique::findLibraryFolder() {
  std::string library = findOwnLibrary();
  if (!library.empty())
    return sys::path::parent_path(library).str();
  void *here = reinterpret_cast<void *>(&findLibraryFolder);
  SmallString<256> folder(
      sys::path::parent_path(sys::fs::getMainExecutable(nullptr, here)));
  sys::path::append(folder, "..", "lib");
  sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  return folder.str().str();
}

std::string clique::findInstalled(StringRef name, StringRef built) {
  SmallString<256> path(findLibraryFolder());
  sys::path::append(path, name);
  return sys::fs::exists(path) ? path.str().str() : built.str();
}
