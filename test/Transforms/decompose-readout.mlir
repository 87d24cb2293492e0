// mp-decompose-readout: a readout is an aggregation in which each part of the batch
// hears its own nodes.

// RUN: clique-opt %s -mp-decompose-readout | FileCheck %s
// RUN: clique-opt %s -mp-decompose-readout --remarks-filter=algebra --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @mean
// CHECK-SAME: %[[O:.*]]: tensor<?xi64>, %[[H:.*]]: tensor<?x8xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[H]], %{{.*}}
// CHECK: %[[I:.*]] = tensor.generate %[[N]] {
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK-NEXT: %[[C:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK-NEXT: tensor.yield %[[C]]
// CHECK: %[[G:.*]] = mp.csr %[[O]], %[[I]], %[[N]] {mp.readout} : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
// CHECK: %[[M:.*]] = mp.message %[[G]] : !mp.graph<sparse> src(%[[HJ:.*]] = %[[H]] : tensor<?x8xf32>) -> !mp.edges<8xf32> {
// CHECK-NEXT: mp.yield %[[HJ]]
// CHECK: %[[R:.*]] = mp.aggregate %[[G]] : !mp.graph<sparse> mean %[[M]]
// CHECK: return %[[R]]
// REMARK: readout is an aggregation over a graph of one row per part
func.func @mean(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = mp.readout %offsets mean %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
