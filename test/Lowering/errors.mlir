// What the lowering cannot take is said at the op.
// RUN: clique-opt %s --convert-mp-kernels --split-input-file --verify-diagnostics

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
