// Truth values in memory are bytes, those in registers stay.
// RUN: clique-opt %s --clique-bools-as-bytes --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @mask(
// CHECK-SAME:    %[[M:.*]]: tensor<?xi8>, %{{.*}}: tensor<?xf32>, %[[C:.*]]: i1) -> (tensor<?xf32>, tensor<?xi8>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         linalg.generic {{.*}} ins(%[[M]], %{{.*}} : tensor<?xi8>, tensor<?xf32>)
// CHECK:         ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:           %[[TRUTH:.*]] = arith.cmpi ne, %[[BYTE]], %[[ZERO]] : i8
// CHECK:           arith.select %[[TRUTH]]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?xi8>)
// CHECK:           %[[NOT:.*]] = arith.xori
// CHECK:           %[[STORED:.*]] = arith.extui %[[NOT]] : i1 to i8
// CHECK:           linalg.yield %[[STORED]] : i8
#map = affine_map<(i) -> (i)>
func.func @mask(%m: tensor<?xi1>, %x: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, tensor<?xi1>) {
  %zero = arith.constant 0.0 : f32
  %o = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%m, %x : tensor<?xi1>, tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%mask: i1, %in: f32, %out: f32):
    %s = arith.select %mask, %in, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %n = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%m : tensor<?xi1>) outs(%m : tensor<?xi1>) {
  ^bb0(%mask: i1, %out: i1):
    %s = arith.xori %mask, %c : i1
    linalg.yield %s : i1
  } -> tensor<?xi1>
  return %o, %n : tensor<?xf32>, tensor<?xi1>
}

// CHECK-LABEL: func.func @single(
// CHECK-SAME:    %[[M:.*]]: memref<?xi8>, %[[I:.*]]: index)
// CHECK:         %[[BYTE:.*]] = memref.load %[[M]][%[[I]]] : memref<?xi8>
// CHECK:         %[[TRUTH:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CHECK:         %[[STORED:.*]] = arith.extui %[[TRUTH]] : i1 to i8
// CHECK:         tensor.splat %[[STORED]][%[[I]]] : tensor<?xi8>

func.func @single(%m: memref<?xi1>, %i: index) -> (tensor<?xi1>, tensor<2xi1>) {
  %x = memref.load %m[%i] : memref<?xi1>
  %t = tensor.splat %x[%i] : tensor<?xi1>
  %k = arith.constant dense<[false, true]> : tensor<2xi1>
  return %t, %k : tensor<?xi1>, tensor<2xi1>
}

// A fill stays one, other named ops become generic ones.
// CHECK-LABEL: func.func @filled(
// CHECK:         %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:         linalg.fill ins(%[[BYTE]] : i8) outs(%{{.*}} : tensor<4xi8>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<4xi8>) outs(%{{.*}} : tensor<2x4xi8>)
func.func @filled(%c: i1) -> tensor<2x4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %f = linalg.fill ins(%c : i1) outs(%e : tensor<4xi1>) -> tensor<4xi1>
  %w = tensor.empty() : tensor<2x4xi1>
  %b = linalg.broadcast ins(%f : tensor<4xi1>) outs(%w : tensor<2x4xi1>) dimensions = [0]
  return %b : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @edges(
// CHECK-SAME:    %[[E:.*]]: !mp.edges<i8>, %{{.*}}: i1, %{{.*}}: index) -> !mp.edges<i8>
// CHECK:         mp.to_tensor %[[E]] : !mp.edges<i8> -> tensor<?xi8>
// CHECK:         mp.to_edges %{{.*}} : tensor<?xi8> -> !mp.edges<i8>
func.func @edges(%e: !mp.edges<i1>, %c: i1, %i: index) -> !mp.edges<i1> {
  %t = mp.to_tensor %e : !mp.edges<i1> -> tensor<?xi1>
  %d = tensor.insert %c into %t[%i] : tensor<?xi1>
  %r = mp.to_edges %d : tensor<?xi1> -> !mp.edges<i1>
  return %r : !mp.edges<i1>
}

// What was handed in and only moved is 0 or 1 where it is returned; private functions move bytes.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME:    %[[M:.*]]: tensor<?xi8>, %[[E:.*]]: !mp.edges<2xi8>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<?xi8>)
// CHECK:           %[[TRUTH:.*]] = arith.cmpi ne, %{{.*}}, %[[ZERO]] : i8
// CHECK:           arith.extui %[[TRUTH]] : i1 to i8
// CHECK:         %[[ROWS:.*]] = mp.to_tensor %[[E]]
// CHECK:         linalg.generic {{.*}} ins(%[[ROWS]] : tensor<?x2xi8>)
// CHECK:         mp.to_edges
// CHECK:         return %[[N]], %{{.*}} : tensor<?xi8>, !mp.edges<2xi8>
func.func @moved(%m: tensor<?xi1>, %e: !mp.edges<2xi1>) -> (tensor<?xi1>, !mp.edges<2xi1>) {
  return %m, %e : tensor<?xi1>, !mp.edges<2xi1>
}

// CHECK-LABEL: func.func private @inner(
// CHECK-NOT:     linalg.generic
func.func private @inner(%m: tensor<?xi1>) -> tensor<?xi1> {
  return %m : tensor<?xi1>
}
