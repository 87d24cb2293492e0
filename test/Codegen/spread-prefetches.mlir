// Rows that are fetched before a product are fetched during it: before a quarter of its steps, or half
// of them, each.
// RUN: clique-opt %s -clique-spread-prefetches -canonicalize | FileCheck %s

// CHECK-LABEL: func @one_product(
// CHECK:         %[[SIZE:.*]] = arith.subi %arg3, %arg2
// CHECK:         %[[QUARTER:.*]] = arith.divui %[[SIZE]], %c4
// CHECK:         %[[ROW:.*]] = arith.addi %arg2, %[[QUARTER]]
// CHECK:         scf.for %{{.*}} = %arg2 to %[[ROW]] step %c1
// CHECK-NEXT:      memref.prefetch
// CHECK:         %[[FIRST:.*]] = scf.for {{.*}} = %c0 to %c16 step %c1 iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK:         scf.for
// CHECK-NEXT:      memref.prefetch
// CHECK:         scf.for {{.*}} = %c16 to %c32 step %c1 iter_args(%{{.*}} = %[[FIRST]])
// CHECK:         scf.for {{.*}} = %c32 to %c48 step %c1
// CHECK:         %[[LAST:.*]] = scf.for {{.*}} = %c48 to %c64 step %c1
// CHECK:         return %[[LAST]]
func.func @one_product(%h: memref<?x16xf32>, %w: memref<64x16xf32>, %begin: index, %end: index)
    -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %row = %begin to %end step %c1 {
    memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x16xf32>
  }
  %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
    %v = vector.load %w[%k, %c0] : memref<64x16xf32>, vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  return %sum : vector<16xf32>
}

// Two products of a number of steps that is not known: each takes half of the rows, in two parts.

// CHECK-LABEL: func @some_products(
// CHECK-NOT:     memref.prefetch
// CHECK:         scf.for %[[COLUMN:.*]] = %c0 to %c32 step %c16
// CHECK:           %[[ROUND:.*]] = arith.divui %[[COLUMN]], %c16
// CHECK:           %[[STEPS:.*]] = arith.maxsi %arg4, %c0
// CHECK:           memref.prefetch
// CHECK:           %[[HALF:.*]] = scf.for {{.*}} = %c0 to %{{.*}} step %c1 iter_args
// CHECK:           memref.prefetch
// CHECK:           %[[SUM:.*]] = scf.for {{.*}} to %arg4 step %c1 iter_args(%{{.*}} = %[[HALF]])
// CHECK:           vector.store %[[SUM]]
func.func @some_products(%h: memref<?x16xf32>, %w: memref<64x32xf32>, %begin: index, %end: index,
                         %steps: index, %out: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %row = %begin to %end step %c1 {
    memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x16xf32>
  }
  scf.for %column = %c0 to %c32 step %c16 {
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %v = vector.load %w[%k, %column] : memref<64x32xf32>, vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    vector.store %sum, %out[%column] : memref<32xf32>, vector<16xf32>
  }
  return
}

// What is fetched before rows of a graph is what they read first; and a short product is over before
// the next fetch.

// CHECK-LABEL: func @others(
// CHECK-COUNT-2: memref.prefetch
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @others(%h: memref<?x16xf32>, %begin: index, %end: index, %steps: index)
    -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %row = %begin to %end step %c1 {
    memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x16xf32>
  }
  %a = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
    %v = vector.load %h[%k, %c0] : memref<?x16xf32>, vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  scf.for %row = %begin to %end step %c1 {
    memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x16xf32>
  }
  %b = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %a) -> (vector<16xf32>) {
    %v = vector.load %h[%k, %c0] : memref<?x16xf32>, vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  return %a, %b : vector<16xf32>, vector<16xf32>
}

// What is fetched on a condition is so too.

// CHECK-LABEL: func @on_condition(
// CHECK-NOT:     iter_args
// CHECK:         scf.for
// CHECK-NEXT:      scf.if %arg4 {
// CHECK-NEXT:        %[[ROW:.*]] = arith.divui
// CHECK-NEXT:        memref.prefetch %{{.*}}[%[[ROW]],
// CHECK:         scf.for {{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK:         scf.if %arg4 {
// CHECK:         scf.for {{.*}} = %c16 to %c32 step %c1 iter_args
func.func @on_condition(%h: memref<?x16xf32>, %w: memref<32x16xf32>, %begin: index, %end: index,
                        %far: i1, %parts: index) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %part = %begin to %end step %c1 {
    scf.if %far {
      %row = arith.divui %part, %parts : index
      memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x16xf32>
    }
  }
  %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
    %v = vector.load %w[%k, %c0] : memref<32x16xf32>, vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  return %sum : vector<16xf32>
}
