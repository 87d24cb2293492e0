// Weights by the type of an edge: what one factor is for the edges of one type into one destination
// is summed first, on a graph of such groups, and the groups are the edges of another one, from the
// destination that knows the other factor to the type.
// RUN: clique-opt %S/Inputs/typed_weights.mlir --mp-differentiate=functions=typed_weights | FileCheck %s
// RUN: clique-opt %S/Inputs/typed_weights.mlir --mp-differentiate=functions=typed_weights | FileCheck %s --check-prefix=STORED

// From the last result to the first. The factor that both ends know, and the computed type, are
// stored for each edge.
// CHECK-LABEL: func.func @typed_weights_backward(
// CHECK-SAME:    %[[G:[a-z0-9]+]]: !mp.graph {{[^%]*}}%[[H:[a-z0-9]+]]: tensor<?x24xf32> {{[^%]*}}%[[TYPE:[a-z0-9]+]]: !mp.edges<i32> {{[^%]*}}%[[C:[a-z0-9]+]]: !mp.edges<f32>
// CHECK:         %[[ALL:.*]]:3 = mp.message %[[G]] {{.*}} -> !mp.edges<24xf32>, !mp.edges<24xf32>, !mp.edges<i32>
// CHECK-DAG:     %[[X:.*]] = mp.to_tensor %[[ALL]]#1
// CHECK-DAG:     %[[T:.*]] = mp.to_tensor %[[ALL]]#2
// CHECK:         %[[KEYS:.*]] = mp.to_edges %[[T]]
// CHECK:         %[[P:[a-z0-9_]+]], %[[ROWS:.*]], %[[OF:.*]] = mp.group_edges %[[G]] by %[[KEYS]] into %c3
// CHECK:         %[[XE:.*]] = mp.to_edges %[[X]]
// CHECK:         %[[S:.*]] = mp.aggregate %[[P]] {{.*}} sum %[[XE]]
// CHECK:         %[[N:.*]] = mp.num_dst %[[G]]
// CHECK:         %[[M:.*]] = mp.coo %[[OF]], %[[ROWS]], %c3, %[[N]]
// CHECK:         %[[SE:.*]] = mp.to_edges %[[S]]
// CHECK:         mp.message %[[M]] {{.*}} src({{.*}} : tensor<?x2xf32>) edge({{.*}} = %[[SE]] : {{.*}}) -> !mp.edges<24x2xf32>
// CHECK:         mp.aggregate %[[M]] {{.*}} -> tensor<?x24x2xf32>

// Sources know the other factor: the same on the reverse.
// CHECK:         %[[R:.*]] = mp.reverse %[[G]]
// CHECK:         mp.group_edges %[[R]] by %[[TYPE]] into %c3

// What sources and edges know is computed on the graph of groups.
// CHECK:         %[[P:[a-z0-9_]+]], {{.*}} = mp.group_edges %[[R]] by %[[TYPE]] into %c5
// CHECK-NEXT:    mp.message %[[P]] : !mp.graph<sparse> src({{.*}} : tensor<?x16xf32>) edge({{.*}} = %[[C]] : {{.*}}) -> !mp.edges<16xf32>
// CHECK:         src({{.*}} = %[[H]] : {{.*}}) edge({{.*}}) -> !mp.edges<24x16xf32>
// CHECK:         %[[P:[a-z0-9_]+]], {{.*}} = mp.group_edges %[[G]] by %[[TYPE]] into %c5
// CHECK-NEXT:    mp.message %[[P]] : !mp.graph<sparse> src({{.*}} = %[[H]] : {{.*}}) -> !mp.edges<24xf32>

// STORED-LABEL: func.func @typed_weights_backward(
// STORED-COUNT-3: mp.to_tensor
// STORED-NOT:     mp.to_tensor
