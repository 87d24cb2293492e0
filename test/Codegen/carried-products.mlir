// A network of an edge in dense tiles: the product of 24 x 24 weights has its sums in registers, though
// the axis of destinations has one element there.
// RUN: clique-compile %s -o - --emit=vectors --lowering=dense --cpu=x86-64-v4 | FileCheck %s
// CHECK-LABEL: func.func private @layer_0_dense(
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<12x32xf32>)
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<24x16xf32>)
func.func @layer(%g: !mp.graph, %dst_a: tensor<?x24xf32>, %src_b: tensor<?x24xf32>, %w: tensor<24x24xf32>) -> tensor<?x24xf32> {
  %m:1 = mp.message %g : !mp.graph dst(%a = %dst_a : tensor<?x24xf32>) src(%b = %src_b : tensor<?x24xf32>) -> !mp.edges<24xf32> {

    %d = arith.addf %a, %b : tensor<24xf32>
    %r = mp.relu %d : tensor<24xf32>
    %y = mp.linear %r, %w : (tensor<24xf32>, tensor<24x24xf32>) -> tensor<24xf32>
    mp.yield %y : tensor<24xf32>
  }
  %out = mp.aggregate %g : !mp.graph max %m#0 : (!mp.edges<24xf32>) -> tensor<?x24xf32>
  return %out : tensor<?x24xf32>
}
