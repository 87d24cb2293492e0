// Elementwise ops join their user where nothing is done twice.
// RUN: clique-opt %s --clique-fuse-elementwise --split-input-file | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>

// One elementwise op behind another: one op.
// CHECK-LABEL: func.func @chain
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @chain(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%e, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#in = affine_map<(i, j, k) -> (i, k)>
#weights = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>

// In front of a product the exponential would be evaluated for each column.
// CHECK-LABEL: func.func @product
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @product(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %init: tensor<8x32xf32>)
    -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %p = linalg.generic {indexing_maps = [#in, #weights, #out],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.mulf %a, %b : f32
      %r = arith.addf %c, %m : f32
      linalg.yield %r : f32
  } -> tensor<8x32xf32>
  return %p : tensor<8x32xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>

// A sum along rows visits each element once: the square joins it.
// CHECK-LABEL: func.func @sum
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @sum(%x: tensor<8x16xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.mulf %a, %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %b, %a : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

#row = affine_map<(i, k) -> (i, k)>
#in = affine_map<(j, i, k) -> (i, k)>
#values = affine_map<(j, i, k) -> (k, j)>
#all = affine_map<(j, i, k) -> (j, i, k)>
#terms = affine_map<(i, j, k) -> (j, i, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// Weights are scaled once, in front of the product of matrices, not in it.
// CHECK-LABEL: func.func @weighted
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @weighted(%w: tensor<12x64xf32>, %v: tensor<64x32xf32>, %init: tensor<12x32xf32>)
    -> tensor<12x32xf32> {
  %scale = arith.constant 1.250000e-01 : f32
  %row = tensor.empty() : tensor<12x64xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<12x64xf32>) outs(%row : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.mulf %a, %scale : f32
      linalg.yield %r : f32
  } -> tensor<12x64xf32>
  %all = tensor.empty() : tensor<32x12x64xf32>
  %spread = linalg.generic {indexing_maps = [#in, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<12x64xf32>) outs(%all : tensor<32x12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
  } -> tensor<32x12x64xf32>
  %p = linalg.generic {indexing_maps = [#all, #values, #all],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%spread, %v : tensor<32x12x64xf32>, tensor<64x32xf32>) outs(%all : tensor<32x12x64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.mulf %a, %b fastmath<contract> : f32
      linalg.yield %r : f32
  } -> tensor<32x12x64xf32>
  %sum = linalg.generic {indexing_maps = [#terms, #out],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p : tensor<32x12x64xf32>) outs(%init : tensor<12x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %b, %a fastmath<contract> : f32
      linalg.yield %r : f32
  } -> tensor<12x32xf32>
  return %sum : tensor<12x32xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>

// Two functions of many elements are two loops, each with shorter chains.
// CHECK-LABEL: func.func @functions(
// CHECK:         linalg.generic
// CHECK:           math.tanh
// CHECK-NOT:       math.exp
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         return
func.func @functions(%x: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %empty = tensor.empty() : tensor<12x64xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.tanh %a : f32
      linalg.yield %r : f32
  } -> tensor<12x64xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<12x64xf32>
  return %s : tensor<12x64xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>

// On a GPU they are one.
module attributes {mp.target = #mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = mma>} {
// CHECK-LABEL: func.func @functions_of_a_thread
// CHECK:           math.tanh
// CHECK-NEXT:      math.exp
func.func @functions_of_a_thread(%x: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %empty = tensor.empty() : tensor<12x64xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.tanh %a : f32
      linalg.yield %r : f32
  } -> tensor<12x64xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<12x64xf32>
  return %s : tensor<12x64xf32>
}
}

// -----

#row = affine_map<(i) -> (i)>

// Those of a few elements, as the heads of one edge, too.
// CHECK-LABEL: func.func @functions_of_an_edge
// CHECK:           math.tanh
// CHECK-NEXT:      math.exp
func.func @functions_of_an_edge(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.tanh %a : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%e : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#head = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32>} {
// What fits a register is computed once, not for each of its repetitions; what is only repeated is no work.
// CHECK-LABEL: func.func @weight
// CHECK:         linalg.generic {{.*}}["parallel"]
// CHECK:           arith.subf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @weight(%t: tensor<8xf32>, %d: tensor<8xf32>, %p: tensor<8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %ee = tensor.empty() : tensor<8x8xf32>
  %td = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%t, %d : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.subf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  %ds = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%p, %td : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.mulf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  %wide = linalg.generic {indexing_maps = [#head, #row], iterator_types = ["parallel", "parallel"]}
      ins(%ds : tensor<8xf32>) outs(%ee : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%ee : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.mulf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>

// What adds to its initial value is computed once: for each row it would add again.
// CHECK-LABEL: func.func @repeated_addition
// CHECK:         linalg.generic {{.*}}["parallel"]
// CHECK:           arith.addf
// CHECK-NEXT:      linalg.yield
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
// CHECK:         return
func.func @repeated_addition(%t: tensor<64xf32>, %s: tensor<64xf32>, %x: tensor<?x64xf32>, %e: tensor<?x64xf32>)
    -> tensor<?x64xf32> {
  %sum = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%t : tensor<64xf32>) outs(%s : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %b, %a : f32
      linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x64xf32>, tensor<64xf32>) outs(%e : tensor<?x64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.mulf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// A sum of what is subtracted; a difference that is not from the sum stays.
// CHECK-LABEL: func.func @subtracted
// CHECK:         ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[A]], %[[B]] : f32
// CHECK-NEXT:      %[[N:.*]] = arith.negf %[[D]] : f32
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[C]], %[[N]] : f32
// CHECK-NEXT:      linalg.yield %[[S]] : f32
func.func @subtracted(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %s = linalg.generic {indexing_maps = [#in, #in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.subf %a, %b : f32
      %r = arith.subf %c, %d : f32
      linalg.yield %r : f32
  } -> tensor<?xf32>
  return %s : tensor<?xf32>
}
