// What dense kernels sum and compare are operands of their own.
// RUN: clique-opt %s --mp-separate-values | FileCheck %s
// RUN: clique-opt %s --mp-separate-values --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Keys are compared with queries, and summed: two operands.
// REMARK: kernel k: 1 source features are laid out once to be multiplied with destinations, and once to be summed
// CHECK-LABEL: func.func @both(
// CHECK-SAME:    %[[G:[a-z0-9]+]]: !mp.graph, %[[Q:[a-z0-9]+]]: tensor<?x16xf32>, %[[K:[a-z0-9]+]]: tensor<?x16xf32>)
// CHECK:         mp.message %[[G]] dst(%[[QI:.+]] = %[[Q]] : tensor<?x16xf32>)
// CHECK-SAME:      src(%[[KJ:.+]] = %[[K]] : tensor<?x16xf32>, %[[VJ:.+]] = %[[K]] : tensor<?x16xf32>)
// CHECK:           mp.dot %[[QI]], %[[KJ]]
// CHECK:           arith.mulf %{{.+}}, %[[VJ]]
func.func @both(%g: !mp.graph, %q: tensor<?x16xf32>, %k: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" dense -> tensor<?x16xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>) src(%kj = %k : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %kj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// Nothing is gained in rows; where factors are each element's own; where each
// source has but one use; where the largest is taken.
// CHECK-LABEL: func.func @rows(
// CHECK:         src(%{{[a-z0-9]+}} = %{{[a-z0-9]+}} : tensor<?x16xf32>) ->
func.func @rows(%g: !mp.graph, %q: tensor<?x16xf32>, %k: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" sparse -> tensor<?x16xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>) src(%kj = %k : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %kj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @own_factors(
// CHECK:         src(%{{[a-z0-9]+}} = %{{[a-z0-9]+}} : tensor<?x16xf32>) ->
func.func @own_factors(%g: !mp.graph, %q: tensor<?x16xf32>, %k: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" dense -> tensor<?x16xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>) src(%kj = %k : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = arith.addf %qi, %kj : tensor<16xf32>
      %v = arith.mulf %s, %kj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @one_use(
// CHECK:         src(%{{[a-z0-9]+}} = %{{[a-z0-9]+}} : tensor<?xf32>, %{{[a-z0-9]+}} = %{{[a-z0-9]+}} : tensor<?x16xf32>) ->
func.func @one_use(%g: !mp.graph, %c: tensor<?xf32>, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" dense -> tensor<?x16xf32> {
    %m = mp.message %g dst(%ci = %c : tensor<?xf32>) src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = arith.mulf %ci, %cj : tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %hj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g mean %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @largest(
// CHECK:         src(%{{[a-z0-9]+}} = %{{[a-z0-9]+}} : tensor<?x16xf32>) ->
func.func @largest(%g: !mp.graph, %q: tensor<?x16xf32>, %k: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" dense -> tensor<?x16xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>) src(%kj = %k : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %kj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    %a = mp.aggregate %g max %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}
