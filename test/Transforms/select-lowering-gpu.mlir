// mp-select-lowering for a GPU: the version in rows leaves linear updates to a kernel
// of many rows.
// RUN: clique-opt %s --pass-pipeline="builtin.module(mp-attach-target{target=gpu},func.func(mp-select-lowering))" | FileCheck %s
// RUN: clique-opt %s --pass-pipeline="builtin.module(mp-attach-target{target=gpu},func.func(mp-select-lowering))" \
// RUN:   --remarks-filter=lowering --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-opt %s --pass-pipeline="builtin.module(func.func(mp-select-lowering))" | FileCheck %s --check-prefix=CPU --implicit-check-not=k_update
// CPU-LABEL: func.func @linear(
// CPU:         mp.kernel "k" sparse -> tensor<?x8xf32> {

// Tiles keep them: a block has many rows.
// CHECK-LABEL: func.func @versions(
// CHECK:         scf.if
// CHECK:           mp.kernel "k" dense -> tensor<?x8xf32> {
// CHECK:             mp.update
// CHECK:         } else {
// CHECK:           %[[A:.*]] = mp.kernel "k" sparse -> tensor<?x16xf32> {
// CHECK-NOT:         mp.update
// CHECK:           %[[U:.*]] = mp.kernel "k_update" nodes -> tensor<?x8xf32> {
// CHECK:             mp.update (%{{.*}} = %[[A]] : tensor<?x16xf32>)
// CHECK:           scf.yield %[[U]]
func.func @versions(%g: !mp.graph, %h: tensor<?x16xf32>, %w: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %hj : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x8xf32> {
      %l = mp.linear %ai, %w : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
      mp.yield %l : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @linear(
// CHECK:         %[[A:.*]] = mp.kernel "k" sparse -> tensor<?x16xf32> {
// CHECK:           mp.aggregate
// CHECK-NOT:       mp.update
// CHECK:         mp.kernel "k_update" nodes -> tensor<?x8xf32> {
// CHECK:           mp.update (%{{.*}} = %[[A]] : tensor<?x16xf32>)
func.func @linear(%g: !mp.graph<sparse>, %h: tensor<?x16xf32>, %w: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" -> tensor<?x8xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %hj : tensor<16xf32>
    }
    %a = mp.aggregate %g : !mp.graph<sparse> sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x8xf32> {
      %l = mp.linear %ai, %w : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
      mp.yield %l : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Elementwise updates cost nothing more.

// CHECK-LABEL: func.func @elementwise(
// CHECK:         mp.kernel "k" sparse
// CHECK:           mp.update
// CHECK-NOT:     mp.kernel
func.func @elementwise(%g: !mp.graph<sparse>, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" -> tensor<?x16xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %hj : tensor<16xf32>
    }
    %a = mp.aggregate %g : !mp.graph<sparse> sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x16xf32> {
      %l = mp.relu %ai : tensor<16xf32>
      mp.yield %l : tensor<16xf32>
    }
    mp.yield %u : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @wide(
// A thread cannot hold its part of a tile of such edges: rows are there as well.
// REMARK: kernel wide: dense tiles and sparse rows, chosen at run time, a value of its edges may be too large for a tile
func.func @wide(%g: !mp.graph<complete>, %h: tensor<?x39xf32>) -> tensor<?x39xf32> {
  %o = mp.kernel "wide" -> tensor<?x39xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x39xf32>) src(%hj = %h : tensor<?x39xf32>)
        -> !mp.edges<39xf32> {
      %x = arith.mulf %hi, %hj : tensor<39xf32>
      mp.yield %x : tensor<39xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<39xf32>) -> tensor<?x39xf32>
    mp.yield %a : tensor<?x39xf32>
  }
  return %o : tensor<?x39xf32>
}
