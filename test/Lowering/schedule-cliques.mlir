// Blocks of cliques fit the stack (128 KiB of each feature, 256 rows here) where the second
// cache has place for more; those of other graphs need not.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s
// CHECK: mp.kernel "cliques_0" dense schedule(#mp.tiles<rows = 256, tile_rows = 8,
// CHECK: mp.kernel "complete_0" dense schedule(#mp.tiles<rows = 384, tile_rows = 12,
module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, l2_bytes = 4194304>} {
  func.func @cliques(%g: !mp.graph<cliques>, %h: tensor<?x128xf32>) -> tensor<?x128xf32> {
    %o = mp.kernel "cliques_0" dense -> tensor<?x128xf32> {
      %v = mp.message %g : !mp.graph<cliques> src(%hj = %h : tensor<?x128xf32>) -> !mp.edges<128xf32> {
        mp.yield %hj : tensor<128xf32>
      }
      %m = mp.aggregate %g : !mp.graph<cliques> max %v : (!mp.edges<128xf32>) -> tensor<?x128xf32>
      mp.yield %m : tensor<?x128xf32>
    }
    return %o : tensor<?x128xf32>
  }
  func.func @complete(%g: !mp.graph<complete>, %h: tensor<?x128xf32>) -> tensor<?x128xf32> {
    %o = mp.kernel "complete_0" dense -> tensor<?x128xf32> {
      %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x128xf32>) -> !mp.edges<128xf32> {
        mp.yield %hj : tensor<128xf32>
      }
      %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<128xf32>) -> tensor<?x128xf32>
      mp.yield %m : tensor<?x128xf32>
    }
    return %o : tensor<?x128xf32>
  }
}
