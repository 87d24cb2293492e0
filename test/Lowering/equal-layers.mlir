// Layers that are alike have the same kernels, and the same functions for their parallel loops. The first and
// the last of a network differ: their features are the caller's.
// RUN: clique-compile %s --entry=three --emit=llvm -o - | grep -c "^define.*omp_par" > %t.three
// RUN: clique-compile %s --entry=six --emit=llvm -o - | grep -c "^define.*omp_par" > %t.six
// RUN: cmp %t.three %t.six
// RUN: clique-run %s --entry=six --graph=window:500,3 --verify | FileCheck %s
// CHECK: verify {{.*}}: ok

func.func private @layer(%g: !mp.graph, %h: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %m = mp.message %g src(%x = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    %y = mp.linear %x, %w : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
    %e = math.tanh %y : tensor<16xf32>
    mp.yield %e : tensor<16xf32>
  }
  %r = mp.aggregate %g max %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

func.func @three(%g: !mp.graph, %x0: tensor<?x16xf32>, %u: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %x1 = call @layer(%g, %x0, %u) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x2 = call @layer(%g, %x1, %v) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x3 = call @layer(%g, %x2, %u) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  return %x3 : tensor<?x16xf32>
}

func.func @six(%g: !mp.graph, %x0: tensor<?x16xf32>, %u: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %x1 = call @layer(%g, %x0, %u) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x2 = call @layer(%g, %x1, %v) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x3 = call @layer(%g, %x2, %u) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x4 = call @layer(%g, %x3, %v) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x5 = call @layer(%g, %x4, %u) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %x6 = call @layer(%g, %x5, %v) : (!mp.graph, tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  return %x6 : tensor<?x16xf32>
}
