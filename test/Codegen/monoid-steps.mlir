// No step of a monoid allocates memory, whatever the size of its state: rows carry vectors, tiles
// have one buffer for all of their sources.
// DEFINE: %{size} = 8
// DEFINE: %{compile} = sed 's/SIZE/%{size}/g' %s | clique-compile - --cpu=x86-64-v3 --emit=memref -o - | FileCheck %s
// RUN: %{compile}
// REDEFINE: %{size} = 1
// RUN: %{compile}
// REDEFINE: %{size} = 9
// RUN: %{compile}
// REDEFINE: %{size} = 17
// RUN: %{compile}
// REDEFINE: %{size} = 24
// RUN: %{compile}
// CHECK:     func.func private @layer_0_dense(
// CHECK-NOT: memref.alloc(
// CHECK:     func.func private @layer_0_sparse(
// CHECK-NOT: memref.alloc(
// CHECK:     func.func @layer(

func.func @layer(%g: !mp.graph, %h: tensor<?xSIZExf32>) -> tensor<?xSIZExf32> {
  %m = mp.message %g src(%a = %h : tensor<?xSIZExf32>) -> !mp.edges<SIZExf32> {
    mp.yield %a : tensor<SIZExf32>
  }
  %r = mp.aggregate %g custom %m : (!mp.edges<SIZExf32>) -> tensor<?xSIZExf32>
    identity {
      %one = arith.constant dense<1.0> : tensor<SIZExf32>
      mp.yield %one : tensor<SIZExf32>
    }
    lift {
    ^bb0(%x: tensor<SIZExf32>):
      mp.yield %x : tensor<SIZExf32>
    }
    combine {
    ^bb0(%x: tensor<SIZExf32>, %y: tensor<SIZExf32>):
      %xy = arith.mulf %x, %y : tensor<SIZExf32>
      mp.yield %xy : tensor<SIZExf32>
    }
    finalise {
    ^bb0(%x: tensor<SIZExf32>):
      mp.yield %x : tensor<SIZExf32>
    }
  return %r : tensor<?xSIZExf32>
}
