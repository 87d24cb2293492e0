// Chains of ops in which each reads several earlier ones: all of them are fused, and bounds of masks
// are computed once.
// RUN: clique-run --O1 %s --entry=fused --graph=complete:5 --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=gates --graph=complete:5 --gradients --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=masked --graph=complete:20 --lowering=dense --verify | FileCheck %s
// CHECK-NOT: too large
// CHECK: verify {{.*}}: ok

func.func @fused(%g: !mp.graph, %x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %m = mp.message %g dst(%a = %x : tensor<?x16xf32>) src(%b = %y : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    %t1 = arith.mulf %a, %b : tensor<16xf32>
    %t2 = arith.addf %b, %t1 : tensor<16xf32>
    %t3 = arith.mulf %t1, %t2 : tensor<16xf32>
    %t4 = arith.addf %t2, %t3 : tensor<16xf32>
    %t5 = arith.mulf %t3, %t4 : tensor<16xf32>
    %t6 = arith.addf %t4, %t5 : tensor<16xf32>
    %t7 = arith.mulf %t5, %t6 : tensor<16xf32>
    %t8 = arith.addf %t6, %t7 : tensor<16xf32>
    %t9 = arith.mulf %t7, %t8 : tensor<16xf32>
    %t10 = arith.addf %t8, %t9 : tensor<16xf32>
    mp.yield %t10 : tensor<16xf32>
  }
  %q = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %q : tensor<?x16xf32>
}

func.func @gates(%g: !mp.graph, %x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %m = mp.message %g dst(%a = %x : tensor<?x16xf32>) src(%b = %y : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    %t1 = arith.mulf %a, %b : tensor<16xf32>
    %t2 = arith.addf %t1, %a : tensor<16xf32>
    %t3 = arith.mulf %t1, %t2 : tensor<16xf32>
    %t4 = arith.addf %t3, %a : tensor<16xf32>
    %t5 = arith.mulf %t3, %t4 : tensor<16xf32>
    %t6 = arith.addf %t5, %a : tensor<16xf32>
    %t7 = arith.mulf %t5, %t6 : tensor<16xf32>
    mp.yield %t7 : tensor<16xf32>
  }
  %q = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %q : tensor<?x16xf32>
}

func.func @masked(%g: !mp.graph, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s, %w = mp.message %g dst(%a = %q : tensor<?x8xf32>) src(%b = %k : tensor<?x8xf32>, %c = %v : tensor<?x8xf32>) -> !mp.edges<f32>, !mp.edges<8xf32> {
    %pi = mp.position dst : tensor<i32>
    %pj = mp.position src : tensor<i32>
    %ninf = arith.constant dense<0xFF800000> : tensor<f32>
    %lim = arith.constant dense<1000000> : tensor<i32>
    %d = mp.dot %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %h0 = arith.addi %pi, %pj : tensor<i32>
    %q1 = arith.muli %h0, %h0 : tensor<i32>
    %h1 = arith.addi %q1, %h0 : tensor<i32>
    %q2 = arith.muli %h1, %h1 : tensor<i32>
    %h2 = arith.addi %q2, %h1 : tensor<i32>
    %q3 = arith.muli %h2, %h2 : tensor<i32>
    %h3 = arith.addi %q3, %h2 : tensor<i32>
    %q4 = arith.muli %h3, %h3 : tensor<i32>
    %h4 = arith.addi %q4, %h3 : tensor<i32>
    %q5 = arith.muli %h4, %h4 : tensor<i32>
    %h5 = arith.addi %q5, %h4 : tensor<i32>
    %q6 = arith.muli %h5, %h5 : tensor<i32>
    %h6 = arith.addi %q6, %h5 : tensor<i32>
    %q7 = arith.muli %h6, %h6 : tensor<i32>
    %h7 = arith.addi %q7, %h6 : tensor<i32>
    %q8 = arith.muli %h7, %h7 : tensor<i32>
    %h8 = arith.addi %q8, %h7 : tensor<i32>
    %q9 = arith.muli %h8, %h8 : tensor<i32>
    %h9 = arith.addi %q9, %h8 : tensor<i32>
    %q10 = arith.muli %h9, %h9 : tensor<i32>
    %h10 = arith.addi %q10, %h9 : tensor<i32>
    %q11 = arith.muli %h10, %h10 : tensor<i32>
    %h11 = arith.addi %q11, %h10 : tensor<i32>
    %q12 = arith.muli %h11, %h11 : tensor<i32>
    %h12 = arith.addi %q12, %h11 : tensor<i32>
    %cond = arith.cmpi slt, %h12, %lim : tensor<i32>
    %sc = arith.select %cond, %d, %ninf : tensor<i1>, tensor<f32>
    mp.yield %sc, %c : tensor<f32>, tensor<8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %w : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}
