// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: clique-opt %s --clique-expand-strided-metadata | FileCheck %s

// CHECK: #[[$MAP:.*]] = affine_map<()[s0] -> (s0 * 8)>
// CHECK-LABEL: @row
// CHECK-SAME: %[[I:[a-z0-9]+]]: index
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK: %[[AT:.*]] = affine.apply #[[$MAP]]()[%[[I]]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[AT]]], sizes: [8], strides: [1]
// CHECK-NOT: memref.subview
func.func @row(%m: memref<?x8xf32>, %i: index) -> f32 {
  %zero = arith.constant 0 : index
  %row = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %x = memref.load %row[%zero] : memref<8xf32, strided<[1], offset: ?>>
  return %x : f32
}

// Regions stay as they are: branches that do the same are not merged.
// CHECK-LABEL: @branches
// CHECK: cf.cond_br %{{.*}}, ^[[ONE:.*]], ^[[TWO:.*]]
// CHECK: ^[[ONE]]:
// CHECK: ^[[TWO]]:
func.func @branches(%c: i1, %m: memref<8xf32>, %x: f32, %i: index) {
  cf.cond_br %c, ^one, ^two
^one:
  memref.store %x, %m[%i] : memref<8xf32>
  return
^two:
  memref.store %x, %m[%i] : memref<8xf32>
  return
}
