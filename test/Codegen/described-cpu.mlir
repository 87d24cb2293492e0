// A CPU is described in the module: 16 registers of 256 bits, whatever the machine.
// The tile of a product is 6 x 16 accumulators, twelve registers of 8 lanes; no pass
// has to be told anything else.
// RUN: clique-compile %s -o - --emit=vectors | FileCheck %s
// RUN: sed 's/vector_bits = 256, registers = 16/vector_bits = 512, registers = 32/' %s | clique-compile - -o - --emit=vectors | FileCheck %s --check-prefix=LARGE
// RUN: clique-run %s --graph=complete:40 --verify | FileCheck %s --check-prefix=SAME
// CHECK: module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>}
// CHECK: iter_args({{.*}}) -> (vector<6x16xf32>)
// CHECK-NOT: vector<12x32xf32>
// LARGE: iter_args({{.*}}) -> (vector<12x32xf32>)
// SAME: verify {{.*}}: ok
module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>} {
  func.func @gin(%g: !mp.graph, %h: tensor<?x64xf32>, %w: tensor<64x64xf32>) -> tensor<?x64xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x64xf32>) -> !mp.edges<64xf32> {
      mp.yield %hj : tensor<64xf32>
    }
    %m = mp.aggregate %g max %v : (!mp.edges<64xf32>) -> tensor<?x64xf32>
    %o = mp.update (%mi = %m : tensor<?x64xf32>) -> tensor<?x64xf32> {
      %l = mp.linear %mi, %w : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>
      mp.yield %l : tensor<64xf32>
    }
    return %o : tensor<?x64xf32>
  }
}
