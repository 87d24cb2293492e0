// What the host reads of a part of a constant, and a constant in another shape as a result:
// constants have a copy on the device, of which their parts are.
// DEFINE: %{run} = clique-run %s --target=cuda --emulate --verify --input=k=2
// RUN: %{run} --entry=part | FileCheck %s
// RUN: %{run} --entry=shape | FileCheck %s
// RUN: %{run} --entry=steps | FileCheck %s
// CHECK: verify {{.*}}max error {{.*}}: ok

func.func @part(%k: index) -> tensor<4xf32> {
  %t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 2.0, 3.0, 4.0], [7.0, 2.0, 3.0, 4.0]]> : tensor<3x4xf32>
  %row = tensor.extract_slice %t[%k, 1] [1, 1] [1, 1] : tensor<3x4xf32> to tensor<f32>
  %s = tensor.extract %row[] : tensor<f32>
  %all = tensor.splat %s : tensor<4xf32>
  return %all : tensor<4xf32>
}

func.func @shape(%k: index) -> tensor<?x3xf32> {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %t = tensor.cast %a : tensor<6xf32> to tensor<?xf32>
  %r = tensor.expand_shape %t [[0, 1]] output_shape [%k, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

func.func @steps(%k: index, %h: tensor<40xf32>) -> tensor<40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<[[1, 2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0]]> : tensor<3x4xi32>
  %row = tensor.extract_slice %a[%k, 0] [1, 4] [1, 1] : tensor<3x4xi32> to tensor<4xi32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%x = %h) -> (tensor<40xf32>) {
    %w = tensor.extract %row[%i] : tensor<4xi32>
    %wi = arith.index_cast %w : i32 to index
    %s = tensor.extract_slice %x[%wi] [4] [1] : tensor<40xf32> to tensor<4xf32>
    %s2 = arith.addf %s, %s : tensor<4xf32>
    %t = tensor.insert_slice %s2 into %x[%wi] [4] [1] : tensor<4xf32> into tensor<40xf32>
    scf.yield %t : tensor<40xf32>
  }
  return %r : tensor<40xf32>
}
