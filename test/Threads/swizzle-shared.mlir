// RUN: clique-opt %s --clique-swizzle-shared --canonicalize --cse | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Parts of 16 bytes change places by the number of the buffer's row, wherever a view of
// a part begins, in what writes as in what reads.

// CHECK-LABEL: func.func private @rows(
// CHECK-SAME:    %[[ROW:.*]]: index, %[[COLUMN:.*]]: index, %[[FIRST:.*]]: index
// CHECK:         %[[LOW:.*]] = arith.andi %[[ROW]], %c7
// CHECK:         %[[BITS:.*]] = arith.muli %[[LOW]], %c8
// CHECK:         %[[PLACE:.*]] = arith.xori %[[COLUMN]], %[[BITS]]
// CHECK:         nvgpu.device_async_copy %{{.*}}[%[[ROW]], %[[COLUMN]]], %{{.*}}[%[[ROW]], %[[PLACE]]], 8
// CHECK:         %[[WHOLE:.*]] = arith.addi %[[ROW]], %[[FIRST]]
// CHECK:         %[[WLOW:.*]] = arith.andi %[[WHOLE]], %c7
// CHECK:         %[[WBITS:.*]] = arith.muli %[[WLOW]], %c8
// CHECK:         %[[WPLACE:.*]] = arith.xori %[[COLUMN]], %[[WBITS]]
// CHECK:         nvgpu.ldmatrix %{{.*}}[%[[ROW]], %[[WPLACE]]]
func.func private @rows(%row: index, %column: index, %first: index, %from: memref<64x64xbf16>) -> vector<4x2xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tiles = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<2x64x64xbf16, #shared>
  %tile = memref.subview %tiles[%c1, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xbf16, #shared> to memref<64x64xbf16, strided<[64, 1], offset: ?>, #shared>
  nvgpu.device_async_copy %from[%row, %column], %tile[%row, %column], 8 : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>, #shared>
  %part = memref.subview %tile[%first, 0] [16, 64] [1, 1] : memref<64x64xbf16, strided<[64, 1], offset: ?>, #shared> to memref<16x64xbf16, strided<[64, 1], offset: ?>, #shared>
  %m = nvgpu.ldmatrix %part[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<16x64xbf16, strided<[64, 1], offset: ?>, #shared> -> vector<4x2xbf16>
  return %m : vector<4x2xbf16>
}

// Where four rows fill all banks, every fourth row is another one.

// CHECK-LABEL: func.func private @shortRows(
// CHECK-SAME:    %[[ROW:.*]]: index, %[[COLUMN:.*]]: index
// CHECK:         %[[LOW:.*]] = arith.andi %[[ROW]], %c4
// CHECK:         %[[BITS:.*]] = arith.muli %[[LOW]], %c2
// CHECK:         %[[PLACE:.*]] = arith.xori %[[COLUMN]], %[[BITS]]
// CHECK:         nvgpu.ldmatrix %{{.*}}[%[[ROW]], %[[PLACE]]]
func.func private @shortRows(%row: index, %column: index) -> vector<4x2xf16> {
  %c0 = arith.constant 0 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x16xf16, #shared>
  %m = nvgpu.ldmatrix %tile[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<64x16xf16, #shared> -> vector<4x2xf16>
  return %m : vector<4x2xf16>
}

// The whole of a buffer, as another type of view.

// CHECK-LABEL: func.func private @whole(
// CHECK:         %[[PLACE:.*]] = arith.xori
// CHECK:         nvgpu.device_async_copy %{{.*}}, %{{.*}}[%{{.*}}, %[[PLACE]]], 8
// CHECK:         nvgpu.ldmatrix %{{.*}}[%{{.*}}, %[[PLACE]]]
func.func private @whole(%row: index, %column: index, %from: memref<64x64xbf16>) -> vector<4x2xbf16> {
  %c0 = arith.constant 0 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x64xbf16, #shared>
  %cast = memref.cast %tile : memref<64x64xbf16, #shared> to memref<64x64xbf16, strided<[64, 1]>, #shared>
  nvgpu.device_async_copy %from[%row, %column], %cast[%row, %column], 8 : memref<64x64xbf16> to memref<64x64xbf16, strided<[64, 1]>, #shared>
  %m = nvgpu.ldmatrix %tile[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<64x64xbf16, #shared> -> vector<4x2xbf16>
  return %m : vector<4x2xbf16>
}

// What is taken for something else than rows stays, and so do rows with gaps.

// CHECK-LABEL: func.func private @others(
// CHECK-NOT:     arith.xori
// CHECK:         return
func.func private @others(%row: index, %column: index) -> (vector<4x2xf16>, vector<4x2xf16>, f16) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x16xf16, #shared>
  %m = nvgpu.ldmatrix %tile[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<64x16xf16, #shared> -> vector<4x2xf16>
  %flat = memref.collapse_shape %tile [[0, 1]] : memref<64x16xf16, #shared> into memref<1024xf16, #shared>
  %x = memref.load %flat[%row] : memref<1024xf16, #shared>
  %padded = memref.view %bytes[%c4096][] : memref<?xi8, #shared> to memref<64x24xf16, #shared>
  %rows = memref.subview %padded[0, 0] [64, 16] [1, 1] : memref<64x24xf16, #shared> to memref<64x16xf16, strided<[24, 1]>, #shared>
  %n = nvgpu.ldmatrix %rows[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<64x16xf16, strided<[24, 1]>, #shared> -> vector<4x2xf16>
  return %m, %n, %x : vector<4x2xf16>, vector<4x2xf16>, f16
}

// Nor are there rows for ldmatrix in indices, which have 64 bits.

// CHECK-LABEL: func.func private @indices(
// CHECK-NOT:     arith.xori
// CHECK:         return
func.func private @indices(%row: index, %column: index) -> vector<2xindex> {
  %c0 = arith.constant 0 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x16xindex, #shared>
  %v = vector.load %tile[%row, %column] : memref<64x16xindex, #shared>, vector<2xindex>
  return %v : vector<2xindex>
}

// What a warpgroup reads lies in panels of 64 columns, one behind the other: columns from 64 on
// come behind the 32 rows of the buffer's shape that the first ones of all 64 rows fill.

// CHECK-LABEL: func.func private @panels(
// CHECK-SAME:    %[[ROW:.*]]: index, %[[COLUMN:.*]]: index
// CHECK:         %[[LOW:.*]] = arith.andi %[[ROW]], %c7
// CHECK:         %[[BITS:.*]] = arith.muli %[[LOW]], %c8
// CHECK:         %[[PLACE:.*]] = arith.xori %[[COLUMN]], %[[BITS]]
// CHECK:         %[[PANEL:.*]] = arith.divui %[[COLUMN]], %c64
// CHECK:         %[[FIRST:.*]] = arith.muli %[[PANEL]], %c32
// CHECK:         %[[HALF:.*]] = arith.divui %[[ROW]], %c2
// CHECK:         %[[LINE:.*]] = arith.addi %[[FIRST]], %[[HALF]]
// CHECK:         %[[ODD:.*]] = arith.remui %[[ROW]], %c2
// CHECK:         %[[SIDE:.*]] = arith.muli %[[ODD]], %c64
// CHECK:         %[[WITHIN:.*]] = arith.andi %[[PLACE]], %c63
// CHECK:         %[[AT:.*]] = arith.addi %[[SIDE]], %[[WITHIN]]
// CHECK:         nvgpu.device_async_copy %{{.*}}[%[[ROW]], %[[COLUMN]]], %{{.*}}[%[[LINE]], %[[AT]]], 8
// CHECK:         mp.warpgroup_product {{.*}} {panels, transposed}
func.func private @panels(%row: index, %column: index, %from: memref<64x128xbf16>, %a: vector<4x2xbf16>) -> vector<32xf32> {
  %c0 = arith.constant 0 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
  %tile = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<64x128xbf16, #shared>
  nvgpu.device_async_copy %from[%row, %column], %tile[%row, %column], 8 : memref<64x128xbf16> to memref<64x128xbf16, #shared>
  %p = mp.warpgroup_product left(%a, %a, %a, %a, %a, %a, %a, %a : vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>, vector<4x2xbf16>)
      right(%tile : memref<64x128xbf16, #shared>) {transposed} -> vector<32xf32>
  return %p : vector<32xf32>
}
