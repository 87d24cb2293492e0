// Blocks of fewer rows than a warp has for them: the other lanes take columns, so that no two
// threads compute the same. Two rows of 256 elements are four in each of 128 threads.
// RUN: clique-opt %s --clique-distribute-to-threads --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @rows(
// CHECK-SAME:    %[[FIRST:[^:]*]]: index {mp.first_destination}
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK-COUNT-2: vector.store {{.*}} : memref<?x256xf32{{.*}}>, vector<2xf32>
// CHECK-NOT:     vector.store
func.func private @rows(%first: index {mp.first_destination}, %size: index, %x: memref<?x256xf32>, %o: memref<?x256xf32>)
    attributes {mp.threads = 128 : i64, mp.rows = 2 : i64} {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x : memref<?x256xf32> to tensor<?x256xf32>
  %part = tensor.extract_slice %t[%first, 0] [%size, 256] [1, 1] : tensor<?x256xf32> to tensor<?x256xf32>
  %empty = tensor.empty() : tensor<2x256xf32>
  %rest = tensor.extract_slice %empty[0, 0] [%size, 256] [1, 1] : tensor<2x256xf32> to tensor<?x256xf32>
  %rows = tensor.insert_slice %part into %empty[0, 0] [%size, 256] [1, 1] : tensor<?x256xf32> into tensor<2x256xf32>
  %sum = linalg.add ins(%rows, %rows : tensor<2x256xf32>, tensor<2x256xf32>) outs(%empty : tensor<2x256xf32>) -> tensor<2x256xf32>
  %stored = tensor.extract_slice %sum[0, 0] [%size, 256] [1, 1] : tensor<2x256xf32> to tensor<?x256xf32>
  %place = memref.subview %o[%first, 0] [%size, 256] [1, 1] : memref<?x256xf32> to memref<?x256xf32, strided<[256, 1], offset: ?>>
  bufferization.materialize_in_destination %stored in writable %place : (tensor<?x256xf32>, memref<?x256xf32, strided<[256, 1], offset: ?>>) -> ()
  return
}
