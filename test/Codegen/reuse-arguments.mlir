// The memory of an argument that the caller may have given away holds a result, or is freed,
// behind its last use.
// RUN: clique-opt %s --clique-reuse-arguments --split-input-file | FileCheck %s --implicit-check-not="call @clique_rt_take"

// Rows are read before any is written; the pair is of no use to later passes.
// CHECK-LABEL: func.func private @block(
// CHECK-NOT:     mp.over
// CHECK:         memref.load
func.func private @block(%i: index, %z: memref<?x2x4xf32> {mp.overwritten = 0 : i64},
                         %out: memref<?x8xf32> {mp.overwrites = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %row = memref.collapse_shape %z [[0], [1, 2]] : memref<?x2x4xf32> into memref<?x8xf32>
  %v = memref.load %row[%i, %c0] : memref<?x8xf32>
  memref.store %v, %out[%i, %c0] : memref<?x8xf32>
  return
}
func.func private @read(memref<?x2x4xf32>)

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[N:.*]]: index, %[[Z:.*]]: memref<?x2x4xf32> {mp.donatable})
// CHECK:         call @read(%[[Z]])
// CHECK:         %[[SIZE:.*]] = arith.muli %[[N]], %c32
// CHECK:         %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[Z]]
// CHECK:         %[[NUMBER:.*]] = arith.index_cast %[[START]]
// CHECK:         %[[ADDRESS:.*]] = llvm.inttoptr %[[NUMBER]]
// CHECK:         %[[TAKEN:.*]] = call @clique_rt_take_argument(%[[ADDRESS]], %[[SIZE]]) : (!llvm.ptr, index) -> i1
// CHECK:         %[[OUT:.*]] = scf.if %[[TAKEN]] -> (memref<?x8xf32>)
// CHECK:           memref.reinterpret_cast %[[Z]] to offset: [0], sizes: [%[[N]], 8], strides: [8, 1]
// CHECK:         } else {
// CHECK:           memref.alloc(%[[N]]) : memref<?x8xf32>
// CHECK:         scf.parallel
// CHECK:           func.call @block(%{{.*}}, %[[Z]], %[[OUT]])
// CHECK:         call @clique_rt_free_argument
// CHECK:         return %[[OUT]]
func.func @kernel(%n: index, %z: memref<?x2x4xf32> {mp.donatable}) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @read(%z) : (memref<?x2x4xf32>) -> ()
  %out = memref.alloc(%n) : memref<?x8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @block(%i, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
    scf.reduce
  }
  return %out : memref<?x8xf32>
}

// One of two versions runs: either may take it.
// CHECK-LABEL: func.func @versions(
// CHECK:         scf.if
// CHECK:           call @clique_rt_take_argument
// CHECK:           call @clique_rt_free_argument
// CHECK:         } else {
// CHECK:           call @clique_rt_take_argument
// CHECK:           call @clique_rt_free_argument
// CHECK-NOT:     clique_rt
// CHECK:         return
func.func @versions(%c: i1, %n: index, %z: memref<?x2x4xf32> {mp.donatable}) -> memref<?x8xf32> {
  %r = scf.if %c -> memref<?x8xf32> {
    %out = memref.alloc(%n) : memref<?x8xf32>
    func.call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
    scf.yield %out : memref<?x8xf32>
  } else {
    %out = memref.alloc(%n) : memref<?x8xf32>
    func.call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
    scf.yield %out : memref<?x8xf32>
  }
  return %r : memref<?x8xf32>
}

// Nobody gives it away.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT:     clique_rt
// CHECK:         return
func.func @kept(%n: index, %z: memref<?x2x4xf32>) -> memref<?x8xf32> {
  %out = memref.alloc(%n) : memref<?x8xf32>
  call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
  return %out : memref<?x8xf32>
}

// It is read again; the call by which it is comes before the free.
// CHECK-LABEL: func.func @later(
// CHECK-SAME:    %[[N:.*]]: index, %[[Z:.*]]: memref
// CHECK-NOT:     clique_rt
// CHECK:         call @read(%[[Z]])
// CHECK:         call @clique_rt_free_argument
func.func @later(%n: index, %z: memref<?x2x4xf32> {mp.donatable}) -> memref<?x8xf32> {
  %out = memref.alloc(%n) : memref<?x8xf32>
  call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
  call @read(%z) : (memref<?x2x4xf32>) -> ()
  return %out : memref<?x8xf32>
}

// Another name of it is.
// CHECK-LABEL: func.func @view(
func.func @view(%n: index, %z: memref<?x2x4xf32> {mp.donatable}) -> (memref<?x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %out = memref.alloc(%n) : memref<?x8xf32>
  %flat = memref.collapse_shape %z [[0], [1, 2]] : memref<?x2x4xf32> into memref<?x8xf32>
  call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
  %v = memref.load %flat[%c0, %c0] : memref<?x8xf32>
  return %out, %v : memref<?x8xf32>, f32
}

// The result is written to before the kernel reads, and by another op.
// CHECK-LABEL: func.func @filled(
func.func @filled(%n: index, %x: f32, %z: memref<?x2x4xf32> {mp.donatable}) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %out = memref.alloc(%n) : memref<?x8xf32>
  memref.store %x, %out[%c0, %c0] : memref<?x8xf32>
  call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
  return %out : memref<?x8xf32>
}

// Step after step reads it.
// CHECK-LABEL: func.func @steps(
func.func @steps(%n: index, %z: memref<?x2x4xf32> {mp.donatable}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %out = memref.alloc(%n) : memref<?x8xf32>
    func.call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
    memref.dealloc %out : memref<?x8xf32>
  }
  return
}

// It is a result itself.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     clique_rt
// CHECK:         return
func.func @returned(%n: index, %z: memref<?x2x4xf32> {mp.donatable}) -> (memref<?x8xf32>, memref<?x2x4xf32>) {
  %out = memref.alloc(%n) : memref<?x8xf32>
  call @block(%n, %z, %out) : (index, memref<?x2x4xf32>, memref<?x8xf32>) -> ()
  return %out, %z : memref<?x8xf32>, memref<?x2x4xf32>
}

// Where a branch is the last to use it, the other one frees it at its beginning.
// CHECK-LABEL: func.func @branch(
// CHECK:         scf.if
// CHECK-NEXT:      func.call @read
// CHECK:           call @clique_rt_free_argument
// CHECK:         } else {
// CHECK-NEXT:      memref.extract_aligned_pointer
// CHECK:           call @clique_rt_free_argument
// CHECK:           memref.alloc
func.func @branch(%c: i1, %n: index, %z: memref<?x2x4xf32> {mp.donatable}) {
  scf.if %c {
    func.call @read(%z) : (memref<?x2x4xf32>) -> ()
  } else {
    %a = memref.alloc(%n) : memref<?x2x4xf32>
    func.call @read(%a) : (memref<?x2x4xf32>) -> ()
    memref.dealloc %a : memref<?x2x4xf32>
  }
  return
}

// -----

// A row is written before the next one is read: it could be one that another call has written.
func.func private @rows(%n: index, %z: memref<?x8xf32> {mp.overwritten = 0 : i64},
                        %out: memref<?x8xf32> {mp.overwrites = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %z[%i, %c0] : memref<?x8xf32>
    memref.store %v, %out[%i, %c0] : memref<?x8xf32>
  }
  return
}

// CHECK-LABEL: func.func @loop(
func.func @loop(%n: index, %z: memref<?x8xf32> {mp.donatable}) -> memref<?x8xf32> {
  %out = memref.alloc(%n) : memref<?x8xf32>
  call @rows(%n, %z, %out) : (index, memref<?x8xf32>, memref<?x8xf32>) -> ()
  return %out : memref<?x8xf32>
}

// The function takes it a second time, as sources.
func.func private @twice(%z: memref<?x8xf32> {mp.overwritten = 0 : i64}, %s: memref<?x8xf32>,
                         %out: memref<?x8xf32> {mp.overwrites = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %v = memref.load %z[%c0, %c0] : memref<?x8xf32>
  memref.store %v, %out[%c0, %c0] : memref<?x8xf32>
  return
}

// CHECK-LABEL: func.func @sources(
func.func @sources(%n: index, %z: memref<?x8xf32> {mp.donatable}) -> memref<?x8xf32> {
  %out = memref.alloc(%n) : memref<?x8xf32>
  call @twice(%z, %z, %out) : (memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>) -> ()
  return %out : memref<?x8xf32>
}
