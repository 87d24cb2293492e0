// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: clique-opt %s --clique-unroll-transfers | FileCheck %s

// Each row of a vector is a transfer of its own, without memory between.
// CHECK-LABEL: @rows
// CHECK-NOT: alloca
// CHECK: %[[ROW0:.*]] = vector.transfer_read {{.*}} {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
// CHECK: %[[ROW1:.*]] = vector.transfer_read {{.*}} {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
// CHECK: vector.transfer_write %[[ROW0]], {{.*}} : vector<8xf32>, memref<?x?xf32>
// CHECK: vector.transfer_write %[[ROW1]], {{.*}} : vector<8xf32>, memref<?x?xf32>
func.func @rows(%m: memref<?x?xf32>, %n: memref<?x?xf32>, %i: index, %j: index) {
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, true]} : memref<?x?xf32>, vector<2x8xf32>
  vector.transfer_write %v, %n[%i, %j] {in_bounds = [true, true]} : vector<2x8xf32>, memref<?x?xf32>
  return
}

// Regions stay as they are: branches that do the same are not merged.
// CHECK-LABEL: @branches
// CHECK: cf.cond_br %{{.*}}, ^[[ONE:.*]], ^[[TWO:.*]]
// CHECK: ^[[ONE]]:
// CHECK: ^[[TWO]]:
func.func @branches(%c: i1, %m: memref<8xf32>, %v: vector<8xf32>, %i: index) {
  cf.cond_br %c, ^one, ^two
^one:
  vector.store %v, %m[%i] : memref<8xf32>, vector<8xf32>
  return
^two:
  vector.store %v, %m[%i] : memref<8xf32>, vector<8xf32>
  return
}
