// Tiles of a graph that may be one of mixed cliques have positions in mp.in_order: its nodes' rows are read and written
// one by one where the runtime gives an order, and the choice between tiles and rows knows.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s --check-prefix=SCHEDULE
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s

// SCHEDULE-LABEL: func.func @features(
// SCHEDULE:         mp.choose_dense %{{.*}}, "features" versions both in_order cost
// SCHEDULE:         mp.kernel "features" dense schedule(#mp.tiles<{{.*}}, in_order = 1>)
// What has positions or edges of its own has the numbers of the graph as it is.
// SCHEDULE-LABEL: func.func @positions(
// SCHEDULE-NOT:     in_order
// SCHEDULE-LABEL: func.func @edges(
// SCHEDULE-NOT:     in_order
// A graph whose type says that it is something else is no such thing.
// SCHEDULE-LABEL: func.func @typed(
// SCHEDULE-NOT:     in_order

// CHECK-LABEL: func.func private @features_dense(
// CHECK-SAME:    %[[ORDER:[^ ]*]]: memref<?xi32>
// CHECK:         %[[SIZE:.*]] = memref.dim %[[ORDER]], %c0
// CHECK:         %[[ORDERED:.*]] = arith.cmpi ne, %[[SIZE]], %c0
// The sources of a part of a tile.
// CHECK:         scf.if %[[ORDERED]] -> (tensor<32x8xf32>) {
// CHECK:           scf.for
// CHECK:             %[[ENTRY:.*]] = memref.load %[[ORDER]]
// CHECK:             %[[NODE:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// CHECK:             tensor.extract_slice %{{.*}}[%[[NODE]], 0] [1, 8] [1, 1]
// CHECK:         } else {
// CHECK:           tensor.extract_slice %{{.*}} : tensor<?x8xf32> to tensor<?x8xf32>
// Fetched ahead as they lie.
// CHECK:         scf.for %[[ROW:[^ ]*]] = {{[^ ]*}} to {{[^ ]*}} step %c1 {
// CHECK-NEXT:      %[[AHEAD:.*]] = scf.if %[[ORDERED]] -> (index) {
// CHECK:             memref.load %[[ORDER]][%[[ROW]]]
// CHECK:           } else {
// CHECK:             scf.yield %[[ROW]]
// CHECK:           memref.prefetch %{{.*}}[%[[AHEAD]], %c0]
// The destinations of a register block, which are read where they lie unless they are ordered.
// CHECK:         %[[FULL:.*]] = arith.cmpi eq, %{{.*}}, %c12
// CHECK:         %[[BY_NUMBER:.*]] = arith.cmpi eq, %[[SIZE]], %c0
// CHECK:         %[[IN_PLACE:.*]] = arith.andi %[[FULL]], %[[BY_NUMBER]]
// CHECK:         scf.if %[[IN_PLACE]] -> (memref<12x8xf32, strided<[8, 1], offset: ?>>) {
// CHECK:           memref.subview
// CHECK:         } else {
// CHECK:           scf.if %[[ORDERED]] -> (tensor<12x8xf32>) {
// CHECK:             memref.load %[[ORDER]]
// CHECK:         scf.if %[[ORDERED]] {
// CHECK:           scf.for
// CHECK:             memref.load %[[ORDER]]
// CHECK:             bufferization.materialize_in_destination
// CHECK:         } else {
// CHECK:           bufferization.materialize_in_destination

// CHECK-LABEL: func.func @features(
// CHECK-SAME:    %[[G:[^:]*]]: !mp.graph
// CHECK:         %[[TILED:.*]] = mp.in_order %[[G]]
// CHECK:         mp.tile_list %[[TILED]]
// CHECK:         mp.node_order %[[TILED]]
// CHECK:         mp.row_blocks %[[TILED]] {{.*}} aligned
// CHECK:         call @features_dense(
func.func @features(%g: !mp.graph, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = mp.choose_dense %g, "features" versions both cost <edge = 8, far_edge = 1, source_bytes = 64, row = 1, pair = 8, masked_pair = 8, tile_edge = 0, tile_rows = 8, register_block = 1> : !mp.graph
  %o = scf.if %c -> tensor<?x8xf32> {
    %d = mp.kernel "features" dense -> tensor<?x8xf32> {
      %m = mp.message %g dst(%xi = %x : tensor<?x8xf32>) src(%xj = %x : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        %v = arith.mulf %xi, %xj : tensor<8xf32>
        %t = math.exp %v : tensor<8xf32>
        mp.yield %t : tensor<8xf32>
      }
      %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %a : tensor<?x8xf32>
    }
    scf.yield %d : tensor<?x8xf32>
  } else {
    scf.yield %x : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

func.func @positions(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.kernel "positions" dense -> tensor<?xf32> {
    %m = mp.message %g -> !mp.edges<f32> {
      %j = mp.position src : tensor<i32>
      %f = arith.sitofp %j : tensor<i32> to tensor<f32>
      mp.yield %f : tensor<f32>
    }
    %a = mp.aggregate %g max %m : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %a : tensor<?xf32>
  }
  return %d : tensor<?xf32>
}

func.func @edges(%g: !mp.graph, %e: !mp.edges<8xf32>) -> tensor<?x8xf32> {
  %d = mp.kernel "edges" dense -> tensor<?x8xf32> {
    %m = mp.message %g edge(%f = %e : !mp.edges<8xf32>) -> !mp.edges<8xf32> {
      mp.yield %f : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %d : tensor<?x8xf32>
}

func.func @typed(%g: !mp.graph<blocks, 64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %d = mp.kernel "typed" dense -> tensor<?x8xf32> {
    %m = mp.message %g : !mp.graph<blocks, 64> src(%xj = %x : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %xj : tensor<8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<blocks, 64> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %d : tensor<?x8xf32>
}
