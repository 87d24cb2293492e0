// Every aggregator, with messages of both ends and an edge feature.
func.func @builtin(%g: !mp.graph, %x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %e: !mp.edges<4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %m, %s = mp.message %g dst(%xi = %x : tensor<?x4xf32>) src(%yj = %y : tensor<?x4xf32>)
      edge(%eij = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32>, !mp.edges<f32> {
    %0 = arith.mulf %xi, %yj : tensor<4xf32>
    %1 = arith.addf %0, %eij : tensor<4xf32>
    %2 = math.sin %1 : tensor<4xf32>
    %3 = mp.dot %2, %eij : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    mp.yield %2, %3 : tensor<4xf32>, tensor<f32>
  }
  %sum = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %mean = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %max = mp.aggregate %g max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %min = mp.aggregate %g min %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %std = mp.aggregate %g std %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %soft = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %lse = mp.aggregate %g logsumexp %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %sum, %mean, %max, %min, %std, %soft, %lse
      : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @custom(%g: !mp.graph, %x: tensor<?x3xf32>, %e: !mp.edges<3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %m = mp.message %g src(%xj = %x : tensor<?x3xf32>) edge(%eij = %e : !mp.edges<3xf32>)
      -> !mp.edges<3xf32> {
    %0 = arith.mulf %xj, %eij : tensor<3xf32>
    mp.yield %0 : tensor<3xf32>
  }
  // A product, and a weighted mean with the largest weight.
  %p = mp.aggregate %g custom %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
    identity { %one = arith.constant dense<1.0> : tensor<3xf32>
               mp.yield %one : tensor<3xf32> }
    lift { ^bb0(%a: tensor<3xf32>): mp.yield %a : tensor<3xf32> }
    combine { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
              %ab = arith.mulf %a, %b : tensor<3xf32>
              mp.yield %ab : tensor<3xf32> }
    finalise { ^bb0(%a: tensor<3xf32>): mp.yield %a : tensor<3xf32> }
  %w = mp.aggregate %g custom %m, %e : (!mp.edges<3xf32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
    identity { %zero = arith.constant dense<0.0> : tensor<3xf32>
               %low = arith.constant dense<0xFF800000> : tensor<3xf32>
               mp.yield %zero, %zero, %low : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> }
    lift { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
           %c = math.exp %b : tensor<3xf32>
           %ac = arith.mulf %a, %c : tensor<3xf32>
           mp.yield %ac, %c, %b : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> }
    combine { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>,
                   %p0: tensor<3xf32>, %q: tensor<3xf32>, %r: tensor<3xf32>):
              %ap = arith.addf %a, %p0 : tensor<3xf32>
              %bq = arith.addf %b, %q : tensor<3xf32>
              %cr = arith.maximumf %c, %r : tensor<3xf32>
              mp.yield %ap, %bq, %cr : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> }
    finalise { ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>):
               %one = arith.constant dense<1.0> : tensor<3xf32>
               %b1 = arith.addf %b, %one : tensor<3xf32>
               %r = arith.divf %a, %b1 : tensor<3xf32>
               %low = arith.constant dense<-9.0> : tensor<3xf32>
               %c1 = arith.maximumf %c, %low : tensor<3xf32>
               %s = arith.mulf %r, %c1 : tensor<3xf32>
               mp.yield %s : tensor<3xf32> }
  return %p, %w : tensor<?x3xf32>, tensor<?x3xf32>
}
