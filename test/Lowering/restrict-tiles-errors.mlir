// RUN: clique-opt %s --verify-diagnostics \
// RUN:   --pass-pipeline="builtin.module(mp-attach-target{target=gpu},func.func(mp-select-lowering{lowering=dense}),mp-schedule-kernels)"

func.func @only(%g: !mp.graph<complete>, %h: tensor<?x17xf32>) -> tensor<?x17xf32> {
  // expected-error @below {{'mp.kernel' op 'k' has edge values of 17 elements, and the threads of a block hold a tile of at most 16: use lowering=auto or lowering=sparse}}
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
