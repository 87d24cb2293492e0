// Graphs become pointers and edge features tensors wherever values of these
// types go: arguments and results, calls, selects, branches, loops, and the
// casts that lowered kernels leave.

// RUN: clique-opt %s --convert-mp-to-runtime | FileCheck %s --implicit-check-not=mp.graph --implicit-check-not=mp.edges --implicit-check-not=unrealized

// CHECK-LABEL: func private @callee
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[E:.*]]: tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
func.func private @callee(%g: !mp.graph, %e: !mp.edges<8x16xf32>) -> !mp.edges<8x16xf32> {
  // CHECK: return %[[E]] : tensor<?x8x16xf32>
  return %e : !mp.edges<8x16xf32>
}

// CHECK-LABEL: func @calls
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr, %[[E:.*]]: tensor<?x8x16xf32>)
func.func @calls(%g: !mp.graph, %e: !mp.edges<8x16xf32>) -> !mp.edges<8x16xf32> {
  // CHECK: call @callee(%[[G]], %[[E]]) : (!llvm.ptr, tensor<?x8x16xf32>) -> tensor<?x8x16xf32>
  %0 = call @callee(%g, %e) : (!mp.graph, !mp.edges<8x16xf32>) -> !mp.edges<8x16xf32>
  return %0 : !mp.edges<8x16xf32>
}

// CHECK-LABEL: func @select
// CHECK-SAME: (%[[C:.*]]: i1, %[[G:.*]]: !llvm.ptr, %[[H:.*]]: !llvm.ptr, %[[E:.*]]: tensor<?xf32>, %[[F:.*]]: tensor<?xf32>)
func.func @select(%c: i1, %g: !mp.graph, %h: !mp.graph, %e: !mp.edges<f32>,
                  %f: !mp.edges<f32>) -> (index, !mp.edges<f32>) {
  // CHECK: %[[S:.*]] = arith.select %[[C]], %[[G]], %[[H]] : !llvm.ptr
  %0 = arith.select %c, %g, %h : !mp.graph
  // CHECK: %[[T:.*]] = arith.select %[[C]], %[[E]], %[[F]] : tensor<?xf32>
  %1 = arith.select %c, %e, %f : !mp.edges<f32>
  // CHECK: call @clique_rt_num_dst(%[[S]])
  %2 = mp.num_dst %0 : !mp.graph
  return %2, %1 : index, !mp.edges<f32>
}

// CHECK-LABEL: func @structured
func.func @structured(%c: i1, %n: index, %g: !mp.graph, %h: !mp.graph,
                      %e: !mp.edges<4xf32>) -> (index, !mp.edges<4xf32>) {
  // CHECK: %[[S:.*]] = scf.if %{{.*}} -> (!llvm.ptr)
  %0 = scf.if %c -> !mp.graph {
    scf.yield %g : !mp.graph
  } else {
    scf.yield %h : !mp.graph
  }
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<?x4xf32>)
  %1 = scf.for %i = %zero to %n step %one iter_args(%it = %e) -> !mp.edges<4xf32> {
    %t = builtin.unrealized_conversion_cast %it : !mp.edges<4xf32> to tensor<?x4xf32>
    // CHECK: %[[SUM:.*]] = arith.addf
    %sum = arith.addf %t, %t : tensor<?x4xf32>
    %u = builtin.unrealized_conversion_cast %sum : tensor<?x4xf32> to !mp.edges<4xf32>
    // CHECK: scf.yield %[[SUM]]
    scf.yield %u : !mp.edges<4xf32>
  }
  // CHECK: call @clique_rt_num_edges(%[[S]])
  %2 = mp.num_edges %0 : !mp.graph
  return %2, %1 : index, !mp.edges<4xf32>
}

// CHECK-LABEL: func @branches
func.func @branches(%c: i1, %g: !mp.graph, %h: !mp.graph) -> index {
  // CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : !llvm.ptr), ^bb1(%{{.*}} : !llvm.ptr)
  cf.cond_br %c, ^bb1(%g : !mp.graph), ^bb1(%h : !mp.graph)
^bb1(%x: !mp.graph):
  %0 = mp.num_src %x : !mp.graph
  return %0 : index
}

// CHECK-LABEL: func @kernel_casts
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr)
func.func @kernel_casts(%g: !mp.graph) -> !llvm.ptr {
  %0 = builtin.unrealized_conversion_cast %g : !mp.graph to !llvm.ptr
  // CHECK-NEXT: return %[[G]]
  return %0 : !llvm.ptr
}
