// The gradient of a maximum behind a linear map: an edge has something for the elements that it won,
// and 0 for all others. Rows add a row of the weights for each of them.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s --check-prefix=SCHEDULE
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --canonicalize --cse | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = mma>"' --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --canonicalize | FileCheck %s --check-prefix=THREADS

// SCHEDULE: mp.kernel "winners_0" sparse schedule(#mp.row_blocks<

// CHECK-LABEL: func.func private @winners_0_sparse(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : i64
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK:         scf.for
// The row's own features.
// CHECK-DAG:       %[[NUMBERS:.*]] = tensor.extract_slice %{{.*}} : tensor<?x72xi64> to tensor<72xi64>
// CHECK-DAG:       %[[GRAD:.*]] = tensor.extract_slice %{{.*}} : tensor<?x72xf32> to tensor<72xf32>
// CHECK:           scf.for
// CHECK:             %[[WINS:.*]] = linalg.generic {{.*}} ins(%[[NUMBERS]], %{{.*}} : tensor<72xi64>, tensor<72xi64>)
// CHECK:               arith.cmpi eq
// A bit for each element: 64 of them in one word.
// CHECK:             %[[PART:.*]] = tensor.extract_slice %[[WINS]][0] [64] [1]
// CHECK:             %[[BITS:.*]] = linalg.generic {{.*}}["reduction"]{{.*}} ins(%[[PART]], %{{.*}} : tensor<64xi8>, tensor<64xi64>)
// CHECK:               arith.select
// CHECK:               arith.ori
// CHECK:             %[[WORD:.*]] = tensor.extract %[[BITS]][] : tensor<i64>
// CHECK:             %[[POP:.*]] = math.ctpop %[[WORD]]
// CHECK:             %[[COUNT:.*]] = arith.index_cast %[[POP]]
// CHECK:             %[[HALF:.*]]:2 = scf.for {{.*}} to %[[COUNT]] {{.*}} iter_args(%[[REST:.*]] = %[[WORD]], %[[Y:.*]] = %{{.*}}) -> (i64, tensor<16xf32>) {
// CHECK:               %[[FIRST:.*]] = math.cttz %[[REST]]
// CHECK:               %[[K:.*]] = arith.index_cast %[[FIRST]]
// CHECK:               %[[BELOW:.*]] = arith.subi %[[REST]], %[[C1]]
// CHECK:               %[[NEXT:.*]] = arith.andi %[[REST]], %[[BELOW]]
// CHECK:               %[[G:.*]] = tensor.extract %[[GRAD]][%[[K]]]
// CHECK:               %[[SCALE:.*]] = tensor.from_elements %[[G]]
// CHECK:               %[[ROW:.*]] = tensor.extract_slice %{{.*}}[%[[K]], 0] [1, 16] [1, 1] : tensor<72x16xf32> to tensor<16xf32>
// CHECK:               %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[SCALE]], %[[ROW]] : tensor<f32>, tensor<16xf32>) outs(%[[Y]] : tensor<16xf32>)
// CHECK:               scf.yield %[[NEXT]], %[[SUM]]
// CHECK:             tensor.extract_slice %[[WINS]][64] [8] [1]
// CHECK:             scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[HALF]]#1) -> (i64, tensor<16xf32>)
// CHECK:               math.cttz
// CHECK:               arith.addi %{{.*}}, %[[C64]]

// Threads hold features in registers, which have no index.
// THREADS-LABEL: func.func private @winners_0_sparse(
// THREADS-NOT:     math.cttz
func.func @winners(%g: !mp.graph, %numbers: tensor<?x72xi64>, %grad: tensor<?x72xf32>, %x: tensor<?x16xf32>,
                   %w: tensor<72x16xf32>) -> tensor<?x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<72xf32>
  %o = mp.kernel "winners_0" sparse -> tensor<?x16xf32> {
    %v = mp.message %g dst(%ni = %numbers : tensor<?x72xi64>, %gi = %grad : tensor<?x72xf32>)
        src(%xj = %x : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %e = mp.position edge : tensor<i64>
      %es = mp.broadcast %e : tensor<i64> to tensor<72xi64>
      %wins = arith.cmpi eq, %ni, %es : tensor<72xi64>
      %own = arith.select %wins, %gi, %zeros : tensor<72xi1>, tensor<72xf32>
      %y = mp.linear %own, %w : (tensor<72xf32>, tensor<72x16xf32>) -> tensor<16xf32>
      %m = arith.mulf %y, %xj : tensor<16xf32>
      mp.yield %m : tensor<16xf32>
    }
    %s = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %s : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}

// What is no such feature is multiplied: a mask of another comparison, others than 0 elsewhere.
// SCHEDULE: mp.kernel "others_0" sparse schedule(#mp.edge_blocks<
// SCHEDULE: mp.kernel "others_1" sparse schedule(#mp.edge_blocks<
func.func @others(%g: !mp.graph, %numbers: tensor<?x72xi64>, %grad: tensor<?x72xf32>, %w: tensor<72x16xf32>)
    -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<72xf32>
  %ones = arith.constant dense<1.0> : tensor<72xf32>
  %a = mp.kernel "others_0" sparse -> tensor<?x16xf32> {
    %v = mp.message %g dst(%ni = %numbers : tensor<?x72xi64>, %gi = %grad : tensor<?x72xf32>) -> !mp.edges<16xf32> {
      %e = mp.position edge : tensor<i64>
      %es = mp.broadcast %e : tensor<i64> to tensor<72xi64>
      %wins = arith.cmpi ne, %ni, %es : tensor<72xi64>
      %own = arith.select %wins, %gi, %zeros : tensor<72xi1>, tensor<72xf32>
      %y = mp.linear %own, %w : (tensor<72xf32>, tensor<72x16xf32>) -> tensor<16xf32>
      mp.yield %y : tensor<16xf32>
    }
    %s = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %s : tensor<?x16xf32>
  }
  %b = mp.kernel "others_1" sparse -> tensor<?x16xf32> {
    %v = mp.message %g dst(%ni = %numbers : tensor<?x72xi64>, %gi = %grad : tensor<?x72xf32>) -> !mp.edges<16xf32> {
      %e = mp.position edge : tensor<i64>
      %es = mp.broadcast %e : tensor<i64> to tensor<72xi64>
      %wins = arith.cmpi eq, %ni, %es : tensor<72xi64>
      %own = arith.select %wins, %gi, %ones : tensor<72xi1>, tensor<72xf32>
      %y = mp.linear %own, %w : (tensor<72xf32>, tensor<72x16xf32>) -> tensor<16xf32>
      mp.yield %y : tensor<16xf32>
    }
    %s = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %s : tensor<?x16xf32>
  }
  return %a, %b : tensor<?x16xf32>, tensor<?x16xf32>
}
