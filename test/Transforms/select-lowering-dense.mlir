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
