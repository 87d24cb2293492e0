// Sums of dynamic or great length among the threads of a GPU, three times; but
// what is short, what several ops make, or has threads enough, by a thread for
// each element. The features of a node are added apart from those of others.
// RUN: clique-opt %s --clique-divide-sums | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         %[[FIRST:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} outs(%[[EMPTY]] : tensor<?xf32>)
// CHECK:           %[[PART:.*]] = linalg.index 0
// CHECK:           %[[BEGIN:.*]] = arith.muli %[[PART]], %c64
// CHECK:           %[[NEXT:.*]] = arith.addi %[[BEGIN]], %c64
// CHECK:           %[[END:.*]] = arith.minui %[[NEXT]], %[[N]]
// CHECK:           %[[SUM:.*]] = scf.for %[[K:.*]] = %[[BEGIN]] to %[[END]] {{.*}} iter_args(%[[ACC:.*]] = %cst) -> (f32)
// CHECK:             %[[TERM:.*]] = tensor.extract %[[X]][%[[K]]]
// CHECK:             arith.addf %[[ACC]], %[[TERM]]
// CHECK:           linalg.yield %[[SUM]]
// CHECK:         %[[SECOND:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK:             tensor.extract %[[FIRST]]
// CHECK:         %[[THIRD:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK:             tensor.extract %[[SECOND]]
// CHECK:         linalg.generic {{.*}} iterator_types = []}
// CHECK:           %[[ALL:.*]] = scf.for
// CHECK:             tensor.extract %[[THIRD]]
// CHECK:           %[[START:.*]] = tensor.extract %[[INIT]][]
// CHECK:           arith.addf %[[START]], %[[ALL]]
func.func @sum(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// In f32, rounded at the end; 5,000 terms have 79 parts, and those none.
// CHECK-LABEL: func.func @half(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} outs(%{{.*}} : tensor<79x9x4xf32>)
// CHECK:           scf.for {{.*}} -> (f32)
// CHECK:             %[[TERM:.*]] = tensor.extract {{.*}} : tensor<5000x9x4xf16>
// CHECK:             arith.extf %[[TERM]]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel"]} outs(%{{.*}} : tensor<4xf32>)
// CHECK:           scf.for {{.*}} to %c79
// CHECK:             %[[OWN:.*]] = scf.for {{.*}} to %c9{{.*}} iter_args(
// CHECK:             arith.addf %{{.*}}, %[[OWN]]
// CHECK:         arith.truncf
func.func @half(%x: tensor<5000x9x4xf16>, %init: tensor<4xf16>) -> tensor<4xf16> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<5000x9x4xf16>) outs(%init : tensor<4xf16>) dimensions = [0, 1]
  return %s : tensor<4xf16>
}

// The positions of terms, and a result each of a sum and a maximum.
// CHECK-LABEL: func.func @two(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi64>)
// CHECK:           scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[MOST:.*]] = %{{.*}}) -> (i64, i64)
// CHECK:             %[[TERM:.*]] = tensor.extract
// CHECK:             arith.index_cast %[[K]]
// CHECK:             arith.addi %[[SUM]]
// CHECK:             arith.maxsi %[[MOST]], %[[TERM]]
func.func @two(%x: tensor<?xi64>, %init: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %s:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%x : tensor<?xi64>) outs(%init, %init : tensor<i64>, tensor<i64>) {
  ^bb0(%in: i64, %sum: i64, %most: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %a = arith.addi %sum, %k : i64
    %b = arith.maxsi %most, %in : i64
    linalg.yield %a, %b : i64, i64
  } -> (tensor<i64>, tensor<i64>)
  return %s#0, %s#1 : tensor<i64>, tensor<i64>
}

// A product whose result has 65,536 elements: 1,024 terms for each thread.
// CHECK-LABEL: func.func @product(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} outs(%{{.*}} : tensor<?x256x256xf32>)
// CHECK:           arith.muli %{{.*}}, %c1024
func.func @product(%x: tensor<256x?xf32>, %y: tensor<?x256xf32>, %init: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %s = linalg.matmul ins(%x, %y : tensor<256x?xf32>, tensor<?x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %s : tensor<256x256xf32>
}

// No dimension is long, but all of them are together.
// CHECK-LABEL: func.func @together(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x16xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<f32>)
// CHECK-NOT:     linalg.reduce
func.func @together(%x: tensor<64x8x16xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x8x16xf32>) outs(%init : tensor<f32>) dimensions = [0, 1, 2]
  return %s : tensor<f32>
}

// The result says how many columns there are.
// CHECK-LABEL: func.func @columns(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x64xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<64xf32>)
func.func @columns(%x: tensor<?x?xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// More than 65,536 elements, and blocks of blocks of terms; in f32 what is of bf16.
// CHECK-LABEL: func.func @large(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<300x300xf32>)
// CHECK:           scf.for {{.*}} step %c262144
// CHECK:             scf.for {{.*}} step %c4096
// CHECK:               scf.for {{.*}} step %c64
// CHECK:                 scf.for {{.*}} step %c1{{.*}} -> (f32)
// CHECK:                   arith.extf
// CHECK:         arith.truncf
func.func @large(%x: tensor<300x?xbf16>, %y: tensor<?x300xbf16>, %init: tensor<300x300xbf16>) -> tensor<300x300xbf16> {
  %s = linalg.matmul ins(%x, %y : tensor<300x?xbf16>, tensor<?x300xbf16>) outs(%init : tensor<300x300xbf16>) -> tensor<300x300xbf16>
  return %s : tensor<300x300xbf16>
}

// Each of the outer loop's steps is a sum of its own where the inner one is long.
// CHECK-LABEL: func.func @two_loops(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c4096
// CHECK:           scf.for {{.*}} step %c64
// CHECK:             scf.for {{.*}} step %c1{{.*}} iter_args(
// CHECK:               %[[OWN:.*]] = scf.for {{.*}} to %c100 step %c1
// CHECK-NOT:             scf.for
// CHECK:               arith.addf %{{.*}}, %[[OWN]]
func.func @two_loops(%x: tensor<?x?x100xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x?x100xf32>) outs(%init : tensor<?xf32>) dimensions = [1, 2]
  return %s : tensor<?xf32>
}

// A thread for each element: rows in blocks of 64, several ops from the start on.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.*]]: tensor<?x1000xf32>, %[[Y:.*]]: tensor<?xf32>,
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK:           %[[ROW:.*]] = linalg.index 0
// CHECK:           %[[START:.*]] = tensor.extract %[[Y]][%[[ROW]]]
// CHECK:           scf.for %[[FIRST:.*]] = %c0{{.*}} to %c1000 step %c64 iter_args(%[[BEFORE:.*]] = %[[START]])
// CHECK:             %[[PART:.*]] = scf.for %[[K:.*]] = %[[FIRST]] to %{{.*}} step %c1{{.*}} iter_args(%[[ACC:.*]] = %cst)
// CHECK:               %[[TERM:.*]] = tensor.extract %[[X]][%[[ROW]], %[[K]]]
// CHECK:               arith.addf %[[ACC]], %[[TERM]]
// CHECK:             arith.addf %[[BEFORE]], %[[PART]]
// CHECK:         linalg.generic {{.*}} iterator_types = []}
// CHECK:           %[[ONE:.*]] = tensor.extract %{{.*}}[]
// CHECK-NEXT:      arith.constant 0 : index
// CHECK-NEXT:      arith.constant 1 : index
// CHECK-NEXT:      scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ONE]])
// CHECK:             arith.mulf %[[ACC]], %[[ACC]]
// CHECK:         linalg.generic {{.*}} iterator_types = []}
// CHECK:           scf.for {{.*}} to %c100
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @others(%x: tensor<?x1000xf32>, %y: tensor<?xf32>, %z: tensor<100xf32>, %init: tensor<f32>)
    -> (tensor<?xf32>, tensor<f32>, tensor<f32>) {
  %rows = linalg.reduce { arith.addf } ins(%x : tensor<?x1000xf32>) outs(%y : tensor<?xf32>) dimensions = [1]
  %several = linalg.reduce ins(%y : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %a = arith.mulf %out, %out : f32
      %b = arith.addf %a, %in : f32
      linalg.yield %b : f32
    }
  %short = linalg.reduce { arith.addf } ins(%z : tensor<100xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %rows, %several, %short : tensor<?xf32>, tensor<f32>, tensor<f32>
}
