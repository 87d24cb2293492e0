// mp-select-lowering: what each kernel iterates over, by the type of its graph.

// RUN: clique-opt %s -mp-select-lowering | FileCheck %s
// RUN: clique-opt %s -mp-select-lowering --remarks-filter='lowering|cost' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: clique-opt %s -mp-select-lowering=lowering=sparse | FileCheck %s --check-prefix=SPARSE
// RUN: clique-opt %s -mp-select-lowering=lowering=sparse --remarks-filter=lowering --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ASKED

// No message: nodes, and nothing to ask.
// CHECK-LABEL: func @nodes
// CHECK-NOT: mp.choose_dense
// CHECK: mp.kernel "nodes_0" nodes ->
// REMARK: kernel nodes_0: nodes, it has no message
// SPARSE-LABEL: func @nodes
// SPARSE: mp.kernel "nodes_0" nodes ->
func.func @nodes(%h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "nodes_0" -> tensor<?xf32> {
    %u = mp.update (%x = %h : tensor<?xf32>) -> tensor<?xf32> {
      mp.yield %x : tensor<f32>
    }
    mp.yield %u : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// An unknown topology: both versions, and the runtime's choice. One edge gathers
// 8 floats from its source and one of its own: a cache line each. Of the message,
// the second product counts, the square of the destination is done once per row.
// In a tile its 8 elements fill half a register for each pair, and are added along
// features, though sources lie next to each other.
// CHECK-LABEL: func @unknown
// CHECK-SAME: %[[G:[a-z0-9]*]]: !mp.graph
// CHECK: %[[C:.*]] = mp.choose_dense %[[G]], "unknown_0" versions both cost <{{.*}}> : !mp.graph
// CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (tensor<?x8xf32>) {
// CHECK-NEXT: %[[D:.*]] = mp.kernel "unknown_0" dense -> tensor<?x8xf32> {
// CHECK: mp.message
// CHECK: scf.yield %[[D]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[S:.*]] = mp.kernel "unknown_0" sparse -> tensor<?x8xf32> {
// CHECK: mp.message
// CHECK: scf.yield %[[S]]
// CHECK: return %[[R]]
// ASKED: kernel unknown_0: sparse rows, asked for by lowering=sparse
// REMARK: kernel unknown_0: dense tiles and sparse rows, chosen at run time, the topology is known when the graph arrives
// REMARK: kernel unknown_0: per edge of a row: 1 edge, 2 line, 1 vector, 1 sum; per far edge of a row: 1 line; per row: 1 row, 1 state; per pair of a tile: 0.0625 pair, 0.5 vector, 8 sum, 8 column; per masked pair: 0.0625 mask; per edge of a tile: 1 edge, 1 element; per register block: 1 block, 8 source, 12 state; rows of a tile: 12
// SPARSE-LABEL: func @unknown
// SPARSE: mp.choose_dense %{{.*}}, "unknown_0" versions sparse
// SPARSE-NOT: dense
// SPARSE: mp.kernel "unknown_0" sparse ->
func.func @unknown(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<f32>) -> tensor<?x8xf32> {
  %k = mp.kernel "unknown_0" -> tensor<?x8xf32> {
    %v = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>)
        edge(%eij = %e : !mp.edges<f32>) -> !mp.edges<8xf32> {
      %q = arith.mulf %hi, %hi : tensor<8xf32>
      %p = arith.mulf %q, %hj : tensor<8xf32>
      mp.yield %p : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %k : tensor<?x8xf32>
}

// Whether tiles pay depends on the sizes of the cliques. Edge values come out of
// either version.
// CHECK-LABEL: func @cliques
// CHECK: mp.choose_dense %{{.*}}, "cliques_0" versions both cost <{{.*}}> : !mp.graph<cliques>
// CHECK: scf.if %{{.*}} -> (!mp.edges<f32>) {
// CHECK: mp.kernel "cliques_0" dense -> !mp.edges<f32> {
// CHECK: mp.kernel "cliques_0" sparse -> !mp.edges<f32> {
// REMARK: kernel cliques_0: dense tiles and sparse rows, chosen at run time, the sizes of the cliques are known when the graph arrives
func.func @cliques(%g: !mp.graph<cliques>, %h: tensor<?xf32>) -> !mp.edges<f32> {
  %k = mp.kernel "cliques_0" -> !mp.edges<f32> {
    %v = mp.message %g : !mp.graph<cliques> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    mp.yield %v : !mp.edges<f32>
  }
  return %k : !mp.edges<f32>
}

// A dot product of both ends (half a register for a pair) and the sum weighted by a
// softmax are products of matrices: tiles, and nothing to choose. The runtime is told
// of it, so that it can report it.
// CHECK-LABEL: func @attention
// CHECK: mp.choose_dense %{{.*}}, "attention_0" versions dense cost <{{.*}}> : !mp.graph<complete>
// CHECK-NOT: scf.if
// CHECK: mp.kernel "attention_0" dense -> tensor<?x4xf32> {
// REMARK: kernel attention_0: dense tiles, every destination receives from an interval of sources
// REMARK: kernel attention_0: per edge of a row: 1 edge, 2 line, 1 vector, 1 reduction, 1 sum, 1 softmax, 1 score; per far edge of a row: 2 line; per row: 1 row, 1 state; per pair of a tile: 0.0625 pair, 1.5 product, 0.0625 score; per masked pair: 0.0625 mask, 1 state; per register block: 1 block, 12 source, 8 state; rows of a tile: 8
// SPARSE-LABEL: func @attention
// SPARSE: mp.choose_dense %{{.*}}, "attention_0" versions sparse
// SPARSE: mp.kernel "attention_0" sparse -> tensor<?x4xf32> {
func.func @attention(%g: !mp.graph<complete>, %q: tensor<?x8xf32>, %v: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %k = mp.kernel "attention_0" -> tensor<?x4xf32> {
    %s, %w = mp.message %g : !mp.graph<complete> dst(%qi = %q : tensor<?x8xf32>)
        src(%kj = %q : tensor<?x8xf32>, %vj = %v : tensor<?x4xf32>)
        -> !mp.edges<f32>, !mp.edges<4xf32> {
      %d = mp.dot %qi, %kj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
      mp.yield %d, %vj : tensor<f32>, tensor<4xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> softmax(%s) %w
        : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %m : tensor<?x4xf32>
  }
  return %k : tensor<?x4xf32>
}

// A weight per edge times a source feature, summed: one product. How wide the rows
// are counts too.
// CHECK-LABEL: func @window
// CHECK: mp.choose_dense %{{.*}}, "window_0" versions both cost <{{.*}}> : !mp.graph<window, 4>
// CHECK: mp.kernel "window_0" dense
// CHECK: mp.kernel "window_0" sparse
// REMARK: kernel window_0: dense tiles and sparse rows, chosen at run time, a window may be narrow
// REMARK: kernel window_0: per edge of a row: 1 edge, 2 line, 2 vector, 1 sum; {{.*}}; per pair of a tile: 0.0625 pair, 1 weighted, 0.0625 vector; per masked pair: 0.0625 mask, 1 weighted; per register block
func.func @window(%g: !mp.graph<window, 4>, %c: tensor<?xf32>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %k = mp.kernel "window_0" -> tensor<?x4xf32> {
    %v = mp.message %g : !mp.graph<window, 4> dst(%ci = %c : tensor<?xf32>)
        src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
      %cc = arith.mulf %ci, %cj : tensor<f32>
      %w = mp.broadcast %cc : tensor<f32> to tensor<4xf32>
      %x = arith.mulf %w, %hj : tensor<4xf32>
      mp.yield %x : tensor<4xf32>
    }
    %m = mp.aggregate %g : !mp.graph<window, 4> sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %m : tensor<?x4xf32>
  }
  return %k : tensor<?x4xf32>
}

// Quotients of long features fill registers in rows, and are read by element in
// tiles: rows are expected to be faster, but tiles can be asked for.
// CHECK-LABEL: func @complete
// CHECK: mp.choose_dense %{{.*}}, "complete_0" versions both cost <{{.*}}> : !mp.graph<complete>
// CHECK: mp.kernel "complete_0" dense -> tensor<?x32xf32> {
// CHECK: mp.kernel "complete_0" sparse -> tensor<?x32xf32> {
// REMARK: kernel complete_0: dense tiles and sparse rows, chosen at run time, pairs of a tile are expected to take about as long as edges of rows, or longer
// REMARK: kernel complete_0: per edge of a row: 1 edge, 2 line, 2 division, 2 combine; {{.*}}; per pair of a tile: 0.0625 pair, 2 division, 32 extremum, 32 column; per masked pair: 0.0625 mask; per register block
func.func @complete(%g: !mp.graph<complete>, %h: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %k = mp.kernel "complete_0" -> tensor<?x32xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x32xf32>)
        src(%hj = %h : tensor<?x32xf32>) -> !mp.edges<32xf32> {
      %q = arith.divf %hi, %hj : tensor<32xf32>
      mp.yield %q : tensor<32xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<32xf32>) -> tensor<?x32xf32>
    mp.yield %m : tensor<?x32xf32>
  }
  return %k : tensor<?x32xf32>
}

// CHECK-LABEL: func @blocks
// CHECK: mp.choose_dense %{{.*}}, "blocks_0" versions both {{.*}} : !mp.graph<blocks, 64>
// CHECK: mp.kernel "blocks_0" dense -> tensor<?xf32> {
// CHECK: mp.kernel "blocks_0" sparse -> tensor<?xf32> {
// REMARK: kernel blocks_0: dense tiles and sparse rows, chosen at run time, a row may have few blocks
func.func @blocks(%g: !mp.graph<blocks, 64>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "blocks_0" -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<blocks, 64> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<blocks, 64> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// A monoid's state is what it lifts an edge to: 20 elements and 1, two registers and
// one; its result is of another size.
// REMARK: kernel monoid_0: per edge of a row: {{.*}}; per far edge of a row: 2 line; per row: 1 row, 3 state; per pair of a tile: 0.0625 pair, 21 element; per masked pair: 0.0625 mask; per register block
func.func @monoid(%g: !mp.graph, %h: tensor<?x20xf32>) -> tensor<?xf32> {
  %k = mp.kernel "monoid_0" -> tensor<?xf32> {
    %e = mp.message %g src(%hj = %h : tensor<?x20xf32>) -> !mp.edges<20xf32> {
      mp.yield %hj : tensor<20xf32>
    }
    %m = mp.aggregate %g custom %e : (!mp.edges<20xf32>) -> tensor<?xf32>
      identity {
        %z = arith.constant dense<0.0> : tensor<20xf32>
        %o = arith.constant dense<0.0> : tensor<f32>
        mp.yield %z, %o : tensor<20xf32>, tensor<f32>
      }
      lift {
      ^bb0(%x: tensor<20xf32>):
        %o = arith.constant dense<1.0> : tensor<f32>
        mp.yield %x, %o : tensor<20xf32>, tensor<f32>
      }
      combine {
      ^bb0(%a: tensor<20xf32>, %b: tensor<f32>, %c: tensor<20xf32>, %d: tensor<f32>):
        %p = arith.addf %a, %c : tensor<20xf32>
        %q = arith.addf %b, %d : tensor<f32>
        mp.yield %p, %q : tensor<20xf32>, tensor<f32>
      }
      finalise {
      ^bb0(%a: tensor<20xf32>, %b: tensor<f32>):
        %p = mp.reduce sum %a dims [0] : tensor<20xf32> -> tensor<f32>
        %q = arith.divf %p, %b : tensor<f32>
        mp.yield %q : tensor<f32>
      }
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// All edges of a row together have each element of a maximum once: a row of the weights for each of 40 elements,
// two registers; an edge makes bits of three registers of f32, of numbers of twice as many, and one word.
// REMARK: kernel winners_0: per edge of a row: 1 edge, {{.*}} vector, 1 reduction, 2 sum, 1 rest; per row: 1 row, 2 state, 80 map; per pair
func.func @winners(%g: !mp.graph, %numbers: tensor<?x40xi64>, %grad: tensor<?x40xf32>, %w: tensor<40x20xf32>)
    -> tensor<?x20xf32> {
  %zeros = arith.constant dense<0.0> : tensor<40xf32>
  %k = mp.kernel "winners_0" -> tensor<?x20xf32> {
    %v = mp.message %g dst(%ni = %numbers : tensor<?x40xi64>, %gi = %grad : tensor<?x40xf32>) -> !mp.edges<20xf32> {
      %e = mp.position edge : tensor<i64>
      %es = mp.broadcast %e : tensor<i64> to tensor<40xi64>
      %wins = arith.cmpi eq, %ni, %es : tensor<40xi64>
      %own = arith.select %wins, %gi, %zeros : tensor<40xi1>, tensor<40xf32>
      %y = mp.linear %own, %w : (tensor<40xf32>, tensor<40x20xf32>) -> tensor<20xf32>
      mp.yield %y : tensor<20xf32>
    }
    %s = mp.aggregate %g sum %v : (!mp.edges<20xf32>) -> tensor<?x20xf32>
    mp.yield %s : tensor<?x20xf32>
  }
  return %k : tensor<?x20xf32>
}

// A lowering that is there already stays.
// CHECK-LABEL: func @chosen
// CHECK-NOT: mp.choose_dense
// CHECK: mp.kernel "chosen_0" sparse ->
func.func @chosen(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "chosen_0" sparse -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// REMARK: kernel sparse_0: sparse rows, destinations receive from lists of sources
// CHECK-LABEL: func @sparse
// CHECK: mp.kernel "sparse_0" sparse
func.func @sparse(%g: !mp.graph<sparse>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "sparse_0" -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<sparse> sum %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// REMARK: kernel scan_0: sparse rows, a scan takes the edges of a row one after the other
// CHECK-LABEL: func @scan
// CHECK: mp.kernel "scan_0" sparse
func.func @scan(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %k = mp.kernel "scan_0" -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      mp.yield %hj : tensor<f32>
    }
    %m = mp.scan %g : !mp.graph<complete> from(%s = %h : tensor<?xf32>) edge(%x = %v : !mp.edges<f32>) -> tensor<?xf32> {
      %n = arith.mulf %s, %x : tensor<f32>
      mp.yield %n : tensor<f32>
    }
    mp.yield %m : tensor<?xf32>
  }
  return %k : tensor<?xf32>
}

// A matrix that each edge looks up: rows read it where it lies, a tile gathers it for each pair.
// REMARK: kernel typed_0: per edge of a row: 1 edge, 2 line, 8 map, 1 sum; {{.*}}; per pair of a tile: 0.0625 pair, 2 vector, 4 sum, 32 lookup; per masked pair: {{.*}}; per edge of a tile: 1 edge, 1 element; per register block
func.func @typed(%g: !mp.graph, %h: tensor<?x8xf32>, %types: !mp.edges<i32>, %w: tensor<9x8x4xf32>)
    -> tensor<?x4xf32> {
  %k = mp.kernel "typed_0" -> tensor<?x4xf32> {
    %m = mp.message %g src(%x = %h : tensor<?x8xf32>) edge(%t = %types : !mp.edges<i32>)
        -> !mp.edges<4xf32> {
      %v = mp.lookup %w[%t] : tensor<9x8x4xf32>, tensor<i32> -> tensor<8x4xf32>
      %y = mp.linear %x, %v : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
      mp.yield %y : tensor<4xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    mp.yield %a : tensor<?x4xf32>
  }
  return %k : tensor<?x4xf32>
}

// Three weights of an edge for the three rows of its source: a product of matrices, as large as these
// rows. What the two heads share is computed for both: a difference, and its absolute value.
// REMARK: kernel mixture_0: per edge of a row: 1 edge, 7 line, 13 vector, 1 function, 1 wait, 2 sum; {{.*}}; per pair of a tile: 0.0625 pair, 6 product, 0.1875 vector, 0.1875 function; per masked pair: {{.*}}; per register block
// REMARK: kernel heads_0: {{.*}}; per pair of a tile: 0.125 pair, 2 product, 2 weighted, 0.375 vector; per masked pair: {{.*}}; per register block: 2 block
func.func @mixture(%g: !mp.graph, %x: tensor<?x3xf32>, %y: tensor<?x3x32xf32>) -> tensor<?x32xf32> {
  %k = mp.kernel "mixture_0" -> tensor<?x32xf32> {
    %m = mp.message %g dst(%xi = %x : tensor<?x3xf32>)
        src(%xj = %x : tensor<?x3xf32>, %yj = %y : tensor<?x3x32xf32>) -> !mp.edges<32xf32> {
      %d = arith.subf %xi, %xj : tensor<3xf32>
      %e = math.exp %d : tensor<3xf32>
      %es = mp.broadcast %e : tensor<3xf32> to tensor<3x32xf32>
      %p = arith.mulf %es, %yj : tensor<3x32xf32>
      %s = mp.reduce sum %p dims [0] : tensor<3x32xf32> -> tensor<32xf32>
      mp.yield %s : tensor<32xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
    mp.yield %a : tensor<?x32xf32>
  }
  return %k : tensor<?x32xf32>
}

func.func @heads(%g: !mp.graph, %x: tensor<?xf32>, %q: tensor<?x2x16xf32>, %v: tensor<?x2x16xf32>)
    -> tensor<?x2x16xf32> {
  %k = mp.kernel "heads_0" -> tensor<?x2x16xf32> {
    %m = mp.message %g dst(%xi = %x : tensor<?xf32>, %qi = %q : tensor<?x2x16xf32>)
        src(%xj = %x : tensor<?xf32>, %qj = %q : tensor<?x2x16xf32>, %vj = %v : tensor<?x2x16xf32>)
        -> !mp.edges<2x16xf32> {
      %d = arith.subf %xi, %xj : tensor<f32>
      %far = math.absf %d : tensor<f32>
      %ds = mp.broadcast %far : tensor<f32> to tensor<2xf32>
      %p = mp.dot %qi, %qj : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2xf32>
      %w = arith.mulf %p, %ds : tensor<2xf32>
      %ws = mp.broadcast %w : tensor<2xf32> to tensor<2x16xf32>
      %y = arith.mulf %ws, %vj : tensor<2x16xf32>
      mp.yield %y : tensor<2x16xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<2x16xf32>) -> tensor<?x2x16xf32>
    mp.yield %a : tensor<?x2x16xf32>
  }
  return %k : tensor<?x2x16xf32>
}

// A sum of features as sources have them, more than registers hold from edge to edge. In a tile all
// rows that receive from the same sources have the same sum, and need no mask.
// REMARK: kernel wide_0: per edge of a row: 1 edge, 24 line, 24 copy, 24 stored; {{.*}}; per pair of a tile: 0.0625 pair, 24 copy; per masked pair: 0.0625 mask, 24 product; per register block
// CHECK-LABEL: func @wide
// CHECK: mp.choose_dense %{{.*}}, "wide_0" versions both cost <{{.*}}masked_pair = {{[0-9]+}},{{.*}} even_saving = {{[1-9][0-9]*}}>
func.func @wide(%g: !mp.graph, %h: tensor<?x384xf32>) -> tensor<?x384xf32> {
  %k = mp.kernel "wide_0" -> tensor<?x384xf32> {
    %m = mp.message %g src(%x = %h : tensor<?x384xf32>) -> !mp.edges<384xf32> {
      mp.yield %x : tensor<384xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<384xf32>) -> tensor<?x384xf32>
    mp.yield %a : tensor<?x384xf32>
  }
  return %k : tensor<?x384xf32>
}
