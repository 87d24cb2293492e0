// A linear map of 256 terms is not computed again: its results are kept. One of
// few terms is, and so is what is done to the results.
// RUN: clique-opt %s --mp-differentiate | FileCheck %s
// RUN: clique-run -O1 %s --graph=complete:200 --gradients --verify --threads=2

// CHECK-LABEL: func.func @network_forward(
// CHECK-SAME:    -> (tensor<?x256xf32> {mp.name = "out"}, tensor<?x256xf32> {mp.name = "kept0"}, tensor<?x256xf32> {mp.name = "kept1"})
// CHECK:         %[[N:.*]] = mp.aggregate
// CHECK:         %[[D:.*]] = mp.update ({{.*}}) -> tensor<?x256xf32> {
// CHECK:           %[[MADE:.*]] = mp.linear %{{.*}}, %arg4 :
// CHECK-NEXT:      mp.yield %[[MADE]]
// CHECK:         return %{{.*}}, %[[N]], %[[D]] :
// CHECK-LABEL: func.func @network_backward(
// CHECK-NOT:     mp.linear %{{.*}}, %arg4 :
// CHECK:         mp.gelu
// CHECK-NOT:     mp.linear %{{.*}}, %arg4 :
// CHECK:         mp.linear %{{.*}}, %arg3 :
// CHECK-NOT:     mp.linear %{{.*}}, %arg4 :
func.func @network(%g: !mp.graph, %x: tensor<?x4xf32>, %h: tensor<?x256xf32>, %u: tensor<4x256xf32>,
                   %w: tensor<256x256xf32>, %v: tensor<256x256xf32>) -> tensor<?x256xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x256xf32>) -> !mp.edges<256xf32> {
    mp.yield %hj : tensor<256xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<256xf32>) -> tensor<?x256xf32>
  %o = mp.update (%xi = %x : tensor<?x4xf32>, %hi = %n : tensor<?x256xf32>) -> tensor<?x256xf32> {
    %a = mp.linear %xi, %u : (tensor<4xf32>, tensor<4x256xf32>) -> tensor<256xf32>
    %b = math.tanh %a : tensor<256xf32>
    %c = arith.addf %b, %hi : tensor<256xf32>
    %d = mp.linear %c, %w : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %e = mp.gelu %d : tensor<256xf32>
    %f = mp.linear %e, %v : (tensor<256xf32>, tensor<256x256xf32>) -> tensor<256xf32>
    %r = arith.addf %f, %hi : tensor<256xf32>
    mp.yield %r : tensor<256xf32>
  }
  return %o : tensor<?x256xf32>
}
