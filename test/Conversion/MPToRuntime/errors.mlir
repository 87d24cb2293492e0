// What cannot be converted is reported at its place.

// RUN: clique-opt %s --convert-mp-to-runtime \
// RUN:   -split-input-file -verify-diagnostics -allow-unregistered-dialect

// expected-error @+1 {{function 'hands_out': result 1 is a graph, which cannot be handed out: return its CSR arrays, or build the graph in the caller}}
func.func @hands_out(%n: index) -> (index, !mp.graph<complete>) {
  %g = mp.complete %n
  return %n, %g : index, !mp.graph<complete>
}

// -----

func.func private @leaves_function(%n: index) -> !mp.graph {
  // expected-error @+1 {{'mp.complete' op makes a graph that leaves its function: return its CSR arrays, or build the graph in the caller}}
  %g = mp.complete %n
  %u = mp.cast %g : !mp.graph<complete> to !mp.graph
  // expected-note @+1 {{it leaves here}}
  return %u : !mp.graph
}

// -----

func.func @leaves_branch(%c: i1, %n: index, %g: !mp.graph<complete>) -> index {
  %0 = scf.if %c -> !mp.graph<complete> {
    // expected-error @+1 {{'mp.complete' op makes a graph that leaves the block of 'scf.if' where it is made: make it before that op, where it is used}}
    %a = mp.complete %n
    // expected-note @+1 {{it leaves here}}
    scf.yield %a : !mp.graph<complete>
  } else {
    scf.yield %g : !mp.graph<complete>
  }
  %1 = mp.num_edges %0 : !mp.graph<complete>
  return %1 : index
}

// -----

// Through a branch inside and the loop's own values.
func.func @leaves_loop(%c: i1, %n: index, %g: !mp.graph) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%it = %g) -> !mp.graph {
    // expected-error @+1 {{'mp.reverse' op makes a graph that leaves the block of 'scf.for'}}
    %a = mp.reverse %it : !mp.graph -> !mp.graph
    %b = scf.if %c -> !mp.graph {
      scf.yield %a : !mp.graph
    } else {
      scf.yield %it : !mp.graph
    }
    // expected-note @+1 {{it leaves here}}
    scf.yield %b : !mp.graph
  }
  %1 = mp.num_edges %0 : !mp.graph
  return %1 : index
}

// -----

func.func @in_block(%c: i1, %n: index) -> index {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-error @+1 {{'mp.causal' op makes a graph in a block of a control-flow graph: use scf.if, scf.for or scf.while, or make it in the first block}}
  %a = mp.causal %n
  %0 = mp.num_edges %a : !mp.graph<causal>
  return %0 : index
^bb2:
  return %n : index
}

// -----

func.func @left_over(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @+1 {{'mp.message' op has no counterpart in the runtime: run mp-fuse and the stages up to clique-stage-tensors first}}
  %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %hj : tensor<8xf32>
  }
  // expected-error @+1 {{'mp.aggregate' op has no counterpart in the runtime: run mp-fuse and the stages up to clique-stage-tensors first}}
  %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// -----

func.func @kernel(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @+1 {{'mp.kernel' op has no counterpart in the runtime: run mp-schedule-kernels, clique-stage-blocks and clique-stage-tensors first}}
  %o = mp.kernel "copy_0" sparse -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

func.func @readout(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @+1 {{'mp.readout' op has no counterpart in the runtime: run mp-decompose-readout first}}
  %r = mp.readout %offsets mean %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @feature_op(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'mp.relu' op has no counterpart in the runtime: it belongs in the region of an mp.message, mp.aggregate or mp.update}}
  %r = mp.relu %x : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @foreign_op(%g: !mp.graph) {
  // expected-error @+1 {{'foreign.op' op uses a graph or an edge feature as a whole, which only ops of the mp dialect can}}
  "foreign.op"(%g) : (!mp.graph) -> ()
  return
}

// -----

func.func @block(%first: index, %last: index, %h: tensor<?x8xf32>, %out: memref<?x8xf32>) {
  // expected-error @+1 {{'mp.block' op has no counterpart in the runtime: run clique-stage-tensors first}}
  mp.block rows %first to %last outs(%out : memref<?x8xf32>) {
    %o = mp.kernel "copy_0" nodes schedule(#mp.node_blocks<rows = 64>) -> tensor<?x8xf32> {
      %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        mp.yield %hi : tensor<8xf32>
      }
      mp.yield %u : tensor<?x8xf32>
    }
    mp.yield %o : tensor<?x8xf32>
  }
  return
}
