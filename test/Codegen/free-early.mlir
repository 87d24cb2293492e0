// Buffers are freed behind their last use.
// RUN: clique-opt %s --clique-free-early | FileCheck %s

func.func private @read(memref<?xf32>)
func.func private @write(memref<?xf32>)

// CHECK-LABEL: @chain
// CHECK:         call @read(%[[A:.*]]) :
// CHECK-NEXT:    memref.dealloc %[[A]] :
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK-NEXT:    call @read(%[[B]])
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @chain(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  call @read(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  call @read(%b) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// The result of a branch, of which upstream frees the base.
// CHECK-LABEL: @branch
// CHECK:         %[[A:.*]] = scf.if
// CHECK:         call @read(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<?xf32>
// CHECK-NEXT:    call @read(%arg2)
// CHECK-NEXT:    return
func.func @branch(%n: index, %yes: i1, %other: memref<?xf32>) {
  %a = scf.if %yes -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    %b = memref.alloc(%n) : memref<?xf32>
    func.call @write(%b) : (memref<?xf32>) -> ()
    scf.yield %b : memref<?xf32>
  }
  call @read(%a) : (memref<?xf32>) -> ()
  call @read(%other) : (memref<?xf32>) -> ()
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
      : memref<?xf32> -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}

// Views of a buffer, and what may be one, are uses of it.
// CHECK-LABEL: @views
// CHECK:         call @read(%{{.*}}) : (memref<?xf32>)
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @read(%arg2)
func.func @views(%n: index, %yes: i1, %other: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %part = memref.subview %a[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %cast = memref.cast %part : memref<?xf32, strided<[1]>> to memref<?xf32>
  %either = scf.if %yes -> (memref<?xf32>) {
    scf.yield %cast : memref<?xf32>
  } else {
    scf.yield %other : memref<?xf32>
  }
  call @write(%other) : (memref<?xf32>) -> ()
  call @read(%either) : (memref<?xf32>) -> ()
  call @read(%other) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

// What is used in a region behind it, and what a loop carries, stays until then.
// CHECK-LABEL: @loop
// CHECK:         scf.for
// CHECK:           call @read(%[[B:.*]]) :
// CHECK-NEXT:      memref.dealloc %[[B]] :
// CHECK-NEXT:      call @read(%arg1) :
// CHECK:         }
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @read(%arg1) :
func.func @loop(%n: index, %other: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<?xf32>) {
    func.call @write(%x) : (memref<?xf32>) -> ()
    %b = memref.alloc(%n) : memref<?xf32>
    func.call @write(%b) : (memref<?xf32>) -> ()
    func.call @read(%b) : (memref<?xf32>) -> ()
    func.call @read(%other) : (memref<?xf32>) -> ()
    memref.dealloc %b : memref<?xf32>
    scf.yield %x : memref<?xf32>
  }
  call @read(%other) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

// What is freed on a condition waits for it. A branch that does more than to
// free stays where it is, and is a block like others.
// CHECK-LABEL: @condition
// CHECK:         call @read(%[[A:.*]]) : (memref<?xf32>)
// CHECK-NEXT:    %[[YES:.*]] = arith.cmpi
// CHECK-NEXT:    scf.if %[[YES]] {
// CHECK-NEXT:      memref.dealloc %[[A]] :
// CHECK-NEXT:    }
// CHECK-NEXT:    call @read(%arg1) :
// CHECK-NEXT:    scf.if %[[YES]] {
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:      call @read(%arg1) :
func.func @condition(%n: index, %other: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  call @read(%a) : (memref<?xf32>) -> ()
  %yes = arith.cmpi eq, %n, %c1 : index
  call @read(%other) : (memref<?xf32>) -> ()
  scf.if %yes {
    memref.dealloc %a : memref<?xf32>
  }
  scf.if %yes {
    func.call @read(%other) : (memref<?xf32>) -> ()
    memref.dealloc %b : memref<?xf32>
  }
  return
}
