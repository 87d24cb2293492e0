// Graphs and their measures through upstream's passes to the LLVM dialect, and
// run against the runtime: the signatures agree, and no array of a graph is
// freed by the caller.

// mlir-runner is not instrumented and cannot load an instrumented runtime.
// UNSUPPORTED: asan

// RUN: clique-opt %s --convert-mp-to-runtime \
// RUN:   --one-shot-bufferize=bufferize-function-boundaries \
// RUN:   --buffer-deallocation-pipeline --convert-bufferization-to-memref \
// RUN:   --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata \
// RUN:   --lower-affine --finalize-memref-to-llvm --convert-arith-to-llvm \
// RUN:   --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   -o %t
// RUN: FileCheck %s --input-file=%t --check-prefix=LLVM
// RUN: mlir-runner %t -e degrees -entry-point-result=i64 \
// RUN:   --shared-libs=%clique_lib_dir/libclique_runtime.so \
// RUN:   | FileCheck %s --check-prefix=DEGREES
// RUN: mlir-runner %t -e sizes -entry-point-result=i64 \
// RUN:   --shared-libs=%clique_lib_dir/libclique_runtime.so \
// RUN:   | FileCheck %s --check-prefix=SIZES
// RUN: mlir-runner %t -e flags -entry-point-result=i64 \
// RUN:   --shared-libs=%clique_lib_dir/libclique_runtime.so \
// RUN:   | FileCheck %s --check-prefix=FLAGS

// LLVM-DAG: llvm.func @_mlir_ciface_clique_rt_csr(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
// LLVM-DAG: llvm.func @_mlir_ciface_clique_rt_indptr(!llvm.ptr, !llvm.ptr) attributes
// LLVM-DAG: llvm.func @_mlir_ciface_clique_rt_cliques(!llvm.ptr, i1 {llvm.zeroext}, i1 {llvm.zeroext}) -> !llvm.ptr
// LLVM-DAG: llvm.func @clique_rt_num_dst(!llvm.ptr) -> i64
// LLVM-NOT: unrealized_conversion_cast

// In-degrees 2, 0, 3 as decimal digits, then those of the reverse: 1, 3, 1.
// DEGREES: {{^}}203131{{$}}
func.func @degrees() -> i64 {
  %ptr = arith.constant dense<[0, 2, 2, 5]> : tensor<4xi64>
  %idx = arith.constant dense<[0, 1, 2, 1, 1]> : tensor<5xi32>
  %n = arith.constant 3 : index
  %g = mp.csr %ptr, %idx, %n : tensor<4xi64>, tensor<5xi32> -> !mp.graph
  %r = mp.reverse %g : !mp.graph -> !mp.graph
  %in = mp.degree %g : !mp.graph -> tensor<?xf64>
  %out = mp.degree %r : !mp.graph -> tensor<?xf64>
  %ten = arith.constant 10.0 : f64
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %d = tensor.extract %in[%i] : tensor<?xf64>
    %shifted = arith.mulf %sum, %ten : f64
    %next = arith.addf %shifted, %d : f64
    scf.yield %next : f64
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %a) -> f64 {
    %d = tensor.extract %out[%i] : tensor<?xf64>
    %shifted = arith.mulf %sum, %ten : f64
    %next = arith.addf %shifted, %d : f64
    scf.yield %next : f64
  }
  %digits = arith.fptosi %b : f64 to i64
  return %digits : i64
}

// Edges of an empty list, a list, a bipartite graph and a band, two digits each.
// SIZES: {{^}}31210{{$}}
func.func @sizes() -> i64 {
  %n = arith.constant 4 : index
  %m = arith.constant 3 : index
  %none = mp.edge_list dense<> : tensor<0x2xi32>, 3, 2 : !mp.graph
  %list = mp.edge_list dense<[[0, 1], [1, 0], [2, 0]]> : tensor<3x2xi32>, 3, 2 : !mp.graph
  %bipartite = mp.bipartite %n, %m
  %window = mp.window %n, 1
  %0 = mp.num_edges %none : !mp.graph
  %1 = mp.num_edges %list : !mp.graph
  %2 = mp.num_edges %bipartite : !mp.graph<bipartite>
  %3 = mp.num_edges %window : !mp.graph<window, 1>
  %c100 = arith.constant 100 : index
  %4 = arith.muli %0, %c100 : index
  %5 = arith.addi %4, %1 : index
  %6 = arith.muli %5, %c100 : index
  %7 = arith.addi %6, %2 : index
  %8 = arith.muli %7, %c100 : index
  %9 = arith.addi %8, %3 : index
  %digits = arith.index_cast %9 : index to i64
  return %digits : i64
}

// Edges of two cliques of 2 and 3 nodes: all, causal, without self-loops, both.
// FLAGS: {{^}}13090804{{$}}
func.func @flags() -> i64 {
  %offsets = arith.constant dense<[0, 2, 2, 5]> : tensor<4xi64>
  %a = mp.cliques %offsets : tensor<4xi64> -> !mp.graph<cliques>
  %b = mp.cliques %offsets causal : tensor<4xi64> -> !mp.graph<causal_cliques>
  %c = mp.cliques %offsets no_self : tensor<4xi64> -> !mp.graph<cliques, no_self>
  %d = mp.cliques %offsets causal no_self
      : tensor<4xi64> -> !mp.graph<causal_cliques, no_self>
  %0 = mp.num_edges %a : !mp.graph<cliques>
  %1 = mp.num_edges %b : !mp.graph<causal_cliques>
  %2 = mp.num_edges %c : !mp.graph<cliques, no_self>
  %3 = mp.num_edges %d : !mp.graph<causal_cliques, no_self>
  %c100 = arith.constant 100 : index
  %4 = arith.muli %0, %c100 : index
  %5 = arith.addi %4, %1 : index
  %6 = arith.muli %5, %c100 : index
  %7 = arith.addi %6, %2 : index
  %8 = arith.muli %7, %c100 : index
  %9 = arith.addi %8, %3 : index
  %digits = arith.index_cast %9 : index to i64
  return %digits : i64
}
