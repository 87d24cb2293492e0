// Functions of a chunk of edges: one and several heads, several functions and one
// of another's result, sums that only what follows reads, edge features in and
// out, all element types; hubs, short and empty rows, one thread and two.
// RUN: %python %S/Inputs/make_hubs.py %t.mtx
// RUN: sed 's/TYPE/f32/g' %s > %t.f32.mlir
// RUN: sed 's/TYPE/f64/g' %s > %t.f64.mlir
// RUN: sed 's/TYPE/bf16/g' %s > %t.bf16.mlir
// RUN: sed 's/TYPE/f16/g' %s > %t.f16.mlir
// RUN: clique-compile %t.f32.mlir --emit=schedule -o - | FileCheck %s
// RUN: clique-run %t.f32.mlir --entry=heads --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.f32.mlir --entry=one --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.f32.mlir --entry=edges --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.f64.mlir --entry=heads --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.bf16.mlir --entry=heads --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.f16.mlir --entry=edges --graph=%t.mtx --lowering=sparse --verify
// RUN: clique-run %t.f32.mlir --entry=heads --graph=%S/../../examples/graphs/karate.mtx --lowering=sparse --gradients --verify
// RUN: clique-run %t.f32.mlir --entry=heads --graph=%t.mtx --lowering=sparse --threads=1 --output=out=%t.1.npy
// RUN: clique-run %t.f32.mlir --entry=heads --graph=%t.mtx --lowering=sparse --threads=2 --output=out=%t.2.npy
// RUN: cmp %t.1.npy %t.2.npy

// Six elements: a vector has those of two edges.
// CHECK: mp.kernel "heads_0" sparse schedule(#mp.row_blocks<{{.*}}chunk = 32
func.func @heads(%g: !mp.graph, %q: tensor<?x6x5xTYPE>, %k: tensor<?x6x5xTYPE>, %v: tensor<?x6x5xTYPE>) -> (tensor<?x6x5xTYPE> {mp.name = "out"}) {
  %m = mp.message %g dst(%qi = %q : tensor<?x6x5xTYPE>) src(%kj = %k : tensor<?x6x5xTYPE>, %vj = %v : tensor<?x6x5xTYPE>) -> !mp.edges<6x5xTYPE> {
    %d = arith.subf %qi, %kj : tensor<6x5xTYPE>
    %s = mp.dot %d, %d : (tensor<6x5xTYPE>, tensor<6x5xTYPE>) -> tensor<6xTYPE>
    %t = mp.dot %qi, %vj : (tensor<6x5xTYPE>, tensor<6x5xTYPE>) -> tensor<6xTYPE>
    %n = arith.negf %s : tensor<6xTYPE>
    %p = math.exp %n : tensor<6xTYPE>
    %r = math.sqrt %s : tensor<6xTYPE>
    %u = math.tanh %p : tensor<6xTYPE>
    %pr = arith.mulf %p, %r : tensor<6xTYPE>
    %prt = arith.mulf %pr, %t : tensor<6xTYPE>
    %w = arith.addf %prt, %u : tensor<6xTYPE>
    %b = mp.broadcast %w : tensor<6xTYPE> to tensor<6x5xTYPE>
    %x = arith.mulf %b, %d : tensor<6x5xTYPE>
    mp.yield %x : tensor<6x5xTYPE>
  }
  %o = mp.aggregate %g mean %m : (!mp.edges<6x5xTYPE>) -> tensor<?x6x5xTYPE>
  return %o : tensor<?x6x5xTYPE>
}

// A single element; an update of what is summed.
// CHECK: mp.kernel "one_0" sparse schedule(#mp.row_blocks<{{.*}}chunk = 32
func.func @one(%g: !mp.graph, %x: tensor<?x20xTYPE>, %w: tensor<20x7xTYPE>) -> (tensor<?x7xTYPE> {mp.name = "out"}) {
  %m = mp.message %g dst(%xi = %x : tensor<?x20xTYPE>) src(%xj = %x : tensor<?x20xTYPE>) -> !mp.edges<20xTYPE> {
    %s = mp.dot %xi, %xj : (tensor<20xTYPE>, tensor<20xTYPE>) -> tensor<TYPE>
    %p = mp.sigmoid %s : tensor<TYPE>
    %b = mp.broadcast %p : tensor<TYPE> to tensor<20xTYPE>
    %v = arith.mulf %b, %xj : tensor<20xTYPE>
    mp.yield %v : tensor<20xTYPE>
  }
  %a = mp.aggregate %g max %m : (!mp.edges<20xTYPE>) -> tensor<?x20xTYPE>
  %o = mp.update (%ai = %a : tensor<?x20xTYPE>) -> tensor<?x7xTYPE> {
    %l = mp.linear %ai, %w : (tensor<20xTYPE>, tensor<20x7xTYPE>) -> tensor<7xTYPE>
    %e = mp.relu %l : tensor<7xTYPE>
    mp.yield %e : tensor<7xTYPE>
  }
  return %o : tensor<?x7xTYPE>
}

// Edge features go in, and the weight of each edge comes out.
// CHECK: mp.kernel "edges_0" sparse schedule(#mp.row_blocks<{{.*}}chunk = 32
func.func @edges(%g: !mp.graph, %x: tensor<?x18xTYPE>, %f: !mp.edges<18xTYPE>) -> (tensor<?x18xTYPE> {mp.name = "out"}, !mp.edges<TYPE> {mp.name = "weight"}) {
  %m, %p = mp.message %g src(%xj = %x : tensor<?x18xTYPE>) edge(%fe = %f : !mp.edges<18xTYPE>) -> !mp.edges<18xTYPE>, !mp.edges<TYPE> {
    %s = mp.dot %fe, %xj : (tensor<18xTYPE>, tensor<18xTYPE>) -> tensor<TYPE>
    %p = math.exp %s : tensor<TYPE>
    %b = mp.broadcast %p : tensor<TYPE> to tensor<18xTYPE>
    %v = arith.mulf %b, %fe : tensor<18xTYPE>
    mp.yield %v, %p : tensor<18xTYPE>, tensor<TYPE>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<18xTYPE>) -> tensor<?x18xTYPE>
  return %a, %p : tensor<?x18xTYPE>, !mp.edges<TYPE>
}
