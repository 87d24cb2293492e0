// What could be one pass is several where it would take long to compile.
// RUN: clique-opt %s -mp-fuse | FileCheck %s

// CHECK-LABEL: func @many
// CHECK:         mp.kernel "many_0"
// CHECK-COUNT-12:  mp.aggregate
// CHECK-NOT:     mp.aggregate
// CHECK:         mp.kernel "many_1"
// CHECK:           mp.aggregate
// CHECK-NOT:     mp.aggregate
func.func @many(%g: !mp.graph, %h: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m0 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<0.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s0 = mp.aggregate %g max %m0 : (!mp.edges<f32>) -> tensor<?xf32>
  %m1 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<1.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s1 = mp.aggregate %g max %m1 : (!mp.edges<f32>) -> tensor<?xf32>
  %m2 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<2.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s2 = mp.aggregate %g max %m2 : (!mp.edges<f32>) -> tensor<?xf32>
  %m3 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<3.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s3 = mp.aggregate %g max %m3 : (!mp.edges<f32>) -> tensor<?xf32>
  %m4 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<4.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s4 = mp.aggregate %g max %m4 : (!mp.edges<f32>) -> tensor<?xf32>
  %m5 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<5.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s5 = mp.aggregate %g max %m5 : (!mp.edges<f32>) -> tensor<?xf32>
  %m6 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<6.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s6 = mp.aggregate %g max %m6 : (!mp.edges<f32>) -> tensor<?xf32>
  %m7 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<7.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s7 = mp.aggregate %g max %m7 : (!mp.edges<f32>) -> tensor<?xf32>
  %m8 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<8.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s8 = mp.aggregate %g max %m8 : (!mp.edges<f32>) -> tensor<?xf32>
  %m9 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<9.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s9 = mp.aggregate %g max %m9 : (!mp.edges<f32>) -> tensor<?xf32>
  %m10 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<10.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s10 = mp.aggregate %g max %m10 : (!mp.edges<f32>) -> tensor<?xf32>
  %m11 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<11.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s11 = mp.aggregate %g max %m11 : (!mp.edges<f32>) -> tensor<?xf32>
  %m12 = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<12.0> : tensor<f32>
    %x = arith.addf %hj, %c : tensor<f32>
    mp.yield %x : tensor<f32>
  }
  %s12 = mp.aggregate %g max %m12 : (!mp.edges<f32>) -> tensor<?xf32>
  return %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7, %s8, %s9, %s10, %s11, %s12 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
