// Values of edges that are only summed are stored for as many edges at a time as keep a GPU
// busy: 32 bytes for each of two million, where the caches of a CPU have those of 65,536.
// RUN: clique-compile %s --target=cuda --gpu-arch=sm_80 --emit=algebra -o - | FileCheck %s --check-prefix=GPU
// RUN: clique-compile %s --emit=algebra -o - | FileCheck %s --check-prefix=CPU
// RUN: clique-run %s --target=cuda --emulate --graph=complete:150 --verify | FileCheck %s
// GPU: %[[MOST:.*]] = arith.constant 2097152 : index
// GPU: arith.muli %{{.*}}, %[[MOST]]
// CPU: %[[MOST:.*]] = arith.constant 65536 : index
// CPU: arith.muli %{{.*}}, %[[MOST]]
// CHECK: verify max error {{.*}}: ok

#x = affine_map<(i, j, e) -> (e, i)>
#y = affine_map<(i, j, e) -> (e, j)>
#z = affine_map<(i, j, e) -> (i, j)>
func.func @sums(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %m:2 = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %s = arith.mulf %hi, %hj : tensor<8xf32>
    %t = math.tanh %s : tensor<8xf32>
    %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
    mp.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  %x = mp.to_tensor %m#0 : !mp.edges<4xf32> -> tensor<?x4xf32>
  %y = mp.to_tensor %m#1 : !mp.edges<4xf32> -> tensor<?x4xf32>
  %w = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x4xf32>, tensor<?x4xf32>) outs(%zero : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %q = arith.mulf %a, %b : f32
    %n = arith.addf %c, %q : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  return %w : tensor<4x4xf32>
}
