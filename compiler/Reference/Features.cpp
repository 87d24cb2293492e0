//===- Features.cpp - Kernels of the feature ops --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mp.linear, mp.dot, reductions, norms, look-ups and activations: the formulas
// of their descriptions, word by word. `round` stands where compiled code has
// a rounding that another step could make large: sums, and what is subtracted.
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Elementwise.h"
#include "compiler/Reference/Integer.h"
#include "dialect/IR/MPOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace clique::mp;
using namespace clique::reference;
using namespace mlir;

namespace {
/// What the makers of kernels know: the op, and the shapes of its operands. At
/// function level a first dimension counts the nodes, and the formulas, which
/// look at the last dimensions, are those of one node for each.
struct Sizes {
  Sizes(Operation *op, const ValueInfo &info) : info(info) {
    result = getStaticShape(op->getResult(0).getType());
    // Rows are looked up for each index, all else is of each first operand.
    if (!result.empty() && ShapedType::isDynamic(result[0]))
      result[0] = info.getShape(op->getOperand(isa<LookupOp>(op) ? 1 : 0))[0];
  }
  int64_t get(Value operand) const {
    return getNumElements(info.getShape(operand));
  }
  int64_t getResult() const { return getNumElements(result); }

  const ValueInfo &info;
  Shape result;
};
} // namespace

/// A kernel of all operands.
static Kernel beginFeature(Operation *op, const Sizes &sizes, KernelFn run) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  kernel.resultShapes = {sizes.result};
  kernel.run = std::move(run);
  return kernel;
}

static int64_t getLastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

template <typename Round>
static Kernel makeLinear(LinearOp op, const Sizes &sizes, Round round) {
  // One product of a vector with a matrix for each outer element of x.
  int64_t rows = op.getContractedSize();
  int64_t columns =
      rows ? sizes.get(op.getWeights()) / rows : sizes.getResult();
  int64_t maps = columns ? sizes.getResult() / columns : 0;
  bool hasBias = static_cast<bool>(op.getBias());
  // Edges may be summed before the product.
  bool mayFollowSum = static_cast<bool>(op->getParentOfType<MessageOp>());
  return beginFeature(
      op, sizes, [=](const double *const *inputs, double *const *results) {
        const double *weights = inputs[1];
        for (int64_t map = 0; map < maps; ++map) {
          const double *x = inputs[0] + map * rows;
          double *result = results[0] + map * columns;
          for (int64_t c = 0; c < columns; ++c)
            result[c] = hasBias ? inputs[2][c] : 0;
          for (int64_t r = 0; r < rows; ++r) {
            double element = mayFollowSum ? round.ofLongSum(x[r], r) : x[r];
            for (int64_t c = 0; c < columns; ++c)
              result[c] = round(result[c] + element * weights[r * columns + c]);
          }
        }
      });
}

template <typename Round>
static Kernel makeDot(DotOp op, const Sizes &sizes, Round round) {
  int64_t inner = getLastDim(op.getLhs()), outer = sizes.getResult();
  return beginFeature(op, sizes,
                      [=](const double *const *inputs, double *const *results) {
                        for (int64_t i = 0; i < outer; ++i) {
                          double sum = 0;
                          for (int64_t k = i * inner; k < (i + 1) * inner; ++k)
                            sum = round(sum + inputs[0][k] * inputs[1][k]);
                          results[0][i] = sum;
                        }
                      });
}

/// Where each element of a tensor stands in the one without some dimensions.
static std::vector<int64_t> getTargetsWithout(ArrayRef<int64_t> dims,
                                              const Shape &shape) {
  std::vector<int64_t> targets = {0};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isReduced = llvm::is_contained(dims, int64_t(dim));
    std::vector<int64_t> next;
    next.reserve(targets.size() * size);
    for (int64_t target : targets)
      for (int64_t i = 0; i < size; ++i)
        next.push_back(isReduced ? target : target * size + i);
    targets = std::move(next);
  }
  return targets;
}

template <typename Round>
static Kernel makeReduce(ReduceOp op, const Sizes &sizes, Round round) {
  std::vector<int64_t> targets =
      getTargetsWithout(op.getDims(), sizes.info.getShape(op.getX()));
  ReductionKind kind = op.getKind();
  int64_t count = sizes.getResult();
  double divisor = kind == ReductionKind::mean && count
                       ? static_cast<double>(targets.size()) / count
                       : 1;
  double identity = kind == ReductionKind::max   ? -INFINITY
                    : kind == ReductionKind::min ? INFINITY
                                                 : 0;
  return beginFeature(
      op, sizes, [=](const double *const *inputs, double *const *results) {
        std::fill_n(results[0], count, identity);
        for (size_t i = 0; i < targets.size(); ++i) {
          double &target = results[0][targets[i]];
          double x = inputs[0][i];
          target = kind == ReductionKind::max   ? maximum(target, x)
                   : kind == ReductionKind::min ? minimum(target, x)
                                                : round(target + x);
        }
        for (int64_t i = 0; i < count; ++i)
          results[0][i] /= divisor;
      });
}

static Kernel makeBroadcast(BroadcastOp op, const Sizes &sizes) {
  std::vector<int64_t> sources =
      getTargetsWithout(op.getNewDims(), sizes.result);
  return beginFeature(op, sizes,
                      [=](const double *const *inputs, double *const *results) {
                        for (size_t i = 0; i < sources.size(); ++i)
                          results[0][i] = inputs[0][sources[i]];
                      });
}

static FailureOr<Kernel> makeLookup(LookupOp op, const Sizes &sizes) {
  Shape table = sizes.info.getShape(op.getTable());
  int64_t rows = table[0], count = sizes.get(op.getIndex());
  int64_t width = getNumElements(ArrayRef(table).drop_front());
  if (rows == 0 && count > 0)
    return op.emitOpError("has a table without rows: expected 1 or more");
  return beginFeature(
      op, sizes, [=](const double *const *inputs, double *const *results) {
        for (int64_t k = 0; k < count; ++k) {
          int64_t row =
              std::max<int64_t>(0, std::min(toInteger(inputs[1][k]), rows - 1));
          std::copy_n(inputs[0] + row * width, width, results[0] + k * width);
        }
      });
}

template <typename Round>
static Kernel makeLayerNorm(LayerNormOp op, const Sizes &sizes, Round round) {
  int64_t width = getLastDim(op.getX()), count = sizes.get(op.getX());
  double eps = op.getEps().convertToDouble();
  bool hasScale = static_cast<bool>(op.getScale());
  bool hasShift = static_cast<bool>(op.getShift());
  auto normalise = [=](const double *x, const double *scale,
                       const double *shift, double *result) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < width; ++i)
      mean = round(mean + x[i]);
    mean = round(mean / width);
    for (int64_t i = 0; i < width; ++i) {
      double centred = round(x[i] - mean);
      variance = round(variance + centred * centred);
    }
    variance /= width;
    for (int64_t i = 0; i < width; ++i)
      result[i] = round(round(x[i] - mean) / std::sqrt(variance + eps) *
                        (scale ? scale[i] : 1)) +
                  (shift ? shift[i] : 0);
  };
  return beginFeature(
      op, sizes, [=](const double *const *inputs, double *const *results) {
        const double *scale = hasScale ? inputs[1] : nullptr;
        const double *shift = hasShift ? inputs[1 + hasScale] : nullptr;
        for (int64_t begin = 0; begin < count; begin += width)
          normalise(inputs[0] + begin, scale, shift, results[0] + begin);
      });
}

template <typename Round>
static Kernel makeBatchNorm(BatchNormOp op, const Sizes &sizes, Round round) {
  int64_t count = sizes.get(op.getX()), width = sizes.get(op.getMean());
  double eps = op.getEps().convertToDouble();
  bool hasScale = static_cast<bool>(op.getScale());
  bool hasShift = static_cast<bool>(op.getShift());
  return beginFeature(
      op, sizes, [=](const double *const *inputs, double *const *results) {
        const double *x = inputs[0], *mean = inputs[1], *variance = inputs[2];
        for (int64_t i = 0; i < count; ++i) {
          const int64_t f = i % width;
          results[0][i] =
              round(round(x[i] - mean[f]) / std::sqrt(variance[f] + eps) *
                    (hasScale ? inputs[3][f] : 1)) +
              (hasShift ? inputs[3 + hasScale][f] : 0);
        }
      });
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

template <typename Round>
static double gelu(double x, Round round) {
  // erfc(-z) = 1 + erf(z), which is a small difference for a negative z.
  double z = x / std::sqrt(2.0);
  if constexpr (std::is_same_v<Round, NoRounding>)
    return x * 0.5 * std::erfc(-z);
  else
    return x * 0.5 * (1 + round(std::erf(z)));
}

template <typename Round>
static double geluTanh(double x, Round round) {
  double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / 2 * (1 + round(std::tanh(inner)));
}

static FailureOr<Kernel> makeActivation(Operation *op, const ValueInfo &info) {
  auto apply = [&](auto fn) { return makeElementwise<1>(op, info, fn); };
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case(
          [&](ReluOp) { return apply([](double x) { return maximum(x, 0); }); })
      .Case([&](SigmoidOp) { return apply(sigmoid); })
      .Case([&](SiluOp) {
        return apply([](double x) { return x * sigmoid(x); });
      })
      .Case([&](SoftplusOp) {
        // log(1 + exp(x)), without overflow for a large x.
        return apply([](double x) {
          return maximum(x, 0) + std::log1p(std::exp(-std::abs(x)));
        });
      })
      .Case([&](GeluOp op) {
        return withRounding(info.getPrecision(), op.getType(), [&](auto round) {
          return op.getTanh()
                     ? apply([=](double x) { return geluTanh(x, round); })
                     : apply([=](double x) { return gelu(x, round); });
        });
      })
      .Case([&](LeakyReluOp leaky) {
        return apply([slope = leaky.getSlope().convertToDouble()](double x) {
          return x > 0 ? x : slope * x;
        });
      })
      .Case([&](EluOp elu) {
        return apply([alpha = elu.getAlpha().convertToDouble()](double x) {
          return x > 0 ? x : alpha * std::expm1(x);
        });
      })
      .Default([](Operation *op) -> FailureOr<Kernel> {
        return emitNotSupported(op);
      });
}

FailureOr<Kernel> clique::reference::makeFeatureKernel(Operation *op,
                                                       const ValueInfo &info) {
  auto rounded = [&](auto make) {
    return withRounding(info.getPrecision(), op->getResult(0).getType(), make);
  };
  const Sizes sizes(op, info);
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](LinearOp op) {
        return rounded(
            [&](auto round) { return makeLinear(op, sizes, round); });
      })
      .Case([&](DotOp op) -> FailureOr<Kernel> {
        if (info.getShape(op.getLhs()) != info.getShape(op.getRhs()))
          return op.emitOpError("has operands of different shapes: expected "
                                "one row per node in each");
        return rounded([&](auto round) { return makeDot(op, sizes, round); });
      })
      .Case([&](ReduceOp op) {
        return rounded(
            [&](auto round) { return makeReduce(op, sizes, round); });
      })
      .Case([&](BroadcastOp op) { return makeBroadcast(op, sizes); })
      .Case([&](LookupOp op) { return makeLookup(op, sizes); })
      .Case([&](LayerNormOp op) {
        return rounded(
            [&](auto round) { return makeLayerNorm(op, sizes, round); });
      })
      .Case([&](BatchNormOp op) {
        return rounded(
            [&](auto round) { return makeBatchNorm(op, sizes, round); });
      })
      .Default([&](Operation *) { return makeActivation(op, info); });
}
