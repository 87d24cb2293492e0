// Messages, aggregations, updates, readouts and kernels print as they are
// written, in the custom and in the generic form and through bytecode.

// RUN: clique-opt %s | clique-opt | FileCheck %s
// RUN: clique-opt %s -mlir-print-op-generic | clique-opt | FileCheck %s
// RUN: clique-opt %s -emit-bytecode | clique-opt | FileCheck %s

// CHECK-LABEL: func @message
// CHECK-SAME: (%[[G:.*]]: !mp.graph, %[[C:.*]]: !mp.graph<complete>, %[[H:.*]]: tensor<?x8xf32>, %[[E:.*]]: !mp.edges<8xf32>, %[[W:.*]]: tensor<8x4xf32>)
func.func @message(%g: !mp.graph, %c: !mp.graph<complete>, %h: tensor<?x8xf32>,
                   %e: !mp.edges<8xf32>, %w: tensor<8x4xf32>) {
  // A plain graph needs no type.
  // CHECK: mp.message %[[G]] src(%[[HJ:.*]] = %[[H]] : tensor<?x8xf32>) -> !mp.edges<8xf32> {
  // CHECK-NEXT: mp.yield %[[HJ]] : tensor<8xf32>
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  // CHECK: mp.message %[[C]] : !mp.graph<complete> dst(%[[A:.*]] = %[[H]] : tensor<?x8xf32>) src(%[[B:.*]] = %[[H]] : tensor<?x8xf32>) edge(%[[D:.*]] = %[[E]] : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<4xf32> {
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[D]] : tensor<8xf32>
  // CHECK-NEXT: %[[L:.*]] = mp.linear %[[B]], %[[W]]
  // CHECK-NEXT: mp.yield %[[S]], %[[L]] : tensor<8xf32>, tensor<4xf32>
  %1:2 = mp.message %c : !mp.graph<complete>
      dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
      edge(%eij = %e : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<4xf32> {
    %s = arith.addf %hi, %eij : tensor<8xf32>
    %l = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %s, %l : tensor<8xf32>, tensor<4xf32>
  }
  // Several operands of one role; node features that are scalars.
  // CHECK: mp.message %[[G]] dst(%{{.*}} = %[[H]] : tensor<?x8xf32>, %{{.*}} = %[[N:.*]] : tensor<?xf32>) -> !mp.edges<f32> attributes {name = "m"} {
  %n = mp.degree %g : !mp.graph -> tensor<?xf32>
  %2 = mp.message %g dst(%a = %h : tensor<?x8xf32>, %b = %n : tensor<?xf32>)
      -> !mp.edges<f32> attributes {name = "m"} {
    mp.yield %b : tensor<f32>
  }
  // No operand at all: the positions are enough.
  // CHECK: mp.message %[[G]] -> !mp.edges<i32> {
  %3 = mp.message %g -> !mp.edges<i32> {
    %i = mp.position dst : tensor<i32>
    mp.yield %i : tensor<i32>
  }
  return
}

// CHECK-LABEL: func @aggregate
// CHECK-SAME: (%[[G:.*]]: !mp.graph, %[[C:.*]]: !mp.graph<causal>, %[[S:.*]]: !mp.edges<8xf32>, %[[V:.*]]: !mp.edges<8x16xf32>)
func.func @aggregate(%g: !mp.graph, %c: !mp.graph<causal>, %s: !mp.edges<8xf32>,
                     %v: !mp.edges<8x16xf32>) {
  // CHECK: mp.aggregate %[[G]] sum %[[S]] : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %0 = mp.aggregate %g sum %s : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  // CHECK: mp.aggregate %[[C]] : !mp.graph<causal> mean %[[S]], %[[V]] : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> (tensor<?x8xf32>, tensor<?x8x16xf32>)
  %1:2 = mp.aggregate %c : !mp.graph<causal> mean %s, %v
      : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> (tensor<?x8xf32>, tensor<?x8x16xf32>)
  // CHECK: mp.aggregate %[[G]] max %[[S]]
  %2 = mp.aggregate %g max %s : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  // CHECK: mp.aggregate %[[G]] min %[[S]]
  %3 = mp.aggregate %g min %s : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  // CHECK: mp.aggregate %[[G]] std %[[S]] {note = "n"}
  %4 = mp.aggregate %g std %s {note = "n"} : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  // CHECK: mp.aggregate %[[G]] softmax(%[[S]]) %[[V]], %[[S]] :
  %5:2 = mp.aggregate %g softmax(%s) %v, %s
      : (!mp.edges<8xf32>, !mp.edges<8x16xf32>, !mp.edges<8xf32>)
      -> (tensor<?x8x16xf32>, tensor<?x8xf32>)
  // CHECK: mp.aggregate %[[G]] softmax(%[[S]]) {note = "n"} : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %6 = mp.aggregate %g softmax(%s) {note = "n"} : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// Roles in any order, results with and without parentheses.
// CHECK-LABEL: func @freedom
func.func @freedom(%g: !mp.graph, %h: tensor<?x8xf32>, %w: !mp.edges<8xf32>) {
  // CHECK: %[[M:.*]]:2 = mp.message %{{.*}} dst(%{{.*}} = %{{.*}} : tensor<?x8xf32>) src(%{{.*}} = %{{.*}} : tensor<?x8xf32>) edge(%{{.*}} = %{{.*}} : !mp.edges<8xf32>) -> !mp.edges<8xf32>, !mp.edges<8xf32> {
  %0:2 = mp.message %g edge(%e = %w : !mp.edges<8xf32>) src(%hj = %h : tensor<?x8xf32>)
      dst(%hi = %h : tensor<?x8xf32>) -> (!mp.edges<8xf32>, !mp.edges<8xf32>) {
    %s = arith.addf %hj, %e : tensor<8xf32>
    mp.yield %hi, %s : tensor<8xf32>, tensor<8xf32>
  }
  // CHECK: mp.aggregate %{{.*}} sum %[[M]]#0, %[[M]]#1 : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  %1:2 = mp.aggregate %g sum %0#0, %0#1
      : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32>
  return
}

// The largest value of an integer per edge, and how many edges there are.
// CHECK-LABEL: func @custom
func.func @custom(%g: !mp.graph, %t: !mp.edges<i32>) -> (tensor<?xi32>, tensor<?xf32>) {
  // CHECK: mp.aggregate %{{.*}} custom %{{.*}} : (!mp.edges<i32>) -> (tensor<?xi32>, tensor<?xf32>) identity {
  // CHECK: mp.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<f32>
  // CHECK: lift {
  // CHECK-NEXT: ^bb0(%[[T:.*]]: tensor<i32>):
  // CHECK: combine {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<i32>, %[[N:.*]]: tensor<f32>, %[[B:.*]]: tensor<i32>, %[[M:.*]]: tensor<f32>):
  // CHECK-NEXT: arith.maxsi %[[A]], %[[B]]
  // CHECK-NEXT: arith.addf %[[N]], %[[M]]
  // CHECK: finalise {
  %0:2 = mp.aggregate %g custom %t
      : (!mp.edges<i32>) -> (tensor<?xi32>, tensor<?xf32>)
    identity {
      %z = arith.constant dense<-1> : tensor<i32>
      %c = arith.constant dense<0.0> : tensor<f32>
      mp.yield %z, %c : tensor<i32>, tensor<f32>
    }
    lift { ^bb0(%x: tensor<i32>):
      %c = arith.constant dense<1.0> : tensor<f32>
      mp.yield %x, %c : tensor<i32>, tensor<f32>
    }
    combine { ^bb0(%a: tensor<i32>, %n: tensor<f32>, %b: tensor<i32>, %m: tensor<f32>):
      %x = arith.maxsi %a, %b : tensor<i32>
      %c = arith.addf %n, %m : tensor<f32>
      mp.yield %x, %c : tensor<i32>, tensor<f32>
    }
    finalise { ^bb0(%a: tensor<i32>, %n: tensor<f32>):
      mp.yield %a, %n : tensor<i32>, tensor<f32>
    }
  return %0#0, %0#1 : tensor<?xi32>, tensor<?xf32>
}

// CHECK-LABEL: func @update
func.func @update(%h: tensor<?x8xf32>, %d: tensor<34xf32>) {
  // CHECK: mp.update (%[[HI:.*]] = %{{.*}} : tensor<?x8xf32>, %[[DI:.*]] = %{{.*}} : tensor<34xf32>) -> tensor<?x8xf32>, tensor<34xf32> attributes {name = "u"} {
  // CHECK-NEXT: mp.yield %[[HI]], %[[DI]] : tensor<8xf32>, tensor<f32>
  %0:2 = mp.update (%hi = %h : tensor<?x8xf32>, %di = %d : tensor<34xf32>)
      -> tensor<?x8xf32>, tensor<34xf32> attributes {name = "u"} {
    mp.yield %hi, %di : tensor<8xf32>, tensor<f32>
  }
  return
}

// CHECK-LABEL: func @parts
func.func @parts(%offsets: tensor<?xi64>, %h: tensor<?x64xf32>, %s: tensor<?xf32>, %n: index, %g: !mp.graph<complete>, %any: !mp.graph, %e: !mp.edges<4xf32>) {
  // CHECK: mp.readout %[[O:.*]] softmax(%{{.*}}) %[[H:.*]] : (tensor<?xi64>, tensor<?xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = mp.readout %offsets softmax(%s) %h : (tensor<?xi64>, tensor<?xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.spread %[[O]] %{{.*}} to %{{.*}} : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = mp.spread %offsets %0 to %n : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.edge_softmax %{{.*}}, %{{.*}} : !mp.graph<complete>, !mp.edges<4xf32>
  %2 = mp.edge_softmax %g, %e : !mp.graph<complete>, !mp.edges<4xf32>
  // CHECK: mp.edge_softmax %{{.*}}, %{{.*}} : !mp.edges<4xf32>
  %3 = mp.edge_softmax %any, %e : !mp.graph, !mp.edges<4xf32>
  // CHECK: mp.edge_softmax %{{.*}}, %{{.*}} : !mp.edges<4xf32>
  %4 = mp.edge_softmax %any, %e : !mp.edges<4xf32>
  return
}

// CHECK-LABEL: func @readout
func.func @readout(%offsets: tensor<?xi64>, %h: tensor<?x64xf32>, %f: tensor<34xbf16>) {
  // CHECK: mp.readout %[[O:.*]] sum %[[H:.*]] : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = mp.readout %offsets sum %h : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.readout %[[O]] mean %[[H]] {note = "n"} :
  %1 = mp.readout %offsets mean %h {note = "n"} : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.readout %[[O]] max %[[H]]
  %2 = mp.readout %offsets max %h : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.readout %[[O]] min %[[H]]
  %3 = mp.readout %offsets min %h : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK: mp.readout %[[O]] std %{{.*}} : (tensor<?xi64>, tensor<34xbf16>) -> tensor<?xbf16>
  %4 = mp.readout %offsets std %f : (tensor<?xi64>, tensor<34xbf16>) -> tensor<?xbf16>
  return
}

// CHECK-LABEL: func @kernel
func.func @kernel(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) {
  // CHECK: mp.kernel "layer_0" -> tensor<?x8xf32> {
  %0 = mp.kernel "layer_0" -> tensor<?x8xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  // An edge value may be a result.
  // CHECK: mp.kernel "layer_1" dense -> !mp.edges<8xf32> {
  %1 = mp.kernel "layer_1" dense -> !mp.edges<8xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    mp.yield %v : !mp.edges<8xf32>
  }
  // CHECK: mp.kernel "layer_2" sparse -> !mp.edges<8xf32> {
  %2 = mp.kernel "layer_2" sparse -> !mp.edges<8xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    mp.yield %v : !mp.edges<8xf32>
  }
  // CHECK: mp.kernel "layer_3" nodes -> tensor<?x8xf32> {
  // CHECK: } {note = "n"}
  %3 = mp.kernel "layer_3" nodes -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  } {note = "n"}
  return
}

// CHECK-LABEL: func @choose_dense
func.func @choose_dense(%g: !mp.graph, %c: !mp.graph<cliques>) -> i1 {
  // Nobody needs the answer, but the runtime records it.
  // CHECK: mp.choose_dense %{{.*}}, "layer_0" versions both cost <edge = 2100, far_edge = 420, source_bytes = 64, row = 600, pair = 220, masked_pair = 308, tile_edge = 7, tile_rows = 8, register_block = 90000> : !mp.graph<cliques>
  %0 = mp.choose_dense %c, "layer_0" versions both cost <edge = 2100, far_edge = 420, source_bytes = 64, row = 600, pair = 220, masked_pair = 308, tile_edge = 7, tile_rows = 8, register_block = 90000> : !mp.graph<cliques>
  // CHECK: %[[C:.*]] = mp.choose_dense %{{.*}}, "layer_1" versions sparse cost <edge = 0, far_edge = 0, source_bytes = 64, row = 0, pair = 0, masked_pair = 0, tile_edge = 0, tile_rows = 8, register_block = 0> : !mp.graph{{$}}
  %1 = mp.choose_dense %g, "layer_1" versions sparse cost <edge = 0, far_edge = 0, source_bytes = 64, row = 0, pair = 0, masked_pair = 0, tile_edge = 0, tile_rows = 8, register_block = 0> : !mp.graph
  // CHECK: mp.choose_dense %{{.*}}, "layer_2" versions both in_order cost <
  %2 = mp.choose_dense %g, "layer_2" versions both in_order cost <edge = 0, far_edge = 0, source_bytes = 64, row = 0, pair = 0, masked_pair = 0, tile_edge = 0, tile_rows = 8, register_block = 0> : !mp.graph
  // CHECK: return %[[C]]
  return %1 : i1
}

// CHECK-LABEL: func @calls
func.func @calls(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x4xf32>) {
  // A region may call functions of static tensors.
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<4xf32> {
    // CHECK: func.call @layer(%{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %v = func.call @layer(%hj, %w) : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    mp.yield %v : tensor<4xf32>
  }
  return
}
func.func private @layer(%x: tensor<8xf32>, %w: tensor<8x4xf32>) -> tensor<4xf32> {
  %y = mp.linear %x, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  %z = mp.relu %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func @scan
func.func @scan(%g: !mp.graph<complete>, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>)
    -> (tensor<?x4xf32>, !mp.edges<4xf32>, tensor<?x4xf32>) {
  // CHECK: mp.scan %{{.*}} : !mp.graph<complete> from(%[[A:.*]] = %{{.*}} : tensor<?x4xf32>) edge(%[[X:.*]] = %{{.*}} : !mp.edges<4xf32>) -> tensor<?x4xf32>, !mp.edges<4xf32> {
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[X]]
  // CHECK-NEXT: mp.yield %[[S]], %[[A]]
  %0:2 = mp.scan %g : !mp.graph<complete> from(%a = %h : tensor<?x4xf32>) edge(%x = %e : !mp.edges<4xf32>)
      -> tensor<?x4xf32>, !mp.edges<4xf32> {
    %s = arith.addf %a, %x : tensor<4xf32>
    mp.yield %s, %a : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: mp.scan %{{.*}} : !mp.graph<complete> reversed from(
  %1 = mp.scan %g : !mp.graph<complete> reversed from(%a = %h : tensor<?x4xf32>) edge(%x = %e : !mp.edges<4xf32>)
      -> tensor<?x4xf32> {
    %s = arith.addf %a, %x : tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %0#0, %0#1, %1 : tensor<?x4xf32>, !mp.edges<4xf32>, tensor<?x4xf32>
}
