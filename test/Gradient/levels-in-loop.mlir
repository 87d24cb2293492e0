// Levels that each step makes of its own graph: two steps may write the same row.
// RUN: %python -c "import numpy as np; np.save(r'%t.s.npy', np.random.default_rng(1).standard_normal(6, 'f')); \
// RUN:   head = '%%%%MatrixMarket matrix coordinate pattern general\n6 6 '; \
// RUN:   open(r'%t.g.mtx', 'w').write(head + '2\n5 1\n6 2\n'); \
// RUN:   open(r'%t.h.mtx', 'w').write(head + '5\n2 1\n3 1\n4 1\n5 1\n6 1\n')"
// RUN: clique-run -O1 %s --graph=g=%t.g.mtx --graph=h=%t.h.mtx --input=n=2 --input=s=%t.s.npy \
// RUN:   --gradients --verify | FileCheck %s
// CHECK: verify {{.*}}central differences {{.*}}: ok
// CHECK: verify {{.*}}max error {{.*}}: ok

func.func @f(%g: !mp.graph, %h: !mp.graph, %s: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%p = %s) -> (tensor<?xf32>) {
    %odd = arith.remui %k, %c2 : index
    %is = arith.cmpi eq, %odd, %c0 : index
    %own_graph = arith.select %is, %g, %h : !mp.graph
    %dag, %nodes, %places, %offsets = mp.levels %own_graph
    %next = arith.addi %k, %c1 : index
    %begin = tensor.extract %offsets[%k] : tensor<?xi64>
    %end = tensor.extract %offsets[%next] : tensor<?xi64>
    %first = arith.index_cast %begin : i64 to index
    %past = arith.index_cast %end : i64 to index
    %m = arith.subi %past, %first : index
    %own = tensor.extract_slice %p[%first] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %new = arith.mulf %own, %own : tensor<?xf32>
    %all = tensor.insert_slice %new into %p[%first] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %all : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
