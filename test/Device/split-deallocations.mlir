// RUN: clique-opt %s --clique-split-deallocations | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[R:.*]]: memref<?xf32>, %[[OWNS_A:.*]]: i1, %[[OWNS_B:.*]]: i1)
// CHECK-DAG:     %[[AT_A:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:     %[[AT_B:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = bufferization.dealloc (%[[A]] : memref<?xf32>) if (%[[OWNS_A]]) retain (%[[R]] : memref<?xf32>)
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[AT_B]], %[[AT_A]]
// CHECK:         %[[FREED:.*]] = arith.andi %[[SAME]], %[[OWNS_A]]
// CHECK:         %[[LEFT:.*]] = arith.xori %[[FREED]], %true
// CHECK:         %[[OTHERS:.*]] = arith.andi %[[OWNS_B]], %[[LEFT]]
// CHECK:         %[[SECOND:.*]] = bufferization.dealloc (%[[B]] : memref<?xf32>) if (%[[OTHERS]]) retain (%[[R]] : memref<?xf32>)
// CHECK:         %[[OWN:.*]] = arith.ori %[[FIRST]], %[[SECOND]]
// CHECK:         return %[[OWN]]
func.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %r: memref<?xf32>, %owns_a: i1, %owns_b: i1) -> i1 {
  %own = bufferization.dealloc (%a, %b : memref<?xf32>, memref<?xf32>) if (%owns_a, %owns_b) retain (%r : memref<?xf32>)
  return %own : i1
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    bufferization.dealloc (%{{.*}} : memref<?xf32>) if (%{{.*}})
// CHECK-NEXT:    return
func.func @one(%a: memref<?xf32>, %owns: i1) {
  bufferization.dealloc (%a : memref<?xf32>) if (%owns)
  return
}
