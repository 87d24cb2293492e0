// RUN: clique-opt %s --clique-unroll-loops | FileCheck %s

// CHECK-LABEL: func.func @short(
// CHECK-NOT:     scf.for
// CHECK-COUNT-6: vector.store
// CHECK-NOT:     vector.store
// CHECK:         return
func.func @short(%sums: memref<3x2x8xf32>, %zero: vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %row = %c0 to %c3 step %c1 {
    scf.for %head = %c0 to %c2 step %c1 {
      vector.store %zero, %sums[%row, %head, %c0] : memref<3x2x8xf32>, vector<8xf32>
    }
  }
  return
}

// What a loop carries.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-NOT:     scf.for
// CHECK:         %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:    %[[Z:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK:         return %[[Z]]
func.func @carried(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %i = %c0 to %c3 step %c2 iter_args(%a = %x) -> f32 {
    %b = arith.mulf %a, %a : f32
    scf.yield %b : f32
  }
  return %y : f32
}

// Many steps, a number of steps that is not known, none, and a loop around one that stays.
// CHECK-LABEL: func.func @long(
// CHECK-COUNT-5: scf.for
// CHECK-NOT:     scf.for
func.func @long(%sums: memref<?x8xf32>, %zero: vector<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  scf.for %row = %c0 to %c5 step %c1 {
    vector.store %zero, %sums[%row, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  scf.for %row = %c0 to %n step %c1 {
    vector.store %zero, %sums[%row, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  scf.for %row = %c1 to %c0 step %c1 {
    vector.store %zero, %sums[%row, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  scf.for %again = %c0 to %c2 step %c1 {
    scf.for %row = %c0 to %n step %c1 {
      vector.store %zero, %sums[%row, %c0] : memref<?x8xf32>, vector<8xf32>
    }
  }
  return
}
