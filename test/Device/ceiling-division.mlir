// A ceiling division by 0 is 0 on GPUs, too.

// RUN: clique-run %s --entry=ceiling --graph=cliques:1,1,1,1 --target=cuda --emulate --verify | FileCheck %s
// RUN: clique-run %s --entry=ceiling --graph=cliques:1,1,1,1 --verify | FileCheck %s
// RUN: clique-run %s --entry=of_nodes --graph=complete:4 --target=cuda --emulate --verify | FileCheck %s
// CHECK: verify {{.*}}: ok

func.func @ceiling(%g: !mp.graph) -> tensor<?x1xf64> {
  %m = mp.message %g -> !mp.edges<1xf64> {
    %one = arith.constant dense<1> : tensor<1xi32>
    %i = mp.position dst : tensor<i32>
    %b = mp.broadcast %i : tensor<i32> to tensor<1xi32>
    %q = arith.ceildivsi %one, %b : tensor<1xi32>
    %f = arith.sitofp %q : tensor<1xi32> to tensor<1xf64>
    mp.yield %f : tensor<1xf64>
  }
  %r = mp.aggregate %g max %m : (!mp.edges<1xf64>) -> tensor<?x1xf64>
  return %r : tensor<?x1xf64>
}

// Of tensors whose shape is not known.
func.func @of_nodes(%g: !mp.graph, %a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xf32> {
  %z = arith.subi %b, %b : tensor<?xi32>
  %q = arith.ceildivsi %a, %z : tensor<?xi32>
  %f = arith.sitofp %q : tensor<?xi32> to tensor<?xf32>
  %m = mp.message %g dst(%y = %a : tensor<?xi32>, %w = %b : tensor<?xi32>) src(%x = %f : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  %s = mp.aggregate %g max %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
