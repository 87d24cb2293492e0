// What the parsers of the ops with a syntax of their own reject.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @unknown_aggregator(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{custom op 'mp.aggregate' unknown aggregator 'median': expected sum, mean, max, min, std, prod, logsumexp, softmax or custom}}
  %0 = mp.aggregate %g median %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @unknown_readout(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{custom op 'mp.readout' unknown aggregator 'median': expected sum, mean, max, min, std, prod, logsumexp, softmax or custom}}
  %0 = mp.readout %offsets median %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @unknown_reduction(%x: tensor<8xf32>) {
  // expected-error@+1 {{custom op 'mp.reduce' unknown reduction 'median': expected sum, mean, max or min}}
  %0 = mp.reduce median %x dims [0] : tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @unknown_endpoint(%g: !mp.graph) {
  %0 = mp.message %g -> !mp.edges<i32> {
    // expected-error@+1 {{custom op 'mp.position' unknown endpoint 'target': expected dst, src or edge}}
    %i = mp.position target : tensor<i32>
    mp.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @role_twice(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{custom op 'mp.message' src(...) is given a second time: bind all of its features in one}}
  %0 = mp.message %g src(%a = %h : tensor<?x8xf32>) src(%b = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @levels_of_no_graph(%g: i32) {
  // expected-error@+1 {{custom op 'mp.levels' invalid kind of type specified}}
  %0:4 = mp.levels %g : i32
  return
}

// -----

func.func @reverse_of_no_graph(%g: i32) {
  // expected-error@+1 {{custom op 'mp.reverse' invalid kind of type specified}}
  %0 = mp.reverse %g : i32 -> i32
  return
}

// -----

func.func @softmax_of_no_edges(%g: !mp.graph, %s: tensor<?xf32>) {
  // expected-error@+1 {{custom op 'mp.edge_softmax' expected the type of the scores, an edge feature !mp.edges<...>, got 'tensor<?xf32>'}}
  %0 = mp.edge_softmax %g, %s : tensor<?xf32>
  return
}

// -----

func.func @unknown_role(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{custom op 'mp.message' expected dst(...), src(...), edge(...) or '->'}}
  %0 = mp.message %g source(%a = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    mp.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @unknown_lowering(%g: !mp.graph) {
  // expected-error@+1 {{expected '->'}}
  %0 = mp.kernel "k" blocks -> !mp.edges<i32> {
  }
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @missing_graph_type(%g: !mp.graph<complete>) {
  // expected-error@+2 {{use of value '%g' expects different type than prior uses: '!mp.graph' vs '!mp.graph<complete>'}}
  // expected-note@+1 {{without a type a graph is a plain !mp.graph: write its type behind it, or cast it once with mp.cast}}
  %0 = mp.message %g -> !mp.edges<i32> {
    %i = mp.position dst : tensor<i32>
    mp.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @not_a_graph(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.message' op operand #0 must be a directed graph, stored by destination, and its topology, but got 'tensor<?x8xf32>'}}
  %0 = mp.message %h : tensor<?x8xf32> -> !mp.edges<i32> {
    %i = mp.position dst : tensor<i32>
    mp.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @scalar_node(%g: !mp.graph, %h: tensor<f32>) {
  // expected-error@+1 {{custom op 'mp.message' expected a node feature tensor<?x...> or an edge feature !mp.edges<...>, got 'tensor<f32>'}}
  %0 = mp.message %g src(%hj = %h : tensor<f32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  return
}

// -----

func.func @unranked_node(%g: !mp.graph, %h: tensor<*xf32>) {
  // expected-error@+1 {{custom op 'mp.message' expected a node feature tensor<?x...> or an edge feature !mp.edges<...>, got 'tensor<*xf32>'}}
  %0 = mp.message %g src(%hj = %h : tensor<*xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  return
}

// -----

func.func @edges_as_source(%g: !mp.graph, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.message' op operand #1 must be variadic of a node feature tensor<?x...> of bf16, f16, f32, f64, i1, i8, i32, i64 or index, but got '!mp.edges<f32>'}}
  %0 = mp.message %g src(%x = %e : !mp.edges<f32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @missing_binding(%g: !mp.graph, %h: tensor<?xf32>) {
  // expected-error@+1 {{expected '='}}
  %0 = mp.message %g src(%h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @missing_results(%g: !mp.graph, %h: tensor<?xf32>) {
  // expected-error@+1 {{custom op 'mp.message' expected dst(...), src(...), edge(...) or '->'}}
  %0 = mp.message %g src(%a = %h : tensor<?xf32>) {
    mp.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @aggregate_type_count(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{custom op 'mp.aggregate' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @aggregate_region_order(%g: !mp.graph, %m: !mp.edges<f32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    // expected-error@+1 {{custom op 'identity' is unknown (tried 'func.identity' as well)}}
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
  return
}

// -----

func.func @near_name(%h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
    // expected-error@+1 {{custom op 'mp.leakyrelu' is unknown: is it 'mp.leaky_relu'?}}
    %r = mp.leakyrelu %a : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  return %n : tensor<?x4xf32>
}

// -----

func.func @name_of_elsewhere(%h: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %n = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<?x8xf32> {
    // expected-error@+1 {{custom op 'mp.concat' is unknown: write tensor.concat}}
    %r = mp.concat %a, %a : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %n : tensor<?x8xf32>
}

// -----

func.func @no_such_op(%h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{custom op 'mp.convolution' is unknown: docs/language.md lists those there are}}
  %r = mp.convolution %h : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

func.func @name_of_a_layer(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{custom op 'mp.attention' is unknown: write mp.message, and mp.aggregate with softmax}}
  %n = mp.attention %g, %h : tensor<?x4xf32>
  return %n : tensor<?x4xf32>
}

// -----

func.func @gather(%g: !mp.graph, %h: tensor<?x4xf32>) -> !mp.edges<4xf32> {
  // expected-error@+1 {{custom op 'mp.gather' is unknown: write the operands src(...) of mp.message}}
  %e = mp.gather %g, %h : !mp.edges<4xf32>
  return %e : !mp.edges<4xf32>
}
