// Source features of some numbers each are a cache line each: where there are many, a kernel on the
// nodes puts them into one row.
// RUN: clique-opt %s --mp-fuse --mp-select-lowering=lowering=sparse --mp-pack-sources | FileCheck %s
// RUN: clique-opt %s --mp-fuse --mp-select-lowering=lowering=dense --mp-pack-sources | FileCheck %s --check-prefix=NONE
// RUN: clique-opt %s --mp-fuse --mp-select-lowering=lowering=sparse --mp-pack-sources --remarks-filter=fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-run %s --entry=four --graph=complete:40 --lowering=sparse --verify --threads=2
// RUN: clique-run %s --entry=filled --graph=complete:40 --lowering=sparse --verify --threads=2

// NONE-NOT: _pack"
// REMARK:     kernel four_0: 4 source features are put into rows of 128 bytes first, of which an edge reads one
// REMARK:     kernel filled_0: 4 source features are put into rows of 128 bytes first, of which an edge reads one
// REMARK-NOT: mp-pack-sources

// Large features stay where they are; what is also a feature of the destination stays there.
// CHECK-LABEL: func.func @four(
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph, %[[V:[^:]*]]: tensor<?x16xf32>, %[[A:[^:]*]]: tensor<?x8xf32>, %[[B:[^:]*]]: tensor<?x8xf32>, %[[C:[^:]*]]: tensor<?x2x4xf32>, %[[D:[^:]*]]: tensor<?x8xf32>
// CHECK:         %[[ROWS:.*]] = mp.kernel "four_0_pack" nodes -> tensor<?x32xf32> {
// CHECK-NEXT:      %[[U:.*]] = mp.update (%[[X:.*]] = %[[A]] : tensor<?x8xf32>, %[[Y:.*]] = %[[B]] : tensor<?x8xf32>, %[[Z:.*]] = %[[C]] : tensor<?x2x4xf32>, %[[W:.*]] = %[[D]] : tensor<?x8xf32>) -> tensor<?x32xf32> {
// CHECK-NEXT:        %[[FLAT:.*]] = tensor.collapse_shape %[[Z]] {{\[\[}}0, 1]] : tensor<2x4xf32> into tensor<8xf32>
// CHECK-NEXT:        %[[ROW:.*]] = tensor.concat dim(0) %[[X]], %[[Y]], %[[FLAT]], %[[W]]
// CHECK-NEXT:        mp.yield %[[ROW]] : tensor<32xf32>
// CHECK:         mp.kernel "four_0" sparse
// CHECK-NEXT:      mp.message %[[G]] dst(%{{.*}} = %[[A]] : tensor<?x8xf32>) src(%{{.*}} = %[[V]] : tensor<?x16xf32>, %[[P:.*]] = %[[ROWS]] : tensor<?x32xf32>)
// CHECK:           %[[PART:.*]] = tensor.extract_slice %[[P]][16] [8] [1] : tensor<32xf32> to tensor<8xf32>
// CHECK-NEXT:      tensor.expand_shape %[[PART]] {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
func.func @four(%g: !mp.graph, %v: tensor<?x16xf32>, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>,
                %c: tensor<?x2x4xf32>, %d: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g dst(%ai = %a : tensor<?x8xf32>)
      src(%vj = %v : tensor<?x16xf32>, %aj = %a : tensor<?x8xf32>, %bj = %b : tensor<?x8xf32>,
          %cj = %c : tensor<?x2x4xf32>, %dj = %d : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %x = arith.mulf %ai, %aj : tensor<8xf32>
    %y = arith.mulf %x, %bj : tensor<8xf32>
    %f = tensor.collapse_shape %cj [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %z = arith.mulf %y, %f : tensor<8xf32>
    %w = arith.addf %z, %dj : tensor<8xf32>
    %p = tensor.extract_slice %vj[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %q = arith.addf %w, %p : tensor<8xf32>
    mp.yield %q : tensor<8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// A single number is too small to pay, but has place in the last line.
// CHECK-LABEL: func.func @filled(
// CHECK:         mp.kernel "filled_0_pack" nodes -> tensor<?x32xf32> {
// CHECK-NEXT:      mp.update (%[[A:.*]] = %{{.*}} : tensor<?x8xf32>, %[[B:.*]] = %{{.*}} : tensor<?x8xf32>, %[[C:.*]] = %{{.*}} : tensor<?x8xf32>, %[[S:.*]] = %{{.*}} : tensor<?xf32>) -> tensor<?x32xf32> {
// CHECK-NEXT:        %[[ONE:.*]] = mp.broadcast %[[S]] : tensor<f32> to tensor<1xf32>
// CHECK-NEXT:        %[[PAD:.*]] = arith.constant dense<0.000000e+00> : tensor<7xf32>
// CHECK-NEXT:        tensor.concat dim(0) %[[A]], %[[B]], %[[C]], %[[ONE]], %[[PAD]]
// CHECK:         mp.kernel "filled_0" sparse
// CHECK-NEXT:      mp.message {{.*}} src(%[[P:.*]] = %{{.*}} : tensor<?x32xf32>)
// CHECK:           tensor.extract_slice %[[P]][24] [1] [1] : tensor<32xf32> to tensor<f32>
func.func @filled(%g: !mp.graph, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %c: tensor<?x8xf32>,
                  %s: tensor<?xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g src(%aj = %a : tensor<?x8xf32>, %bj = %b : tensor<?x8xf32>,
          %cj = %c : tensor<?x8xf32>, %sj = %s : tensor<?xf32>) -> !mp.edges<8xf32> {
    %x = arith.mulf %aj, %bj : tensor<8xf32>
    %y = arith.mulf %x, %cj : tensor<8xf32>
    %n = mp.broadcast %sj : tensor<f32> to tensor<8xf32>
    %z = arith.mulf %y, %n : tensor<8xf32>
    mp.yield %z : tensor<8xf32>
  }
  %r = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// Two lines become one: not worth a pass over the nodes. Numbers of other types are not put together.
// CHECK-LABEL: func.func @few(
// CHECK-NOT:     _pack"
func.func @few(%g: !mp.graph, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %c: tensor<?x8xf64>,
               %d: tensor<?x8xf64>) -> (tensor<?x8xf32>, tensor<?x8xf64>) {
  %m, %n = mp.message %g src(%aj = %a : tensor<?x8xf32>, %bj = %b : tensor<?x8xf32>, %cj = %c : tensor<?x8xf64>,
          %dj = %d : tensor<?x8xf64>) -> !mp.edges<8xf32>, !mp.edges<8xf64> {
    %x = arith.mulf %aj, %bj : tensor<8xf32>
    %y = arith.mulf %cj, %dj : tensor<8xf64>
    mp.yield %x, %y : tensor<8xf32>, tensor<8xf64>
  }
  %s:2 = mp.aggregate %g sum %m, %n : (!mp.edges<8xf32>, !mp.edges<8xf64>) -> (tensor<?x8xf32>, tensor<?x8xf64>)
  return %s#0, %s#1 : tensor<?x8xf32>, tensor<?x8xf64>
}

// Operands of linear maps are gathered into matrices.
// CHECK-LABEL: func.func @products(
// CHECK-NOT:     _pack"
func.func @products(%g: !mp.graph, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %c: tensor<?x8xf32>,
                    %d: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g dst(%ai = %a : tensor<?x8xf32>) src(%aj = %a : tensor<?x8xf32>, %bj = %b : tensor<?x8xf32>,
          %cj = %c : tensor<?x8xf32>, %dj = %d : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %x = arith.mulf %aj, %bj : tensor<8xf32>
    %y = arith.mulf %cj, %dj : tensor<8xf32>
    %z = arith.mulf %x, %y : tensor<8xf32>
    %n = arith.mulf %z, %ai : tensor<8xf32>
    %t = math.tanh %n : tensor<8xf32>
    %v = mp.linear %t, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %v : tensor<8xf32>
  }
  %s = mp.aggregate %g max %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}
