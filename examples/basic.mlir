// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The basic layer of message passing, with three aggregators:
//
//   h_i' = relu(U h_i + (+)_{j in N(i)} V h_j + b),   (+) one of sum, mean, max
//
// Gilmer, Schoenholz, Riley, Vinyals, Dahl: Neural Message Passing for Quantum
// Chemistry, ICML 2017.
//
// h [n, 64], u [64, 32], v [64, 32], b [32] -> out [n, 32]
//
//   clique-run examples/basic.mlir --entry=sum --graph=examples/graphs/karate.mtx --verify

func.func @sum(%g: !mp.graph, %h: tensor<?x64xf32>, %u: tensor<64x32xf32>,
               %v: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<?x32xf32> {
  %vh = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<32xf32> {
    %m = mp.linear %hj, %v : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %m : tensor<32xf32>
  }
  %m = mp.aggregate %g sum %vh : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = call @add_own(%h, %m, %u, %b)
      : (tensor<?x64xf32>, tensor<?x32xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

func.func @mean(%g: !mp.graph, %h: tensor<?x64xf32>, %u: tensor<64x32xf32>,
                %v: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<?x32xf32> {
  %vh = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<32xf32> {
    %m = mp.linear %hj, %v : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %m : tensor<32xf32>
  }
  %m = mp.aggregate %g mean %vh : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = call @add_own(%h, %m, %u, %b)
      : (tensor<?x64xf32>, tensor<?x32xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

func.func @max(%g: !mp.graph, %h: tensor<?x64xf32>, %u: tensor<64x32xf32>,
               %v: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<?x32xf32> {
  %vh = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<32xf32> {
    %m = mp.linear %hj, %v : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %m : tensor<32xf32>
  }
  %m = mp.aggregate %g max %vh : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %out = call @add_own(%h, %m, %u, %b)
      : (tensor<?x64xf32>, tensor<?x32xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  return %out : tensor<?x32xf32>
}

// relu(U h_i + m_i + b)
func.func private @add_own(%h: tensor<?x64xf32>, %m: tensor<?x32xf32>,
                           %u: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<?x32xf32> {
  %out = mp.update (%hi = %h : tensor<?x64xf32>, %mi = %m : tensor<?x32xf32>)
      -> tensor<?x32xf32> {
    %uh = mp.linear %hi, %u bias %b
        : (tensor<64xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %s = arith.addf %uh, %mi : tensor<32xf32>
    %r = mp.relu %s : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
