//===- AtomicFile.cpp - Whole files or none -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files and renaming.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AtomicFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace clique;
namespace fs = llvm::sys::fs;

llvm::Error clique::makeWriteError(llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "%s: cannot be written: %s",
                                 path.str().c_str(), code.message().c_str());
}

AtomicFile::AtomicFile(llvm::StringRef path, llvm::StringRef target,
                       bool isSpecial, fs::TempFile temporary)
    : path(path), target(target), isSpecial(isSpecial),
      temporary(std::move(temporary)) {}

AtomicFile::AtomicFile(AtomicFile &&other)
    : path(std::move(other.path)), target(std::move(other.target)),
      isSpecial(other.isSpecial), temporary(std::move(other.temporary)) {
  other.temporary.reset();
}

AtomicFile::~AtomicFile() {
  if (temporary)
    consumeError(temporary->discard());
}

std::string clique::resolvePath(llvm::StringRef path) {
  std::error_code code;
  auto resolved = std::filesystem::weakly_canonical(
      std::filesystem::absolute(path.str(), code), code);
  return code ? path.str() : resolved.string();
}

llvm::Expected<AtomicFile> AtomicFile::create(llvm::StringRef path,
                                              llvm::StringRef prefix) {
  fs::file_status status;
  std::error_code missing = fs::status(path, status);
  if (!missing && fs::is_directory(status))
    return makeWriteError(path,
                          std::make_error_code(std::errc::is_a_directory));
  bool isSpecial = !missing && !fs::is_regular_file(status);
  if (!missing && !isSpecial && fs::access(path, fs::AccessMode::Write))
    return makeWriteError(path,
                          std::make_error_code(std::errc::permission_denied));
  // A link stays a link: its target is replaced.
  llvm::SmallString<256> target(path);
  if (!missing && !isSpecial)
    if (std::error_code code = fs::real_path(path, target))
      return makeWriteError(path, code);

  llvm::SmallString<256> model(llvm::sys::path::parent_path(target));
  if (isSpecial) {
    model.clear();
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "clique");
  } else {
    llvm::sys::path::append(model, prefix + llvm::sys::path::filename(target));
  }
  model += ".tmp-%%%%%%%%";
  llvm::Expected<fs::TempFile> temporary = fs::TempFile::create(model);
  if (!temporary)
    return makeWriteError(path, errorToErrorCode(temporary.takeError()));
  return AtomicFile(path, target, isSpecial, std::move(*temporary));
}

llvm::Error AtomicFile::write(
    llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> writer) {
  llvm::raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  llvm::Error error = writer(out);
  out.flush();
  if (std::error_code code = out.error()) {
    out.clear_error();
    return joinErrors(std::move(error), makeWriteError(path, code));
  }
  return error;
}

llvm::Error AtomicFile::commit() {
  fs::TempFile file = std::move(*temporary);
  temporary.reset();
  if (!isSpecial) {
    if (llvm::Error error = file.keep(target))
      return makeWriteError(path, errorToErrorCode(std::move(error)));
    return llvm::Error::success();
  }
  auto contents = llvm::MemoryBuffer::getFile(file.TmpName);
  consumeError(file.discard());
  if (!contents)
    return makeWriteError(path, contents.getError());
  std::error_code code;
  llvm::raw_fd_ostream out(path, code, fs::CD_OpenExisting);
  if (code)
    return makeWriteError(path, code);
  out << (*contents)->getBuffer();
  out.flush();
  code = out.error();
  out.clear_error();
  if (code)
    return makeWriteError(path, code);
  return llvm::Error::success();
}

llvm::Error AtomicFile::commitAll(llvm::ArrayRef<AtomicFile *> files) {
  for (bool special : {true, false})
    for (AtomicFile *file : files)
      if (file->isSpecial == special)
        if (llvm::Error error = file->commit())
          return error;
  return llvm::Error::success();
}
