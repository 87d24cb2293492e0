// A kernel stands before the check that needs its result.
// RUN: clique-opt %s --mp-fuse | FileCheck %s

// CHECK-LABEL: func.func @graph_of_results
// CHECK:         %[[K:.*]] = mp.kernel
// CHECK:         %[[N:.*]] = tensor.extract %[[K]]
// CHECK:         %[[S:.*]] = arith.index_cast %[[N]]
// CHECK:         mp.check %[[S]]
// CHECK:         mp.complete %[[S]]
// CHECK:         mp.kernel
// CHECK:         return
func.func @graph_of_results(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %counts = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?xi64> {
    %one = arith.constant dense<7> : tensor<i64>
    mp.yield %one : tensor<i64>
  }
  %count = tensor.extract %counts[%c0] : tensor<?xi64>
  %n = arith.index_cast %count : i64 to index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  mp.check %n in %rows to %rows, "as many nodes as rows"
  %g = mp.complete %n
  %m = mp.message %g : !mp.graph<complete> src(%xj = %x : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %xj : tensor<8xf32>
  }
  %s = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}
