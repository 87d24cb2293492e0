// Which pairs of dense tiles are edges: those of the rows' intervals, or the words of
// the runtime's list. One of the two is empty.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// RUN: sed "s/ dense ->/ dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 64, border = 64>) ->/" %s | clique-opt --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func private @sum_0_dense(
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index,
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: memref<?xi64>, %[[END:[a-z0-9]+]]: memref<?xi64>, %{{[a-z0-9]+}}: i1,
// CHECK-SAME:    %[[LISTED:[a-z0-9]+]]: i1, %[[LIST:[a-z0-9]+]]: memref<?xi64>, %[[BLOCKS:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[WORDS:[a-z0-9]+]]: memref<?xi64>,
// CHECK-SAME:    %[[TILE:[a-z0-9]+]]: index, %[[PAST:[a-z0-9]+]]: index)
// As many tiles as the interval has, and those that are listed.
// CHECK:         %[[OF_INTERVAL:.*]] = arith.ceildivui
// CHECK:         %[[OF_LIST:.*]] = arith.subi %[[PAST]], %[[TILE]]
// CHECK:         %[[TILES:.*]] = arith.addi %[[OF_INTERVAL]], %[[OF_LIST]]
// CHECK:         scf.for %[[GROUP:.*]] = %c0 to %[[TILES]] step %c64
// CHECK:         scf.for %[[T:.*]] = %[[GROUP]] to %{{.*}} step %c1
// Nothing is read of a list that is empty.
// CHECK:           %[[AT:.*]] = arith.addi %[[TILE]], %[[T]]
// CHECK:           %[[ENTRY:.*]] = arith.muli %[[AT]], %c3
// CHECK:           scf.if %[[LISTED]] -> (index, index, index)
// CHECK:             memref.load %[[LIST]][%[[ENTRY]]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %c0, %c0, %c0
// A register block that is listed as empty (0) is left out, one that is listed as full
// (tile rows + 1) has no mask.
// CHECK:           scf.for
// CHECK:             %[[WORD:.*]] = scf.if %[[LISTED]] -> (index)
// CHECK:               memref.load %[[BLOCKS]]
// CHECK:             arith.cmpi ne, %[[WORD]], %c0
// CHECK:             arith.cmpi eq, %[[WORD]], %c13
// CHECK:             scf.if
// CHECK:               scf.if
// CHECK:               } else {
// The columns from the first to the last one that any row receives from.
// CHECK:                 math.cttz
// CHECK:                 math.ctlz
// CHECK:                 scf.for
// CHECK:                   tensor.extract_slice %{{.*}}[%[[WORD]]] [12] [1]
// CHECK:                   linalg.generic {{.*}} outs(%{{.*}} : tensor<12xi32>)
// CHECK:                     arith.shrui
// CHECK:                     arith.ori
// CHECK:                     arith.trunci
// CHECK:                   linalg.generic {{.*}} ins(%{{.*}} : tensor<12xi32>) outs(%{{.*}} : tensor<12x32xi8>)
// CHECK:                     arith.shli %c1_i32
// CHECK:                     arith.andi
// CHECK:                     arith.cmpi ne
//
// One part needs no loop over parts, and words of all bits; one register block knows its rows'
// intervals before the first tile.
// ONE-LABEL: func.func private @sum_0_dense(
// ONE-SAME:    %[[BEGIN:[a-z0-9]+]]: memref<?xi64>, %[[END:[a-z0-9]+]]: memref<?xi64>,
// ONE-COUNT-2: memref.load %[[BEGIN]]
// ONE:         scf.for
// ONE-NOT:     memref.load %[[BEGIN]]
// ONE-NOT:     memref.load %[[END]]
// ONE-NOT:     math.cttz
// ONE:         linalg.generic {{.*}} ins(%{{.*}} : tensor<64xi64>) outs(%{{.*}} : tensor<64x64xi8>)
//
// The list is asked for once, with the block's bounds in it.
// CHECK-LABEL: func.func @sum(
// CHECK:         %[[ARE:[a-z]+]], %{{.*}} = mp.tile_list %{{.*}} rows %{{.*}} tile_rows 12 columns 64 : !mp.graph<blocks, 64>
// CHECK:         scf.parallel (%[[B:.*]]) =
// CHECK:           %[[BLOCK:.*]] = arith.select %[[ARE]], %[[B]], %c0
// CHECK:           memref.load %{{.*}}[%[[BLOCK]]]
// CHECK:           call @sum_0_dense(
func.func @sum(%g: !mp.graph<blocks, 64>, %c: tensor<?xf32>, %h: tensor<?x4xf32>)
    -> tensor<?x4xf32> {
  %k = mp.kernel "sum_0" dense -> tensor<?x4xf32> {
    %v = mp.message %g : !mp.graph<blocks, 64> dst(%ci = %c : tensor<?xf32>)
        src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %cc = arith.mulf %ci, %cj : tensor<f32>
      %w = mp.broadcast %cc : tensor<f32> to tensor<4xf32>
      %x = arith.mulf %w, %hj : tensor<4xf32>
      mp.yield %x : tensor<4xf32>
    }
    %m = mp.aggregate %g : !mp.graph<blocks, 64> sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %m : tensor<?x4xf32>
  }
  return %k : tensor<?x4xf32>
}

// Features of edges: the number of the row's first edge in the tile, and how many of
// its bits come before.
// CHECK-LABEL: func.func private @edges_0_dense(
// CHECK:         scf.for
// CHECK:           %[[ROW_WORD:.*]] = arith.ori {{.*}} : i64
// CHECK:           %[[FIRST_EDGE:.*]] = arith.select
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK:               %[[BELOW:.*]] = arith.andi %[[ROW_WORD]]
// CHECK:               math.ctpop %[[BELOW]]
func.func @edges(%g: !mp.graph<blocks, 64>, %e: !mp.edges<f32>) -> tensor<?xf32> {
  %k = mp.kernel "edges_0" dense -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<blocks, 64> edge(%x = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      mp.yield %x : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<blocks, 64> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}
