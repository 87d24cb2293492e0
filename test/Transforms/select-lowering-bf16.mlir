// What bf16 costs: products of matrices take half of a pair's where the CPU multiplies
// pairs of them, and rows widen what they read.
// RUN: clique-opt %s -mp-select-lowering --remarks-filter=cost --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: sed 's/, bf16_pairs = true//' %s | clique-opt -mp-select-lowering --remarks-filter=cost --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// PAIRS: per edge of a row: 1 edge, 2 line, 3 vector, {{.*}} per pair of a tile: 0.0625 pair, 0.75 product,
// NONE: per edge of a row: 1 edge, 2 line, 3 vector, {{.*}} per pair of a tile: 0.0625 pair, 1.5 product,

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, bf16_pairs = true>} {
func.func @attention(%g: !mp.graph<complete>, %q: tensor<?x8xbf16>, %k: tensor<?x8xbf16>,
                     %v: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %n = mp.kernel "attention_0" -> tensor<?x4xbf16> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8xbf16>)
        src(%kj = %k : tensor<?x8xbf16>, %vj = %v : tensor<?x4xbf16>) -> !mp.edges<bf16>, !mp.edges<4xbf16> {
      %d = mp.dot %qi, %kj : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<bf16>
      mp.yield %d, %vj : tensor<bf16>, tensor<4xbf16>
    }
    %o = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w : (!mp.edges<bf16>, !mp.edges<4xbf16>) -> tensor<?x4xbf16>
    mp.yield %o : tensor<?x4xbf16>
  }
  return %n : tensor<?x4xbf16>
}
}
