// Tiles that no block has the shared memory for: rows remain, or it is an error.
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 100000, multiprocessor_shared_bytes = 102400, matrix = mma>"' --clique-limit-shared-memory --split-input-file --verify-diagnostics | FileCheck %s

func.func private @large(%i: index) attributes {mp.shared_bytes = 100001 : i64} { return }
func.func private @small(%i: index) attributes {mp.shared_bytes = 100000 : i64} { return }
func.func private @rows(%i: index) { return }

// CHECK-LABEL: func.func @both
// CHECK:         mp.choose_dense %{{.*}}, "both_0" versions  sparse cost
// CHECK-NOT:     scf.if
// CHECK-NOT:     @large
// CHECK:         scf.for
// CHECK:           call @rows
// CHECK:         mp.choose_dense %{{.*}}, "both_1" versions  both cost
// CHECK:         scf.if
// CHECK:           call @small
func.func @both(%g: !mp.graph) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = mp.choose_dense %g, "both_0" versions both cost <edge = 1, far_edge = 0, source_bytes = 4, row = 1, pair = 1, masked_pair = 1, tile_edge = 0, tile_rows = 8, register_block = 1> : !mp.graph
  %taken = scf.if %first -> index {
    scf.for %i = %c0 to %c8 step %c1 {
      func.call @large(%i) : (index) -> ()
    }
    func.call @large(%c1) : (index) -> ()
    scf.yield %c0 : index
  } else {
    scf.for %i = %c0 to %c8 step %c1 {
      func.call @rows(%i) : (index) -> ()
    }
    scf.yield %c1 : index
  }
  %second = mp.choose_dense %g, "both_1" versions both cost <edge = 1, far_edge = 0, source_bytes = 4, row = 1, pair = 1, masked_pair = 1, tile_edge = 0, tile_rows = 8, register_block = 1> : !mp.graph
  scf.if %second {
    func.call @small(%c0) : (index) -> ()
  } else {
    func.call @rows(%c0) : (index) -> ()
  }
  return %taken : index
}

// -----

func.func private @large(%i: index) attributes {mp.shared_bytes = 271104 : i64} { return }

func.func @tiles(%i: index) {
  // expected-error @below {{a block of threads needs 271104 bytes of shared memory here, and has 100000: compile with lowering=sparse if they are for tiles of edges, or split what is computed for a node}}
  func.call @large(%i) : (index) -> ()
  return
}
