// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations over a graph, with A = D^-1/2 (adjacency + I) D^-1/2:
//
//   appnp               z' = (1 - alpha) A z + alpha h, from z = h, steps times
//   label_propagation   y' = D^-1 A y, the known labels put back, until no value
//                       changes by more than tolerance, at most 1000 times
//
// appnp: Gasteiger, Bojchevski, Guennemann: Predict then Propagate: Graph Neural
// Networks meet Personalized PageRank, ICLR 2019, equation 4.
// label_propagation: Zhu, Ghahramani: Learning from Labeled and Unlabeled Data with
// Label Propagation, 2002 (on the graph as it is given).
//
// appnp: h [n, 16] (what the network predicts), alpha [], steps -> out [n, 16]
// label_propagation: y [n, 4] (a row of known labels has a 1), known [n] (true where
// the label is known), tolerance -> out [n, 4], steps
//
//   clique-run examples/families/propagation.mlir --entry=label_propagation \
//       --graph=examples/graphs/karate.mtx --input=tolerance=1e-4 --verify

func.func @appnp(%g: !mp.graph, %h: tensor<?x16xf32>, %alpha: tensor<f32>, %steps: index)
    -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = mp.self_loops %g
  %degree = mp.degree %a -> tensor<?xf32>
  %c = math.rsqrt %degree : tensor<?xf32>
  %out = scf.for %k = %c0 to %steps step %c1 iter_args(%z = %h) -> (tensor<?x16xf32>) {
    %m = mp.message %a src(%zj = %z : tensor<?x16xf32>, %cj = %c : tensor<?xf32>)
        -> !mp.edges<16xf32> {
      %b = mp.broadcast %cj : tensor<f32> to tensor<16xf32>
      %x = arith.mulf %b, %zj : tensor<16xf32>
      mp.yield %x : tensor<16xf32>
    }
    %s = mp.aggregate %a sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %next = mp.update (%si = %s : tensor<?x16xf32>, %ci = %c : tensor<?xf32>,
                       %hi = %h : tensor<?x16xf32>) -> tensor<?x16xf32> {
      %one = arith.constant dense<1.0> : tensor<f32>
      %keep = arith.subf %one, %alpha : tensor<f32>
      %f = arith.mulf %keep, %ci : tensor<f32>
      %fs = mp.broadcast %f : tensor<f32> to tensor<16xf32>
      %as = mp.broadcast %alpha : tensor<f32> to tensor<16xf32>
      %x = arith.mulf %fs, %si : tensor<16xf32>
      %y = arith.mulf %as, %hi : tensor<16xf32>
      %r = arith.addf %x, %y : tensor<16xf32>
      mp.yield %r : tensor<16xf32>
    }
    scf.yield %next : tensor<?x16xf32>
  }
  return %out : tensor<?x16xf32>
}

func.func @label_propagation(%g: !mp.graph, %y: tensor<?x4xf32>, %known: tensor<?xi1>,
                             %tolerance: f32)
    -> (tensor<?x4xf32> {mp.name = "out"}, index {mp.name = "steps"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 1000 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %first = arith.constant 0x7F800000 : f32
  %r:3 = scf.while (%x = %y, %change = %first, %k = %c0)
      : (tensor<?x4xf32>, f32, index) -> (tensor<?x4xf32>, f32, index) {
    %moves = arith.cmpf ogt, %change, %tolerance : f32
    %few = arith.cmpi slt, %k, %most : index
    %goes = arith.andi %moves, %few : i1
    scf.condition(%goes) %x, %change, %k : tensor<?x4xf32>, f32, index
  } do {
  ^bb0(%x: tensor<?x4xf32>, %change: f32, %k: index):
    %m = mp.message %g src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      mp.yield %xj : tensor<4xf32>
    }
    %s = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %next, %moved = mp.update (%si = %s : tensor<?x4xf32>, %yi = %y : tensor<?x4xf32>,
                               %xi = %x : tensor<?x4xf32>, %ki = %known : tensor<?xi1>)
        -> tensor<?x4xf32>, tensor<?xf32> {
      %b = mp.broadcast %ki : tensor<i1> to tensor<4xi1>
      %n = arith.select %b, %yi, %si : tensor<4xi1>, tensor<4xf32>
      %d = arith.subf %n, %xi : tensor<4xf32>
      %a = math.absf %d : tensor<4xf32>
      %l = mp.reduce max %a dims [0] : tensor<4xf32> -> tensor<f32>
      mp.yield %n, %l : tensor<4xf32>, tensor<f32>
    }
    %largest = linalg.reduce ins(%moved : tensor<?xf32>) outs(%zero : tensor<f32>)
        dimensions = [0] (%p: f32, %q: f32) {
      %l = arith.maximumf %p, %q : f32
      linalg.yield %l : f32
    }
    %after = tensor.extract %largest[] : tensor<f32>
    %k1 = arith.addi %k, %c1 : index
    scf.yield %next, %after, %k1 : tensor<?x4xf32>, f32, index
  }
  return %r#0, %r#2 : tensor<?x4xf32>, index
}
