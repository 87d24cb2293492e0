//===- Linalg.cpp - Kernels of structured ops -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any linalg op through its interface: for each point of its loops the indexing
// maps say which elements its region reads and writes.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "compiler/Reference/Program.h"
#include "compiler/Reference/Strided.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Threading.h"

using namespace clique::reference;
using namespace mlir;

namespace {
/// An operand's element as a linear function of the loops' position.
struct Access {
  int64_t offset = 0;
  Shape coefficients;

  int64_t getElement(ArrayRef<int64_t> position) const {
    int64_t element = offset;
    for (auto [coefficient, index] : llvm::zip_equal(coefficients, position))
      element += coefficient * index;
    return element;
  }
};

/// Steps of a reduction from first to last.
struct Steps {
  int64_t begin, end;
};

/// How the sums of blocks become one.
enum class Join { sum, product };

/// A linalg op with the extents of its loops.
struct Loops {
  Shape extents;
  /// The loop that threads share, or -1.
  int64_t shared = -1;
  SmallVector<Access> accesses;
  /// The loops that the region's linalg.index ops ask for.
  SmallVector<int64_t> asked;
  size_t numInits = 0;
  SmallVector<int64_t> initSizes;
  /// The reduction that is taken in blocks of so many steps, or -1, and what
  /// joins these for each result: f64 has nothing wider to be carried in.
  int64_t blocked = -1, blockSteps = 0;
  SmallVector<Join> joins;
  Program body;
  MLIRContext *context = nullptr;

  void run(const double *const *inputs, double *const *results) const;
  void runBlocks(const double *const *inputs, double *const *results) const;
  void runBlock(const Steps &steps, const double *const *inputs,
                double *const *results) const;
  void runPart(const Steps &steps, int64_t begin, int64_t end,
               const double *const *inputs, double *const *results) const;
};
} // namespace

/// Below this many points threads are not worth their start.
static constexpr int64_t kMinSharedPoints = 1 << 16;
static constexpr int64_t kNumParts = 64;
/// Points of a block, for each element of the result.
static constexpr int64_t kBlockPoints = 512;

void Loops::run(const double *const *inputs, double *const *results) const {
  size_t numOperands = accesses.size();
  for (size_t i = 0; i < numInits; ++i)
    std::copy_n(inputs[numOperands - numInits + i], initSizes[i], results[i]);
  if (blocked >= 0)
    return runBlocks(inputs, results);
  runBlock({}, inputs, results);
}

void Loops::runBlocks(const double *const *inputs,
                      double *const *results) const {
  SmallVector<std::vector<double>> parts;
  SmallVector<double *> pointers;
  for (int64_t size : initSizes) {
    parts.emplace_back(size);
    pointers.push_back(parts.back().data());
  }
  for (int64_t step = 0; step < extents[blocked]; step += blockSteps) {
    for (auto [part, join] : llvm::zip_equal(parts, joins))
      llvm::fill(part, join == Join::sum ? -0.0 : 1.0);
    runBlock({step, std::min(step + blockSteps, extents[blocked])}, inputs,
             pointers.data());
    for (auto [k, part] : llvm::enumerate(parts))
      for (auto [element, value] : llvm::enumerate(part)) {
        double &result = results[k][element];
        result = joins[k] == Join::sum ? result + value : result * value;
      }
  }
}

void Loops::runBlock(const Steps &steps, const double *const *inputs,
                     double *const *results) const {
  if (shared < 0 || getNumElements(extents) < kMinSharedPoints)
    return runPart(steps, 0, shared < 0 ? 0 : extents[shared], inputs, results);
  int64_t extent = extents[shared];
  mlir::parallelFor(context, 0, kNumParts, [&](size_t part) {
    runPart(steps, extent * part / kNumParts, extent * (part + 1) / kNumParts,
            inputs, results);
  });
}

void Loops::runPart(const Steps &steps, int64_t begin, int64_t end,
                    const double *const *inputs, double *const *results) const {
  Frame frame(body);
  size_t numOperands = accesses.size(), firstInit = numOperands - numInits;
  frame.setCaptures(inputs + numOperands);
  SmallVector<double> indices(asked.size());
  for (auto [given, index] : llvm::zip_equal(body.givens, indices))
    frame.set(given.second, &index);
  Shape part = extents;
  if (shared >= 0)
    part[shared] = end - begin;
  if (blocked >= 0)
    part[blocked] = steps.end - steps.begin;
  forEachIndex(part, [&](ArrayRef<int64_t> index) {
    Shape position(index);
    if (shared >= 0)
      position[shared] += begin;
    if (blocked >= 0)
      position[blocked] += steps.begin;
    for (auto [i, loop] : llvm::enumerate(asked))
      indices[i] = position[loop];
    for (size_t i = 0; i < numOperands; ++i) {
      const double *array = i < firstInit ? inputs[i] : results[i - firstInit];
      frame.set(i, array + accesses[i].getElement(position));
    }
    frame.run();
    for (size_t i = 0; i < numInits; ++i)
      results[i][accesses[firstInit + i].getElement(position)] =
          *frame.getResult(i);
  });
}

/// The linear function behind a map into a row-major tensor.
static FailureOr<Access> getAccess(Operation *op, AffineMap map,
                                   ArrayRef<int64_t> shape) {
  for (AffineExpr result : map.getResults()) {
    bool isLinear = result.isPureAffine();
    result.walk([&](AffineExpr expr) {
      isLinear &= expr.getKind() != AffineExprKind::Mod &&
                  expr.getKind() != AffineExprKind::FloorDiv &&
                  expr.getKind() != AffineExprKind::CeilDiv;
    });
    if (!isLinear)
      return op->emitOpError("has an indexing map with a division, which is "
                             "not supported by the reference interpreter");
  }
  Shape strides = getRowMajorStrides(shape);
  auto evaluate = [&](ArrayRef<int64_t> position) {
    int64_t element = 0;
    SmallVector<int64_t> index = map.compose(position);
    for (auto [i, stride] : llvm::zip(index, strides))
      element += i * stride;
    return element;
  };
  Access access;
  Shape position(map.getNumDims());
  access.offset = evaluate(position);
  for (int64_t &loop : position) {
    loop = 1;
    access.coefficients.push_back(evaluate(position) - access.offset);
    loop = 0;
  }
  return access;
}

/// Extents of the loops, from the shapes of the operands; each operand must
/// have the elements that the loops reach.
static LogicalResult setExtents(linalg::LinalgOp op, const ValueInfo &info,
                                Loops &loops) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  loops.extents.assign(op.getNumLoops(), -1);
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
    Shape shape = info.getShape(operand);
    for (auto [result, size] : llvm::zip(map.getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim)
        continue;
      int64_t &extent = loops.extents[dim.getPosition()];
      if (extent >= 0 && extent != size)
        return op.emitOpError("operands do not fit: its loop ")
               << dim.getPosition() << " has extent " << extent
               << " by one operand and " << size << " by another";
      extent = size;
    }
  }
  assert(!llvm::is_contained(loops.extents, -1) &&
         "each loop is a dimension of an operand, says linalg's verifier");
  if (getNumElements(loops.extents) == 0)
    return success();
  Shape last = loops.extents;
  for (int64_t &position : last)
    --position;
  Shape first(last.size());
  for (auto [i, map] : llvm::enumerate(maps)) {
    Shape shape = info.getShape(op->getOperand(i));
    SmallVector<int64_t> low = map.compose(first), high = map.compose(last);
    for (size_t dim = 0; dim < low.size() && dim < shape.size(); ++dim)
      if (std::min(low[dim], high[dim]) < 0 ||
          std::max(low[dim], high[dim]) >= shape[dim])
        return op.emitOpError("operand #")
               << i << " of shape " << describeShape(shape)
               << " does not fit the other operands: its dimension " << dim
               << " is read up to " << std::max(low[dim], high[dim]);
  }
  return success();
}

/// What joins blocks of the op's reductions; none unless each of its results is
/// a sum or a product of floats.
static SmallVector<Join> getJoins(linalg::LinalgOp op) {
  SmallVector<Join> joins;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (auto [k, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), k, combiners) ||
        combiners.size() != 1 ||
        llvm::any_of(loops, [&](unsigned k) { return map.isFunctionOfDim(k); }))
      return {};
    if (isa<arith::AddFOp>(combiners.front()))
      joins.push_back(Join::sum);
    else if (isa<arith::MulFOp>(combiners.front()))
      joins.push_back(Join::product);
    else
      return {};
  }
  return joins;
}

/// Long reductions are taken in blocks, in the longest of their loops.
static void setBlocks(linalg::LinalgOp op, Loops &loops) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  int64_t points = 1;
  for (unsigned loop : reductions) {
    points *= loops.extents[loop];
    if (loops.blocked < 0 || loops.extents[loop] > loops.extents[loops.blocked])
      loops.blocked = loop;
  }
  loops.joins = points > 2 * kBlockPoints ? getJoins(op) : SmallVector<Join>();
  if (loops.joins.empty()) {
    loops.blocked = -1;
    return;
  }
  int64_t inside = points / loops.extents[loops.blocked];
  loops.blockSteps = std::max<int64_t>(1, kBlockPoints / inside);
}

FailureOr<Kernel> clique::reference::makeLinalgKernel(Operation *operation,
                                                      const ValueInfo &info) {
  auto op = cast<linalg::LinalgOp>(operation);
  FailureOr<Program> body =
      Program::compile(*op.getBlock(), info.getPrecision(), &info);
  Loops loops;
  if (failed(body) || failed(setExtents(op, info, loops)))
    return failure();
  loops.body = std::move(*body);
  loops.context = op.getContext();
  loops.numInits = op.getNumDpsInits();
  for (auto [operand, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    FailureOr<Access> access =
        getAccess(operation, map, info.getShape(operand));
    if (failed(access))
      return failure();
    loops.accesses.push_back(*access);
  }
  for (auto [given, slot] : loops.body.givens)
    loops.asked.push_back(cast<linalg::IndexOp>(given).getDim());
  const ReferencePrecision &precision = info.getPrecision();
  if (!precision.seed && !precision.roundsToNearest)
    setBlocks(op, loops);
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (loops.shared < 0 && kind == utils::IteratorType::parallel)
      loops.shared = loop;

  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  for (auto [capture, slot] : loops.body.captures)
    kernel.inputs.push_back(capture);
  for (Value init : op.getDpsInits()) {
    kernel.resultShapes.push_back(info.getShape(init));
    loops.initSizes.push_back(getNumElements(kernel.resultShapes.back()));
  }
  kernel.run = [loops = std::move(loops)](const double *const *inputs,
                                          double *const *results) {
    loops.run(inputs, results);
  };
  return kernel;
}
