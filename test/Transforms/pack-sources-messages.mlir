// All messages of a kernel read the same rows.
// RUN: clique-opt %s --mp-pack-sources --remarks-filter=fusion --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK:         kernel k: 4 source features are put into rows of 64 bytes first, of which an edge reads one
// CHECK-LABEL: func.func @messages(
// CHECK:         %[[ROWS:.*]] = mp.kernel "k_pack" nodes -> tensor<?x16xf32> {
// CHECK:         mp.kernel "k" sparse
// CHECK:           mp.message {{.*}} src(%[[P:.*]] = %[[ROWS]] : tensor<?x16xf32>)
// CHECK-NEXT:        tensor.extract_slice %[[P]][4] [4] [1]
// CHECK-NEXT:        tensor.extract_slice %[[P]][0] [4] [1]
// CHECK:           mp.message {{.*}} src(%{{.*}} = %{{.*}} : tensor<?x16xf32>, %[[Q:.*]] = %[[ROWS]] : tensor<?x16xf32>)
// CHECK-NEXT:        tensor.extract_slice %[[Q]][12] [4] [1]
// CHECK-NEXT:        tensor.extract_slice %[[Q]][8] [4] [1]
func.func @messages(%g: !mp.graph, %a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>,
                    %d: tensor<?x4xf32>, %v: tensor<?x16xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %o:2 = mp.kernel "k" sparse -> tensor<?x4xf32>, tensor<?x4xf32> {
    %m = mp.message %g src(%aj = %a : tensor<?x4xf32>, %bj = %b : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %x = arith.mulf %aj, %bj : tensor<4xf32>
      mp.yield %x : tensor<4xf32>
    }
    %n = mp.message %g src(%cj = %c : tensor<?x4xf32>, %vj = %v : tensor<?x16xf32>, %dj = %d : tensor<?x4xf32>)
        -> !mp.edges<4xf32> {
      %p = tensor.extract_slice %vj[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
      %x = arith.mulf %cj, %dj : tensor<4xf32>
      %y = arith.mulf %x, %p : tensor<4xf32>
      mp.yield %y : tensor<4xf32>
    }
    %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %t = mp.aggregate %g max %n : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %o#0, %o#1 : tensor<?x4xf32>, tensor<?x4xf32>
}
