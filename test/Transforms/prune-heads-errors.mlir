// What cannot be pruned is an error at the softmax, its function or the spec.
// RUN: clique-opt %s --mp-prune-heads=heads=1 --split-input-file --verify-diagnostics
// RUN: not clique-opt %S/prune-heads.mlir --split-input-file --mp-prune-heads=heads=0,1,2,0:3 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not clique-opt %S/prune-heads.mlir --split-input-file --mp-prune-heads=heads=1:0 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not clique-opt %S/prune-heads.mlir --split-input-file --mp-prune-heads=heads=0:x 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not clique-opt %S/prune-heads.mlir --split-input-file --mp-prune-heads=heads=7 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: prune-heads.mlir:{{[0-9]+}}:8: error: has no head 7 to prune: its heads are 0 to 3
// ALL: prune-heads.mlir:{{[0-9]+}}:8: error: has to keep one of its 4 heads: all are named for pruning
// WHICH: error: has no softmax 1 to prune: those with heads are 0 to 0
// TEXT: error: heads to prune: '0:x' is neither HEAD nor SOFTMAX:HEAD, whole numbers

func.func @few(%g: !mp.graph, %s: !mp.edges<1x2xf32>, %t: !mp.edges<2xf32>) -> tensor<?x2xf32> {
  // One head is none to choose from.
  %a = mp.aggregate %g softmax(%s) %s : (!mp.edges<1x2xf32>, !mp.edges<1x2xf32>) -> tensor<?x1x2xf32>
  %b = mp.aggregate %g softmax(%t) %t : (!mp.edges<2xf32>, !mp.edges<2xf32>) -> tensor<?x2xf32>
  return %b : tensor<?x2xf32>
}

// -----

func.func @range(%g: !mp.graph, %s: !mp.edges<2xf32>, %t: !mp.edges<3xf32>) -> (tensor<?x2xf32>, tensor<?x3xf32>) {
  %a = mp.aggregate %g softmax(%s) %s : (!mp.edges<2xf32>, !mp.edges<2xf32>) -> tensor<?x2xf32>
  %b = mp.aggregate %g softmax(%t) %t : (!mp.edges<3xf32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
  return %a, %b : tensor<?x2xf32>, tensor<?x3xf32>
}

// -----

// expected-error @below {{has no heads to prune: no softmax has a score for each of several heads, as !mp.edges<8xf32>}}
func.func @single(%g: !mp.graph, %s: !mp.edges<f32>) -> tensor<?xf32> {
  %a = mp.aggregate %g softmax(%s) %s : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
