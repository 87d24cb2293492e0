// RUN: clique-opt %s --clique-loops-in-place | FileCheck %s

// A counting sort: the numbers of places are read before they change.
// CHECK-LABEL: func @sort
// CHECK-SAME:    (%[[N:.*]]: index, %[[KEYS:.*]]: tensor<?xindex>, %[[STARTS:.*]]: tensor<9xindex>)
// CHECK-DAG:     %[[OUT:.*]] = memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK-DAG:     %[[PLACES:.*]] = memref.alloc() : memref<9xindex>
// CHECK:         bufferization.materialize_in_destination %[[STARTS]] in restrict writable %[[PLACES]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           %[[KEY:.*]] = tensor.extract %[[KEYS]][%[[I]]]
// CHECK:           %[[PLACE:.*]] = memref.load %[[PLACES]][%[[KEY]]]
// CHECK:           memref.store %[[I]], %[[OUT]][%[[PLACE]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PLACE]], %c1
// CHECK:           memref.store %[[NEXT]], %[[PLACES]][%[[KEY]]]
// CHECK:         }
// CHECK:         %[[SORTED:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:         return %[[SORTED]]
func.func @sort(%n: index, %keys: tensor<?xindex>, %starts: tensor<9xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<?xindex>
  %sorted, %ends = scf.for %i = %c0 to %n step %c1 iter_args(%out = %empty, %places = %starts)
      -> (tensor<?xindex>, tensor<9xindex>) {
    %key = tensor.extract %keys[%i] : tensor<?xindex>
    %place = tensor.extract %places[%key] : tensor<9xindex>
    %o = tensor.insert %i into %out[%place] : tensor<?xindex>
    %next = arith.addi %place, %c1 : index
    %p = tensor.insert %next into %places[%key] : tensor<9xindex>
    scf.yield %o, %p : tensor<?xindex>, tensor<9xindex>
  }
  return %sorted : tensor<?xindex>
}

// What was there before the write is read behind it: nothing is in place.
// CHECK-LABEL: func @late
// CHECK-NOT:     memref
// CHECK-LABEL: func @swapped
// CHECK-NOT:     memref
// CHECK-LABEL: func private @analysed
// CHECK-NOT:     memref
func.func @late(%n: index, %x: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %sum = %zero) -> (tensor<?xf32>, f32) {
    %u = tensor.insert %zero into %t[%i] : tensor<?xf32>
    %old = tensor.extract %t[%i] : tensor<?xf32>
    %next = arith.addf %sum, %old : f32
    scf.yield %u, %next : tensor<?xf32>, f32
  }
  return %r, %s : tensor<?xf32>, f32
}

// The two change places in each step.
func.func @swapped(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %u = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %v = tensor.insert %zero into %t[%i] : tensor<?xf32>
    scf.yield %u, %v : tensor<?xf32>, tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Bufferization finds it out.
func.func private @analysed(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf32>) {
    %v = tensor.insert %zero into %t[%i] : tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
