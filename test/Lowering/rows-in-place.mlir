// A register block of a tile reads its rows of a feature where they lie, and copies fewer rows than it has, with zeros
// behind them, to memory of the same strides.
// RUN: clique-opt %s --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s
// What is converted, and what lies far apart, is staged, all rows of a block at once.
// RUN: sed "s/f32/f16/g" %s | clique-opt --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s --check-prefix=STAGED
// RUN: sed "s/x2x8x/x1024x8x/g;s/<2x/<1024x/g" %s | clique-opt --mp-split-heads --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s --check-prefix=STAGED

// CHECK-LABEL: func.func private @attention_dense(
// Seven rows of two heads, and one head.
// CHECK:         %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<120xf32>
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %[[MEMORY]] to offset: [0], sizes: [8, 8], strides: [16, 1]
// CHECK:         %[[SCRATCH:.*]] = memref.cast %[[VIEW]]
// CHECK:           %[[FULL:.*]] = arith.cmpi eq, %[[COUNT:.*]], %c8
// CHECK:           %[[ROWS:.*]] = scf.if %[[FULL]] -> (memref<8x8xf32, strided<[16, 1], offset: ?>>) {
// CHECK:             %[[PLACE:.*]] = memref.subview %{{.*}}[%[[FIRST:.*]], 0] [8, 8] [1, 1]
// CHECK:             scf.yield %[[PLACE]]
// CHECK:           } else {
// CHECK:             %[[INTO:.*]] = bufferization.to_tensor %[[SCRATCH]] restrict writable
// CHECK:             tensor.extract_slice %{{.*}}[%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
// CHECK:             tensor.insert_slice %{{.*}} into %[[INTO]][0, 0] [%[[COUNT]], 8] [1, 1]
// CHECK:             linalg.fill ins(%cst
// CHECK:             bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SCRATCH]]
// CHECK:             scf.yield %[[SCRATCH]]
// CHECK:           bufferization.to_tensor %[[ROWS]] restrict :

// STAGED-LABEL: func.func private @attention_dense(
// STAGED-NOT:     memref.reinterpret_cast
// STAGED:         tensor.insert_slice %{{.*}} into %{{.*}} : tensor<?x8x[[TYPE:f16|f32]]> into tensor<{{[0-9]+}}x8x[[TYPE]]>
// STAGED-NOT:     memref.reinterpret_cast
// STAGED-LABEL: func.func @attention(
func.func @attention(%g: !mp.graph<cliques>, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>,
                     %v: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %o = mp.kernel "attention" dense -> tensor<?x2x8xf32> {
    %s, %value = mp.message %g : !mp.graph<cliques> dst(%qi = %q : tensor<?x2x8xf32>)
        src(%kj = %k : tensor<?x2x8xf32>, %vj = %v : tensor<?x2x8xf32>)
        -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
      %d = mp.dot %qi, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
      mp.yield %d, %vj : tensor<2xf32>, tensor<2x8xf32>
    }
    %a = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %value
        : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
    mp.yield %a : tensor<?x2x8xf32>
  }
  return %o : tensor<?x2x8xf32>
}
