// A layer, its forward function and another layer that are the same stay three.
// RUN: clique-compile %s --gradients -o %t.so --header=%t.h
// RUN: FileCheck %s --input-file=%t.h
// CHECK-DAG: clique_run_total(
// CHECK-DAG: clique_run_total_again(
// CHECK-DAG: clique_forward_total(
// CHECK-DAG: clique_backward_total(
// CHECK-DAG: The results kept0, kept1 ... are for clique_backward_total, and live until they are freed.
// CHECK-DAG: Takes results of clique_forward_total by their names, unchanged, and cotangents as grad_NAME.
func.func @total(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x8xf32>) outs(%zero : tensor<8xf32>) dimensions = [0]
  return %s : tensor<8xf32>
}
func.func @total_again(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x8xf32>) outs(%zero : tensor<8xf32>) dimensions = [0]
  return %s : tensor<8xf32>
}
