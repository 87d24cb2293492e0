// Every feature op prints as it is written, in the custom and in the generic
// form and through bytecode.

// RUN: clique-opt %s | clique-opt | FileCheck %s
// RUN: clique-opt %s -mlir-print-op-generic | clique-opt | FileCheck %s
// RUN: clique-opt %s -emit-bytecode | clique-opt | FileCheck %s

// CHECK-LABEL: func @linear_and_dot
func.func @linear_and_dot(%x: tensor<4x2xbf16>, %w: tensor<4x2x3xbf16>,
                          %b: tensor<3xbf16>, %v: tensor<4x2xbf16>, %u: tensor<2x5xbf16>,
                          %n: tensor<?x4x2xbf16>) {
  // CHECK: mp.linear %{{.*}}, %{{.*}} : (tensor<4x2xbf16>, tensor<4x2x3xbf16>) -> tensor<3xbf16>
  %0 = mp.linear %x, %w : (tensor<4x2xbf16>, tensor<4x2x3xbf16>) -> tensor<3xbf16>
  // CHECK: mp.linear %{{.*}}, %{{.*}} bias %{{.*}} : (tensor<4x2xbf16>, tensor<4x2x3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %1 = mp.linear %x, %w bias %b
      : (tensor<4x2xbf16>, tensor<4x2x3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  // Over the last dimension, and of the features of all nodes.
  // CHECK: mp.linear %{{.*}}, %{{.*}} : (tensor<4x2xbf16>, tensor<2x5xbf16>) -> tensor<4x5xbf16>
  %outer = mp.linear %x, %u : (tensor<4x2xbf16>, tensor<2x5xbf16>) -> tensor<4x5xbf16>
  // CHECK: mp.linear %{{.*}}, %{{.*}} bias %{{.*}} : (tensor<?x4x2xbf16>, tensor<4x2x3xbf16>, tensor<3xbf16>) -> tensor<?x3xbf16>
  %nodes = mp.linear %n, %w bias %b
      : (tensor<?x4x2xbf16>, tensor<4x2x3xbf16>, tensor<3xbf16>) -> tensor<?x3xbf16>
  // Nothing is left of the weights: a scalar.
  // CHECK: mp.linear {{.*}} -> tensor<bf16>
  %2 = mp.linear %x, %v : (tensor<4x2xbf16>, tensor<4x2xbf16>) -> tensor<bf16>
  // CHECK: mp.dot %{{.*}}, %{{.*}} : (tensor<4x2xbf16>, tensor<4x2xbf16>) -> tensor<4xbf16>
  %3 = mp.dot %x, %v : (tensor<4x2xbf16>, tensor<4x2xbf16>) -> tensor<4xbf16>
  return
}

// CHECK-LABEL: func @shapes
func.func @shapes(%x: tensor<8x16xf32>, %s: tensor<f32>, %v: tensor<16xf32>,
                  %i: tensor<i1>) {
  // CHECK: mp.reduce sum %{{.*}} dims [0, 1] : tensor<8x16xf32> -> tensor<f32>
  %0 = mp.reduce sum %x dims [0, 1] : tensor<8x16xf32> -> tensor<f32>
  // CHECK: mp.reduce mean %{{.*}} dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  %1 = mp.reduce mean %x dims [1] : tensor<8x16xf32> -> tensor<8xf32>
  // CHECK: mp.reduce max %{{.*}} dims [0] : tensor<8x16xf32> -> tensor<16xf32>
  %2 = mp.reduce max %x dims [0] : tensor<8x16xf32> -> tensor<16xf32>
  // CHECK: mp.reduce min %{{.*}} dims [] : tensor<8x16xf32> -> tensor<8x16xf32>
  %3 = mp.reduce min %x dims [] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: mp.broadcast %{{.*}} : tensor<f32> to tensor<8x16xf32>
  %4 = mp.broadcast %s : tensor<f32> to tensor<8x16xf32>
  // CHECK: mp.broadcast %{{.*}} trailing : tensor<16xf32> to tensor<8x16xf32>
  %5 = mp.broadcast %v trailing : tensor<16xf32> to tensor<8x16xf32>
  // CHECK: mp.broadcast %{{.*}} dims [0, 2] : tensor<16xf32> to tensor<8x16x4xf32>
  %between = mp.broadcast %v dims [0, 2] : tensor<16xf32> to tensor<8x16x4xf32>
  // CHECK: mp.broadcast %{{.*}} : tensor<i1> to tensor<8xi1>
  %6 = mp.broadcast %i : tensor<i1> to tensor<8xi1>
  return
}

// CHECK-LABEL: func @positions_and_tables
func.func @positions_and_tables(%g: !mp.graph, %bias: tensor<257x8xf32>,
                                %types: tensor<4xi32>, %t: !mp.edges<i64>) {
  // CHECK: mp.position dst : tensor<i32>
  // CHECK: mp.position src : tensor<i64>
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : tensor<257x8xf32>, tensor<i32> -> tensor<8xf32>
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : tensor<4xi32>, tensor<i64> -> tensor<i32>
  %0:3 = mp.message %g edge(%e = %t : !mp.edges<i64>)
      -> !mp.edges<8xf32>, !mp.edges<i32>, !mp.edges<i64> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i64>
    %a = mp.lookup %bias[%i] : tensor<257x8xf32>, tensor<i32> -> tensor<8xf32>
    %b = mp.lookup %types[%e] : tensor<4xi32>, tensor<i64> -> tensor<i32>
    mp.yield %a, %b, %j : tensor<8xf32>, tensor<i32>, tensor<i64>
  }
  return
}

// CHECK-LABEL: func @normalisations
func.func @normalisations(%x: tensor<8x64xf32>, %g: tensor<64xf32>) {
  // CHECK: mp.layer_norm %{{.*}} : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = mp.layer_norm %x : (tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: mp.layer_norm %{{.*}} scale %{{.*}} shift %{{.*}} {eps = 1.000000e-03 : f64} :
  %1 = mp.layer_norm %x scale %g shift %g {eps = 1.0e-3 : f64}
      : (tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  // CHECK: mp.layer_norm %{{.*}} shift %{{.*}} :
  %2 = mp.layer_norm %x shift %g : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  // CHECK: mp.batch_norm %{{.*}} mean %{{.*}} variance %{{.*}} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %3 = mp.batch_norm %g mean %g variance %g
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  // CHECK: mp.batch_norm %{{.*}} mean %{{.*}} variance %{{.*}} scale %{{.*}} shift %{{.*}} {eps = 1.000000e-03 : f64} :
  %4 = mp.batch_norm %g mean %g variance %g scale %g shift %g {eps = 1.0e-3 : f64}
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
         tensor<64xf32>) -> tensor<64xf32>
  return
}

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<64xf32>, %s: tensor<f16>) {
  // CHECK: mp.relu %{{.*}} : tensor<64xf32>
  %0 = mp.relu %x : tensor<64xf32>
  // CHECK: mp.sigmoid %{{.*}} : tensor<64xf32>
  %1 = mp.sigmoid %x : tensor<64xf32>
  // CHECK: mp.silu %{{.*}} : tensor<f16>
  %2 = mp.silu %s : tensor<f16>
  // CHECK: mp.softplus %{{.*}} : tensor<64xf32>
  %3 = mp.softplus %x : tensor<64xf32>
  // CHECK: mp.gelu %{{.*}} : tensor<64xf32>
  %4 = mp.gelu %x : tensor<64xf32>
  // CHECK: mp.gelu %{{.*}} tanh : tensor<64xf32>
  %5 = mp.gelu %x tanh : tensor<64xf32>
  // CHECK: mp.leaky_relu %{{.*}} slope 2.000000e-01 : tensor<64xf32>
  %6 = mp.leaky_relu %x slope 0.2 : tensor<64xf32>
  // CHECK: mp.elu %{{[^ ]*}} : tensor<64xf32>
  %7 = mp.elu %x : tensor<64xf32>
  // CHECK: mp.elu %{{.*}} alpha 5.000000e-01 : tensor<64xf32>
  %8 = mp.elu %x alpha 0.5 : tensor<64xf32>
  return
}

// CHECK-LABEL: func @lookups
func.func @lookups(%table: tensor<257x8xf32>, %x: tensor<?x8xf32>, %e: !mp.edges<i32>,
                   %one: tensor<i64>, %many: tensor<?xi32>) {
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : tensor<257x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  %0 = mp.lookup %table[%many] : tensor<257x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  %1 = mp.lookup %x[%many] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : tensor<?x8xf32>, tensor<i64> -> tensor<8xf32>
  %2 = mp.lookup %x[%one] : tensor<?x8xf32>, tensor<i64> -> tensor<8xf32>
  // CHECK: mp.lookup %{{.*}}[%{{.*}}] : !mp.edges<i32>, tensor<?xi32> -> !mp.edges<i32>
  %3 = mp.lookup %e[%many] : !mp.edges<i32>, tensor<?xi32> -> !mp.edges<i32>
  return
}
