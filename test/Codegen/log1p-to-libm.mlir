// log1p and expm1 have all digits near 0: they are the library's, no logarithm of 1 + x.

// RUN: clique-opt %s -clique-log1p-to-libm | FileCheck %s
// RUN: clique-run %s --graph=%graphs/karate.mtx --verify | FileCheck %s --check-prefix=OK
// RUN: clique-run %s --graph=%graphs/karate.mtx --target=cuda --emulate --verify | FileCheck %s --check-prefix=OK
// OK-NOT: too large
// OK-COUNT-2: verify {{.*}}: ok

// CHECK-LABEL: func private @functions
// CHECK:         call @log1p({{.*}}) : (f64) -> f64
// CHECK-COUNT-2: call @expm1({{.*}}) : (f64) -> f64
// CHECK:         math.exp
func.func private @functions(%x: f64, %v: vector<2xf64>) -> (f64, vector<2xf64>, f64) {
  %a = math.log1p %x : f64
  %b = math.expm1 %v : vector<2xf64>
  %c = math.exp %x : f64
  return %a, %b, %c : f64, vector<2xf64>, f64
}

// Each is a result of its own: one that is large would hide the other's error.
func.func @near_zero(%g: !mp.graph, %h: tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
  %l, %e = mp.message %g src(%x = %h : tensor<?x3xf64>) -> !mp.edges<3xf64>, !mp.edges<3xf64> {
    %tiny = arith.constant dense<1.0e-12> : tensor<3xf64>
    %y = arith.mulf %x, %tiny : tensor<3xf64>
    %log = math.log1p %y : tensor<3xf64>
    %exp = math.expm1 %y : tensor<3xf64>
    mp.yield %log, %exp : tensor<3xf64>, tensor<3xf64>
  }
  %a, %b = mp.aggregate %g max %l, %e : (!mp.edges<3xf64>, !mp.edges<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  return %a, %b : tensor<?x3xf64>, tensor<?x3xf64>
}
