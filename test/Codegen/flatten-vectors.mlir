// Rows that do not fill a register become one vector, where nobody wants them as rows.
// RUN: clique-opt %s --clique-flatten-vectors | FileCheck %s

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32>} {

// A value per head for each feature is one shuffle, a transfer of a whole row one transfer.
// CHECK-LABEL: @weigh
// CHECK-SAME:    %[[M:.*]]: memref<?x4x8xf32>, %[[O:.*]]: memref<4x8xf32>, %[[I:.*]]: index, %[[W:.*]]: vector<4xf32>
// CHECK-DAG:     %[[F:.*]] = memref.collapse_shape %[[M]] {{\[\[}}0], [1, 2]] : memref<?x4x8xf32> into memref<?x32xf32>
// CHECK-DAG:     %[[X:.*]] = vector.transfer_read %[[F]][%[[I]], {{.*}} vector<32xf32>
// CHECK-DAG:     %[[T:.*]] = vector.shuffle %[[W]], %[[W]] [0, 0, 0, 0, 0, 0, 0, 0, 1, {{.*}} 2, 3, 3, 3, 3, 3, 3, 3, 3]
// CHECK:         %[[Y:.*]] = arith.mulf %[[X]], %[[T]] : vector<32xf32>
// CHECK:         %[[P:.*]] = arith.cmpf ogt, %[[Y]], %{{.*}} : vector<32xf32>
// CHECK:         %[[S:.*]] = arith.select %[[P]], %[[X]], %[[Y]] : vector<32xi1>, vector<32xf32>
// CHECK:         vector.transfer_write %[[S]], {{.*}} : vector<32xf32>, memref<32xf32>
func.func @weigh(%m: memref<?x4x8xf32>, %o: memref<4x8xf32>, %i: index, %w: vector<4xf32>) {
  %p = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %x = vector.transfer_read %m[%i, %c0, %c0], %p {in_bounds = [true, true]} : memref<?x4x8xf32>, vector<4x8xf32>
  %r = vector.broadcast %w : vector<4xf32> to vector<8x4xf32>
  %t = vector.transpose %r, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %y = arith.mulf %x, %t : vector<4x8xf32>
  %b = arith.cmpf ogt, %y, %zero : vector<4x8xf32>
  %s = arith.select %b, %x, %y : vector<4x8xi1>, vector<4x8xf32>
  vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
  return
}

// What a loop carries is flat in all places; rows that repeat are a shuffle, a number is a broadcast.
// CHECK-LABEL: @carried
// CHECK:         %[[INIT:.*]] = arith.constant dense<{{.*}}> : vector<16xf32>
// CHECK:         %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[INIT]]) -> (vector<16xf32>)
// CHECK-DAG:       %[[R:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]
// CHECK-DAG:       %[[B:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK:           %[[F:.*]] = vector.fma %[[R]], %[[B]], %[[A]] : vector<16xf32>
// CHECK:           scf.yield %[[F]]
// CHECK-NOT:     vector.shape_cast
// CHECK:         vector.shuffle %[[L]], %[[L]] [0, 8] : vector<16xf32>
func.func @carried(%v: vector<8xf32>, %f: f32, %n: index) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant dense<[[0.,1.,2.,3.,4.,5.,6.,7.],[8.,9.,10.,11.,12.,13.,14.,15.]]> : vector<2x8xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (vector<2x8xf32>) {
    %r = vector.broadcast %v : vector<8xf32> to vector<2x8xf32>
    %b = vector.broadcast %f : f32 to vector<2x8xf32>
    %s = vector.fma %r, %b, %a : vector<2x8xf32>
    scf.yield %s : vector<2x8xf32>
  }
  %flat = vector.shape_cast %l : vector<2x8xf32> to vector<16xf32>
  %s = vector.shuffle %flat, %flat [0, 8] : vector<16xf32>, vector<16xf32>
  return %s : vector<2xf32>
}

// Left as they are: rows of whole registers, values of which a row is wanted, and all that they meet, columns of a
// buffer, rows that fill no register together, and a number of elements that is no power of two.
// CHECK-LABEL: @others
// CHECK:         arith.addf {{.*}} : vector<2x16xf32>
// CHECK:         arith.addf {{.*}} : vector<2x8xf32>
// CHECK:         vector.extract
// CHECK:         arith.mulf {{.*}} : vector<4x8xf32>
// CHECK:         arith.addf {{.*}} : vector<3x3xf32>
// CHECK:         arith.addf {{.*}} : vector<12x4xf32>
func.func @others(%m: memref<2x16xf32>, %k: memref<?x2x8xf32>, %q: memref<8x4xf32>, %t: memref<3x3xf32>, %h: memref<12x4xf32>)
    -> vector<8xf32> {
  %p = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x16xf32>, vector<2x16xf32>
  %xx = arith.addf %x, %x : vector<2x16xf32>
  vector.transfer_write %xx, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, memref<2x16xf32>
  %y = vector.transfer_read %k[%c0, %c0, %c0], %p {in_bounds = [true, true]} : memref<?x2x8xf32>, vector<2x8xf32>
  %yy = arith.addf %y, %y : vector<2x8xf32>
  %row = vector.extract %yy[1] : vector<8xf32> from vector<2x8xf32>
  %z = vector.transfer_read %q[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}
      : memref<8x4xf32>, vector<4x8xf32>
  %zz = arith.mulf %z, %z : vector<4x8xf32>
  vector.transfer_write %zz, %q[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}
      : vector<4x8xf32>, memref<8x4xf32>
  %u = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true]} : memref<3x3xf32>, vector<3x3xf32>
  %uu = arith.addf %u, %u : vector<3x3xf32>
  vector.transfer_write %uu, %t[%c0, %c0] {in_bounds = [true, true]} : vector<3x3xf32>, memref<3x3xf32>
  %v = vector.transfer_read %h[%c0, %c0], %p {in_bounds = [true, true]} : memref<12x4xf32>, vector<12x4xf32>
  %vv = arith.addf %v, %v : vector<12x4xf32>
  vector.transfer_write %vv, %h[%c0, %c0] {in_bounds = [true, true]} : vector<12x4xf32>, memref<12x4xf32>
  return %row : vector<8xf32>
}
}
