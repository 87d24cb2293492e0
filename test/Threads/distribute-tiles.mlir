// RUN: clique-opt %s --clique-distribute-to-threads --canonicalize --cse | FileCheck %s
// RUN: clique-opt %s --clique-distribute-to-threads=tf32 --canonicalize --cse | FileCheck %s --check-prefix=TF32
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = wgmma>"' \
// RUN:   --clique-distribute-to-threads --canonicalize --cse | FileCheck %s --check-prefix=WGMMA

// Where products of f32 may be on tensor cores, neighbours in depth are summed where the
// instruction has places t and t + 4, in both operands.

// TF32-LABEL: func.func private @product(
// TF32-NOT:     scf.for
// TF32:         %[[A:.*]] = vector.shuffle %[[LEFT:.*]], %[[LEFT]] [0, 2, 1, 3]
// TF32:         %[[AF:.*]] = vector.shape_cast %[[A]] : vector<4xf32> to vector<4x1xf32>
// TF32:         nvgpu.mma.sync(%[[AF]], %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// TF32-COUNT-15: nvgpu.mma.sync
// TF32-NOT:     nvgpu.mma.sync
// TF32-LABEL: func.func private @half(
// TF32:         nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]}

// Four warps multiply together on targets that have it: one op for all columns, to which the
// right operand goes as it lies in shared memory, at a multiple of 1024 bytes. It reads that
// by another way than the threads that copied it. Products of f32 are as elsewhere.

// WGMMA-LABEL: func.func private @product(
// WGMMA-NOT:     mp.warpgroup_product
// WGMMA-LABEL: func.func private @half(
// WGMMA:         %[[RIGHT:.*]] = memref.view %{{.*}}[%[[AT:.*]]][] : {{.*}} to memref<16x64xbf16, #gpu.address_space<workgroup>>
// WGMMA:         nvgpu.device_async_wait
// WGMMA-NEXT:    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// WGMMA-NEXT:    gpu.barrier
// WGMMA:         mp.warpgroup_product left(%{{.*}} : vector<4x2xbf16>) right(%[[RIGHT]] : memref<16x64xbf16, #gpu.address_space<workgroup>>) -> vector<32xf32>
// WGMMA-NOT:     nvgpu.mma.sync

// A product of matrices: what is staged lies in shared memory, 32 numbers of the result in
// the registers of each of 128 threads. Rows of shared memory are padded by 16
// bytes, so that they begin in different banks. They are copied asynchronously, those
// beyond the limit as zeros.

// CHECK-LABEL: func.func private @product(
// CHECK-SAME:    mp.shared_bytes = 5120
// CHECK-NOT:     gpu.barrier
// CHECK:         %[[WHOLE:.*]] = arith.cmpi uge, %arg0, %c64
// CHECK:         scf.if %[[WHOLE]] {
// CHECK:           nvgpu.device_async_copy %{{.*}}[%[[Y:.*]], %[[X:.*]]], %{{.*}}[%[[Y]], %[[X]]], 4 {bypassL1} : {{.*}} to memref<64x16xf32, strided<[20, 1]>, #gpu.address_space<workgroup>>
// CHECK:           nvgpu.device_async_copy %{{.*}}[%[[Y]], %[[X]]], %{{.*}}[%[[Y]], %[[X]]], 4 {bypassL1} : {{.*}} to memref<32x16xf32, strided<[20, 1], offset: 640>, #gpu.address_space<workgroup>>
// CHECK:         } else {
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW:.*]], %arg0
// CHECK:           %[[COUNT:.*]] = arith.select %[[INSIDE]], %c4, %c0
// CHECK:           %[[LAST:.*]] = arith.subi %arg0, %c1
// CHECK:           %[[FROM:.*]] = arith.minui %[[ROW]], %[[LAST]]
// CHECK:           nvgpu.device_async_copy %{{.*}}[%[[FROM]], %{{.*}}], %{{.*}}[%[[ROW]], %{{.*}}], 4, %[[COUNT]] {bypassL1}
// CHECK:         }
// CHECK:         %[[GROUP:.*]] = nvgpu.device_async_create_group
// CHECK-NEXT:    nvgpu.device_async_wait %[[GROUP]]
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.for {{.*}} -> (vector<32xf32>) {
// CHECK:           memref.load {{.*}} strided<[20, 1]>, #gpu.address_space<workgroup>>
// CHECK:           arith.addf {{.*}} : vector<32xf32>
// CHECK:         }
// Rows beyond the limit are not stored.
// CHECK:         scf.if
// CHECK:         vector.store {{.*}} : memref<?x64xf32, {{.*}}>, vector<2xf32>
func.func private @product(%rows: index, %a: memref<?x16xf32>, %b: memref<64x16xf32>, %o: memref<?x64xf32>,
                           %first: index {mp.first_destination})
    attributes {mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %at = bufferization.to_tensor %a restrict : memref<?x16xf32> to tensor<?x16xf32>
  %bt = bufferization.to_tensor %b restrict : memref<64x16xf32> to tensor<64x16xf32>
  %tile = tensor.empty() : tensor<64x16xf32>
  %slice = tensor.extract_slice %at[%first, 0] [%rows, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
  %part = tensor.insert_slice %slice into %tile[0, 0] [%rows, 16] [1, 1] : tensor<?x16xf32> into tensor<64x16xf32>
  %missing = arith.subi %c64, %rows : index
  %rest = tensor.extract_slice %part[%rows, 0] [%missing, 16] [1, 1] : tensor<64x16xf32> to tensor<?x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rest : tensor<?x16xf32>) -> tensor<?x16xf32>
  %whole = tensor.insert_slice %zeros into %part[%rows, 0] [%missing, 16] [1, 1] : tensor<?x16xf32> into tensor<64x16xf32>
  %init = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%whole, %bt : tensor<64x16xf32>, tensor<64x16xf32>) outs(%fill : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %there = tensor.extract_slice %c[0, 0] [%rows, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
  %out = memref.subview %o[%first, 0] [%rows, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
  bufferization.materialize_in_destination %there in writable %out : (tensor<?x64xf32>, memref<?x64xf32, strided<[64, 1], offset: ?>>) -> ()
  return
}

// The same in half precision: matrix instructions on fragments that ldmatrix
// reads, 16 deep and 8 wide each; the right operand lies transposed. Rows are without
// padding, and both operands' copies are waited for together.

// CHECK-LABEL: func.func private @half(
// CHECK-NOT:     gpu.barrier
// CHECK:         nvgpu.device_async_copy {{.*}} to memref<64x16xbf16, {{.*}}#gpu.address_space<workgroup>>
// CHECK-NOT:     gpu.barrier
// CHECK:         nvgpu.device_async_copy {{.*}} to memref<16x64xbf16, {{.*}}#gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_create_group
// CHECK-NEXT:    nvgpu.device_async_wait
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     scf.for
// CHECK:         %[[A:.*]] = nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} {{.*}} -> vector<4x2xbf16>
// CHECK:         %[[B:.*]] = nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} {{.*}} -> vector<4x2xbf16>
// CHECK:         nvgpu.mma.sync(%[[A]], {{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-COUNT-7: nvgpu.mma.sync(%[[A]]
// CHECK-NOT:     nvgpu.mma.sync
func.func private @half(%rows: index, %a: memref<?x16xbf16>, %b: memref<?x64xbf16>, %o: memref<?x64xbf16>,
                        %first: index {mp.first_destination})
    attributes {mp.product_type = bf16, mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %at = bufferization.to_tensor %a restrict : memref<?x16xbf16> to tensor<?x16xbf16>
  %bt = bufferization.to_tensor %b restrict : memref<?x64xbf16> to tensor<?x64xbf16>
  %tile = tensor.empty() : tensor<64x16xbf16>
  %slice = tensor.extract_slice %at[%first, 0] [%rows, 16] [1, 1] : tensor<?x16xbf16> to tensor<?x16xbf16>
  %whole = tensor.insert_slice %slice into %tile[0, 0] [%rows, 16] [1, 1] : tensor<?x16xbf16> into tensor<64x16xbf16>
  %btile = tensor.empty() : tensor<16x64xbf16>
  %bslice = tensor.extract_slice %bt[0, 0] [%rows, 64] [1, 1] : tensor<?x64xbf16> to tensor<?x64xbf16>
  %right = tensor.insert_slice %bslice into %btile[0, 0] [%rows, 64] [1, 1] : tensor<?x64xbf16> into tensor<16x64xbf16>
  %lempty = tensor.empty() : tensor<64x16xf32>
  %left32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%whole : tensor<64x16xbf16>) outs(%lempty : tensor<64x16xf32>) {
  ^bb0(%x: bf16, %acc: f32):
    %e = arith.extf %x : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<64x16xf32>
  %rempty = tensor.empty() : tensor<16x64xf32>
  %right32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%right : tensor<16x64xbf16>) outs(%rempty : tensor<16x64xf32>) {
  ^bb0(%x: bf16, %acc: f32):
    %e = arith.extf %x : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<16x64xf32>
  %init = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left32, %right32 : tensor<64x16xf32>, tensor<16x64xf32>) outs(%fill : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %oempty = tensor.empty() : tensor<64x64xbf16>
  %rounded = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<64x64xf32>) outs(%oempty : tensor<64x64xbf16>) {
  ^bb0(%x: f32, %acc: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x64xbf16>
  %there = tensor.extract_slice %rounded[0, 0] [%rows, 64] [1, 1] : tensor<64x64xbf16> to tensor<?x64xbf16>
  bufferization.materialize_in_destination %there in writable %o : (tensor<?x64xbf16>, memref<?x64xbf16>) -> ()
  return
}

// Dimensions are what they come from, whatever their sizes: of a tile of 64 sources beside
// 64 destinations a thread has neighbours in a row, of the destinations the columns that
// matrix instructions would want. Without a first destination there are none.

// CHECK-LABEL: func.func private @axes(
// CHECK-SAME:    %[[FIRST:.*]]: index {mp.first_destination}, %[[SOURCE:.*]]: index,
// CHECK-DAG:     %[[D:.*]] = memref.subview %{{.*}}[%[[FIRST]], 0] [64, 8]
// CHECK-DAG:     %[[S:.*]] = memref.subview %{{.*}}[%[[SOURCE]], 0] [64, 8]
// CHECK:         vector.load %[[D]]{{.*}}, vector<2xf32>
// CHECK:         vector.load %[[S]]{{.*}}, vector<4xf32>
func.func private @axes(%first: index {mp.first_destination}, %source: index, %x: memref<?x8xf32>, %o: memref<?x8xf32>, %p: memref<?x8xf32>)
    attributes {mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %t = bufferization.to_tensor %x restrict : memref<?x8xf32> to tensor<?x8xf32>
  %d = tensor.extract_slice %t[%first, 0] [64, 8] [1, 1] : tensor<?x8xf32> to tensor<64x8xf32>
  %s = tensor.extract_slice %t[%source, 0] [64, 8] [1, 1] : tensor<?x8xf32> to tensor<64x8xf32>
  %e = tensor.empty() : tensor<64x8xf32>
  %de = linalg.exp ins(%d : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %se = linalg.exp ins(%s : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %do = memref.subview %o[%first, 0] [64, 8] [1, 1] : memref<?x8xf32> to memref<64x8xf32, strided<[8, 1], offset: ?>>
  %so = memref.subview %p[%source, 0] [64, 8] [1, 1] : memref<?x8xf32> to memref<64x8xf32, strided<[8, 1], offset: ?>>
  bufferization.materialize_in_destination %de in writable %do : (tensor<64x8xf32>, memref<64x8xf32, strided<[8, 1], offset: ?>>) -> ()
  bufferization.materialize_in_destination %se in writable %so : (tensor<64x8xf32>, memref<64x8xf32, strided<[8, 1], offset: ?>>) -> ()
  return
}
