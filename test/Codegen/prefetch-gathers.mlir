// RUN: clique-opt %s --clique-prefetch-gathers | FileCheck %s

// The row of the entry 32 further on, or of the last one, before this one's.
// CHECK-LABEL: func.func private @sum(
// CHECK-SAME:    %[[ROWS:[a-z0-9]+]]: memref<?xi32>, %{{[a-z0-9]+}}: memref<?xi64>, %[[BUFFER:[a-z0-9]+]]: memref<?x40xf32>
// CHECK-NOT:     mp.prefetch
// CHECK:         scf.for %[[K:[a-z0-9]+]] =
// CHECK:           %[[LATER:.*]] = arith.addi %[[K]], %c32
// CHECK:           %[[SIZE:.*]] = memref.dim %[[ROWS]], %c0
// CHECK:           %[[LAST:.*]] = arith.subi %[[SIZE]], %c1
// CHECK:           %[[AHEAD:.*]] = arith.minsi %[[LATER]], %[[LAST]]
// CHECK:           %[[ENTRY:.*]] = memref.load %[[ROWS]][%[[AHEAD]]]
// CHECK:           %[[NEXT:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// 40 elements of f32 lie in three lines, or four: rows need not begin with one.
// CHECK:           memref.prefetch %[[BUFFER]][%[[NEXT]], %c0{{.*}}], read, locality<3>, data : memref<?x40xf32>
// CHECK:           memref.prefetch %[[BUFFER]][%[[NEXT]], %c16{{.*}}], read, locality<3>, data
// CHECK:           memref.prefetch %[[BUFFER]][%[[NEXT]], %c32{{.*}}], read, locality<3>, data
// CHECK:           memref.prefetch %[[BUFFER]][%[[NEXT]], %c39{{.*}}], read, locality<3>, data
// CHECK-NOT:       memref.prefetch
// CHECK:           memref.load %[[ROWS]][%[[K]]]
// CHECK:           tensor.extract_slice
func.func private @sum(%rows: memref<?xi32> {mp.prefetch = 32 : i64}, %ids: memref<?xi64>,
                       %buffer: memref<?x40xf32>, %zero: tensor<40xf32>, %n: index) -> tensor<40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = bufferization.to_tensor %buffer restrict : memref<?x40xf32> to tensor<?x40xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<40xf32>) {
    %j = memref.load %rows[%k] : memref<?xi32>
    %row = arith.index_cast %j : i32 to index
    %x = tensor.extract_slice %h[%row, 0] [1, 40] [1, 1] : tensor<?x40xf32> to tensor<40xf32>
    // An array that says nothing.
    %i = memref.load %ids[%k] : memref<?xi64>
    %id = arith.index_cast %i : i64 to index
    %e = tensor.extract_slice %h[%id, 0] [1, 40] [1, 1] : tensor<?x40xf32> to tensor<40xf32>
    %p = arith.mulf %x, %e : tensor<40xf32>
    %next = arith.addf %s, %p : tensor<40xf32>
    scf.yield %next : tensor<40xf32>
  }
  return %sum : tensor<40xf32>
}

// Parts of a packed row that share a line fetch it once: elements 0 to 7 and 8 to 23 of
// f64 are three lines, of which the first and second start where the parts do. Where another
// part goes on, there is no last element.
// CHECK-LABEL: func.func private @packed(
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT:.*]], %c0{{.*}}], read
// CHECK-NOT:     memref.prefetch %{{.*}}[%[[NEXT]], %c7
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT]], %c8{{.*}}], read
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT]], %c16{{.*}}], read
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT]], %c23{{.*}}], read
// CHECK-NOT:     memref.prefetch
// Elements 4 to 11 share both of their lines with others.
func.func private @packed(%rows: memref<?xi32> {mp.prefetch = 8 : i64}, %buffer: memref<?x24xf64>, %k: index)
    -> (tensor<8xf64>, tensor<16xf64>, tensor<8xf64>) {
  %h = bufferization.to_tensor %buffer restrict : memref<?x24xf64> to tensor<?x24xf64>
  %j = memref.load %rows[%k] : memref<?xi32>
  %row = arith.index_cast %j : i32 to index
  %a = tensor.extract_slice %h[%row, 0] [1, 8] [1, 1] : tensor<?x24xf64> to tensor<8xf64>
  %b = tensor.extract_slice %h[%row, 8] [1, 16] [1, 1] : tensor<?x24xf64> to tensor<16xf64>
  %c = tensor.extract_slice %h[%row, 4] [1, 8] [1, 1] : tensor<?x24xf64> to tensor<8xf64>
  return %a, %b, %c : tensor<8xf64>, tensor<16xf64>, tensor<8xf64>
}

// One head of a row, which is known when it is run.
// CHECK-LABEL: func.func private @head(
// CHECK-SAME:    %[[HEAD:[a-z0-9]+]]: index)
// CHECK:         %[[H0:.*]] = arith.addi %c0{{.*}}, %[[HEAD]]
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT:.*]], %[[H0]], %c0{{.*}}], read
// CHECK:         %[[H1:.*]] = arith.addi %c0{{.*}}, %[[HEAD]]
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT]], %[[H1]], %c32{{.*}}], read
// CHECK:         memref.prefetch %{{.*}}[%[[NEXT]], %{{.*}}, %c63{{.*}}], read
// CHECK-NOT:     memref.prefetch
func.func private @head(%rows: memref<?xi32> {mp.prefetch = 8 : i64}, %buffer: memref<?x4x64xbf16>, %k: index,
                        %head: index) -> tensor<64xbf16> {
  %h = bufferization.to_tensor %buffer restrict : memref<?x4x64xbf16> to tensor<?x4x64xbf16>
  %j = memref.load %rows[%k] : memref<?xi32>
  %row = arith.index_cast %j : i32 to index
  %x = tensor.extract_slice %h[%row, %head, 0] [1, 1, 64] [1, 1, 1] : tensor<?x4x64xbf16> to tensor<64xbf16>
  return %x : tensor<64xbf16>
}

// Hardware recognises a stream of more than 16 lines.
// CHECK-LABEL: func.func private @long(
// CHECK-COUNT-16: memref.prefetch
// CHECK-NOT:      memref.prefetch
func.func private @long(%rows: memref<?xi32> {mp.prefetch = 8 : i64}, %buffer: memref<?x512xf32>, %k: index)
    -> tensor<512xf32> {
  %h = bufferization.to_tensor %buffer restrict : memref<?x512xf32> to tensor<?x512xf32>
  %j = memref.load %rows[%k] : memref<?xi32>
  %row = arith.index_cast %j : i32 to index
  %x = tensor.extract_slice %h[%row, 0] [1, 512] [1, 1] : tensor<?x512xf32> to tensor<512xf32>
  return %x : tensor<512xf32>
}

// A loop over the entries of an earlier one fetches what that one does not read.
// CHECK-LABEL: func.func private @twice(
// CHECK:         scf.for
// CHECK:           memref.prefetch %{{.*}}, read, locality<3>, data : memref<?x16xf32>
// CHECK-NOT:       memref.prefetch
// CHECK:         scf.for
// CHECK:           memref.prefetch %{{.*}}, read, locality<3>, data : memref<?x8xf32>
// CHECK-NOT:       memref.prefetch
// One over other entries does.
// CHECK:         scf.for
// CHECK:           memref.prefetch %{{.*}}, read, locality<3>, data : memref<?x16xf32>
// CHECK-NOT:       memref.prefetch
func.func private @twice(%rows: memref<?xi32> {mp.prefetch = 32 : i64}, %a: memref<?x16xf32>, %b: memref<?x8xf32>,
                         %x: tensor<16xf32>, %y: tensor<8xf32>, %begin: index, %n: index)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ta = bufferization.to_tensor %a restrict : memref<?x16xf32> to tensor<?x16xf32>
  %tb = bufferization.to_tensor %b restrict : memref<?x8xf32> to tensor<?x8xf32>
  %first = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<16xf32>) {
    %place = arith.addi %begin, %k : index
    %j = memref.load %rows[%place] : memref<?xi32>
    %row = arith.index_cast %j : i32 to index
    %p = tensor.extract_slice %ta[%row, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %next = arith.addf %s, %p : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  %second:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x, %t = %y) -> (tensor<16xf32>, tensor<8xf32>) {
    %place = arith.addi %begin, %k : index
    %j = memref.load %rows[%place] : memref<?xi32>
    %row = arith.index_cast %j : i32 to index
    %p = tensor.extract_slice %ta[%row, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %q = tensor.extract_slice %tb[%row, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
    %next = arith.mulf %s, %p : tensor<16xf32>
    %other = arith.mulf %t, %q : tensor<8xf32>
    scf.yield %next, %other : tensor<16xf32>, tensor<8xf32>
  }
  %third = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<16xf32>) {
    %j = memref.load %rows[%k] : memref<?xi32>
    %row = arith.index_cast %j : i32 to index
    %p = tensor.extract_slice %ta[%row, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %next = arith.addf %s, %p : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  return %first, %second#0, %second#1, %third : tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<16xf32>
}

// A row that is not read from memory, or at another number, is none that the array
// names; nor can a place be fetched that is known only afterwards.
// CHECK-LABEL: func.func private @others(
// CHECK-NOT:     memref.prefetch
func.func private @others(%rows: memref<?xi32> {mp.prefetch = 8 : i64}, %buffer: memref<?x16xf32>,
                          %t: tensor<?x16xf32>, %k: index) -> (tensor<16xf32>, tensor<16xf32>, tensor<f32>) {
  %h = bufferization.to_tensor %buffer restrict : memref<?x16xf32> to tensor<?x16xf32>
  %j = memref.load %rows[%k] : memref<?xi32>
  %row = arith.index_cast %j : i32 to index
  %x = tensor.extract_slice %t[%row, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
  %y = tensor.extract_slice %h[%k, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
  %z = tensor.extract_slice %h[%row, %row] [1, 1] [1, 1] : tensor<?x16xf32> to tensor<f32>
  return %x, %y, %z : tensor<16xf32>, tensor<16xf32>, tensor<f32>
}
