//===- SchedulePasses.td - What kernels are lowered as --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_SCHEDULEPASSES_TD
#define CLIQUE_COMPILER_LOWERING_SCHEDULEPASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleKernelsPass : Pass<"mp-schedule-kernels", "::mlir::ModuleOp"> {
  let summary = "how the work of each kernel is divided, as an attribute of it";
  let description = [{
    Chooses the extents of blocks and tiles, how far ahead sources are fetched, how
    many threads of a GPU share a block, and whether edges are taken by type or in
    chunks: from
    the module's target (`mp.target`), from the sizes of what the kernel reads and
    computes, and from one table of measured values (`compiler/Analysis/Tuning.h`).
    Nothing later changes it. A schedule that is there stays.

    ```mlir
    %o = mp.kernel "sum_0" sparse -> tensor<?x8xf32> { ... }
    ```
    becomes, for a CPU,
    ```mlir
    %o = mp.kernel "sum_0" sparse
        schedule(#mp.row_blocks<rows = 128, edges = 4096, part = 256, prefetch = 16>)
        -> tensor<?x8xf32> { ... }
    ```
    and for a GPU, four of whose threads share a row,
    ```mlir
    %o = mp.kernel "sum_0" sparse
        schedule(#mp.row_blocks<rows = 1, edges = 128, threads = 4>)
        -> tensor<?x8xf32> { ... }
    ```

    Tiles of a CPU whose messages and updates read nodes' features alone, on a graph of which
    nothing is known, may take its nodes in the order of `mp.in_order`: `in_order` of
    `#mp.tiles`, and of the `mp.choose_dense` of a kernel all of whose tiles do. Positions and
    edges have the numbers of the graph as it is.

    The values of a dense tile's edges lie in the registers of a GPU's threads. Where
    one of an edge has more elements than the table allows, only the version in sparse
    rows remains:

    ```mlir
    %c = mp.choose_dense %g, "edgeconv_1" versions both ... : !mp.graph
    %o = scf.if %c -> tensor<?x64xf32> {
      %d = mp.kernel "edgeconv_1" dense ...
    } else {
      %s = mp.kernel "edgeconv_1" sparse ...
    }
    ```
    becomes
    ```mlir
    %c = mp.choose_dense %g, "edgeconv_1" versions sparse ... : !mp.graph
    %s = mp.kernel "edgeconv_1" sparse schedule(...) ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def BoundScoresPass : Pass<"mp-bound-scores"> {
  let summary = "a softmax of scores with known bounds needs no running maximum";
  let description = [{
    Interval arithmetic on the message and the updates before it bounds the scores
    whatever the inputs are: a soft cap c tanh(s / c), sigmoids, clamps, cosines of
    vectors that were divided by their norms, and what is made of them with
    constants. Where the bounds are at most 40 apart, weights are taken relative to
    one constant: exp(s - r) is at most e^8, as in a dense tile with a running
    maximum, and at least e^-32, which f32 holds without loss, times small values
    too. Neither is a maximum carried nor anything rescaled.

    ```mlir
    %v:2 = mp.message ... {
      %t = math.tanh %x : tensor<f32>
      %s = arith.mulf %t, %twenty : tensor<f32>
      mp.yield %s, %hj : tensor<f32>, tensor<8xf32>
    }
    %o = mp.aggregate %g softmax(%v#0) %v#1 : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
    becomes
    ```mlir
    %o = mp.aggregate %g softmax(%v#0) %v#1 {mp.score_reference = 12.0 : f64} : (...) -> tensor<?x8xf32>
    ```

    A score may also be -inf, as of a mask. Results differ by rounding alone. It is for
    kernels, before `mp-decompose-features`; a reference that is not proved is
    removed.

    Category of the remarks: `schedule`.
  }];
}

def DecomposeFeaturesPass : Pass<"mp-decompose-features"> {
  let summary = "Activations and normalisations to arith and math";
  let description = [{
    | op | becomes |
    | --- | --- |
    | `mp.relu` | maximum(x, 0), which keeps NaN |
    | `mp.leaky_relu` | x > 0 ? x : slope * x |
    | `mp.elu` | x > 0 ? x : alpha * expm1(x) |
    | `mp.sigmoid` | 1 / (1 + exp(-x)) |
    | `mp.silu` | x * sigmoid(x) |
    | `mp.softplus` | maximum(x, 0) + log1p(exp(-abs(x))), which never overflows; but of f64, log1p of what is at most 1 is a polynomial |
    | `mp.gelu` | x/2 * (1 + erf(x / sqrt(2))), or the approximation by tanh |
    | `mp.layer_norm` | mean and variance by `mp.reduce`, then (x - mean) * rsqrt(variance + eps) |
    | `mp.batch_norm` | (x - mean) * (scale * rsqrt(variance + eps)) + shift |

    Element types stay as they are.

    ```mlir
    %y = mp.softplus %x : tensor<8xf64>
    ```
    becomes
    ```mlir
    %zero = arith.constant dense<0.0> : tensor<8xf64>
    %p = arith.maximumf %x, %zero : tensor<8xf64>
    %a = math.absf %x : tensor<8xf64>
    %n = arith.negf %a : tensor<8xf64>
    %e = math.exp %n : tensor<8xf64>
    %l = math.log1p %e : tensor<8xf64>
    %y = arith.addf %p, %l : tensor<8xf64>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def FlattenLinearPass : Pass<"mp-flatten-linear"> {
  let summary = "Linear maps between features of any shape as one matrix each";
  let description = [{
    The summed dimensions of the weights become one, and so do the others: the
    product is one of matrices whatever the shapes, with long rows.

    ```mlir
    %y = mp.linear %x, %w : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %m = tensor.collapse_shape %w [[0], [1, 2]] : tensor<64x8x16xf32> into tensor<64x128xf32>
    %f = mp.linear %x, %m : (tensor<64xf32>, tensor<64x128xf32>) -> tensor<128xf32>
    %y = tensor.expand_shape %f [[0, 1]] output_shape [8, 16] : tensor<128xf32> into tensor<8x16xf32>
    ```

    A map to one element is an inner product with the weights:

    ```mlir
    %y = mp.linear %x, %w : (tensor<64xf32>, tensor<64x1xf32>) -> tensor<1xf32>
    ```
    becomes
    ```mlir
    %v = tensor.collapse_shape %w [[0, 1]] : tensor<64x1xf32> into tensor<64xf32>
    %s = mp.linear %x, %v : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
    %y = mp.broadcast %s : tensor<f32> to tensor<1xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

/// What the passes below make.

#endif // CLIQUE_COMPILER_LOWERING_SCHEDULEPASSES_TD
