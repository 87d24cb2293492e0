// What the lowering cannot take is said at the op.
// RUN: clique-opt %s --mp-schedule-kernels --mp-lower-nodes --mp-lower-rows --mp-lower-edge-blocks --mp-lower-typed-rows --split-input-file --verify-diagnostics

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
