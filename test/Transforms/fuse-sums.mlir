// RUN: clique-opt %s --mp-fuse --mp-fuse-sums --canonicalize --remarks-filter=fusion --split-input-file 2>&1 | FileCheck %s
// Tiles leave them to a kernel over nodes, with the updates.
// RUN: clique-opt %s --mp-fuse --mp-fuse-sums --mp-select-lowering --canonicalize --split-input-file | FileCheck %s --check-prefix=VERSIONS

#x = affine_map<(i, j, n) -> (n, i)>
#y = affine_map<(i, j, n) -> (n, j)>
#z = affine_map<(i, j, n) -> (i, j)>
#row = affine_map<(i, n) -> (n, i)>
#sum = affine_map<(i, n) -> (i)>

// What an update makes for sums alone does not leave its kernel, neither as it is nor reshaped.

// CHECK:         kernel gradient_0: sums over its nodes: 2, not stored for them: 1
// CHECK-LABEL: func.func @gradient(
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph, %[[H:[^:]*]]: tensor<?x8xf32>, %[[T:[^:]*]]: tensor<8x4xf32>)
// CHECK-DAG:     %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK:         %[[K:.*]]:3 = mp.kernel "gradient_0" -> tensor<?x8xf32>, tensor<?x8x4xf32>, tensor<?x4xf32> {
// CHECK:           %[[U:.*]]:2 = mp.update
// CHECK:           %[[FLAT:.*]] = tensor.collapse_shape %[[U]]#1
// CHECK:           %[[P:.*]] = linalg.generic {{.*}} ins(%[[H]], %[[FLAT]] : {{.*}}) outs(%[[ZEROS]] : tensor<8x4xf32>)
// CHECK:           %[[S:.*]] = linalg.generic {{.*}} ins(%[[FLAT]] : {{.*}}) outs(%[[ZERO]] : tensor<4xf32>)
// CHECK:           mp.yield %[[U]]#0, %[[P]], %[[S]]
// CHECK:         %[[W:.*]] = linalg.reduce { arith.addf } ins(%[[K]]#1 : tensor<?x8x4xf32>) outs(%[[T]] : tensor<8x4xf32>) dimensions = [0]
// CHECK:         %[[V:.*]] = linalg.reduce { arith.addf } ins(%[[K]]#2 : tensor<?x4xf32>) outs(%[[ZERO]] : tensor<4xf32>) dimensions = [0]
// CHECK:         return %[[K]]#0, %[[W]], %[[V]]

// VERSIONS-LABEL: func.func @gradient(
// VERSIONS:         scf.if
// VERSIONS:           %[[A:.*]] = mp.kernel "gradient_0" dense -> tensor<?x8xf32> {
// VERSIONS-NOT:         linalg
// VERSIONS:             mp.yield
// VERSIONS:           %[[D:.*]]:3 = mp.kernel "gradient_0_update" nodes -> tensor<?x8xf32>, tensor<?x8x4xf32>, tensor<?x4xf32> {
// VERSIONS:             mp.update ({{.*}} = %[[A]] : tensor<?x8xf32>)
// VERSIONS-COUNT-2:     linalg.generic
// VERSIONS:           scf.yield %[[D]]#0, %[[D]]#1, %[[D]]#2
// VERSIONS:         } else {
// VERSIONS:           mp.kernel "gradient_0" sparse -> tensor<?x8xf32>, tensor<?x8x4xf32>, tensor<?x4xf32> {
// VERSIONS-COUNT-2:     linalg.generic
func.func @gradient(%g: !mp.graph, %h: tensor<?x8xf32>, %t: tensor<8x4xf32>)
    -> (tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>) {
  %none = arith.constant dense<0.0> : tensor<4xf32>
  %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %u:2 = mp.update (%si = %s : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x2x2xf32> {
    %e = math.exp %si : tensor<8xf32>
    %r = tensor.extract_slice %e[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %q = tensor.expand_shape %r [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    mp.yield %e, %q : tensor<8xf32>, tensor<2x2xf32>
  }
  %flat = tensor.collapse_shape %u#1 [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  %w = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %flat : tensor<?x8xf32>, tensor<?x4xf32>) outs(%t : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x4xf32>
  %v = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%flat : tensor<?x4xf32>) outs(%none : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %o, %a : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %u#0, %w, %v : tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>
}

// -----

#row = affine_map<(i, n) -> (n, i)>
#sum = affine_map<(i, n) -> (i)>

// A result that somebody else reads is stored anyway, and a term that is not 0 where all is 0 has no
// place in a block with rows to spare.

// CHECK-LABEL: func.func @others(
// CHECK:         %[[K:.*]]:2 = mp.kernel "others_0" -> tensor<?x8xf32>, tensor<?x8xf32> {
// CHECK-NOT:       linalg
// CHECK:           mp.yield
// CHECK-COUNT-2: linalg.generic
func.func @others(%h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %u:2 = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32> {
    %e = math.exp %hi : tensor<8xf32>
    %t = math.tanh %hi : tensor<8xf32>
    mp.yield %e, %t : tensor<8xf32>, tensor<8xf32>
  }
  %v = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%u#0 : tensor<?x8xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %o, %a : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%u#1 : tensor<?x8xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %q = arith.addf %o, %e : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %u#0, %v, %w : tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Nothing changes for a GPU.

module attributes {mp.target = #mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = none, thread_registers = 128>} {
// CHECK-LABEL: func.func @gpu(
// CHECK:         mp.kernel "gpu_0" -> tensor<?x8xf32> {
// CHECK:         linalg.generic
func.func @gpu(%h: tensor<?x8xf32>) -> tensor<8xf32> {
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %e = math.exp %hi : tensor<8xf32>
    mp.yield %e : tensor<8xf32>
  }
  %v = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n, i)>, affine_map<(i, n) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%u : tensor<?x8xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %o, %a : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %v : tensor<8xf32>
}
}
