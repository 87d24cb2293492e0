// RUN: clique-opt %s --clique-distribute-to-threads --canonicalize --cse | FileCheck %s

// A product of matrices: what is staged lies in shared memory, 32 numbers of the result in
// the registers of each of 128 threads.

// CHECK-LABEL: func.func private @product(
// CHECK-SAME:    mp.shared_bytes = 4096
// CHECK:         gpu.barrier
// CHECK:         vector.store {{.*}} : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK:         scf.for {{.*}} -> (vector<32xf32>) {
// CHECK:           memref.load {{.*}} #gpu.address_space<workgroup>>
// CHECK:           arith.addf {{.*}} : vector<32xf32>
// CHECK:         }
// Rows beyond the limit are not stored.
// CHECK:         scf.if
// CHECK:         vector.store {{.*}} : memref<?x64xf32>, vector<2xf32>
func.func private @product(%rows: index, %a: memref<?x16xf32>, %b: memref<64x16xf32>, %o: memref<?x64xf32>)
    attributes {mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %at = bufferization.to_tensor %a restrict : memref<?x16xf32> to tensor<?x16xf32>
  %bt = bufferization.to_tensor %b restrict : memref<64x16xf32> to tensor<64x16xf32>
  %tile = tensor.empty() : tensor<64x16xf32>
  %slice = tensor.extract_slice %at[0, 0] [%rows, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
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
  %first = tensor.extract_slice %c[0, 0] [%rows, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
  bufferization.materialize_in_destination %first in writable %o : (tensor<?x64xf32>, memref<?x64xf32>) -> ()
  return
}
