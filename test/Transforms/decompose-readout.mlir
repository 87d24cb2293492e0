// mp-decompose-readout: a readout is an aggregation in which each part of the batch
// receives from its own nodes.

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

// CHECK-LABEL: func @softmax
// CHECK: %[[M:.*]]:2 = mp.message %{{.*}} src(%[[X:.*]] = %{{.*}} : tensor<?x8xf32>, %[[S:.*]] = %{{.*}} : tensor<?xf32>)
// CHECK-NEXT: mp.yield %[[X]], %[[S]]
// CHECK: mp.aggregate %{{.*}} softmax(%[[M]]#1) %[[M]]#0
func.func @softmax(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>, %s: tensor<?xf32>) -> tensor<?x8xf32> {
  %r = mp.readout %offsets softmax(%s) %h : (tensor<?xi64>, tensor<?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// Node i receives from its part. What is no float is joined bit by bit.
// CHECK-LABEL: func @spread
// CHECK-SAME: %[[O:.*]]: tensor<?xi64>, %[[U:.*]]: tensor<?x8xi32>, %[[N:.*]]: index
// CHECK: %[[G:.*]] = mp.csr %[[O]], %{{.*}}, %[[N]] {mp.readout}
// CHECK: %[[R:.*]] = mp.reverse %[[G]]
// CHECK: mp.message %[[R]] : !mp.graph<sparse> src(%{{.*}} = %[[U]]
// CHECK: mp.aggregate %[[R]] : !mp.graph<sparse> custom
// CHECK: arith.ori
// REMARK: spread is an aggregation over one edge per node
func.func @spread(%offsets: tensor<?xi64>, %u: tensor<?x8xi32>, %n: index) -> tensor<?x8xi32> {
  %r = mp.spread %offsets %u to %n : (tensor<?xi64>, tensor<?x8xi32>) -> tensor<?x8xi32>
  return %r : tensor<?x8xi32>
}

// Numbers of nodes are made on the spot, those of parts are spread.
// CHECK-LABEL: func @numbers
// CHECK-SAME: %[[O:.*]]: tensor<?xi64>, %[[N:.*]]: index
// CHECK: %[[I:.*]] = tensor.generate %[[N]] {
// CHECK: arith.index_cast %{{.*}} : index to i64
// CHECK: %[[ENTRIES:.*]] = tensor.dim %[[O]]
// CHECK: %[[COUNT:.*]] = arith.subi %[[ENTRIES]], %{{.*}}
// CHECK: %[[P:.*]] = tensor.generate %[[COUNT]]
// CHECK: %[[R:.*]] = mp.reverse
// CHECK: mp.message %[[R]] : !mp.graph<sparse> src(%{{.*}} = %[[P]] : tensor<?xi32>)
func.func @numbers(%offsets: tensor<?xi64>, %n: index) -> (tensor<?xi64>, tensor<?xi32>) {
  %i = mp.node_numbers %n : tensor<?xi64>
  %k = mp.part_numbers %offsets to %n : tensor<?xi64> -> tensor<?xi32>
  return %i, %k : tensor<?xi64>, tensor<?xi32>
}

// In two parts; in half precision the log-sum-exp is f32.
// CHECK-LABEL: func @weights
// CHECK: %[[W:.*]] = mp.message
// CHECK-NEXT: arith.extf
// CHECK: %[[L:.*]]:2 = mp.aggregate %{{.*}} softmax(%[[W]]) : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK: mp.message %{{.*}} dst(%[[D:.*]] = %[[L]]#0 : tensor<?x8xf32>, %[[LOW:.*]] = %[[L]]#1 : tensor<?x8xf32>) edge(%[[E:.*]] = %[[W]] : !mp.edges<8xf32>) -> !mp.edges<8xf16>
// CHECK-NEXT: %[[HIGH:.*]] = arith.subf %[[E]], %[[D]]
// CHECK-NEXT: arith.subf %[[HIGH]], %[[LOW]]
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.truncf
// REMARK: weights of a softmax are exponentials of scores less their log-sum-exp
func.func @weights(%g: !mp.graph, %s: !mp.edges<8xf16>) -> !mp.edges<8xf16> {
  %r = mp.edge_softmax %g, %s : !mp.graph, !mp.edges<8xf16>
  return %r : !mp.edges<8xf16>
}

// Rows of nodes and edges by number come over a graph of one edge for each index;
// what is looked up in weights stays for an update.
// CHECK-LABEL: func @lookup
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[I:.*]]: tensor<?xi64>
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG: %[[COUNT:.*]] = tensor.dim %[[I]], %{{.*}}
// CHECK: %[[DST:.*]] = tensor.generate %[[COUNT]]
// CHECK: %[[LAST:.*]] = arith.subi %[[ROWS]]
// CHECK: %[[SRC:.*]] = linalg.generic {{.*}} ins(%[[I]]
// CHECK: arith.maxsi
// CHECK-NEXT: arith.minsi %{{.*}}, %[[LAST]]
// CHECK: %[[G:.*]] = mp.coo %[[DST]], %[[SRC]], %[[COUNT]], %[[ROWS]]
// CHECK: mp.message %[[G]] : !mp.graph<sparse> src(%{{.*}} = %[[X]]
// CHECK: mp.aggregate %[[G]] : !mp.graph<sparse> max
// CHECK: mp.lookup %{{.*}} : tensor<5x8xf32>
// REMARK: look-up is an aggregation over one edge per index
func.func @lookup(%x: tensor<?x8xf32>, %i: tensor<?xi64>, %w: tensor<5x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %r = mp.lookup %x[%i] : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %s = mp.lookup %w[%i] : tensor<5x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  return %r, %s : tensor<?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func @lookup_edges
// CHECK: %[[T:.*]] = mp.to_tensor %{{.*}} : !mp.edges<2xi32> -> tensor<?x2xi32>
// CHECK: mp.message %{{.*}} src(%{{.*}} = %[[T]]
// CHECK: %[[R:.*]] = mp.aggregate %{{.*}} custom
// CHECK: mp.to_edges %[[R]] : tensor<?x2xi32> -> !mp.edges<2xi32>
func.func @lookup_edges(%x: !mp.edges<2xi32>, %i: tensor<?xi64>) -> !mp.edges<2xi32> {
  %r = mp.lookup %x[%i] : !mp.edges<2xi32>, tensor<?xi64> -> !mp.edges<2xi32>
  return %r : !mp.edges<2xi32>
}

// CHECK-LABEL: func @lookup_one
// CHECK: %[[L:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<i32> into tensor<1xi32>
// CHECK: tensor.cast %[[L]] : tensor<1xi32> to tensor<?xi32>
// CHECK: mp.aggregate
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
func.func @lookup_one(%x: tensor<?x8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %r = mp.lookup %x[%i] : tensor<?x8xf32>, tensor<i32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// A slice at an index is one at an offset within the dimension; those of regions stay.
// CHECK-LABEL: func @scatter
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x7x4xf32>, %[[K:.*]]: tensor<1xi32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG: %[[E:.*]] = tensor.extract %[[K]][%c0
// CHECK: %[[I:.*]] = arith.index_cast %[[E]] : i32 to index
// CHECK: %[[LAST:.*]] = arith.subi %c7{{.*}}, %c1
// CHECK: %[[LEFT:.*]] = arith.minsi %[[I]], %[[LAST]]
// CHECK: %[[P:.*]] = arith.maxsi %[[LEFT]], %c0
// CHECK: %[[R:.*]] = tensor.insert_slice %[[X]] into %[[Y]][0, %[[P]], 0] [%[[N]], 1, 4] [1, 1, 1] : tensor<?x4xf32> into tensor<?x7x4xf32>
// CHECK: mp.update
// CHECK: tensor.scatter
// REMARK: slice at an index is one at an offset
func.func @scatter(%x: tensor<?x4xf32>, %y: tensor<?x7x4xf32>, %k: tensor<1xi32>) -> tensor<?x7x4xf32> {
  %r = tensor.scatter %x into %y[%k] scatter_dims([1]) unique : (tensor<?x4xf32>, tensor<?x7x4xf32>, tensor<1xi32>) -> tensor<?x7x4xf32>
  %u = mp.update (%xi = %x : tensor<?x4xf32>, %ri = %r : tensor<?x7x4xf32>) -> tensor<?x7x4xf32> {
    %s = tensor.scatter %xi into %ri[%k] scatter_dims([0]) unique : (tensor<4xf32>, tensor<7x4xf32>, tensor<1xi32>) -> tensor<7x4xf32>
    mp.yield %s : tensor<7x4xf32>
  }
  return %u : tensor<?x7x4xf32>
}
