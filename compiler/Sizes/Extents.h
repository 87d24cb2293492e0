//===- Extents.h - Which dimensions count the same things -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first dimension of a feature counts the destinations, sources or edges of
// a graph. This analysis finds which, from the ops that use it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_SIZES_EXTENTS_H
#define CLIQUE_COMPILER_SIZES_EXTENTS_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"

#include <map>

namespace clique {

/// A number that belongs to a value.
enum class Extent {
  rows, ///< a tensor's or edge feature's first dimension, an index's value
  dst,  ///< a graph's destinations
  src,  ///< a graph's sources
  edges ///< a graph's edges
};

/// Classes of numbers that are equal in every call of a function, as far as its
/// ops and those of the functions it calls say.
class ExtentAnalysis {
public:
  explicit ExtentAnalysis(mlir::func::FuncOp function);

  /// The class of a number of an argument of the function.
  unsigned getArgumentClass(unsigned argument, Extent extent);
  /// The class of a result's rows.
  unsigned getResultClass(unsigned result);
  /// The classes that a number of a value has in all calls of its function.
  llvm::SmallVector<unsigned> getClasses(mlir::Value value, Extent extent);
  /// The values that have a number in one of the classes.
  llvm::DenseSet<mlir::Value> getMembers(llvm::ArrayRef<unsigned> wanted);

private:
  /// Each call is analysed by itself, under its own number.
  using Key = std::tuple<unsigned, void *, Extent>;

  static bool hasRows(mlir::Value value);
  unsigned getId(unsigned call, mlir::Value value, Extent extent);
  void join(unsigned a, unsigned b);
  void joinRows(unsigned call, mlir::ValueRange values);
  void joinRows(unsigned call, mlir::ValueRange values, mlir::Value graph,
                Extent extent);
  void joinGraphs(unsigned call, mlir::Value a, mlir::Value b);
  /// A graph whose destinations are its sources.
  void makeSquare(unsigned call, mlir::Value graph);

  void visitFunction(unsigned call, mlir::func::FuncOp function);
  void visit(unsigned call, mlir::Operation *op);
  // ExtentRules.cpp
  void joinSize(unsigned call, mlir::Value size, mlir::Value graph,
                Extent extent);
  bool visitConstructor(unsigned call, mlir::Operation *op);
  bool visitGraphOp(unsigned call, mlir::Operation *op);
  bool visitLayerOp(unsigned call, mlir::Operation *op);
  bool visitTensorOp(unsigned call, mlir::Operation *op);
  void joinTable(unsigned call, mp::LookupOp lookup);
  // Extents.cpp
  bool visitLoop(unsigned call, mlir::Operation *op);
  void visitCall(unsigned call, mlir::func::CallOp op);

  mlir::func::FuncOp function;
  unsigned numCalls = 0;
  llvm::SmallVector<mlir::func::FuncOp> callStack;
  std::map<Key, unsigned> ids;
  llvm::IntEqClasses classes;
  llvm::SmallVector<unsigned> resultIds;
};

} // namespace clique
#endif // CLIQUE_COMPILER_SIZES_EXTENTS_H
