// A register tile becomes vectors, and the accumulator a value of the loop.
// RUN: clique-opt %s --clique-vectorize --canonicalize | FileCheck %s

// CHECK-LABEL: @sum
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} -> (vector<16xf32>)
// CHECK-NEXT:      vector.transfer_read
// CHECK-NEXT:      arith.addf %{{.*}} : vector<16xf32>
// CHECK-NEXT:      scf.yield
// CHECK:         vector.transfer_write %[[SUM]]
#map = affine_map<(d0) -> (d0)>
func.func private @sum(%rows: tensor<?x16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<16xf32>) {
    %row = tensor.extract_slice %rows[%i, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%row : tensor<16xf32>) outs(%acc : tensor<16xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.addf %y, %x : f32
        linalg.yield %t : f32
    } -> tensor<16xf32>
    scf.yield %s : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// An accumulator is carried through nested loops: rows of edges in chunks.
// CHECK-LABEL: @nested
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      %[[INNER:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK-NEXT:        vector.transfer_read
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        scf.yield
// CHECK:           scf.yield %[[INNER]]
// CHECK:         vector.transfer_write %[[SUM]]
func.func private @nested(%rows: tensor<?x16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%outer = %init) -> (tensor<16xf32>) {
    %scaled = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
        outs(%outer : tensor<16xf32>) {
      ^bb0(%y: f32):
        %t = arith.mulf %y, %half : f32
        linalg.yield %t : f32
    } -> tensor<16xf32>
    %q = scf.for %j = %i to %n step %c1 iter_args(%acc = %scaled) -> (tensor<16xf32>) {
      %row = tensor.extract_slice %rows[%j, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
      %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%row : tensor<16xf32>) outs(%acc : tensor<16xf32>) {
        ^bb0(%x: f32, %y: f32):
          %t = arith.addf %y, %x : f32
          linalg.yield %t : f32
      } -> tensor<16xf32>
      scf.yield %s : tensor<16xf32>
    }
    scf.yield %q : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// A summand that no operand has a part in is added at each step.
// CHECK-LABEL: @uniform
// CHECK:         linalg.generic {{.*}}"reduction"
// CHECK:           arith.addf
#row = affine_map<(d0, d1) -> (d0, d1)>
#result = affine_map<(d0, d1) -> (d0)>
func.func private @uniform(%x: tensor<4x3xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 0.5 : f32
  %r = linalg.generic {indexing_maps = [#row, #result], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.addf %s, %c : f32
      linalg.yield %t : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// What a step makes of several carried tensors goes into memory of its own, and overwrites all of it:
// they are carried as vectors all the same.
// CHECK-LABEL: @states
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK:           arith.maximumf
// CHECK:           arith.minimumf
// CHECK-NOT:       vector.transfer_write
// CHECK:           scf.yield
#own = affine_map<(d0) -> (d0)>
func.func private @states(%rows: tensor<?x16xf32>, %a: tensor<16xf32>, %b: tensor<16xf32>, %n: index)
    -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<16xf32>, tensor<16xf32>) {
    %row = tensor.extract_slice %rows[%i, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %empty = tensor.empty() : tensor<16xf32>
    %s:2 = linalg.generic {indexing_maps = [#own, #own, #own, #own, #own], iterator_types = ["parallel"]}
        ins(%row, %x, %y : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
        outs(%empty, %empty : tensor<16xf32>, tensor<16xf32>) {
      ^bb0(%e: f32, %p: f32, %q: f32, %o: f32, %t: f32):
        %d = arith.subf %p, %q : f32
        %m = arith.maximumf %d, %e : f32
        %k = arith.minimumf %d, %e : f32
        linalg.yield %m, %k : f32, f32
    } -> (tensor<16xf32>, tensor<16xf32>)
    scf.yield %s#0, %s#1 : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// A part of a carried tensor that is written leaves the rest as it was.
// CHECK-LABEL: @part
// CHECK:         scf.for {{.*}} -> (tensor<16xf32>)
func.func private @part(%a: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<16xf32>) {
    %s = vector.transfer_write %ones, %zero[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<16xf32>
    scf.yield %s : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// What a loop carries and a step stores as it came is a vector too.

// CHECK-LABEL: func @stores_carried
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (vector<8xf32>)
// CHECK: %[[NEXT:.*]] = arith.mulf %{{.*}}, %[[OLD]]
// CHECK: %[[STORED:.*]] = vector.transfer_write %[[OLD]]
// CHECK: bufferization.materialize_in_destination %[[STORED]]
// CHECK: scf.yield %[[NEXT]] : vector<8xf32>
func.func @stores_carried(%x: tensor<8xf32>, %s: tensor<8xf32>, %out: memref<?x8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %s) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %next = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                            iterator_types = ["parallel"]}
        ins(%x, %old : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
    } -> tensor<8xf32>
    %row = memref.subview %out[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    bufferization.materialize_in_destination %old in writable %row : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What a check guards stays behind it: a loop without a step checks nothing.
// CHECK-LABEL: @checked
// CHECK-NOT:     tensor.extract
// CHECK:         scf.for
// CHECK:           mp.check
// CHECK-NEXT:      tensor.extract
func.func private @checked(%x: tensor<?xf32>, %last: index, %p: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    mp.check %p in %c0 to %last, "position"
    %e = tensor.extract %x[%p] : tensor<?xf32>
    %s = arith.addf %acc, %e : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// Of a sum over rows the vectors are these rows, which are not transposed.
// CHECK-LABEL: @sum_of_rows
// CHECK:         %[[ROWS:.*]] = vector.transfer_read %{{.*}} : tensor<3x16xf32>, vector<3x16xf32>
// CHECK:         %[[TERMS:.*]] = arith.mulf %{{.*}}, %[[ROWS]] : vector<3x16xf32>
// CHECK:         vector.multi_reduction <add>, %[[TERMS]], %{{.*}} [0] : vector<3x16xf32> to vector<16xf32>
func.func private @sum_of_rows(%w: tensor<3xf32>, %x: tensor<3x16xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>,
                                        affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%w, %x : tensor<3xf32>, tensor<3x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  return %s : tensor<16xf32>
}
