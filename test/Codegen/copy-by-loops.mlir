// Copies of parts of buffers are linalg.copy, those of whole buffers stay.
// RUN: clique-opt %s --clique-copy-by-loops | FileCheck %s

// CHECK-LABEL: @part(
// CHECK-SAME:    %[[PART:[a-z0-9]+]]: memref<?x4xf32, strided<[8, 1], offset: ?>>, %[[WHOLE:[a-z0-9]+]]: memref<?x4xf32>
// CHECK-NEXT:    linalg.copy ins(%[[PART]] : {{.*}}) outs(%[[WHOLE]] : {{.*}})
// CHECK-NEXT:    memref.copy %[[WHOLE]]
// CHECK-NEXT:    return
func.func @part(%part: memref<?x4xf32, strided<[8, 1], offset: ?>>, %whole: memref<?x4xf32>,
                %other: memref<?x4xf32>) {
  memref.copy %part, %whole : memref<?x4xf32, strided<[8, 1], offset: ?>> to memref<?x4xf32>
  memref.copy %whole, %other : memref<?x4xf32> to memref<?x4xf32>
  return
}
