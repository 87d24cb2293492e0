//===- Lifting.h - From one edge to a tile of edges -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions of a spec speak of one edge or one node. A lowering evaluates
// them for many at once: for a tile of destinations x sources, for a block of
// nodes, or for a single edge. Lifting turns each op of a region into linalg on
// tensors that have, beside the feature dimensions, the axes of the iteration
// space on which the value depends: a value of the destination alone is
// computed once per destination, whatever the number of sources.
//
// The two lowerings differ in their axes only; everything here is shared.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_LIFTING_H
#define CLIQUE_COMPILER_LOWERING_LIFTING_H

#include "dialect/IR/MPOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

namespace clique {

/// A dimension of a lifted tensor: feature dimension k >= 0, or an axis of the
/// iteration space.
enum Axis : int { kDstAxis = -1, kSrcAxis = -2 };
using Layout = llvm::SmallVector<int, 4>;

/// The value of a region for all points of the iteration space.
struct Lifted {
  mlir::Value tensor;
  /// What each dimension of `tensor` is.
  Layout layout;

  bool has(Axis axis) const { return llvm::is_contained(layout, axis); }
  unsigned getFeatureRank() const {
    return llvm::count_if(layout, [](int axis) { return axis >= 0; });
  }
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType());
  }
};

/// What tensor.scatter writes, and where: the number of the slice, an i32
/// within bounds.
struct ScatteredSlice {
  Lifted source, number;
};

/// The type in which a feature is computed: half precision in f32, truth values
/// as i8 (vectors of i1 have another layout in memory than in registers).
mlir::Type getComputeType(mlir::Type elementType);

/// The canonical layout of a value: destinations lead ([dst, feature...]), so
/// that node values need no transposition; where sources take part they come
/// last
/// ([feature..., dst, src]), so that vectors run along them.
Layout getCanonicalLayout(unsigned featureRank, bool hasDst, bool hasSrc);

/// x y + z for scalars, which may be rounded once.
mlir::Value multiplyAdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                        mlir::Value y, mlir::Value z);

/// Evaluates ops of regions over an iteration space.
class Lifter {
public:
  /// `dstSize`, `srcSize`: extent of the axes (only of those that occur).
  /// `dstBase`, `srcBase`: node number of the axes' first element, or of the
  /// one node where there is no axis; null where positions cannot occur.
  Lifter(mlir::OpBuilder &builder, int64_t dstSize, int64_t srcSize,
         mlir::Value dstBase, mlir::Value srcBase)
      : builder(builder), dstSize(dstSize), srcSize(srcSize), dstBase(dstBase),
        srcBase(srcBase) {}

  /// Sets the lifted value of a region argument or of a value from outside.
  void map(mlir::Value value, Lifted lifted) {
    lifts[value] = std::move(lifted);
  }
  /// The same for a result of an op, which is not lifted then.
  void replace(mlir::Value value, Lifted lifted) {
    map(value, std::move(lifted));
    replaced.insert(value);
  }
  /// The lifted value of a value, if there is one by now.
  const Lifted *find(mlir::Value value) const {
    auto it = lifts.find(value);
    return it == lifts.end() ? nullptr : &it->second;
  }
  /// Sets the numbers of edges or of their ends, i64 over the axes of edges.
  /// Ends whose numbers are not set are counted from their axis' base on.
  void mapNumbers(mp::Endpoint endpoint, Lifted of) {
    numbers[endpoint] = std::move(of);
  }
  /// Sets the number, an index, of a single edge.
  void mapEdgeNumber(mlir::Location loc, mlir::Value number);
  /// Has maps of features that are 0 but for few elements (getWinningFeature)
  /// add these elements, one after the other, where there are no axes.
  void skipZeros() { skipsZeros = true; }
  /// Sets the scalar that stands for a scalar from outside.
  void mapScalar(mlir::Value value, mlir::Value scalar) {
    scalars[value] = scalar;
  }

  /// Lifts all ops of the block; the lifted operands of its terminator are
  /// returned. Emits an error at an op that cannot be lifted. Positions are
  /// relative to this lifter's bases.
  mlir::FailureOr<llvm::SmallVector<Lifted>> lift(mlir::Block &block);

  /// Lifts what a value of the block is made from, and no more; returns it.
  mlir::FailureOr<Lifted> lift(mlir::Block &block, mlir::Value value);

  /// Of an op that was lifted.
  const ScatteredSlice *findSlice(mlir::Operation *scatter) const {
    auto it = slices.find(scatter);
    return it == slices.end() ? nullptr : &it->second;
  }

  /// Makes a constant from outside known.
  mlir::LogicalResult liftConstant(mlir::Operation &op);

  /// What `generic` does with the scalars of one point.
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              mlir::ValueRange)>;
  /// A linalg.generic over the loops that `out` and the operands name. Axes not
  /// in `out` are reduced. `body` gets one scalar per input and, last, the
  /// current value of `init`.
  Lifted generic(mlir::Location loc, llvm::ArrayRef<Lifted> ins,
                 const Lifted &init, Body body);
  /// The same without reduction: elementwise into a new tensor of
  /// `elementType`, with the canonical layout of a feature of `shape` over the
  /// axes of the operands. `body` gets one scalar per input.
  Lifted elementwise(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                     mlir::Type elementType, llvm::ArrayRef<Lifted> ins,
                     Body body);

  /// The canonical layout of a feature that is computed from all of `operands`:
  /// it has each axis that one of them has.
  static Layout getLayout(unsigned featureRank,
                          llvm::ArrayRef<Lifted> operands);
  /// A new tensor of the same elements in this layout, repeated along axes that
  /// `value` does not have. Those that it has must be in `layout`.
  Lifted spread(mlir::Location loc, const Lifted &value, const Layout &layout) {
    return spread(loc, value, getFeatureShape(value), layout);
  }
  /// With the feature shape of the result, which may have more dimensions.
  Lifted spread(mlir::Location loc, Lifted value, llvm::ArrayRef<int64_t> shape,
                const Layout &layout);

  /// An uninitialised tensor of this layout.
  Lifted empty(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
               mlir::Type elementType, const Layout &layout);
  /// A tensor of this layout, filled with `value` (a float or integer).
  Lifted fill(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
              mlir::Type elementType, const Layout &layout, double value);
  /// The same value in its canonical layout: a transposition where it has
  /// another.
  Lifted toCanonicalLayout(mlir::Location loc, Lifted value);
  /// Converts to the type of computation; a no-op where it is the storage type.
  Lifted toCompute(mlir::Location loc, Lifted value);

  /// `value`, of a feature of `rank` dimensions, with numbers for those that
  /// are `summed` that no output of `generic` has; the others are 0, 1, ...
  static Lifted renameSummed(const Lifted &value, unsigned rank,
                             llvm::ArrayRef<int64_t> summed);

  /// The feature shape of a lifted value.
  static llvm::SmallVector<int64_t> getFeatureShape(const Lifted &value);

  mlir::OpBuilder &getBuilder() { return builder; }
  int64_t getSize(int axis) const {
    return axis == kDstAxis ? dstSize : srcSize;
  }

private:
  mlir::LogicalResult liftOp(mlir::Operation &op);
  mlir::LogicalResult liftElementwise(mlir::Operation &op);
  mlir::LogicalResult liftLinear(mlir::Operation &op);
  /// Lifts a map of what an edge won if zeros are skipped; whether it did.
  bool liftMapOfWinners(mp::LinearOp linear, const Lifted &weights,
                        const Lifted *bias);
  mlir::LogicalResult liftDot(mlir::Operation &op);
  mlir::LogicalResult liftReduce(mlir::Operation &op);
  mlir::LogicalResult liftBroadcast(mlir::Operation &op);
  mlir::LogicalResult liftPosition(mlir::Operation &op);
  mlir::LogicalResult liftNumber(mlir::Operation &op, const Lifted &numbers);
  mlir::LogicalResult liftLookup(mlir::Operation &op);
  mlir::LogicalResult liftReshape(mlir::Operation &op);
  mlir::LogicalResult liftConcat(mlir::Operation &op);
  mlir::LogicalResult liftExtractSlice(mlir::Operation &op);
  mlir::LogicalResult liftScatter(mlir::Operation &op);

  /// The lifted value of an operand; an error at `user` if there is none.
  mlir::FailureOr<Lifted> get(mlir::Operation &user, mlir::Value value);
  /// A product of `type`, summed over features: `lhs` and `rhs` with feature
  /// dimensions renamed so that equal numbers meet; the result's are 0..rank-1.
  /// `init`, if there is one, is what products are added to.
  Lifted contract(mlir::Location loc, mlir::RankedTensorType type,
                  const Lifted &lhs, const Lifted &rhs,
                  std::optional<Lifted> init = {});

  mlir::OpBuilder &builder;
  int64_t dstSize, srcSize;
  mlir::Value dstBase, srcBase;
  bool skipsZeros = false;
  llvm::DenseMap<mp::Endpoint, Lifted> numbers;
  llvm::DenseMap<mlir::Value, Lifted> lifts;
  llvm::DenseMap<mlir::Operation *, ScatteredSlice> slices;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseSet<mlir::Value> replaced;
};

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_LIFTING_H
