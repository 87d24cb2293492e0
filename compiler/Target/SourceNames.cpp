//===- SourceNames.cpp - Names of arguments and results -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the token at the location of an argument.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/SourceNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace clique;

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

static bool isName(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text[0] == '_') &&
         llvm::all_of(text, isNameCharacter);
}

/// The identifier of the `%name` at `loc`; empty if there is none.
static StringRef readName(Location loc, const llvm::SourceMgr &sources) {
  auto place = dyn_cast<FileLineColLoc>(loc);
  if (!place || !place.getLine() || !place.getColumn())
    return {};
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != place.getFilename().getValue())
      continue;
    // FindLocForLineAndColumn is const in all but its signature.
    llvm::SMLoc start =
        const_cast<llvm::SourceMgr &>(sources).FindLocForLineAndColumn(
            id, place.getLine(), place.getColumn());
    if (!start.isValid())
      return {};
    StringRef rest(start.getPointer(),
                   buffer->getBufferEnd() - start.getPointer());
    if (!rest.consume_front("%"))
      return {};
    StringRef name = rest.take_while(isNameCharacter);
    return isName(name) ? name : StringRef();
  }
  return {};
}

/// Checks a name that the spec gives and that it is not taken yet.
static LogicalResult checkName(func::FuncOp function, Attribute attr,
                               const Twine &what, llvm::StringSet<> &taken) {
  auto name = dyn_cast<StringAttr>(attr);
  if (!name || !isName(name.getValue()))
    return function.emitOpError()
           << what << " has the name " << attr << "; expected " << kNameAttr
           << " = \"...\" with a letter or '_' and then letters, digits, '_', "
              "'.', '$' or '-'";
  if (!taken.insert(name.getValue()).second)
    return function.emitOpError()
           << what << " has the name " << attr
           << ", which another one has too; give it another " << kNameAttr;
  return success();
}

static LogicalResult nameArguments(func::FuncOp function,
                                   const llvm::SourceMgr &sources) {
  MLIRContext *context = function.getContext();
  llvm::StringSet<> taken;
  for (BlockArgument arg : function.getArguments()) {
    unsigned index = arg.getArgNumber();
    if (!function.getArgAttr(index, kNameAttr)) {
      std::string name = readName(arg.getLoc(), sources).str();
      if (name.empty())
        name = "arg" + std::to_string(index);
      function.setArgAttr(index, kNameAttr, StringAttr::get(context, name));
    }
    if (failed(checkName(function, function.getArgAttr(index, kNameAttr),
                         "argument " + Twine(index), taken)))
      return failure();
  }
  return success();
}

static LogicalResult nameResults(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  llvm::StringSet<> taken;
  unsigned numResults = function.getNumResults();
  for (unsigned index = 0; index < numResults; ++index) {
    if (!function.getResultAttr(index, kNameAttr)) {
      std::string name =
          numResults == 1 ? "out" : "out" + std::to_string(index);
      function.setResultAttr(index, kNameAttr, StringAttr::get(context, name));
    }
    if (failed(checkName(function, function.getResultAttr(index, kNameAttr),
                         "result " + Twine(index), taken)))
      return failure();
  }
  return success();
}

/// What is printed of arguments, of regions too, has their names.
static void keepNames(ModuleOp module, const llvm::SourceMgr &sources) {
  module.walk([&](Block *block) {
    for (BlockArgument arg : block->getArguments())
      if (StringRef name = readName(arg.getLoc(), sources); !name.empty())
        arg.setLoc(NameLoc::get(StringAttr::get(module.getContext(), name),
                                arg.getLoc()));
  });
}

LogicalResult clique::nameArguments(ModuleOp module,
                                    const llvm::SourceMgr &sources) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      if (failed(::nameArguments(function, sources)) ||
          failed(nameResults(function)))
        return failure();
  keepNames(module, sources);
  return success();
}
