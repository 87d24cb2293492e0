// Both factors of a gradient of weights belong to the edge: they are stored for each edge, and a
// product over all edges remains, or one for each type. On any graph that may be complete only
// what is looked up by the edge itself is.
// RUN: clique-opt %S/Inputs/edge_factors.mlir --mp-differentiate=functions=edge_factors | FileCheck %s
// RUN: sed 's/ : !mp.graph<sparse>//; s/!mp.graph<sparse>/!mp.graph/' %S/Inputs/edge_factors.mlir \
// RUN:   | clique-opt --mp-differentiate=functions=edge_factors | FileCheck %s --check-prefix=ANY

// CHECK-LABEL: func.func @edge_factors_backward(
// CHECK:         mp.message {{.*}} -> !mp.edges<5xf32>, !mp.edges<6xf32>, !mp.edges<4xf32>, !mp.edges<i32>, !mp.edges<5xf32>, !mp.edges<6xf32>
// CHECK:         %[[X:.*]] = mp.to_tensor {{.*}} : !mp.edges<6xf32> -> tensor<?x6xf32>
// CHECK:         %[[Y:.*]] = mp.to_tensor {{.*}} : !mp.edges<4xf32> -> tensor<?x4xf32>
// CHECK:         %[[T:.*]] = mp.to_tensor {{.*}} : !mp.edges<i32> -> tensor<?xi32>
// CHECK:         %[[P:.*]] = mp.to_tensor {{.*}} : !mp.edges<5xf32> -> tensor<?x5xf32>
// CHECK:         %[[A:.*]] = mp.to_tensor {{.*}} : !mp.edges<6xf32> -> tensor<?x6xf32>
// CHECK:         mp.coo
// CHECK:         mp.aggregate {{.*}} -> tensor<?x6x4xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[P]], %[[A]]

// ANY-LABEL: func.func @edge_factors_backward(
// ANY-COUNT-3: mp.to_tensor
// ANY-NOT:     mp.to_tensor
