// Sums over edges whose bodies use more than the edges' values: the sum of others, a row's number.
// The edges are taken some rows at a time where the body lets them.
// RUN: clique-run --O1 %s --entry=deviations --graph=complete:20 --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=numbered --graph=complete:20 --verify | FileCheck %s
// CHECK: verify {{.*}}: ok

#one = affine_map<(e) -> (e)>
#all = affine_map<(e) -> ()>
func.func @deviations(%g: !mp.graph, %x: tensor<?xf32>) -> tensor<f32> {
  %m = mp.message %g dst(%xi = %x : tensor<?xf32>) src(%xj = %x : tensor<?xf32>) -> !mp.edges<f32> {
    %p = arith.mulf %xi, %xj : tensor<f32>
    mp.yield %p : tensor<f32>
  }
  %t = mp.to_tensor %m : !mp.edges<f32> -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%t : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %a = arith.addf %acc, %v : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  %sum = tensor.extract %s[] : tensor<f32>
  %mean = arith.divf %sum, %nf : f32
  %q = linalg.generic {indexing_maps = [#one, #all], iterator_types = ["reduction"]}
      ins(%t : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %d = arith.subf %v, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %a = arith.addf %acc, %dd : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  return %q : tensor<f32>
}

#in = affine_map<(i, e) -> (e, i)>
#out = affine_map<(i, e) -> (i)>
func.func @numbered(%g: !mp.graph, %x: tensor<?x4096xf32>) -> tensor<4096xf32> {
  %m = mp.message %g dst(%xi = %x : tensor<?x4096xf32>) src(%xj = %x : tensor<?x4096xf32>) -> !mp.edges<4096xf32> {
    %p = arith.mulf %xi, %xj : tensor<4096xf32>
    mp.yield %p : tensor<4096xf32>
  }
  %t = mp.to_tensor %m : !mp.edges<4096xf32> -> tensor<?x4096xf32>
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x4096xf32>) outs(%zero : tensor<4096xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %k = linalg.index 1 : index
    %ki = arith.index_cast %k : index to i64
    %kf = arith.sitofp %ki : i64 to f32
    %p = arith.mulf %v, %kf : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<4096xf32>
  return %s : tensor<4096xf32>
}
