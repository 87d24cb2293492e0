// What blocks compute of weights alone is computed once, before their loop.
// RUN: clique-opt %s --clique-hoist-from-blocks | FileCheck %s
// RUN: clique-opt %s --clique-hoist-from-blocks --clique-outline-sums=weights --canonicalize | FileCheck %s --check-prefix=OUTLINED

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// The words come in as one more argument, in place of the weights. A bias that
// is repeated stays, and so does what depends on the block.
// CHECK-LABEL: func.func private @block
// CHECK-SAME:      (%[[FIRST:.*]]: index, %[[H:.*]]: memref<24x64xf32>, %[[BIAS:.*]]: memref<48xf32>, %{{.*}}: memref<?x48xf32>, %[[WORDS:.*]]: memref<32x48xi32>)
// CHECK:         bufferization.to_tensor %[[WORDS]] restrict : memref<32x48xi32> to tensor<32x48xi32>
// CHECK-NOT:     mp.pair
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<24x48xf32>)
// CHECK:         math.exp
// CHECK:         return
func.func private @block(%first: index, %h: memref<24x64xf32>, %w: memref<64x6x8xf32>,
                         %bias: memref<48xf32>, %out: memref<?x48xf32>) {
  %weights = bufferization.to_tensor %w restrict : memref<64x6x8xf32> to tensor<64x6x8xf32>
  %flat = tensor.collapse_shape %weights [[0], [1, 2]] : tensor<64x6x8xf32> into tensor<64x48xf32>
  %low = tensor.extract_slice %flat[0, 0] [32, 48] [1, 1] : tensor<64x48xf32> to tensor<32x48xf32>
  %high = tensor.extract_slice %flat[32, 0] [32, 48] [1, 1] : tensor<64x48xf32> to tensor<32x48xf32>
  %empty = tensor.empty() : tensor<32x48xi32>
  %words = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%low, %high : tensor<32x48xf32>, tensor<32x48xf32>) outs(%empty : tensor<32x48xi32>) {
  ^bb0(%a: f32, %b: f32, %o: i32):
    %p = mp.pair %a, %b : (f32, f32) -> i32
    linalg.yield %p : i32
  } -> tensor<32x48xi32>
  %b = bufferization.to_tensor %bias restrict : memref<48xf32> to tensor<48xf32>
  %none = tensor.empty() : tensor<24x48xf32>
  %start = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<48xf32>) outs(%none : tensor<24x48xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<24x48xf32>
  %nodes = bufferization.to_tensor %h restrict : memref<24x64xf32> to tensor<24x64xf32>
  %all = tensor.empty() : tensor<24x64xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%nodes : tensor<24x64xf32>) outs(%all : tensor<24x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<24x64xf32>
  call @use(%words, %start, %e) : (tensor<32x48xi32>, tensor<24x48xf32>, tensor<24x64xf32>) -> ()
  return
}
func.func private @use(tensor<32x48xi32>, tensor<24x48xf32>, tensor<24x64xf32>)

// CHECK-LABEL: func.func @layer
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<64x6x8xbf16>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[WIDE]]
// CHECK:         %[[LOW:.*]] = tensor.extract_slice %[[FLAT]][0, 0] [32, 48] [1, 1]
// CHECK:         %[[HIGH:.*]] = tensor.extract_slice %[[FLAT]][32, 0] [32, 48] [1, 1]
// CHECK:         %[[WORDS:.*]] = linalg.generic {{.*}} ins(%[[LOW]], %[[HIGH]]
// CHECK:         %[[BUFFER:.*]] = bufferization.to_buffer %[[WORDS]] read_only
// CHECK:         scf.parallel
// CHECK:           func.call @block({{.*}}, %[[BUFFER]])

// Of the stored weights, some rows at a time: they are widened on the way.
// OUTLINED-LABEL: func.func private @layer_sum_0
// OUTLINED-SAME:      (%[[ROW:.*]]: index, %{{.*}}: memref<64x6x8xbf16>, %{{.*}}: memref<32x48xi32>)
// OUTLINED:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<32x48xbf16>, tensor<32x48xbf16>) outs(%{{.*}} : tensor<32x48xi32>)
// OUTLINED:           arith.extf
// OUTLINED:           arith.extf
// OUTLINED:           mp.pair
// OUTLINED-LABEL: func.func @layer
// OUTLINED-NOT:     linalg.generic {{.*}} ins(%{{.*}} : tensor<64x6x8xbf16>)
// OUTLINED:         call @layer_sum_0
func.func @layer(%h: tensor<24x64xf32>, %w: tensor<64x6x8xbf16>, %bias: tensor<48xf32>,
                 %out: memref<?x48xf32>, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<64x6x8xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<64x6x8xbf16>) outs(%empty : tensor<64x6x8xf32>) {
  ^bb0(%in: bf16, %o: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<64x6x8xf32>
  %wb = bufferization.to_buffer %wide read_only : tensor<64x6x8xf32> to memref<64x6x8xf32>
  %bb = bufferization.to_buffer %bias read_only : tensor<48xf32> to memref<48xf32>
  scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
    %hb = bufferization.to_buffer %h read_only : tensor<24x64xf32> to memref<24x64xf32>
    func.call @block(%block, %hb, %wb, %bb, %out)
        : (index, memref<24x64xf32>, memref<64x6x8xf32>, memref<48xf32>, memref<?x48xf32>) -> ()
    scf.reduce
  }
  return
}

// Weights of a function that is called outside of loops, too, stay.
// CHECK-LABEL: func.func private @both
// CHECK-SAME:      (%{{.*}}: memref<8x8xf32>)
// CHECK:         math.exp
func.func private @both(%w: memref<8x8xf32>) {
  %weights = bufferization.to_tensor %w restrict : memref<8x8xf32> to tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weights : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  call @use_one(%e) : (tensor<8x8xf32>) -> ()
  return
}
func.func private @use_one(tensor<8x8xf32>)

func.func @twice(%w: tensor<8x8xf32>, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %wb = bufferization.to_buffer %w read_only : tensor<8x8xf32> to memref<8x8xf32>
  scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
    func.call @both(%wb) : (memref<8x8xf32>) -> ()
    scf.reduce
  }
  call @both(%wb) : (memref<8x8xf32>) -> ()
  return
}

// Neither do the steps of a recurrence change the weights, as they are widened in one
// of its branches: before the first step. What a step itself makes stays in it.
// CHECK-LABEL: func.func private @step
// CHECK-SAME:      (%{{.*}}: memref<8x8xf32>, %{{.*}}: memref<8x8xf32>)
func.func private @step(%w: memref<8x8xf32>, %x: memref<8x8xf32>) {
  %weights = bufferization.to_tensor %w restrict : memref<8x8xf32> to tensor<8x8xf32>
  %state = bufferization.to_tensor %x restrict : memref<8x8xf32> to tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weights : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%state : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  call @use_both(%e, %t) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  return
}
func.func private @use_both(tensor<8x8xf32>, tensor<8x8xf32>)

// CHECK-LABEL: func.func @steps
// CHECK:         arith.extf
// CHECK:         math.exp
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:         arith.extf
// CHECK:             math.tanh
// CHECK:             scf.parallel
func.func @steps(%w: tensor<8x8xbf16>, %x: tensor<8x8xf32>, %steps: index, %blocks: index, %dense: i1)
    -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %x) -> (tensor<8x8xf32>) {
    scf.if %dense {
      %empty = tensor.empty() : tensor<8x8xf32>
      %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%w : tensor<8x8xbf16>) outs(%empty : tensor<8x8xf32>) {
      ^bb0(%in: bf16, %o: f32):
        %r = arith.extf %in : bf16 to f32
        linalg.yield %r : f32
      } -> tensor<8x8xf32>
      %wb = bufferization.to_buffer %wide read_only : tensor<8x8xf32> to memref<8x8xf32>
      %sb = bufferization.to_buffer %s read_only : tensor<8x8xf32> to memref<8x8xf32>
      scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
        func.call @step(%wb, %sb) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
        scf.reduce
      }
    }
    %next = tensor.insert_slice %s into %s[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  return %end : tensor<8x8xf32>
}

// A row of a table may lie behind its end: it is read behind its check, in the step.
// CHECK-LABEL: func.func private @of_row
// CHECK-SAME:      (%{{.*}}: memref<8x8xf32>)
func.func private @of_row(%w: memref<8x8xf32>) {
  %weights = bufferization.to_tensor %w restrict : memref<8x8xf32> to tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%weights : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  call @use_one(%e) : (tensor<8x8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @rows
// CHECK:         scf.for
// CHECK:           func.call @check
// CHECK:           tensor.extract_slice
// CHECK:           math.exp
func.func private @check(index)
func.func @rows(%table: tensor<4x8x8xf32>, %row: index, %steps: index, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    func.call @check(%row) : (index) -> ()
    %w = tensor.extract_slice %table[%row, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
    %wb = bufferization.to_buffer %w read_only : tensor<8x8xf32> to memref<8x8xf32>
    scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
      func.call @of_row(%wb) : (memref<8x8xf32>) -> ()
      scf.reduce
    }
  }
  return
}

// So may a row that is named, of a table with any number of them; of one with as many it may be read before.
// CHECK-LABEL: func.func @named
// CHECK:         %[[THERE:.*]] = tensor.extract_slice %{{.*}}[3, 0, 0]
// CHECK:         math.exp
// CHECK:         scf.for
// CHECK:           func.call @check
// CHECK:           tensor.extract_slice %{{.*}}[5, 0, 0]
// CHECK:           math.exp
func.func @named(%table: tensor<?x8x8xf32>, %four: tensor<4x8x8xf32>, %row: index, %steps: index, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    func.call @check(%row) : (index) -> ()
    %w = tensor.extract_slice %table[5, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<?x8x8xf32> to tensor<8x8xf32>
    %wb = bufferization.to_buffer %w read_only : tensor<8x8xf32> to memref<8x8xf32>
    %v = tensor.extract_slice %four[3, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
    %vb = bufferization.to_buffer %v read_only : tensor<8x8xf32> to memref<8x8xf32>
    scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
      func.call @of_row(%wb) : (memref<8x8xf32>) -> ()
      scf.reduce
    }
    scf.parallel (%block) = (%c0) to (%blocks) step (%c1) {
      func.call @of_row(%vb) : (memref<8x8xf32>) -> ()
      scf.reduce
    }
  }
  return
}
