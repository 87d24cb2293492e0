// Slices without some of their dimensions, where a size that stays may be 1 as well: upstream, which folds it, takes
// the first dimensions of that size for those left out.
// RUN: clique-opt --mp-rewrite-spec-forms %s | FileCheck %s --check-prefix=FORMS
// RUN: %python -c "import numpy as np; x = np.linspace(-1, 1, 6, dtype='f4'); np.save('%t.x.npy', x.reshape(3, 2, 1)); np.save('%t.h.npy', x.reshape(3, 2))"
// RUN: clique-run --O1 %s --entry=known --input=x=%t.x.npy --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=told --input=x=%t.x.npy --input=n=1 --gradients --verify | FileCheck %s --check-prefix=GRADIENTS
// RUN: clique-run --O1 %s --entry=told --input=x=%t.x.npy --input=n=0 --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=place --input=k=0 --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=scattered --input=h=%t.h.npy --verify | FileCheck %s
// RUN: not clique-run --O1 %s --entry=short --input=x=%t.h.npy --input=y=%t.x.npy 2>&1 | FileCheck %s --check-prefix=SHORT
// CHECK: verify {{.*}}: ok
// GRADIENTS: verify grad_x: {{.*}}: ok
// SHORT: slice-ranks.mlir:{{.*}}: 'tensor.insert_slice': dimension 0 of the source must be that of the part: given 3, expected 1

// FORMS-LABEL: func @known
// FORMS: %[[S:.*]] = tensor.extract_slice %{{.*}} : tensor<?x2x1xf32> to tensor<?x2x1xf32>
// FORMS: tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] : tensor<?x2x1xf32> into tensor<?x2xf32>
// FORMS: %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] {{.*}} : tensor<?x2xf32> into tensor<?x2x1xf32>
// FORMS: tensor.insert_slice %[[E]] into
func.func @known(%x: tensor<?x2x1xf32>) -> tensor<?x2x1xf32> {
  %one = arith.constant 1 : index
  %s = tensor.extract_slice %x[0, 0, 0] [%one, 2, 1] [1, 1, 1] : tensor<?x2x1xf32> to tensor<?x2xf32>
  %t = math.tanh %s : tensor<?x2xf32>
  %r = tensor.insert_slice %t into %x[0, 0, 0] [%one, 2, 1] [1, 1, 1] : tensor<?x2xf32> into tensor<?x2x1xf32>
  return %r : tensor<?x2x1xf32>
}

func.func @told(%x: tensor<?x2x1xf32>, %n: index) -> tensor<?x2x1xf32> {
  %s = tensor.extract_slice %x[0, 0, 0] [%n, 2, 1] [1, 1, 1] : tensor<?x2x1xf32> to tensor<?x2xf32>
  %t = math.tanh %s : tensor<?x2xf32>
  %r = tensor.insert_slice %t into %x[0, 0, 0] [%n, 2, 1] [1, 1, 1] : tensor<?x2xf32> into tensor<?x2x1xf32>
  return %r : tensor<?x2x1xf32>
}

// What is not ambiguous stays.
// FORMS-LABEL: func @place
// FORMS: tensor.extract_slice %{{.*}} : tensor<4x3xf32> to tensor<3xf32>
// FORMS: tensor.extract_slice %{{.*}} : tensor<1x1x1xf32> to tensor<1xf32>
// FORMS: tensor.insert_slice %{{.*}} : tensor<f32> into tensor<1x1x1xf32>
func.func @place(%x: tensor<1x1x1xf32>, %y: tensor<f32>, %z: tensor<4x3xf32>, %k: index) -> (tensor<1xf32>, tensor<1x1x1xf32>, tensor<3xf32>) {
  %q = tensor.extract_slice %z[%k, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
  %r = tensor.extract_slice %x[%k, 0, %k] [1, 1, 1] [1, 1, 1] : tensor<1x1x1xf32> to tensor<1xf32>
  %s = tensor.insert_slice %y into %x[%k, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<f32> into tensor<1x1x1xf32>
  return %r, %s, %q : tensor<1xf32>, tensor<1x1x1xf32>, tensor<3xf32>
}

// One row is looked up, which the type does not say.
func.func @scattered(%h: tensor<?x2xf32>, %index: tensor<1xi64>, %place: tensor<1xi8>) -> tensor<?x2xf32> {
  %one = tensor.cast %index : tensor<1xi64> to tensor<?xi64>
  %x = mp.lookup %h[%one] : tensor<?x2xf32>, tensor<?xi64> -> tensor<?x2xf32>
  %y = mp.broadcast %x dims [2] : tensor<?x2xf32> to tensor<?x2x1xf32>
  %s = tensor.scatter %x into %y[%place] scatter_dims([2]) unique : (tensor<?x2xf32>, tensor<?x2x1xf32>, tensor<1xi8>) -> tensor<?x2x1xf32>
  %d = mp.dot %s, %s : (tensor<?x2x1xf32>, tensor<?x2x1xf32>) -> tensor<?x2xf32>
  return %d : tensor<?x2xf32>
}

func.func @short(%x: tensor<?x2xf32>, %y: tensor<?x2x1xf32>) -> tensor<?x2x1xf32> {
  %one = arith.constant 1 : index
  %s = tensor.insert_slice %x into %y[0, 0, 0] [%one, 2, 1] [1, 1, 1] : tensor<?x2xf32> into tensor<?x2x1xf32>
  return %s : tensor<?x2x1xf32>
}
