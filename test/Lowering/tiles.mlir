// Dense tiles: a loop over groups of tiles, in it one over tiles of sources and in
// that one over register blocks of destinations, the score as a matrix product over destinations x sources, the
// weighted sum as another.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize | FileCheck %s
// RUN: sed "s/ dense ->/ dense schedule(#mp.tiles<rows = 18, tile_rows = 6, columns = 32, border = 32>) ->/" %s | clique-opt --mp-outline-blocks --mp-lower-tiles | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func private @attention_0_dense(
// CHECK:         %[[STATES:.*]]:6 = scf.for %[[FIRST:.*]] = %c0 to %[[TILES:.*]] step %c64
// CHECK:         %[[NEXT:.*]] = arith.addi %[[FIRST]], %c64
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[FIRST]], %c0
// CHECK:         %[[IS_LAST:.*]] = arith.cmpi sge, %[[NEXT]], %[[TILES]]
// CHECK:         %[[PAST:.*]] = arith.minsi %[[NEXT]], %[[TILES]]
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %[[PAST]] {{.*}} -> (tensor<384x2xf32>, tensor<384x2xf32>, tensor<384x2x4xf32>)
// The sources' keys run last, as far as there are some, their values lie as in memory.
// CHECK:           %[[COUNT:.*]] = arith.minsi %{{.*}}, %c64
// CHECK:           scf.for %[[PART:.*]] = %c0 to %[[COUNT]] step %c32 {{.*}} -> (tensor<2x4x64xf32>)
// CHECK:             %[[REST:.*]] = arith.subi %[[COUNT]], %[[PART]]
// CHECK:             %[[SOME:.*]] = arith.minsi %[[REST]], %c32
// CHECK:             tensor.insert_slice {{.*}}[0, 0, 0] [%[[SOME]], 2, 4] {{.*}} into tensor<32x2x4xf32>
// CHECK:             linalg.transpose ins({{.*}} : tensor<32x2x4xf32>) outs({{.*}} : tensor<2x4x32xf32>)
// CHECK:             tensor.insert_slice {{.*}}[0, 0, %[[PART]]] [2, 4, 32]
// CHECK:           scf.for {{.*}} -> (tensor<384x2xf32>, tensor<384x2xf32>, tensor<384x2x4xf32>)
// CHECK:             tensor.extract_slice {{.*}} : tensor<384x2x4xf32> to tensor<8x2x4xf32>
// CHECK:             linalg.generic {{.*}} ins({{.*}} : tensor<8x2x4xf32>, tensor<2x4x64xf32>) outs({{.*}} : tensor<2x8x64xf32>)
// CHECK:               arith.mulf
// CHECK:               arith.addf
// CHECK:             arith.select
// CHECK:             math.exp
// CHECK:             linalg.generic {{.*}} ins({{.*}} : tensor<2x8x64xf32>, tensor<64x2x4xf32>) outs({{.*}} : tensor<8x2x4xf32>)
// The states of a group join those of the groups before, unless there is one.
// CHECK:         %[[IS_ONLY:.*]] = arith.andi %[[IS_FIRST]], %[[IS_LAST]]
// CHECK:         scf.if %[[IS_ONLY]]
// CHECK:         } else {
// CHECK:           arith.select %[[IS_FIRST]], %in
// CHECK:           math.exp
// CHECK:           arith.select %[[IS_LAST]]
// CHECK:         scf.for {{.*}} {
// CHECK:           tensor.extract_slice %[[STATES]]#4
// A block holds whole register blocks.
// SMALL: tensor<18x2x4xf32>
// SMALL: tensor<2x6x32xf32>
func.func @attention(%g: !mp.graph<complete>, %q: tensor<?x2x4xf32>,
                     %k: tensor<?x2x4xf32>, %v: tensor<?x2x4xf32>)
    -> tensor<?x2x4xf32> {
  %o = mp.kernel "attention_0" dense -> tensor<?x2x4xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x2x4xf32>)
        src(%kj = %k : tensor<?x2x4xf32>, %vj = %v : tensor<?x2x4xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x4xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
    mp.yield %m : tensor<?x2x4xf32>
  }
  return %o : tensor<?x2x4xf32>
}

// A bias of the sources for a map of the destinations: products of the block's
// rows, and a sum for each pair.
// CHECK-LABEL: func.func private @bias_0_dense(
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins({{.*}} : tensor<12x3xf32>, tensor<3x5xf32>) outs({{.*}} : tensor<12x5xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[Y]], {{.*}} : tensor<12x5xf32>, tensor<5x64xf32>) outs({{.*}} : tensor<5x12x64xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.addf
func.func @bias(%g: !mp.graph<complete>, %h: tensor<?x3xf32>, %k: tensor<?x5xf32>,
                %w: tensor<3x5xf32>) -> tensor<?x5xf32> {
  %o = mp.kernel "bias_0" dense -> tensor<?x5xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x3xf32>)
        src(%kj = %k : tensor<?x5xf32>) -> !mp.edges<5xf32> {
      %y = mp.linear %hi, %w bias %kj : (tensor<3xf32>, tensor<3x5xf32>, tensor<5xf32>) -> tensor<5xf32>
      mp.yield %y : tensor<5xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
    mp.yield %m : tensor<?x5xf32>
  }
  return %o : tensor<?x5xf32>
}

// What a monoid lifts every source to is the same, and counts for each of them.
// CHECK-LABEL: func.func private @count_0_dense(
// CHECK:         %[[SOURCES:.*]] = arith.constant 64 : index
// CHECK:         scf.for %{{.*}} to %[[SOURCES]] step %{{.*}} iter_args
// CHECK:           linalg.generic
// CHECK:             arith.addf
func.func @count(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %o = mp.kernel "count_0" dense -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> custom %v : (!mp.edges<f32>) -> tensor<?xf32>
      identity {
        %z = arith.constant dense<0.0> : tensor<f32>
        mp.yield %z : tensor<f32>
      }
      lift {
      ^bb0(%x: tensor<f32>):
        %one = arith.constant dense<1.0> : tensor<f32>
        mp.yield %one : tensor<f32>
      }
      combine {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = arith.addf %a, %b : tensor<f32>
        mp.yield %s : tensor<f32>
      }
      finalise {
      ^bb0(%a: tensor<f32>):
        mp.yield %a : tensor<f32>
      }
    mp.yield %m : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// Of what is 0 but for a row, pair after pair adds the row: to a table of the tile's own first.
// CHECK-LABEL: func.func private @scattered_0_dense(
// CHECK:           %[[TABLE:.*]] = scf.for %[[I:.*]] = %c0 to %c12 {{.*}} -> (tensor<12x5x2xf32>)
// CHECK-NEXT:        scf.for %[[J:.*]] = %c0 to %c64 {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<12x5x2xf32>)
// CHECK:               %[[ROW:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:               tensor.extract_slice %[[SUM]][%[[I]], %[[ROW]], 0] [1, 1, 2]
// CHECK:               linalg.generic {{.*}} ins(%{{.*}} : tensor<2xf32>)
// CHECK:               tensor.insert_slice %{{.*}} into %[[SUM]][%[[I]], %[[ROW]], 0] [1, 1, 2]
// CHECK:           linalg.generic {{.*}} ins(%[[TABLE]] : tensor<12x5x2xf32>)
func.func @scattered(%g: !mp.graph<complete>, %h: tensor<?x2xf32>, %row: tensor<?x1xi32>)
    -> tensor<?x5x2xf32> {
  %o = mp.kernel "scattered_0" dense -> tensor<?x5x2xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x2xf32>)
        src(%hj = %h : tensor<?x2xf32>, %rj = %row : tensor<?x1xi32>) -> !mp.edges<5x2xf32> {
      %x = arith.mulf %hi, %hj : tensor<2xf32>
      %z = arith.constant dense<0.0> : tensor<5x2xf32>
      %y = tensor.scatter %x into %z[%rj] scatter_dims([0]) unique
          : (tensor<2xf32>, tensor<5x2xf32>, tensor<1xi32>) -> tensor<5x2xf32>
      mp.yield %y : tensor<5x2xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<5x2xf32>) -> tensor<?x5x2xf32>
    mp.yield %m : tensor<?x5x2xf32>
  }
  return %o : tensor<?x5x2xf32>
}

// Several weights of an edge and as many rows of its source: one product of matrices, summed over
// these rows and the sources.
// CHECK-LABEL: func.func private @mixture_0_dense(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<3x12x64xf32>, tensor<64x3x16xf32>) outs(%{{.*}} : tensor<12x16xf32>)
// CHECK-NOT:     tensor<16x12x64xf32>
// CHECK:         return
func.func @mixture(%g: !mp.graph<complete>, %x: tensor<?x3xf32>, %y: tensor<?x3x16xf32>)
    -> tensor<?x16xf32> {
  %o = mp.kernel "mixture_0" dense -> tensor<?x16xf32> {
    %m = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x3xf32>)
        src(%xj = %x : tensor<?x3xf32>, %yj = %y : tensor<?x3x16xf32>) -> !mp.edges<16xf32> {
      %d = arith.subf %xi, %xj : tensor<3xf32>
      %ds = mp.broadcast %d : tensor<3xf32> to tensor<3x16xf32>
      %p = arith.mulf %ds, %yj : tensor<3x16xf32>
      %s = mp.reduce sum %p dims [0] : tensor<3x16xf32> -> tensor<16xf32>
      mp.yield %s : tensor<16xf32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %a : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}
