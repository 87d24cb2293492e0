// Tensor cores on bf16; upstream converts the other types.

// RUN: clique-opt %s -pass-pipeline="builtin.module(gpu.module(convert-mma-to-nvvm))" | FileCheck %s

gpu.module @device {
  // CHECK-LABEL: gpu.func @bfloat
  // CHECK-SAME: %[[A:.*]]: vector<4x2xbf16>, %[[B:.*]]: vector<2x2xbf16>, %[[C:.*]]: vector<2x2xf32>
  gpu.func @bfloat(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>, %to: memref<2x2xf32>) kernel {
    // CHECK-DAG: %[[A3:.*]] = vector.extract %[[A]][3]
    // CHECK-DAG: llvm.bitcast %[[A3]] : vector<2xbf16> to i32
    // CHECK-DAG: vector.extract %[[C]][1, 0]
    // CHECK: %[[D:.*]] = nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
    // CHECK: %[[D3:.*]] = llvm.extractvalue %[[D]][3]
    // CHECK: vector.from_elements {{.*}}, %[[D3]] : vector<2x2xf32>
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %c0 = arith.constant 0 : index
    vector.transfer_write %d, %to[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @half
  gpu.func @half(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>, %to: memref<2x2xf32>) kernel {
    // CHECK: nvgpu.mma.sync
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %c0 = arith.constant 0 : index
    vector.transfer_write %d, %to[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
    gpu.return
  }
}
