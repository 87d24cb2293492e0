// The host reaches device memory through the runtime, and its own as it is.

// RUN: clique-opt %s -split-input-file -clique-access-device-memory -canonicalize -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @numbers
// CHECK-SAME: %[[M:.*]]: memref<?xf32>, %[[I:.*]]: index
func.func @numbers(%m: memref<?xf32>, %i: index) -> f32 {
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: memref.alloca() {alignment = 16 : i64} : memref<f32>
  // CHECK: call @clique_rt_read(%{{.*}}, %{{.*}}, %[[C4]])
  // CHECK: %[[X:.*]] = memref.load %{{.*}}[] : memref<f32>
  %x = memref.load %m[%i] : memref<?xf32>
  // CHECK: memref.store %[[X]], %[[SLOT:.*]][] : memref<f32>
  // CHECK: call @clique_rt_write(%{{.*}}, %{{.*}}, %[[C4]])
  memref.store %x, %m[%i] : memref<?xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @stack
func.func @stack(%x: i64, %i: index) -> i64 {
  // CHECK-NOT: clique_rt
  // CHECK: memref.store %{{.*}} : memref<4xi64>
  %m = memref.alloca() : memref<4xi64>
  memref.store %x, %m[%i] : memref<4xi64>
  %part = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
  %y = memref.load %part[%i] : memref<2xi64, strided<[1], offset: 2>>
  // CHECK: return
  return %y : i64
}

// CHECK-LABEL: func.func @copies
func.func @copies(%a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  // CHECK: %[[N:.*]] = memref.dim
  // CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c32
  // CHECK: call @clique_rt_copy(%{{.*}}, %{{.*}}, %[[BYTES]])
  memref.copy %a, %b : memref<?x8xf32> to memref<?x8xf32>
  // CHECK: call @clique_rt_read(
  %m = memref.alloca() : memref<8xf32>
  %row = memref.subview %a[3, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: 24>>
  memref.copy %row, %m : memref<8xf32, strided<[1], offset: 24>> to memref<8xf32>
  // CHECK: call @clique_rt_write(
  memref.copy %m, %row : memref<8xf32> to memref<8xf32, strided<[1], offset: 24>>
  return
}

// A constant that only the host reads stays on the host.
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func private @show(memref<4xi32>)
// CHECK-LABEL: func.func @constants
func.func @constants(%i: index) -> i32 {
  // CHECK-DAG: %[[TABLE:.*]] = memref.get_global @table
  // CHECK-DAG: %[[CODE:.*]] = llvm.mlir.addressof @clique_device_code
  // CHECK: %[[START:.*]] = call @clique_rt_constant(%[[CODE]], %{{.*}}, %c16)
  // CHECK: llvm.insertvalue %[[START]]
  // CHECK: %[[COPY:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<4xi32>
  // CHECK: memref.load %[[TABLE]]
  // CHECK: call @show(%[[COPY]])
  %t = memref.get_global @table : memref<4xi32>
  %x = memref.load %t[%i] : memref<4xi32>
  call @show(%t) : (memref<4xi32>) -> ()
  return %x : i32
}

// -----

func.func @columns(%a: memref<8x8xf32>, %b: memref<8x2xf32>) {
  %part = memref.subview %a[0, 0] [8, 2] [1, 1] : memref<8x8xf32> to memref<8x2xf32, strided<[8, 1]>>
  // expected-error @below {{op copies rows that do not follow each other in device memory, which the runtime does not; make the copy a kernel}}
  memref.copy %part, %b : memref<8x2xf32, strided<[8, 1]>> to memref<8x2xf32>
  return
}

// -----

func.func @vectors(%a: memref<8xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @below {{op reads or writes device memory on the host, which only memref.load, store and copy can; make it a kernel}}
  %v = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
