// A part of an implicit graph has its own edges alone: all of this one's would take 7 TiB.
// RUN: clique-run %s --graph=causal:2000000 --input=first=5 --input=count=2 --output=out=%t.o.npy --output=edges=%t.e.npy | FileCheck %s --check-prefix=SIZE
// RUN: %python -c "import numpy as np; print(np.load(r'%t.o.npy').ravel(), np.load(r'%t.e.npy'))" | FileCheck %s --check-prefix=ROWS
// RUN: clique-run %s --graph=causal:50 --input=first=5 --input=count=9 --verify | FileCheck %s
// RUN: clique-run %s --graph=window:50,3 --input=first=20 --input=count=30 --verify | FileCheck %s
// RUN: clique-run %s --graph=complete_no_self:9 --input=first=3 --input=count=4 --verify | FileCheck %s
// RUN: clique-run %s --graph=causal_cliques:5,7,3 --input=first=4 --input=count=10 --verify | FileCheck %s
// RUN: not clique-run %s --graph=causal:2000000 --input=first=0 --input=count=2000000 2>&1 | FileCheck %s --check-prefix=ALL
// SIZE: result   out: f32 [2, 1]
// ROWS: {{\[ *6[.] +7[.]\]}} [15 16 17 18 19 20 21 22 23 24 25 26 27]
// CHECK: verify out: max error {{.*}}: ok
// CHECK: verify edges: max error 0.0e+00 {{.*}}: ok
// ALL: has 2000001000000 edges; to list them needs
func.func @layer(%g: !mp.graph, %first: index, %count: index) -> (tensor<?x1xf32> {mp.name = "out"}, tensor<?xi64> {mp.name = "edges"}) {
  %part, %edges = mp.rows %g, %first, %count
  %m = mp.message %part -> !mp.edges<1xf32> {
    %one = arith.constant dense<1.0> : tensor<1xf32>
    mp.yield %one : tensor<1xf32>
  }
  %o = mp.aggregate %part sum %m : (!mp.edges<1xf32>) -> tensor<?x1xf32>
  return %o, %edges : tensor<?x1xf32>, tensor<?xi64>
}
