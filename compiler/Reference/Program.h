//===- Program.h - A region, ready to run many times ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region of static tensors as a flat list of kernels over numbered slots, so
// that nothing of the IR is looked at per edge, node or element.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_PROGRAM_H
#define CLIQUE_COMPILER_REFERENCE_PROGRAM_H

#include "compiler/Reference/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace clique::reference {

/// A compiled region of one block.
class Program {
public:
  /// Emits an error if an op of the block is not supported. Of a message whose
  /// results are rounded, values of half precision that compiled code stores
  /// are rounded to what it stores: what follows from one end, or from none,
  /// which is computed once for all edges of a node; products with weights,
  /// which are those of each end added up; and what the message yields.
  /// `outside`: knows the shapes of captures that are not static; none without.
  static mlir::FailureOr<Program> compile(mlir::Block &block,
                                          const ReferencePrecision &precision,
                                          const ValueInfo *outside = nullptr);

  /// Slots that whoever runs the program points at values: the block's
  /// arguments are slots 0, 1 ...; captures are values from outside of the
  /// block; givens are the ops that ask where the program runs (mp.position,
  /// linalg.index).
  mlir::SmallVector<std::pair<mlir::Value, unsigned>> captures;
  mlir::SmallVector<std::pair<mlir::Operation *, unsigned>> givens;
  /// The operands of the terminator, and how many elements each has.
  mlir::SmallVector<unsigned> results;
  mlir::SmallVector<int64_t> resultSizes;

private:
  friend class Frame;
  friend class Compiler;
  struct Step {
    KernelFn run;
    mlir::SmallVector<unsigned> inputs, results;
  };
  struct Constant {
    unsigned slot;
    std::shared_ptr<const ReferenceTensor> tensor;
  };
  struct Local {
    unsigned slot;
    int64_t size;
  };
  unsigned numSlots = 0;
  size_t maxOperands = 0;
  /// What follows from captures and constants alone, and the rest.
  mlir::SmallVector<Step> invariantSteps, steps;
  mlir::SmallVector<Constant> constants;
  mlir::SmallVector<Local> locals;
};

/// Calls inside calls; a function that calls itself would never end.
constexpr unsigned kMaxCallDepth = 100;

/// A function's only block, or an error.
mlir::FailureOr<mlir::Block *> getSingleBlock(mlir::func::FuncOp function);

/// The block of the function that is called, `depth` calls being under way; an
/// error if there are too many.
mlir::FailureOr<mlir::Block *> getCalledBlock(mlir::func::CallOp call,
                                              unsigned depth);

/// The memory in which one thread runs a program, which must outlive it.
class Frame {
public:
  explicit Frame(const Program &program);
  Frame(Frame &&) = default;

  /// Points a slot at its value.
  void set(unsigned slot, const double *value) { slots[slot] = value; }
  /// Points the captures, in the order of Program::captures, at their values.
  void setCaptures(const double *const *values);
  /// What is the same for all runs is computed in the first one.
  void run();
  /// The value of the program's result `index` after a run.
  const double *getResult(unsigned index) const {
    return slots[program->results[index]];
  }

private:
  const Program *program;
  std::vector<const double *> slots;
  std::vector<double *> writable;
  std::vector<std::vector<double>> buffers;
  void run(llvm::ArrayRef<Program::Step> steps);

  std::vector<const double *> inputs;
  std::vector<double *> outputs;
  /// The invariant steps were run with these captures.
  bool isPrepared = false;
};

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_PROGRAM_H
