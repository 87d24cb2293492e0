// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Principal neighbourhood aggregation: four aggregators of one message, each as it
// is, amplified and attenuated by the degree.
//
//   m_ij = M [h_i || h_j]
//   a_i  = mean_j m_ij || max_j m_ij || min_j m_ij || std_j m_ij
//   c_i  = log(max(d_i, 1) + 1) / delta,     delta: mean of log(d + 1) over the training set
//   h_i' = relu(U [h_i || a_i || c_i a_i || a_i / c_i])
//
// Corso, Cavalleri, Beaini, Lio, Velickovic: Principal Neighbourhood Aggregation for
// Graph Nets, NeurIPS 2020.
//
// h [n, 32], w [64, 32] (M), u [416, 32], delta scalar -> out [n, 32]
//
//   clique-run examples/pna.mlir --graph=examples/graphs/karate.mtx --verify

func.func @pna(%g: !mp.graph, %h: tensor<?x32xf32>, %w: tensor<64x32xf32>,
               %u: tensor<416x32xf32>, %delta: tensor<f32>) -> tensor<?x32xf32> {
  %m = mp.message %g dst(%hi = %h : tensor<?x32xf32>) src(%hj = %h : tensor<?x32xf32>)
      -> !mp.edges<32xf32> {
    %hh = tensor.concat dim(0) %hi, %hj : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %mh = mp.linear %hh, %w : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %mh : tensor<32xf32>
  }
  %mean = mp.aggregate %g mean %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %max = mp.aggregate %g max %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %min = mp.aggregate %g min %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %std = mp.aggregate %g std %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %degree = mp.degree %g -> tensor<?xf32>
  %out = mp.update (%hi = %h : tensor<?x32xf32>, %m0 = %mean : tensor<?x32xf32>,
                    %m1 = %max : tensor<?x32xf32>, %m2 = %min : tensor<?x32xf32>,
                    %m3 = %std : tensor<?x32xf32>, %d = %degree : tensor<?xf32>)
      -> tensor<?x32xf32> {
    %a = tensor.concat dim(0) %m0, %m1, %m2, %m3
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<128xf32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %d0 = arith.maximumf %d, %one : tensor<f32>
    %l = math.log1p %d0 : tensor<f32>
    %c = arith.divf %l, %delta : tensor<f32>
    %cs = mp.broadcast %c : tensor<f32> to tensor<128xf32>
    %amplified = arith.mulf %a, %cs : tensor<128xf32>
    %attenuated = arith.divf %a, %cs : tensor<128xf32>
    %x = tensor.concat dim(0) %hi, %a, %amplified, %attenuated
        : (tensor<32xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> tensor<416xf32>
    %ux = mp.linear %x, %u : (tensor<416xf32>, tensor<416x32xf32>) -> tensor<32xf32>
    %r = mp.relu %ux : tensor<32xf32>
    mp.yield %r : tensor<32xf32>
  }
  return %out : tensor<?x32xf32>
}
