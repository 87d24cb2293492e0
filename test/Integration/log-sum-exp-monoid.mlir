// An aggregator that the compiler does not know is this much text, and nothing else: a
// log-sum-exp as a monoid, whose state is the largest value and a sum of exponentials. It
// runs as rows and as tiles, is differentiated, and agrees with the built-in one.
// DEFINE: %{run} = clique-run %s --threads=2 --verify
// RUN: %{run} --graph=%graphs/karate.mtx --lowering=sparse | FileCheck %s
// RUN: %{run} --graph=causal:70 --lowering=dense | FileCheck %s
// RUN: %{run} --graph=causal:40 --gradients | FileCheck %s --check-prefix=GRADIENT
// CHECK: verify   out0: {{.*}}: ok
// CHECK: verify   out1: {{.*}}: ok
// GRADIENT: verify   h: along a random direction {{.*}}: ok

func.func @layer(%g: !mp.graph, %h: tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>) {
  %m = mp.message %g dst(%hi = %h : tensor<?x6xf32>) src(%hj = %h : tensor<?x6xf32>)
      -> !mp.edges<6xf32> {
    %p = arith.mulf %hi, %hj : tensor<6xf32>
    mp.yield %p : tensor<6xf32>
  }
  %own = mp.aggregate %g custom %m : (!mp.edges<6xf32>) -> tensor<?x6xf32>
    identity {
      %lowest = arith.constant dense<-1.0e30> : tensor<6xf32>
      %none = arith.constant dense<0.0> : tensor<6xf32>
      mp.yield %lowest, %none : tensor<6xf32>, tensor<6xf32>
    }
    lift {
    ^bb0(%x: tensor<6xf32>):
      %one = arith.constant dense<1.0> : tensor<6xf32>
      mp.yield %x, %one : tensor<6xf32>, tensor<6xf32>
    }
    combine {
    ^bb0(%a: tensor<6xf32>, %s: tensor<6xf32>, %b: tensor<6xf32>, %t: tensor<6xf32>):
      %most = arith.maximumf %a, %b : tensor<6xf32>
      %da = arith.subf %a, %most : tensor<6xf32>
      %db = arith.subf %b, %most : tensor<6xf32>
      %ea = math.exp %da : tensor<6xf32>
      %eb = math.exp %db : tensor<6xf32>
      %sa = arith.mulf %s, %ea : tensor<6xf32>
      %tb = arith.mulf %t, %eb : tensor<6xf32>
      %sum = arith.addf %sa, %tb : tensor<6xf32>
      mp.yield %most, %sum : tensor<6xf32>, tensor<6xf32>
    }
    finalise {
    ^bb0(%a: tensor<6xf32>, %s: tensor<6xf32>):
      %log = math.log %s : tensor<6xf32>
      %l = arith.addf %a, %log : tensor<6xf32>
      mp.yield %l : tensor<6xf32>
    }
  %known = mp.aggregate %g logsumexp %m : (!mp.edges<6xf32>) -> tensor<?x6xf32>
  %far = mp.update (%a = %own : tensor<?x6xf32>, %b = %known : tensor<?x6xf32>) -> tensor<?x6xf32> {
    %d = arith.subf %a, %b : tensor<6xf32>
    %size = math.absf %d : tensor<6xf32>
    %limit = arith.constant dense<1.0e-5> : tensor<6xf32>
    %isFar = arith.cmpf ogt, %size, %limit : tensor<6xf32>
    %one = arith.constant dense<1.0> : tensor<6xf32>
    %zero = arith.constant dense<0.0> : tensor<6xf32>
    %r = arith.select %isFar, %one, %zero : tensor<6xi1>, tensor<6xf32>
    mp.yield %r : tensor<6xf32>
  }
  return %own, %far : tensor<?x6xf32>, tensor<?x6xf32>
}
