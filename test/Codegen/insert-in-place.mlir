// Slices are inserted in place where nothing reads the old values any more.
// RUN: clique-opt %s --clique-insert-in-place --split-input-file | FileCheck %s

func.func private @read(memref<?x4xf32>) -> ()
func.func private @make(index) -> tensor<?x4xf32>

// CHECK-LABEL: func.func @levels(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: index
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK:         %[[FROM:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK:         %[[ALL:.*]] = memref.alloc(%[[SIZE]]) : memref<?x4xf32>
// CHECK:         linalg.copy ins(%[[FROM]] : memref<?x4xf32>) outs(%[[ALL]] : memref<?x4xf32>)
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           %[[OLD:.*]] = bufferization.to_tensor %[[ALL]] restrict
// CHECK:           bufferization.to_buffer %[[OLD]] read_only
// CHECK:           %[[NEW:.*]] = func.call @make
// CHECK:           %[[SLICE:.*]] = memref.subview %[[ALL]][%[[K]], 0] [1, 4] [1, 1]
// CHECK:           %[[PART:.*]] = bufferization.to_buffer %{{.*}} read_only
// CHECK:           linalg.copy ins(%[[PART]] {{.*}} outs(%[[SLICE]]
// CHECK-NOT:       scf.yield
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[ALL]] restrict
// CHECK:         return %[[R]]
func.func @levels(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x4xf32>) {
    %b = bufferization.to_buffer %h read_only : tensor<?x4xf32> to memref<?x4xf32>
    func.call @read(%b) : (memref<?x4xf32>) -> ()
    %new = func.call @make(%k) : (index) -> tensor<?x4xf32>
    %row = tensor.extract_slice %new[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %i = tensor.insert_slice %row into %h[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    scf.yield %i : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// A tensor without values is not copied.
// CHECK-LABEL: func.func @stack(
// CHECK-SAME:    %[[N:.*]]: index
// CHECK-NOT:     linalg.copy
// CHECK:         %[[ALL:.*]] = memref.alloc(%[[N]]) : memref<?x4xf32>
// CHECK-NEXT:    scf.for
// CHECK:           memref.subview %[[ALL]]
func.func @stack(%n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %empty) -> (tensor<?x4xf32>) {
    %new = func.call @make(%k) : (index) -> tensor<?x4xf32>
    %row = tensor.extract_slice %new[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %i = tensor.insert_slice %row into %h[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    scf.yield %i : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// Old values are read behind the insertion: of the first tensor a slice, which is copied before it,
// of the second one all.
// CHECK-LABEL: func.func @read_later(
// CHECK:         %[[ALL:.*]] = memref.alloc
// CHECK:         scf.for {{.*}} iter_args(%[[G:.*]] = %{{.*}})
// CHECK:           %[[OLD:.*]] = bufferization.to_tensor %[[ALL]] restrict
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[OLD]]
// CHECK-NEXT:      %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[ROW]])
// CHECK:           memref.subview %[[ALL]]
// CHECK:           linalg.copy
// CHECK:           tensor.insert_slice %[[COPY]] into %[[G]]
func.func @read_later(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x, %g = %x) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %new = func.call @make(%k) : (index) -> tensor<?x4xf32>
    %row = tensor.extract_slice %h[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %i = tensor.insert_slice %new into %h[%k, 0] [%k, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %j = tensor.insert_slice %row into %g[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    %b = bufferization.to_buffer %g read_only : tensor<?x4xf32> to memref<?x4xf32>
    func.call @read(%b) : (memref<?x4xf32>) -> ()
    scf.yield %i, %j : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %r#0, %r#1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// A part of the old values is written to another place, and values change places.
// CHECK-LABEL: func.func @moved(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           tensor.insert_slice
// CHECK:           tensor.insert_slice
func.func @moved(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x, %g = %x) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %rows = tensor.extract_slice %h[0, 0] [%k, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
    %i = tensor.insert_slice %rows into %h[1, 0] [%k, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %new = func.call @make(%k) : (index) -> tensor<?x4xf32>
    %j = tensor.insert_slice %new into %i[%k, 0] [%k, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    scf.yield %g, %j : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %r#0, %r#1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// Several slices, of which each is written where the one before was.
// CHECK-LABEL: func.func @several(
// CHECK:         scf.for {{.*}} {
// CHECK-COUNT-2:   linalg.copy
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @several(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x4xf32>) {
    %new = func.call @make(%k) : (index) -> tensor<?x4xf32>
    %i = tensor.insert_slice %new into %h[%k, 0] [%k, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    %j = tensor.insert_slice %new into %i[0, 0] [%k, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
    scf.yield %j : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// A counting sort: the numbers of places are read before they change.
// CHECK-LABEL: func @sort
// CHECK-SAME:    (%[[N:.*]]: index, %[[KEYS:.*]]: tensor<?xindex>, %[[STARTS:.*]]: tensor<9xindex>)
// CHECK-DAG:     %[[OUT:.*]] = memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK-DAG:     %[[PLACES:.*]] = memref.alloc() : memref<9xindex>
// CHECK:         linalg.copy ins(%{{.*}}) outs(%[[PLACES]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           %[[KEY:.*]] = tensor.extract %[[KEYS]][%[[I]]]
// CHECK:           %[[PLACE:.*]] = tensor.extract %{{.*}}[%[[KEY]]]
// CHECK:           memref.store %[[I]], %[[OUT]][%[[PLACE]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PLACE]], %c1
// CHECK:           memref.store %[[NEXT]], %[[PLACES]][%[[KEY]]]
// CHECK:         }
// CHECK:         %[[SORTED:.*]] = bufferization.to_tensor %[[OUT]] restrict
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
