// mp-decompose-features: activations and norms as arith and math.

// RUN: clique-opt %s -mp-decompose-features | FileCheck %s

// CHECK-LABEL: func @relu
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = arith.maximumf %[[X]], %[[Z]]
// CHECK: return %[[Y]]
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @leaky_relu
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e-01>
// CHECK: %[[S:.*]] = arith.mulf %[[C]], %[[X]]
// CHECK: %[[P:.*]] = arith.cmpf ogt, %[[X]]
// CHECK: %[[Y:.*]] = arith.select %[[P]], %[[X]], %[[S]]
// CHECK: return %[[Y]]
func.func @leaky_relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.leaky_relu %x slope 0.2 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// exp(x) - 1 loses all digits near 0; expm1 does not.
// CHECK-LABEL: func @elu
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[E:.*]] = math.expm1 %[[X]]
// CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01>
// CHECK: %[[S:.*]] = arith.mulf %[[C]], %[[E]]
// CHECK: %[[P:.*]] = arith.cmpf ogt, %[[X]]
// CHECK: arith.select %[[P]], %[[X]], %[[S]]
func.func @elu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.elu %x {alpha = 0.5} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @elu_one
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @elu_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.elu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @sigmoid
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK: %[[N:.*]] = arith.negf %[[X]]
// CHECK: %[[E:.*]] = math.exp %[[N]]
// CHECK: %[[D:.*]] = arith.addf %[[ONE]], %[[E]]
// CHECK: %[[Y:.*]] = arith.divf %[[ONE]], %[[D]]
// CHECK: return %[[Y]]
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.sigmoid %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @silu
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[S:.*]] = arith.divf
// CHECK: arith.mulf %[[X]], %[[S]]
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.silu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// exp sees no positive number.
// CHECK-LABEL: func @softplus
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[P:.*]] = arith.maximumf %[[X]]
// CHECK: %[[A:.*]] = math.absf %[[X]]
// CHECK: %[[N:.*]] = arith.negf %[[A]]
// CHECK: %[[E:.*]] = math.exp %[[N]]
// CHECK: %[[T:.*]] = arith.addf %[[E]], %cst{{.*}} : tensor<4xf32>
// CHECK: %[[M0:.*]] = arith.mulf %cst{{.*}}, %[[T]] fastmath<contract>
// CHECK: %[[S0:.*]] = arith.addf %[[M0]], %cst{{.*}} fastmath<contract>
// CHECK-COUNT-8: arith.mulf %{{.*}}, %[[T]] fastmath<contract>
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %cst{{.*}} fastmath<contract>
// CHECK: %[[L:.*]] = arith.mulf %[[E]], %[[S]]
// CHECK: arith.addf %[[P]], %[[L]]
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.softplus %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @softplus_f64
// CHECK: %[[E:.*]] = math.exp
// CHECK: math.log1p %[[E]] : tensor<4xf64>
func.func @softplus_f64(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = mp.softplus %x : tensor<4xf64>
  return %y : tensor<4xf64>
}

// CHECK-LABEL: func @gelu
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>
// CHECK: %[[C:.*]] = arith.constant dense<0.7071067811865{{[0-9]*}}>
// CHECK: %[[S:.*]] = arith.mulf %[[C]], %[[X]]
// CHECK: math.erf %[[S]]
func.func @gelu(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = mp.gelu %x : tensor<4xf64>
  return %y : tensor<4xf64>
}

// CHECK-LABEL: func @gelu_tanh
// CHECK: arith.constant dense<4.471500e-02>
// CHECK: arith.constant dense<0.79788{{.*}}>
// CHECK: math.tanh
// CHECK-NOT: math.erf
// CHECK: return
func.func @gelu_tanh(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = mp.gelu %x tanh : tensor<4xf64>
  return %y : tensor<4xf64>
}

// Statistics of the last dimension; scale and shift along it.
// CHECK-LABEL: func @layer_norm
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf32>, %[[SCALE:.*]]: tensor<4xf32>, %[[SHIFT:.*]]: tensor<4xf32>
// CHECK: %[[M:.*]] = mp.reduce mean %[[X]] dims [1] : tensor<3x4xf32> -> tensor<3xf32>
// CHECK: %[[MB:.*]] = mp.broadcast %[[M]] : tensor<3xf32> to tensor<3x4xf32>
// CHECK: %[[D:.*]] = arith.subf %[[X]], %[[MB]]
// CHECK: %[[DD:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK: %[[V:.*]] = mp.reduce mean %[[DD]] dims [1]
// CHECK: %[[EPS:.*]] = arith.constant dense<1.000000e-03> : tensor<3xf32>
// CHECK: %[[VE:.*]] = arith.addf %[[V]], %[[EPS]]
// CHECK: %[[R:.*]] = math.rsqrt %[[VE]]
// CHECK: %[[RB:.*]] = mp.broadcast %[[R]] : tensor<3xf32> to tensor<3x4xf32>
// CHECK: %[[N:.*]] = arith.mulf %[[D]], %[[RB]]
// CHECK: %[[GB:.*]] = mp.broadcast %[[SCALE]] trailing
// CHECK: %[[S:.*]] = arith.mulf %[[N]], %[[GB]]
// CHECK: %[[BB:.*]] = mp.broadcast %[[SHIFT]] trailing
// CHECK: %[[Y:.*]] = arith.addf %[[S]], %[[BB]]
// CHECK: return %[[Y]]
func.func @layer_norm(%x: tensor<3x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = mp.layer_norm %x scale %g shift %b {eps = 1.0e-3 : f64}
      : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @plain_layer_norm
// CHECK-NOT: trailing
// CHECK: return
func.func @plain_layer_norm(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.layer_norm %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// What does not depend on x is one factor.
// CHECK-LABEL: func @batch_norm
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[SCALE:.*]]: tensor<4xf32>, %[[SHIFT:.*]]: tensor<4xf32>
// CHECK: %[[VE:.*]] = arith.addf %[[V]]
// CHECK: %[[R:.*]] = math.rsqrt %[[VE]]
// CHECK: %[[F:.*]] = arith.mulf %[[SCALE]], %[[R]]
// CHECK: %[[D:.*]] = arith.subf %[[X]], %[[M]]
// CHECK: %[[N:.*]] = arith.mulf %[[D]], %[[F]]
// CHECK: %[[Y:.*]] = arith.addf %[[N]], %[[SHIFT]]
// CHECK: return %[[Y]]
func.func @batch_norm(%x: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>,
                      %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %y = mp.batch_norm %x mean %m variance %v scale %g shift %b
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Inside regions; half precision stays; scalars and other ops are left alone.
// CHECK-LABEL: func @in_update
// CHECK: mp.update
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : tensor<bf16>
// CHECK-NEXT: mp.yield
func.func @in_update(%h: tensor<?xbf16>) -> tensor<?xbf16> {
  %o = mp.update (%x = %h : tensor<?xbf16>) -> tensor<?xbf16> {
    %y = mp.relu %x : tensor<bf16>
    mp.yield %y : tensor<bf16>
  }
  return %o : tensor<?xbf16>
}

// Half precision is computed in f32, with the factor as f32 has it.
// CHECK-LABEL: func @half
// CHECK-SAME: %[[X:.*]]: tensor<4xbf16>
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e-01> : tensor<4xf32>
// CHECK: %[[H:.*]] = arith.truncf %[[C]] : tensor<4xf32> to tensor<4xbf16>
// CHECK: arith.mulf %[[H]], %[[X]]
// CHECK: arith.constant dense<0.000000e+00> : tensor<4xbf16>
func.func @half(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %y = mp.leaky_relu %x slope 0.2 : tensor<4xbf16>
  return %y : tensor<4xbf16>
}
