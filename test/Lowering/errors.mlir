// What the lowering cannot take is said at the op.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes --mp-lower-rows --mp-lower-edge-blocks --mp-lower-typed-rows --mp-lower-tiles --split-input-file --verify-diagnostics

func.func @no_lowering(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{has no lowering: run mp-select-lowering first}}
  %o = mp.kernel "k" -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @call(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" nodes -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      // expected-error @below {{cannot be lowered in a message, an update or a monoid: inline what is called (-inline)}}
      %x = func.call @double(%hi) : (tensor<8xf32>) -> tensor<8xf32>
      mp.yield %x : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// Schedules that are there stay: they have to be right for the kernel.
func.func @untyped(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{is scheduled as #mp.typed_blocks, but its messages are no sums of products with weights by the type of an edge: schedule it as #mp.row_blocks}}
  %o = mp.kernel "k" sparse schedule(#mp.typed_blocks<rows = 32, step = 32, groups = 8, divided = <rows = 32, edges = 64>>) -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @rows(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" sparse -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      // expected-error @below {{cannot be lowered in a message, an update or a monoid: inline what is called (-inline)}}
      %x = func.call @double(%hj) : (tensor<8xf32>) -> tensor<8xf32>
      mp.yield %x : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @edge_blocks(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" sparse schedule(#mp.edge_blocks<rows = 256, step = 32, edges = 512, chunk = 48, part = 240, prefetch = 16>) -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      // expected-error @below {{cannot be lowered in a message, an update or a monoid: inline what is called (-inline)}}
      %x = func.call @double(%hj) : (tensor<8xf32>) -> tensor<8xf32>
      mp.yield %x : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// Threads of a GPU share a block, and no one owns the rows of its sources.
func.func @source_sum_of_threads(%g: !mp.graph<complete>, %h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %k:2 = mp.kernel "k" dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 64, border = 64, threads = 128>)
      -> tensor<?x8xf32>, tensor<?x8xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %p = arith.mulf %hi, %hj : tensor<8xf32>
      mp.yield %p : tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    // expected-error @below {{'mp.source_sum' op has no lowering for threads that share a block: a GPU takes a kernel on the reverse graph in its place}}
    %b = mp.source_sum %g : !mp.graph<complete> %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a, %b : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %k#0, %k#1 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

func.func @scratch_of_chunk(%first: index, %last: index, %a: memref<?xi64>, %s: memref<?xi32>, %h: tensor<?x8xf32>,
    %scratch: memref<?x4xf32>, %out: memref<?x8xf32>) {
  // expected-error @below {{'mp.block' op has scratch ('memref<?x4xf32>'): expected ('memref<?x8xf32>'), the states of its aggregations}}
  mp.block chunk %first to %last
      arrays(%a, %a, %s, %a : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>)
      args(%first, %last, %first : index, index, index) scratch(%scratch : memref<?x4xf32>) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 1, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @scratch_of_merge(%first: index, %last: index, %a: memref<?xi64>, %s: memref<?xi32>, %h: tensor<?x8xf32>,
    %scratch: memref<?x4xf32>, %out: memref<?x8xf32>) {
  // expected-error @below {{'mp.block' op has scratch ('memref<?x4xf32>'): expected ('memref<?x8xf32>'), the states of its aggregations}}
  mp.block merge %first to %last
      arrays(%a, %a, %s, %a : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>)
      args(%first, %last : index, index) scratch(%scratch : memref<?x4xf32>) outs(%out : memref<?x8xf32>) {
  ^bb0(%g: !mp.graph):
    %o = mp.kernel "k" sparse schedule(#mp.row_blocks<rows = 1, edges = 512>) -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}

// -----

func.func @product(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  %o = mp.kernel "product_0" sparse -> tensor<?xf32> {
    %v = mp.message %g edge(%eij = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %eij : tensor<f32>
    }
    // expected-error @below {{'mp.aggregate' op has no lowering: run mp-decompose-aggregates first}}
    %m = mp.aggregate %g prod %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// -----

func.func @log_sum_exp(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  %o = mp.kernel "log_sum_exp_0" sparse -> tensor<?xf32> {
    %v = mp.message %g edge(%eij = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %eij : tensor<f32>
    }
    // expected-error @below {{has no lowering: run mp-decompose-aggregates first}}
    %m = mp.aggregate %g logsumexp %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// -----

func.func @winner(%g: !mp.graph, %e: !mp.edges<f32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %o:2 = mp.kernel "winner_0" sparse -> tensor<?xf32>, tensor<?xi64> {
    %v = mp.message %g edge(%eij = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %eij : tensor<f32>
    }
    // expected-error @below {{has no lowering: run mp-decompose-aggregates first}}
    %m:2 = mp.aggregate %g max %v : (!mp.edges<f32>) -> (tensor<?xf32>, tensor<?xi64>)
    mp.yield %m#0, %m#1 : tensor<?xf32>, tensor<?xi64>
  }
  return %o#0, %o#1 : tensor<?xf32>, tensor<?xi64>
}
