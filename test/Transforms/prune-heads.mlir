// Heads are removed from a softmax with a score for each.
// RUN: clique-opt %s --split-input-file --mp-prune-heads=heads=0,3 | FileCheck %s
// RUN: clique-opt %s --split-input-file --mp-prune-heads=heads=0:1,0:2,0:3 | FileCheck %s --check-prefix=ONE
// RUN: clique-opt %s --split-input-file --mp-prune-heads | FileCheck %s --check-prefix=NONE
// RUN: clique-opt %S/../Integration/Inputs/head_ops.mlir --mp-prune-heads=heads=0,3 | FileCheck %s --check-prefix=OPS

// Each op is of the two heads that are left, up to where a value mixes them: a maximum over all,
// a row of two heads.
// OPS:       %[[X:.*]] = tensor.extract_slice %{{.*}}[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
// OPS:       %[[E:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<4xf32> into tensor<2x2xf32>
// OPS-NEXT:  %[[N:.*]] = mp.layer_norm %[[E]] : (tensor<2x2xf32>)
// OPS:       %[[T:.*]] = mp.lookup %{{.*}} : tensor<5x2x2xf32>, tensor<i32> -> tensor<2x2xf32>
// OPS-NEXT:  %[[C:.*]] = tensor.concat dim(1) %[[N]], %[[T]]
// OPS-NEXT:  %[[P:.*]] = tensor.extract_slice %[[C]][0, 1] [2, 2] [1, 1] : tensor<2x4xf32> to tensor<2x2xf32>
// OPS:       mp.dot %[[P]], %{{.*}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
// OPS:       mp.reduce max %[[T]] dims [1] : tensor<2x2xf32> -> tensor<2xf32>
// OPS:       mp.broadcast %{{.*}} dims [0] : tensor<2xf32> to tensor<2x2xf32>
// OPS:       tensor.collapse_shape %{{.*}} : tensor<2x2xf32> into tensor<4xf32>
// OPS:       math.tanh %{{.*}} : tensor<4xf32>
// OPS:       mp.linear %[[T]], %{{.*}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// OPS:       %[[ALL:.*]] = mp.reduce max %{{.*}} dims [0] : tensor<4x2xf32> -> tensor<2xf32>
// OPS-NEXT:  mp.broadcast %[[ALL]] dims [0] : tensor<2xf32> to tensor<2x2xf32>
// OPS:       %[[ROW:.*]] = tensor.collapse_shape %{{.*}} : tensor<2x4xf32> into tensor<8xf32>
// OPS:       tensor.extract_slice %[[ROW]][2] [4] [1] : tensor<8xf32> to tensor<4xf32>
// OPS:       mp.yield %{{.*}} : tensor<2xf32>, tensor<2x2xf32>

// Weights lose the heads where they are, behind the softmax too. Heads that are left in one
// piece are one slice.
// CHECK-LABEL: func.func @attention
// CHECK-SAME:    (%[[G:.*]]: !mp.graph, %[[H:.*]]: tensor<?x6xf32>, %[[WQ:.*]]: tensor<6x4x2xf32>, %[[WV:.*]]: tensor<6x4x2xf32>, %[[B:.*]]: tensor<4x2xf32>, %[[WO:.*]]: tensor<8x6xf32>)
// CHECK-DAG:     %[[WQ2:.*]] = tensor.extract_slice %[[WQ]][0, 1, 0] [6, 2, 2] [1, 1, 1] : tensor<6x4x2xf32> to tensor<6x2x2xf32>
// CHECK-DAG:     %[[WV2:.*]] = tensor.extract_slice %[[WV]][0, 1, 0] [6, 2, 2]
// CHECK-DAG:     %[[B2:.*]] = tensor.extract_slice %[[B]][1, 0] [2, 2]
// CHECK-DAG:     %[[WO2:.*]] = tensor.extract_slice %[[WO]][2, 0] [4, 6]
// CHECK:         %[[M:.*]]:2 = mp.message %[[G]]
// CHECK-SAME:      -> !mp.edges<2xf32>, !mp.edges<2x2xf32>
// CHECK-NEXT:      mp.linear %{{.*}}, %[[WQ2]] bias %[[B2]]
// CHECK-NEXT:      mp.linear %{{.*}}, %[[WV2]]
// CHECK-NEXT:      mp.dot %{{.*}} -> tensor<2xf32>
// CHECK-NEXT:      arith.constant dense<5.000000e-01> : tensor<2xf32>
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      mp.yield
// CHECK:         mp.aggregate %[[G]] softmax(%[[M]]#0) %[[M]]#1 : (!mp.edges<2xf32>, !mp.edges<2x2xf32>) -> tensor<?x2x2xf32>
// CHECK-NOT:     mp.aggregate
// CHECK:         mp.update
// CHECK-NEXT:      tensor.collapse_shape %{{.*}} : tensor<2x2xf32> into tensor<4xf32>
// CHECK-NEXT:      mp.linear %{{.*}}, %[[WO2]]
// CHECK-NEXT:      mp.yield

// ONE-LABEL: func.func @attention
// ONE:         mp.aggregate {{.*}} -> tensor<?x1x2xf32>
// NONE-LABEL: func.func @attention
// NONE:         mp.aggregate {{.*}} -> tensor<?x4x2xf32>
func.func @attention(%g: !mp.graph, %h: tensor<?x6xf32>, %wq: tensor<6x4x2xf32>, %wv: tensor<6x4x2xf32>,
                     %b: tensor<4x2xf32>, %wo: tensor<8x6xf32>) -> tensor<?x6xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x6xf32>) src(%hj = %h : tensor<?x6xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4x2xf32> {
    %q = mp.linear %hi, %wq bias %b : (tensor<6xf32>, tensor<6x4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %w = mp.linear %hj, %wv : (tensor<6xf32>, tensor<6x4x2xf32>) -> tensor<4x2xf32>
    %d = mp.dot %q, %w : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4xf32>
    %c = arith.constant dense<0.5> : tensor<4xf32>
    %e = arith.mulf %d, %c : tensor<4xf32>
    mp.yield %e, %w : tensor<4xf32>, tensor<4x2xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<4xf32>, !mp.edges<4x2xf32>) -> tensor<?x4x2xf32>
  %o = mp.update (%mi = %m : tensor<?x4x2xf32>) -> tensor<?x6xf32> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
    %r = mp.linear %f, %wo : (tensor<8xf32>, tensor<8x6xf32>) -> tensor<6xf32>
    mp.yield %r : tensor<6xf32>
  }
  return %o : tensor<?x6xf32>
}

// -----

// A map of all nodes that only messages read is made of the heads that are left. What does
// more with the result than to sum over heads gets 0 for those that are gone.
// CHECK-LABEL: func.func @bias
// CHECK:         %[[W:.*]] = tensor.extract_slice %{{.*}}[0, 1, 0] [6, 2, 2]
// CHECK:         %[[Z:.*]] = mp.linear %{{.*}}, %[[W]] : (tensor<?x6xf32>, tensor<6x2x2xf32>) -> tensor<?x2x2xf32>
// CHECK-NOT:     mp.linear
// CHECK:         mp.message %{{[a-z0-9]*}} src(%{{[a-z0-9]*}} = %[[Z]] : tensor<?x2x2xf32>)
// CHECK:           mp.reduce sum
// CHECK:         %[[M:.*]] = mp.aggregate {{.*}} -> tensor<?x2x2xf32>
// CHECK:         mp.update (%[[MI:.*]] = %[[M]] : tensor<?x2x2xf32>)
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK-NEXT:      %[[KEPT:.*]] = tensor.extract_slice %[[MI]][0, 0] [2, 2]
// CHECK-NEXT:      %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK-NEXT:      %[[ALL:.*]] = tensor.concat dim(0) %[[ZERO]], %[[KEPT]], %[[ZEROS]]
// CHECK-NEXT:      arith.addf %[[ALL]], %{{.*}} : tensor<4x2xf32>
// ONE-LABEL: func.func @bias
// NONE-LABEL: func.func @bias
func.func @bias(%g: !mp.graph, %h: tensor<?x6xf32>, %w: tensor<6x4x2xf32>, %b: tensor<4x2xf32>)
    -> tensor<?x4x2xf32> {
  %z = mp.linear %h, %w : (tensor<?x6xf32>, tensor<6x4x2xf32>) -> tensor<?x4x2xf32>
  %s, %v = mp.message %g src(%zj = %z : tensor<?x4x2xf32>) -> !mp.edges<4xf32>, !mp.edges<4x2xf32> {
    %e = mp.reduce sum %zj dims [1] : tensor<4x2xf32> -> tensor<4xf32>
    mp.yield %e, %zj : tensor<4xf32>, tensor<4x2xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<4xf32>, !mp.edges<4x2xf32>) -> tensor<?x4x2xf32>
  %o = mp.update (%mi = %m : tensor<?x4x2xf32>) -> tensor<?x4x2xf32> {
    %r = arith.addf %mi, %b : tensor<4x2xf32>
    mp.yield %r : tensor<4x2xf32>
  }
  return %o : tensor<?x4x2xf32>
}

// -----

// An op that mixes heads stays, and the heads are cut out of its result; edge features of
// the caller are cut by a message.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME:    (%{{.*}}: !mp.graph, %{{.*}}: tensor<?x4xf32>, %[[S:.*]]: !mp.edges<4xf32>)
// CHECK:         mp.message {{.*}} -> !mp.edges<2xf32>
// CHECK-NEXT:      %[[L:.*]] = mp.layer_norm %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      tensor.extract_slice %[[L]][1] [2] [1]
// CHECK:         mp.message {{.*}} edge(%[[E:.*]] = %[[S]] : !mp.edges<4xf32>) -> !mp.edges<2xf32>
// CHECK-NEXT:      tensor.extract_slice %[[E]][1] [2] [1]
// CHECK:         %[[M:.*]] = mp.aggregate {{.*}} -> tensor<?x2xf32>
// CHECK-NEXT:    mp.update (%{{.*}} = %[[M]] : tensor<?x2xf32>) -> tensor<?x4xf32>
// ONE-LABEL: func.func @mixed
// NONE-LABEL: func.func @mixed
func.func @mixed(%g: !mp.graph, %h: tensor<?x4xf32>, %s: !mp.edges<4xf32>) -> tensor<?x4xf32> {
  %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %l = mp.layer_norm %hj : (tensor<4xf32>) -> tensor<4xf32>
    mp.yield %l : tensor<4xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<4xf32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %m : tensor<?x4xf32>
}
