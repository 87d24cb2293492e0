// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of two graphs, by a condition that the caller gives.

// DEFINE: %{run} = clique-run %s --graph=g=complete:9 --graph=k=causal:9 --input=h=%t.npy
// RUN: %python -c "import numpy; numpy.save('%t.npy', numpy.arange(36, dtype='f4').reshape(9, 4) / 36)"
// RUN: %{run} --input=c=0 --verify | FileCheck %s
// RUN: %{run} --input=c=1 --verify | FileCheck %s
// RUN: %{run} --input=c=0 --verify --gradients | FileCheck %s
// CHECK: verify {{.*}}: ok

func.func @f(%g: !mp.graph, %k: !mp.graph, %c: i1, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = arith.select %c, %g, %k : !mp.graph
  %m = mp.message %s src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %e = math.tanh %hj : tensor<4xf32>
    mp.yield %e : tensor<4xf32>
  }
  %r = mp.aggregate %s sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
