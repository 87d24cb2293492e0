// RUN: clique-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline="builtin.module(mp-attach-target{target=gpu},func.func(mp-select-lowering),mp-schedule-kernels)" | FileCheck %s
// The limit is a GPU's.
// RUN: clique-opt %s --split-input-file \
// RUN:   --pass-pipeline="builtin.module(func.func(mp-select-lowering),mp-schedule-kernels)" | FileCheck %s --check-prefix=CPU
// CPU-COUNT-3: mp.kernel "k" dense

// CHECK-LABEL: func.func @large(
// CHECK:         mp.choose_dense %arg0, "k" versions sparse
// CHECK-NOT:     scf.if
// CHECK:         mp.kernel "k" sparse
// CHECK-NOT:     mp.kernel
func.func @large(%g: !mp.graph, %h: tensor<?x17xf32>) -> tensor<?x17xf32> {
  %o = mp.kernel "k" -> tensor<?x17xf32> {
    %d = mp.message %g dst(%hi = %h : tensor<?x17xf32>) src(%hj = %h : tensor<?x17xf32>) -> !mp.edges<17xf32> {
      %s = arith.mulf %hj, %hi : tensor<17xf32>
      mp.yield %s : tensor<17xf32>
    }
    %m = mp.aggregate %g max %d : (!mp.edges<17xf32>) -> tensor<?x17xf32>
    mp.yield %m : tensor<?x17xf32>
  }
  return %o : tensor<?x17xf32>
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK:         scf.if
// CHECK:           mp.kernel "k" dense
// CHECK:           mp.kernel "k" sparse
func.func @small(%g: !mp.graph, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" -> tensor<?x16xf32> {
    %d = mp.message %g dst(%hi = %h : tensor<?x16xf32>) src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = arith.mulf %hj, %hi : tensor<16xf32>
      mp.yield %s : tensor<16xf32>
    }
    %m = mp.aggregate %g max %d : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %m : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// -----

// What the graph's type says does not ask for tiles.
// CHECK-LABEL: func.func @known(
// CHECK:         mp.choose_dense %arg0, "k" versions sparse
// CHECK-NOT:     scf.if
// CHECK:         mp.kernel "k" sparse
func.func @known(%g: !mp.graph<complete>, %h: tensor<?x17xf32>) -> tensor<?x17xf32> {
  %o = mp.kernel "k" -> tensor<?x17xf32> {
    %d = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x17xf32>) src(%hj = %h : tensor<?x17xf32>) -> !mp.edges<17xf32> {
      %k = mp.dot %hj, %hi : (tensor<17xf32>, tensor<17xf32>) -> tensor<f32>
      %b = mp.broadcast %k : tensor<f32> to tensor<17xf32>
      %s = arith.mulf %hj, %b : tensor<17xf32>
      mp.yield %s : tensor<17xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> max %d : (!mp.edges<17xf32>) -> tensor<?x17xf32>
    mp.yield %m : tensor<?x17xf32>
  }
  return %o : tensor<?x17xf32>
}
