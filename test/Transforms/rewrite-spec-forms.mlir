// mp-rewrite-spec-forms: what upstream's passes would lose, or have no lowering for. The pipeline
// begins with it, so that clique-opt makes of a file what clique-compile does.

// RUN: clique-opt %s -mp-rewrite-spec-forms | FileCheck %s
// RUN: clique-opt %s -clique-stage-algebra | FileCheck %s --check-prefix=STAGE
// RUN: clique-opt %s -clique-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func @casts
// CHECK:      %[[W:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[W]] : i64 to i32
// CHECK-NEXT: arith.index_cast %[[T]] : i32 to index
// CHECK:      math.ipowi {{.*}} : i64
// STAGE-LABEL: func @casts
// STAGE:      arith.trunci
// LLVM-LABEL: llvm.func @casts
// LLVM:       llvm.trunc
// LLVM-NOT:   math.ipowi
func.func @casts(%n: index) -> index {
  %a = arith.index_cast %n : index to i32
  %b = arith.index_cast %a : i32 to index
  %p = math.ipowi %b, %n : index
  return %p : index
}

// CHECK-LABEL: func @constants
// CHECK:      arith.constant dense<[0.000000e+00, 2.000000e+00, 0.000000e+00]>
// CHECK:      arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// STAGE-LABEL: func @constants
// STAGE:      arith.constant dense<[0.000000e+00, 2.000000e+00, 0.000000e+00]>
func.func @constants(%x: tensor<3xf32>) -> tensor<3xf32> {
  %s = arith.constant sparse<[[1]], [2.0]> : tensor<3xf32>
  %r = arith.constant dense_resource<w> : tensor<3xf32>
  %t = arith.addf %s, %x : tensor<3xf32>
  %u = arith.mulf %r, %t : tensor<3xf32>
  return %u : tensor<3xf32>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F0000004000004040" } }
#-}
