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

/// A kernel of all operands, with the static shape of the op's result.
static Kernel beginFeature(Operation *op, KernelFn run) {
  Kernel kernel;
  kernel.inputs = llvm::to_vector(op->getOperands());
  kernel.resultShapes = {getStaticShape(op->getResult(0).getType())};
  kernel.run = std::move(run);
  return kernel;
}

static int64_t getSize(Value value) {
  return getNumElements(getStaticShape(value.getType()));
}

static int64_t getLastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

template <typename Round>
static Kernel makeLinear(LinearOp op, Round round) {
  int64_t rows = getSize(op.getX()), columns = getSize(op.getResult());
  bool hasBias = static_cast<bool>(op.getBias());
  return beginFeature(
      op, [=](const double *const *inputs, double *const *results) {
        const double *x = inputs[0], *weights = inputs[1];
        double *result = results[0];
        for (int64_t c = 0; c < columns; ++c)
          result[c] = hasBias ? inputs[2][c] : 0;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < columns; ++c)
            result[c] = round(result[c] + x[r] * weights[r * columns + c]);
      });
}

template <typename Round>
static Kernel makeDot(DotOp op, Round round) {
  int64_t inner = getLastDim(op.getLhs()), outer = getSize(op.getResult());
  return beginFeature(op,
                      [=](const double *const *inputs, double *const *results) {
                        for (int64_t i = 0; i < outer; ++i) {
                          double sum = 0;
                          for (int64_t k = i * inner; k < (i + 1) * inner; ++k)
                            sum = round(sum + inputs[0][k] * inputs[1][k]);
                          results[0][i] = sum;
                        }
                      });
}

/// The element of a reduction's result that each element of `x` goes to.
static std::vector<int64_t> getReductionTargets(ReduceOp op) {
  Shape shape = getStaticShape(op.getX().getType());
  std::vector<int64_t> targets = {0};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isReduced = llvm::is_contained(op.getDims(), int64_t(dim));
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
static Kernel makeReduce(ReduceOp op, Round round) {
  std::vector<int64_t> targets = getReductionTargets(op);
  ReductionKind kind = op.getKind();
  int64_t count = getSize(op.getResult());
  double divisor = kind == ReductionKind::mean && count
                       ? static_cast<double>(targets.size()) / count
                       : 1;
  double identity = kind == ReductionKind::max   ? -INFINITY
                    : kind == ReductionKind::min ? INFINITY
                                                 : 0;
  return beginFeature(
      op, [=](const double *const *inputs, double *const *results) {
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

static Kernel makeBroadcast(BroadcastOp op) {
  int64_t from = getSize(op.getX()), to = getSize(op.getResult());
  int64_t repeats = from ? to / from : 0;
  bool trailing = op.getTrailing();
  return beginFeature(
      op, [=](const double *const *inputs, double *const *results) {
        for (int64_t i = 0; i < to; ++i)
          results[0][i] = inputs[0][trailing ? i % from : i / repeats];
      });
}

static Kernel makeLookup(LookupOp op) {
  int64_t rows = getStaticShape(op.getTable().getType())[0];
  int64_t width = getSize(op.getResult());
  return beginFeature(
      op, [=](const double *const *inputs, double *const *results) {
        int64_t row =
            std::max<int64_t>(0, std::min(toInteger(inputs[1][0]), rows - 1));
        std::copy_n(inputs[0] + row * width, rows ? width : 0, results[0]);
      });
}

template <typename Round>
static Kernel makeLayerNorm(LayerNormOp op, Round round) {
  int64_t width = getLastDim(op.getX()), count = getSize(op.getX());
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
      op, [=](const double *const *inputs, double *const *results) {
        const double *scale = hasScale ? inputs[1] : nullptr;
        const double *shift = hasShift ? inputs[1 + hasScale] : nullptr;
        for (int64_t begin = 0; begin < count; begin += width)
          normalise(inputs[0] + begin, scale, shift, results[0] + begin);
      });
}

template <typename Round>
static Kernel makeBatchNorm(BatchNormOp op, Round round) {
  int64_t count = getSize(op.getX());
  double eps = op.getEps().convertToDouble();
  bool hasScale = static_cast<bool>(op.getScale());
  bool hasShift = static_cast<bool>(op.getShift());
  return beginFeature(
      op, [=](const double *const *inputs, double *const *results) {
        const double *x = inputs[0], *mean = inputs[1], *variance = inputs[2];
        for (int64_t i = 0; i < count; ++i)
          results[0][i] =
              round(round(x[i] - mean[i]) / std::sqrt(variance[i] + eps) *
                    (hasScale ? inputs[3][i] : 1)) +
              (hasShift ? inputs[3 + hasScale][i] : 0);
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
  return TypeSwitch<Operation *, FailureOr<Kernel>>(op)
      .Case([&](LinearOp op) {
        return rounded([&](auto round) { return makeLinear(op, round); });
      })
      .Case([&](DotOp op) {
        return rounded([&](auto round) { return makeDot(op, round); });
      })
      .Case([&](ReduceOp op) {
        return rounded([&](auto round) { return makeReduce(op, round); });
      })
      .Case([](BroadcastOp op) { return makeBroadcast(op); })
      .Case([](LookupOp op) { return makeLookup(op); })
      .Case([&](LayerNormOp op) {
        return rounded([&](auto round) { return makeLayerNorm(op, round); });
      })
      .Case([&](BatchNormOp op) {
        return rounded([&](auto round) { return makeBatchNorm(op, round); });
      })
      .Default([&](Operation *) { return makeActivation(op, info); });
}
