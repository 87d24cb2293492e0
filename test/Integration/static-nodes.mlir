// Nodes whose number their type states, in sums over a wide window, whose rows have others in front and behind.
// RUN: clique-run --O1 %s --entry=windows --graph=window:300,130 --verify | FileCheck %s
// CHECK: verify {{.*}}: ok
// CHECK: verify {{.*}}: ok

func.func @windows(%g: !mp.graph<window, 130>, %h: tensor<300x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %m = mp.message %g : !mp.graph<window, 130> src(%hj = %h : tensor<300x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %hj : tensor<2xf32>
  }
  %a = mp.aggregate %g : !mp.graph<window, 130> mean %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %b = mp.aggregate %g : !mp.graph<window, 130> max %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %a, %b : tensor<?x2xf32>, tensor<?x2xf32>
}

// Constants as nodes and in a region of the same kernel.
// RUN: clique-run --O1 %s --entry=constants --graph=bipartite:9x2 --lowering=dense --verify | FileCheck %s
// RUN: clique-run --O1 %s --entry=constants --graph=bipartite:9x2 --lowering=sparse --verify | FileCheck %s
// RUN: %if emulation %{ clique-run --O1 %s --entry=constants --graph=bipartite:9x2 --lowering=dense --target=cuda --emulate --verify | FileCheck %s %}
// RUN: %if emulation %{ clique-run --O1 %s --entry=constants --graph=bipartite:9x2 --lowering=sparse --target=cuda --emulate --verify | FileCheck %s %}

func.func @constants(%g: !mp.graph, %h: tensor<?x2x4xf32>) -> (tensor<?x2x4xf32>, tensor<?x4xbf16>) {
  %w = arith.constant dense<1.5> : tensor<2x4xf32>
  %b = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xbf16>
  %t = arith.constant dense<[[true, false, true, true], [true, true, false, false]]> : tensor<2x4xi1>
  %m, %n = mp.message %g dst(%hi = %h : tensor<?x2x4xf32>)
      src(%wj = %w : tensor<2x4xf32>, %bj = %b : tensor<2x4xbf16>, %tj = %t : tensor<2x4xi1>)
      -> !mp.edges<2x4xf32>, !mp.edges<4xbf16> {
    %x = arith.mulf %hi, %w : tensor<2x4xf32>
    %y = mp.broadcast %wj trailing : tensor<4xf32> to tensor<2x4xf32>
    %z = arith.addf %x, %y : tensor<2x4xf32>
    %row = tensor.extract_slice %b[1, 0] [1, 4] [1, 1] : tensor<2x4xbf16> to tensor<4xbf16>
    %own = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<2x4xi1> to tensor<4xi1>
    %c = arith.xori %own, %tj : tensor<4xi1>
    %r = arith.select %c, %row, %bj : tensor<4xi1>, tensor<4xbf16>
    mp.yield %z, %r : tensor<2x4xf32>, tensor<4xbf16>
  }
  %a = mp.aggregate %g max %m : (!mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  %s = mp.aggregate %g mean %n : (!mp.edges<4xbf16>) -> tensor<?x4xbf16>
  return %a, %s : tensor<?x2x4xf32>, tensor<?x4xbf16>
}
