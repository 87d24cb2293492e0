// Rows of known length are copied and filled by vectors, a rest by a shorter one.
// RUN: clique-opt %s --clique-vectorize-copies --canonicalize | FileCheck %s

// CHECK:         #[[$UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK:         #[[$LOOP:.*]] = #llvm.loop_annotation<unroll = #[[$UNROLL]]>

// CHECK-LABEL: @copy
// CHECK-SAME:    (%[[FROM:.*]]: memref<?x80xf32, strided<[640, 1], offset: ?>>, %[[TO:.*]]: memref<?x80xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[TO]]
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[N]] step
// CHECK:           %[[ROW:.*]] = vector.load %[[FROM]][%[[I]], %c0] : {{.*}}, vector<64xf32>
// CHECK:           vector.store %[[ROW]], %[[TO]][%[[I]], %c0]
// CHECK:           %[[REST:.*]] = vector.load %[[FROM]][%[[I]], %c64] : {{.*}}, vector<16xf32>
// CHECK:           vector.store %[[REST]], %[[TO]][%[[I]], %c64]
// CHECK-NOT:     linalg.copy
func.func @copy(%from: memref<?x80xf32, strided<[640, 1], offset: ?>>, %to: memref<?x80xf32>) {
  linalg.copy ins(%from : memref<?x80xf32, strided<[640, 1], offset: ?>>) outs(%to : memref<?x80xf32>)
  return
}

// Vectors of powers of two.
// CHECK-LABEL: @powers
// CHECK:         vector.load %{{.*}}[%{{.*}}, %c0] : {{.*}}, vector<32xf32>
// CHECK:         vector.load %{{.*}}[%{{.*}}, %c32] : {{.*}}, vector<16xf32>
// CHECK:         vector.load %{{.*}}[%{{.*}}, %c48] : {{.*}}, vector<2xf32>
// CHECK:         vector.load %{{.*}}[%{{.*}}, %c50] : {{.*}}, vector<1xf32>
func.func @powers(%from: memref<?x51xf32>, %to: memref<?x51xf32>) {
  linalg.copy ins(%from : memref<?x51xf32>) outs(%to : memref<?x51xf32>)
  return
}

// CHECK-LABEL: @fill
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.store %{{.*}} : memref<?x256xf64>, vector<64xf64>
// CHECK-NOT:         llvm.loop_annotation
// CHECK:         return
func.func @fill(%to: memref<?x256xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%to : memref<?x256xf64>)
  return
}

// Left to scalar loops: rows of unknown length, and columns.
// CHECK-LABEL: @left
// CHECK:         linalg.copy
// CHECK:         linalg.copy
func.func @left(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
                %c: memref<4x8xf32, strided<[1, 4]>>, %d: memref<4x8xf32>) {
  linalg.copy ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.copy ins(%c : memref<4x8xf32, strided<[1, 4]>>) outs(%d : memref<4x8xf32>)
  return
}

// Heads that follow each other are one row.
// CHECK-LABEL: @heads
// CHECK-SAME:    (%[[FROM:.*]]: memref<12x8x8xf32>, %[[TO:.*]]: memref<?x8x8xf32, strided<[128, 8, 1], offset: ?>>)
// CHECK-DAG:     %[[A:.*]] = memref.collapse_shape %[[FROM]] {{\[\[}}0], [1, 2]]
// CHECK-DAG:     %[[B:.*]] = memref.collapse_shape %[[TO]] {{\[\[}}0], [1, 2]]
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NOT:       scf.for
// CHECK:           vector.load %[[A]][%[[I]], %c0] : {{.*}}, vector<64xf32>
// CHECK:           vector.store %{{.*}}, %[[B]][%[[I]], %c0]
func.func @heads(%from: memref<12x8x8xf32>, %to: memref<?x8x8xf32, strided<[128, 8, 1], offset: ?>>) {
  linalg.copy ins(%from : memref<12x8x8xf32>) outs(%to : memref<?x8x8xf32, strided<[128, 8, 1], offset: ?>>)
  return
}

// Of more than four vectors, which LLVM would unroll, a loop is kept.
// CHECK-LABEL: @long
// CHECK:         scf.for
// CHECK:           vector.load %{{.*}} : memref<320xf32>, vector<64xf32>
// CHECK:         } {llvm.loop_annotation = #[[$LOOP]]}
func.func @long(%from: memref<320xf32>, %to: memref<320xf32>) {
  linalg.copy ins(%from : memref<320xf32>) outs(%to : memref<320xf32>)
  return
}
