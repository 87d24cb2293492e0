// Elementwise ops of gathered rows are computed where they are gathered.
// RUN: clique-opt %s --clique-fuse-into-gathers --canonicalize --split-input-file | FileCheck %s

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32>} {
// The op and its gather are one; the tensor that something else reads too has a gather of its own.
// CHECK-LABEL: func.func @chunk(
// CHECK-SAME:    %[[H:[^:]*]]: tensor<?x64xf32>, %[[X:[^:]*]]: tensor<?x64xf32>, %[[B:[^:]*]]: tensor<64xf32>, %[[S:[^:]*]]: tensor<48xf32>
// CHECK-SAME:    %[[ROWS:[^:]*]]: memref<?xindex>, %[[INIT:[^:]*]]: tensor<48x64xf32>
// CHECK:         %[[OTHER:.*]] = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[A:.*]] = %[[INIT]])
// CHECK:           %[[INNER:.*]] = scf.for %[[J:.*]] = %[[I]] to %{{.*}} step %c1 iter_args(%[[T:.*]] = %[[A]])
// CHECK-NOT:         linalg.generic
// CHECK:             tensor.insert_slice %{{.*}} into %[[T]][%[[J]], 0] [1, 64] [1, 1]
// CHECK:         %[[Z:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
// CHECK:           scf.for %[[E:.*]] = {{.*}} iter_args(%[[U:.*]] = %{{.*}})
// CHECK:             %[[ROW:.*]] = memref.load %[[ROWS]][%[[E]]]
// CHECK:             %[[XJ:.*]] = tensor.extract_slice %[[X]][%[[ROW]], 0] [1, 64] [1, 1]
// CHECK:             %[[SE:.*]] = tensor.extract_slice %[[S]][%[[E]]] [1] [1] : tensor<48xf32> to tensor<f32>
// CHECK:             %[[Y:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[XJ]], %[[SE]], %[[B]] : tensor<64xf32>, tensor<f32>, tensor<64xf32>)
// CHECK:               math.exp
// CHECK:             tensor.insert_slice %[[Y]] into %[[U]][%[[E]], 0] [1, 64] [1, 1]
// CHECK:         return %[[OTHER]], %[[Z]]
func.func @chunk(%h: tensor<?x64xf32>, %x: tensor<?x64xf32>, %b: tensor<64xf32>, %s: tensor<48xf32>,
                 %rows: memref<?xindex>, %init: tensor<48x64xf32>, %n: index, %m: index)
    -> (tensor<48x64xf32>, tensor<48x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init, %q = %init) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
    %hi = tensor.extract_slice %h[%i, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %inner:2 = scf.for %e = %i to %m step %c1 iter_args(%t = %p, %u = %q) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
      %row = memref.load %rows[%e] : memref<?xindex>
      %xj = tensor.extract_slice %x[%row, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
      %v = tensor.insert_slice %hi into %t[%e, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<48x64xf32>
      %w = tensor.insert_slice %xj into %u[%e, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<48x64xf32>
      scf.yield %v, %w : tensor<48x64xf32>, tensor<48x64xf32>
    }
    scf.yield %inner#0, %inner#1 : tensor<48x64xf32>, tensor<48x64xf32>
  }
  %empty = tensor.empty() : tensor<48x64xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%g#1, %s, %b : tensor<48x64xf32>, tensor<48xf32>, tensor<64xf32>) outs(%empty : tensor<48x64xf32>) {
  ^bb0(%a: f32, %k: f32, %c: f32, %out: f32):
    %d = arith.mulf %a, %k : f32
    %f = arith.addf %d, %c : f32
    %r = math.exp %f : f32
    linalg.yield %r : f32
  } -> tensor<48x64xf32>
  return %g#0, %z : tensor<48x64xf32>, tensor<48x64xf32>
}
}

// -----

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32>} {
// Rows of less than a vector are computed for all edges at once, along them; so are those that two ops read.
// CHECK-LABEL: func.func @others(
// CHECK:         scf.for
// CHECK-NOT:       linalg.generic
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:         linalg.generic
func.func @others(%x: tensor<?x3xf32>, %y: tensor<?x64xf32>, %init: tensor<48x3xf32>, %other: tensor<48x64xf32>, %n: index)
    -> (tensor<48x3xf32>, tensor<48x64xf32>, tensor<48x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g:2 = scf.for %e = %c0 to %n step %c1 iter_args(%t = %init, %u = %other) -> (tensor<48x3xf32>, tensor<48x64xf32>) {
    %xj = tensor.extract_slice %x[%e, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %yj = tensor.extract_slice %y[%e, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %v = tensor.insert_slice %xj into %t[%e, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<48x3xf32>
    %w = tensor.insert_slice %yj into %u[%e, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<48x64xf32>
    scf.yield %v, %w : tensor<48x3xf32>, tensor<48x64xf32>
  }
  %small = tensor.empty() : tensor<48x3xf32>
  %large = tensor.empty() : tensor<48x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%g#0 : tensor<48x3xf32>) outs(%small : tensor<48x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<48x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%g#1 : tensor<48x64xf32>) outs(%large : tensor<48x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<48x64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%g#1 : tensor<48x64xf32>) outs(%large : tensor<48x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.absf %in : f32
    linalg.yield %r : f32
  } -> tensor<48x64xf32>
  return %a, %b, %c : tensor<48x3xf32>, tensor<48x64xf32>, tensor<48x64xf32>
}
}
