// RUN: clique-opt %s --clique-fold-extracts | FileCheck %s

// A buffer that is made of a pointer.
// CHECK-LABEL: llvm.func @buffer(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK-NEXT:    %[[X:.*]] = llvm.load %[[P]] : !llvm.ptr -> i64
// CHECK-NEXT:    %[[Y:.*]] = llvm.add %[[X]], %[[N]]
// CHECK-NEXT:    llvm.return %[[Y]]
llvm.func @buffer(%pointer: !llvm.ptr, %size: i64) -> i64 {
  %none = llvm.mlir.poison : !llvm.struct<(ptr, array<1 x i64>)>
  %a = llvm.insertvalue %pointer, %none[0] : !llvm.struct<(ptr, array<1 x i64>)>
  %b = llvm.insertvalue %size, %a[1, 0] : !llvm.struct<(ptr, array<1 x i64>)>
  %p = llvm.extractvalue %b[0] : !llvm.struct<(ptr, array<1 x i64>)>
  %x = llvm.load %p : !llvm.ptr -> i64
  %sizes = llvm.extractvalue %b[1] : !llvm.struct<(ptr, array<1 x i64>)>
  %n = llvm.extractvalue %sizes[0] : !llvm.array<1 x i64>
  %y = llvm.add %x, %n : i64
  llvm.return %y : i64
}

// Rows of a vector of two dimensions, of which one is not known.
// CHECK-LABEL: llvm.func @rows(
// CHECK-SAME:    %[[V:.*]]: !llvm.array<2 x vector<4xf32>>, %[[R:.*]]: vector<4xf32>)
// CHECK-NEXT:    %[[OTHER:.*]] = llvm.extractvalue %[[V]][1]
// CHECK-NEXT:    %[[SUM:.*]] = llvm.fadd %[[R]], %[[OTHER]]
// CHECK-NEXT:    llvm.return %[[SUM]]
llvm.func @rows(%v: !llvm.array<2 x vector<4xf32>>, %row: vector<4xf32>) -> vector<4xf32> {
  %w = llvm.insertvalue %row, %v[0] : !llvm.array<2 x vector<4xf32>>
  %0 = llvm.extractvalue %w[0] : !llvm.array<2 x vector<4xf32>>
  %1 = llvm.extractvalue %w[1] : !llvm.array<2 x vector<4xf32>>
  %sum = llvm.fadd %0, %1 : vector<4xf32>
  llvm.return %sum : vector<4xf32>
}

// What somebody else needs whole stays; constants stay ops.
// CHECK-LABEL: llvm.func @whole(
// CHECK:         llvm.extractvalue %{{.*}}[1] : !llvm.array<2 x i64>
// CHECK:         %[[W:.*]] = llvm.insertvalue
// CHECK:         llvm.return %[[W]]
llvm.func @whole(%x: i64, %v: !llvm.array<2 x i64>) -> !llvm.array<2 x i64> {
  %constant = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi64>) : !llvm.array<2 x i64>
  %one = llvm.extractvalue %constant[1] : !llvm.array<2 x i64>
  %sum = llvm.add %x, %one : i64
  %w = llvm.insertvalue %sum, %v[0] : !llvm.array<2 x i64>
  llvm.return %w : !llvm.array<2 x i64>
}
