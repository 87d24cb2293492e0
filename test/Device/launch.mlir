// RUN: clique-opt %s --pass-pipeline="builtin.module(func.func(clique-launch-blocks))" | FileCheck %s

// Four warps in a block, each with a row of its own.

// CHECK-LABEL: func.func @rows(
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %arg0, %c4
// CHECK:         gpu.launch blocks(%[[B:[^,]*]], {{.*}}) in (%{{[^ ]*}} = %[[BLOCKS]], {{.*}}) threads(%[[T:[^,]*]], {{.*}}) in (%{{[^ ]*}} = %c128,
// CHECK-SAME:        dynamic_shared_memory_size %{{.*}} module(@clique_device) function(@row)
// CHECK:           %[[FIRST:.*]] = arith.muli %[[B]], %c4
// CHECK:           %[[OWN:.*]] = arith.divui %[[T]], %c32
// CHECK:           %[[JOB:.*]] = arith.addi %[[FIRST]], %[[OWN]]
// CHECK:           %[[IS:.*]] = arith.cmpi ult, %[[JOB]], %arg0
// CHECK:           scf.if %[[IS]] {
// CHECK:             memref.store %{{.*}}, %arg1[%[[JOB]]]
// CHECK:           gpu.terminator
func.func @rows(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @row(%i, %m) : (index, memref<?xf32>) -> ()
  }
  return
}

func.func private @row(%i: index, %m: memref<?xf32>)
    attributes {mp.threads = 32 : i64, mp.rows = 0 : i64, mp.shared_bytes = 512 : i64} {
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %m[%i] : memref<?xf32>
  return
}

// With four threads a row, a block has 32. A group beyond the last does nothing.

// CHECK-LABEL: func.func @narrow_rows(
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %arg0, %c32
// CHECK:         gpu.launch blocks(%[[B:[^,]*]], {{.*}}) in (%{{[^ ]*}} = %[[BLOCKS]], {{.*}}) threads(%[[T:[^,]*]], {{.*}}) in (%{{[^ ]*}} = %c128,
// CHECK-SAME:        dynamic_shared_memory_size %c2048_i32
// CHECK:           %[[FIRST:.*]] = arith.muli %[[B]], %c32
// CHECK:           %[[OWN:.*]] = arith.divui %[[T]], %c4
// CHECK:           %[[JOB:.*]] = arith.addi %[[FIRST]], %[[OWN]]
// CHECK:           %[[IS:.*]] = arith.cmpi ult, %[[JOB]], %arg0
// CHECK:           scf.if %[[IS]] {
// CHECK:             memref.store %{{.*}}, %arg1[%[[JOB]]]
func.func @narrow_rows(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @narrow_row(%i, %m) : (index, memref<?xf32>) -> ()
  }
  return
}

func.func private @narrow_row(%i: index, %m: memref<?xf32>)
    attributes {mp.threads = 4 : i64, mp.rows = 0 : i64, mp.shared_bytes = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %m[%i] : memref<?xf32>
  return
}

// A thread for each round of any other loop.

// CHECK-LABEL: func.func @plain(
// CHECK:         gpu.launch {{.*}} module(@clique_device) function(@plain_loop)
// CHECK:           arith.remsi
// CHECK:           memref.store
// CHECK:           gpu.terminator
func.func @plain(%n: index, %m: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c8) step (%c1, %c1) {
    memref.store %zero, %m[%i, %j] : memref<?x8xf32>
  }
  return
}

// One block for certain: no loop is left around its function, which is no code
// of the host all the same.

// CHECK-LABEL: func.func @one_block(
// CHECK:         gpu.launch
// CHECK-SAME:      function(@row
// CHECK:           memref.store
func.func @one_block(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  func.call @row(%c0, %m) : (index, memref<?xf32>) -> ()
  return
}

// Two groups of 100,000 bytes are what a block has the shared memory for.

// CHECK-LABEL: func.func @large_rows(
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %arg0, %c2
// CHECK:         gpu.launch blocks({{.*}}) threads({{.*}}) in (%{{[^ ]*}} = %c64,
// CHECK-SAME:        dynamic_shared_memory_size %c200000_i32
func.func @large_rows(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @large_row(%i, %m) : (index, memref<?xf32>) -> ()
  }
  return
}

func.func private @large_row(%i: index, %m: memref<?xf32>)
    attributes {mp.threads = 32 : i64, mp.rows = 0 : i64, mp.shared_bytes = 100000 : i64} {
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %m[%i] : memref<?xf32>
  return
}
