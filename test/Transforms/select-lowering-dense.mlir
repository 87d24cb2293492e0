// mp-select-lowering with lowering=dense: tiles only, an error where there are
// none.

// RUN: clique-opt %s -mp-select-lowering=lowering=dense -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not clique-opt %s -mp-select-lowering=lowering=dense -split-input-file --remarks-filter=lowering --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// REMARK: kernel unknown_0: dense tiles, asked for by lowering=dense

// CHECK-LABEL: func @unknown
// CHECK: mp.choose_dense %{{.*}}, "unknown_0" versions dense
// CHECK-NOT: scf.if
// CHECK: mp.kernel "unknown_0" dense ->
func.func @unknown(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "unknown_0" -> tensor<?xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// -----

func.func @sparse(%g: !mp.graph<sparse>, %h: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+2 {{'mp.message' op is on '!mp.graph<sparse>', which has no dense tiles: use lowering=auto or lowering=sparse, or give a graph of another topology or of an unknown one}}
  %k = mp.kernel "sparse_0" -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<sparse> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// -----

// The graphs of readouts, and their reverses, are the compiler's: rows.
// CHECK-LABEL: func @readout
// CHECK: mp.choose_dense %{{.*}}, "readout_0" versions sparse
// CHECK: mp.kernel "readout_0" sparse ->
// REMARK: kernel readout_0: sparse rows, its rows are the parts of a batch
func.func @readout(%offsets: tensor<?xi64>, %nodes: tensor<?xi32>, %n: index, %h: tensor<?xf32>) -> tensor<?xf32> {
  %p = mp.csr %offsets, %nodes, %n {mp.readout} : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
  %g = mp.reverse %p : !mp.graph<sparse> -> !mp.graph<sparse>
  %k = mp.kernel "readout_0" -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<sparse> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}
