//===- LinkedLibraries.cpp - What compiled code may call ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader is asked, as it will be asked for the layer.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/LinkedLibraries.h"
#include "compiler/Target/Installation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"

#include <dlfcn.h>
#include <link.h>

using namespace llvm;
using namespace clique;

std::string clique::getRuntimeLibrary() {
  return findInstalled("libclique_runtime.so",
                       CLIQUE_RUNTIME_FOLDER "/libclique_runtime.so");
}

std::string clique::getOpenMPLibrary() {
  return findInstalled("libomp.so.5", CLIQUE_OPENMP_LIBRARY);
}

namespace {
/// A library in this process; it stays.
struct Library {
  void *handle;
  link_map *map = nullptr;
};
} // namespace

static Expected<SmallVector<Library>> openLibraries() {
  SmallVector<Library> libraries;
  for (const std::string &path :
       {getRuntimeLibrary(), getOpenMPLibrary(), std::string("libm.so.6"),
        std::string("libc.so.6")}) {
    Library library = {dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)};
    if (!library.handle ||
        dlinfo(library.handle, RTLD_DI_LINKMAP, &library.map) != 0)
      return createStringError(std::errc::no_such_file_or_directory,
                               "%s, which compiled layers need, cannot be "
                               "loaded: %s",
                               path.c_str(), dlerror());
    libraries.push_back(library);
  }
  return libraries;
}

/// Whether one of the libraries itself has the symbol: what they depend on is
/// searched as well, and does not count.
static bool isDefined(ArrayRef<Library> libraries, const std::string &name) {
  return any_of(libraries, [&](const Library &library) {
    Dl_info info;
    void *owner = nullptr;
    void *address = dlsym(library.handle, name.c_str());
    return address && dladdr1(address, &info, &owner, RTLD_DL_LINKMAP) != 0 &&
           any_of(libraries,
                  [&](const Library &other) { return other.map == owner; });
  });
}

Error clique::checkUndefinedSymbols(MemoryBufferRef object, StringRef allowed) {
  auto file = object::ObjectFile::createObjectFile(object);
  if (!file)
    return file.takeError();
  Expected<SmallVector<Library>> libraries = openLibraries();
  if (!libraries)
    return libraries.takeError();
  SmallVector<std::string> missing;
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return joinErrors(flags.takeError(), name.takeError());
    bool isNeeded = (*flags & object::SymbolRef::SF_Undefined) &&
                    !(*flags & object::SymbolRef::SF_Weak);
    // Linkers make the table themselves.
    bool isAllowed = !allowed.empty() && name->starts_with(allowed);
    if (isNeeded && !isAllowed && !name->empty() &&
        *name != "_GLOBAL_OFFSET_TABLE_" && !isDefined(*libraries, name->str()))
      missing.push_back(name->str());
  }
  if (missing.empty())
    return Error::success();
  return createStringError(
      std::errc::not_supported,
      "the compiled code calls %s, which neither libclique_runtime, libomp, "
      "libm nor libc has, so that it could not be loaded; this is a defect of "
      "the compiler: report it with the spec",
      join(missing, ", ").c_str());
}
