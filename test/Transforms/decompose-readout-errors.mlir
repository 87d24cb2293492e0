// What writes or reads several slices at function level.

// RUN: clique-opt %s --split-input-file --mp-decompose-readout --verify-diagnostics

func.func @slices(%x: tensor<3x4xf32>, %y: tensor<?x4xf32>, %k: tensor<3x1xi32>) -> tensor<?x4xf32> {
  // expected-error @below {{'tensor.scatter' op writes more than one slice: give it one index, a tensor of one element, and a source without that dimension}}
  %r = tensor.scatter %x into %y[%k] scatter_dims([0]) unique : (tensor<3x4xf32>, tensor<?x4xf32>, tensor<3x1xi32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

func.func @gather(%x: tensor<?x4xf32>, %k: tensor<5x1xi32>) -> tensor<5x4xf32> {
  // expected-error @below {{'tensor.gather' op has no lowering: look up rows with mp.lookup}}
  %r = tensor.gather %x[%k] gather_dims([0]) : (tensor<?x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
