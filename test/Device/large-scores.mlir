// Scores near 4,000, whose largest grows from tile to tile: the products with log2(e) are
// rounded alike in all weights of a row, and in what rescales them. Rounded otherwise,
// tiles were off by 2e-4.
// RUN: %python -c "import numpy as np; n = 256; h = np.zeros((n, 16), 'f'); h[:, 0] = np.round((4000 + np.arange(n) * 0.013) * 1024) / 1024; np.save(r'%t.h.npy', h); q = np.zeros((n, 16), 'f'); q[:, 0] = 1; np.save(r'%t.q.npy', q); v = np.ones((n, 1), 'f'); v[:, 0] = np.arange(n) // 64 %% 2 * 2 - 1; np.save(r'%t.v.npy', v)"
// RUN: clique-run %s --target=cuda --emulate --verify --graph=complete:256 --lowering=dense \
// RUN:   --input=h=%t.h.npy --input=q=%t.q.npy --input=v=%t.v.npy | FileCheck %s
// CHECK: dense tiles
// CHECK: verify {{.*}}max error {{.*}}: ok
func.func @layer(%g: !mp.graph<complete>, %h: tensor<?x16xf32>, %q: tensor<?x16xf32>, %v: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %s, %w = mp.message %g : !mp.graph<complete> dst(%hi = %q : tensor<?x16xf32>) src(%hj = %h : tensor<?x16xf32>, %vj = %v : tensor<?x1xf32>)
      -> !mp.edges<f32>, !mp.edges<1xf32> {
    %d = mp.dot %hi, %hj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
    mp.yield %d, %vj : tensor<f32>, tensor<1xf32>
  }
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w : (!mp.edges<f32>, !mp.edges<1xf32>) -> tensor<?x1xf32>
  return %a : tensor<?x1xf32>
}
