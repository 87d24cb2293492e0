// Dense tiles: a loop over tiles of sources and in it one over strips of
// destinations, the score as a matrix product over destinations x sources, the
// weighted sum as another.
// RUN: clique-opt %s --convert-mp-kernels --canonicalize | FileCheck %s
// RUN: clique-opt %s --convert-mp-kernels="dense-block-rows=20 tile-rows=6 tile-columns=32" | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func private @attention_0_dense(
// CHECK:         scf.for {{.*}} -> (tensor<384x2xf32>, tensor<384x2xf32>, tensor<384x2x4xf32>)
// The sources' keys run last, their values lie as in memory.
// CHECK:           linalg.transpose ins({{.*}} : tensor<64x2x4xf32>) outs({{.*}} : tensor<2x4x64xf32>)
// CHECK:           scf.for {{.*}} -> (tensor<384x2xf32>, tensor<384x2xf32>, tensor<384x2x4xf32>)
// CHECK:             tensor.extract_slice {{.*}} : tensor<384x2x4xf32> to tensor<12x2x4xf32>
// CHECK:             linalg.generic {{.*}} ins({{.*}} : tensor<12x2x4xf32>, tensor<2x4x64xf32>) outs({{.*}} : tensor<2x12x64xf32>)
// CHECK:               arith.mulf
// CHECK:               arith.addf
// CHECK:             arith.select
// CHECK:             math.exp
// CHECK:             linalg.generic {{.*}} ins({{.*}} : tensor<2x12x64xf32>, tensor<64x2x4xf32>) outs({{.*}} : tensor<12x2x4xf32>)
// A block holds whole strips.
// SMALL: tensor<18x2x4xf32>
// SMALL: tensor<2x6x32xf32>
func.func @attention(%g: !mp.graph<complete>, %q: tensor<?x2x4xf32>,
                     %k: tensor<?x2x4xf32>, %v: tensor<?x2x4xf32>)
    -> tensor<?x2x4xf32> {
  %o = mp.kernel "attention_0" dense -> tensor<?x2x4xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x4xf32>)
        src(%kj = %k : tensor<?x2x4xf32>, %vj = %v : tensor<?x2x4xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x4xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
    mp.yield %m : tensor<?x2x4xf32>
  }
  return %o : tensor<?x2x4xf32>
}
