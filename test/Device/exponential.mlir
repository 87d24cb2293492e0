// The exponential of f32 is exact to 3e-7 on GPUs, also of large numbers.
// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.linspace(-80, 88, 4097, dtype='f'))"
// RUN: clique-run %s --target=cuda --emulate --input=x=%t.x.npy --output=%t.y.npy | FileCheck %s
// RUN: %python -c "import numpy as np; y = np.exp(np.load(r'%t.x.npy').astype('d')); print('error', np.max(np.abs(np.load(r'%t.y.npy') / y - 1)) < 3e-7)" | FileCheck %s --check-prefix=ERROR
// CHECK: result   out: f32 [4097]
// ERROR: error True
func.func @layer(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
