// RUN: clique-opt %s --clique-distribute-to-threads --canonicalize --cse | FileCheck %s

// A warp computes one row: 8 heads of 16, four numbers a lane.

// CHECK-LABEL: func.func private @dot(
// CHECK-SAME:    mp.shared_bytes = 0
// CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK:         %[[Q:.*]] = vector.load %arg0[{{.*}}] {alignment = 16 : i64} : memref<8x16xf32>, vector<4xf32>
// CHECK:         %[[K:.*]] = vector.load %arg1[{{.*}}] {alignment = 16 : i64}
// CHECK:         %[[P:.*]] = arith.mulf %[[Q]], %[[K]] : vector<4xf32>
// A head's numbers lie in four lanes: two rounds of shuffles.
// CHECK:         gpu.shuffle xor {{.*}}, %c1_i32, %c32_i32 : f32
// CHECK:         gpu.shuffle xor {{.*}}, %c2_i32, %c32_i32 : f32
// CHECK-NOT:     gpu.shuffle
// Its four lanes hold the same sum: one of them stores it.
// CHECK:         scf.if
// CHECK-NEXT:      %[[S:.*]] = vector.extract
// CHECK-NEXT:      memref.store %[[S]], %arg2[
// CHECK-NOT:     nvvm.bar
func.func private @dot(%q: memref<8x16xf32>, %k: memref<8x16xf32>, %o: memref<8xf32>)
    attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %qt = bufferization.to_tensor %q restrict : memref<8x16xf32> to tensor<8x16xf32>
  %kt = bufferization.to_tensor %k restrict : memref<8x16xf32> to tensor<8x16xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  // A state of this shape: prefixes of it lie where it does.
  %state = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %empty) -> tensor<8x16xf32> {
    scf.yield %s : tensor<8x16xf32>
  }
  %init = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  %dot = linalg.generic {indexing_maps = [affine_map<(h, d) -> (h, d)>, affine_map<(h, d) -> (h, d)>, affine_map<(h, d) -> (h)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%qt, %kt : tensor<8x16xf32>, tensor<8x16xf32>) outs(%fill : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %dot in writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// 5 of 8 padded numbers count; what is padding is loaded from the last one.

// CHECK-LABEL: func.func private @odd(
// CHECK:         arith.minui
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : vector<1xindex>
// CHECK:         arith.select %[[IN]], %{{.*}}, %{{.*}} : vector<1xi1>, vector<1xf32>
// CHECK-COUNT-3: gpu.shuffle xor
func.func private @odd(%x: memref<5xf32>, %o: memref<f32>)
    attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<5xf32> to tensor<5xf32>
  %init = tensor.empty() : tensor<f32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%xt : tensor<5xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  bufferization.materialize_in_destination %sum in writable %o : (tensor<f32>, memref<f32>) -> ()
  return
}

// Four threads a row, eight rows a warp: what they do together names their own
// lanes, and leaves the others alone, whose rows may be longer.

// CHECK-LABEL: func.func private @group(
// CHECK-SAME:    mp.shared_bytes = 128
// CHECK-DAG:     %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG:     %[[BITS:.*]] = arith.andi %[[THREAD]], %c28 : index
// CHECK-DAG:     %[[SHIFT:.*]] = arith.index_cast %[[BITS]] : index to i32
// CHECK-DAG:     %[[LANES:.*]] = arith.shli %c15_i32, %[[SHIFT]] : i32
// CHECK-DAG:     %[[LANE:.*]] = arith.remui %[[THREAD]], %c4
// Each group has shared memory of its own.
// CHECK-DAG:     %[[GROUP:.*]] = arith.divui %[[THREAD]], %c4
// CHECK-DAG:     arith.muli %[[GROUP]], %c128
// CHECK:         vector.load %arg0[{{.*}}] {alignment = 16 : i64} : memref<16xf32>, vector<4xf32>
// The bits above the lowest two are a segment's: 28 << 8, and 31.
// CHECK:         nvvm.shfl.sync bfly %[[LANES]], %{{.*}}, %c1_i32, %c7199_i32 : f32 -> f32
// CHECK:         nvvm.shfl.sync bfly %[[LANES]], %{{.*}}, %c2_i32, %c7199_i32 : f32 -> f32
// CHECK-NOT:     gpu.shuffle
// CHECK:         nvvm.bar.warp.sync %[[LANES]] : i32
// CHECK-NEXT:    vector.store {{.*}} #gpu.address_space<workgroup>>
// CHECK-NEXT:    nvvm.bar.warp.sync %[[LANES]] : i32
func.func private @group(%x: memref<16xf32>, %s: memref<f32>, %o: memref<4x4xf32>)
    attributes {mp.threads = 4 : i64, mp.rows = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %init = tensor.empty() : tensor<f32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%xt : tensor<16xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  bufferization.materialize_in_destination %sum in writable %s : (tensor<f32>, memref<f32>) -> ()
  %empty = tensor.empty() : tensor<16xf32>
  %abs = linalg.abs ins(%xt : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %square = tensor.expand_shape %abs [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %turned = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%square : tensor<4x4xf32>) outs(%turned : tensor<4x4xf32>) permutation = [1, 0]
  bufferization.materialize_in_destination %t in writable %o : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// Numbers of 64 bits are exchanged word by word.

// CHECK-LABEL: func.func private @wide(
// CHECK:         %[[WORDS:.*]] = vector.bitcast %{{.*}} : vector<1xf64> to vector<2xi32>
// CHECK:         %[[LOW:.*]] = vector.extract %[[WORDS]][0]
// CHECK:         %[[L:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[LOW]], %c1_i32, %c7711_i32 : i32 -> i32
// CHECK:         %[[HIGH:.*]] = vector.extract %[[WORDS]][1]
// CHECK:         %[[H:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[HIGH]], %c1_i32, %c7711_i32 : i32 -> i32
// CHECK:         %[[OTHER:.*]] = vector.from_elements %[[L]], %[[H]] : vector<2xi32>
// CHECK:         vector.bitcast %[[OTHER]] : vector<2xi32> to vector<1xf64>
func.func private @wide(%x: memref<2xf64>, %o: memref<f64>)
    attributes {mp.threads = 2 : i64, mp.rows = 0 : i64} {
  %zero = arith.constant 0.0 : f64
  %xt = bufferization.to_tensor %x restrict : memref<2xf64> to tensor<2xf64>
  %init = tensor.empty() : tensor<f64>
  %fill = linalg.fill ins(%zero : f64) outs(%init : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%xt : tensor<2xf64>) outs(%fill : tensor<f64>) {
  ^bb0(%a: f64, %acc: f64):
    %r = arith.addf %acc, %a : f64
    linalg.yield %r : f64
  } -> tensor<f64>
  bufferization.materialize_in_destination %sum in writable %o : (tensor<f64>, memref<f64>) -> ()
  return
}

// Rows of a table, padded from 5 to 8: padding reads what exists, wherever the
// row is.

// CHECK-LABEL: func.func private @gather(
// CHECK:         %[[LAST:.*]] = arith.constant dense<4> : vector<2xindex>
// CHECK:         %[[AT:.*]] = arith.minui %{{.*}}, %[[LAST]] : vector<2xindex>
// CHECK:         %[[FIRST:.*]] = vector.extract %[[AT]][0]
// CHECK:         memref.load %arg0[%arg2, %[[FIRST]]]
func.func private @gather(%x: memref<3x5xf32>, %o: memref<5xf32>, %row: index)
    attributes {mp.threads = 4 : i64, mp.rows = 0 : i64} {
  %xt = bufferization.to_tensor %x restrict : memref<3x5xf32> to tensor<3x5xf32>
  %empty = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<5xf32>) {
  ^bb0(%out: f32):
    %d = linalg.index 0 : index
    %e = tensor.extract %xt[%row, %d] : tensor<3x5xf32>
    linalg.yield %e : f32
  } -> tensor<5xf32>
  bufferization.materialize_in_destination %r in writable %o : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
