// RUN: clique-opt %s --mp-differentiate --split-input-file --verify-diagnostics

// What has no derivative is one error at its op.

// What a row without edges gets is no weight.
func.func @identity(%g: !mp.graph, %h: tensor<?xf32>, %w: tensor<f32>) -> tensor<?xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  // expected-error @below {{'mp.aggregate' op has no derivative: its identity depends on what is differentiated; make it of constants}}
  %s = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %least = arith.negf %w : tensor<f32>
               mp.yield %least : tensor<f32> }
    lift { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %r = arith.maximumf %a, %b : tensor<f32>
              mp.yield %r : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return %s : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captured(%h: tensor<4xi32>, %w: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{'linalg.generic' op has no derivative: its body uses a value from outside that has a gradient; make it an input}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%h : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %f = arith.sitofp %a : i32 to f32
    %r = arith.mulf %f, %w : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @both(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'math.sincos' op has no derivative: mp-differentiate knows no rule for it}}
  %s, %c = math.sincos %h : tensor<?x8xf32>
  %y = arith.addf %s, %c : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @powers(%h: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %h, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'linalg.reduce' op has no derivative: mp-differentiate knows structured ops that put a value in place or add one up}}
  %p = linalg.reduce { arith.mulf } ins(%h : tensor<?x4xf32>) outs(%ones : tensor<?xf32>) dimensions = [1]
  return %p : tensor<?xf32>
}

// -----

// The last value stays, not the sum.
func.func @last(%x: tensor<?x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error @below {{'linalg.generic' op has no derivative: mp-differentiate knows structured ops that put a value in place or add one up}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%v: f32, %a: f32):
    %s = math.sin %v : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @table_of_region(%w: tensor<3xf32>, %k: tensor<?xi32>) -> tensor<?xf32> {
  %o = mp.update (%i = %k : tensor<?xi32>) -> tensor<?xf32> {
    %a = math.exp %w : tensor<3xf32>
    // expected-error @below {{'mp.lookup' op looks up a table made in the region, whose gradient mp-differentiate does not know: make the table outside of it}}
    %r = mp.lookup %a[%i] : tensor<3xf32>, tensor<i32> -> tensor<f32>
    mp.yield %r : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// -----

func.func @splat(%x: f32, %n: index) -> tensor<?x?xf32> {
  // expected-error @below {{'tensor.splat' op has no derivative here: mp-differentiate knows splats whose dimensions after the first are static}}
  %r = tensor.splat %x[%n, %n] : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

func.func @convolution(%x: tensor<8xf32>, %w: tensor<3xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @below {{'linalg.generic' op has no derivative: mp-differentiate knows structured ops whose inputs are indexed by loops alone}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<8xf32>, tensor<3xf32>) outs(%o : tensor<6xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// Nothing is kept per edge: neither what has a gradient, nor what another one depends on.
func.func @edges_in_loop(%g: !mp.graph, %e: !mp.edges<f32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op has no derivative by the edge features that it carries: nothing is kept per edge; carry node features, and compute those of edges from them in each step}}
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%x = %e) -> !mp.edges<f32> {
    %y = mp.message %g edge(%a = %x : !mp.edges<f32>) -> !mp.edges<f32> {
      %z = math.sin %a : tensor<f32>
      mp.yield %z : tensor<f32>
    }
    scf.yield %y : !mp.edges<f32>
  }
  %s = mp.aggregate %g sum %l : (!mp.edges<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

func.func @signs_in_loop(%g: !mp.graph, %e: !mp.edges<i1>, %h: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op has no derivative: its gradient needs what it carries into each step, and a value of type '!mp.edges<i1>' is not kept; carry node features, and make graphs and edge features of them in each step}}
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %h, %s = %e) -> (tensor<?xf32>, !mp.edges<i1>) {
    %m, %t = mp.message %g src(%xj = %x : tensor<?xf32>) edge(%a = %s : !mp.edges<i1>) -> !mp.edges<f32>, !mp.edges<i1> {
      %true = arith.constant dense<true> : tensor<i1>
      %zero = arith.constant dense<0.0> : tensor<f32>
      %b = arith.xori %a, %true : tensor<i1>
      %y = arith.select %a, %xj, %zero : tensor<i1>, tensor<f32>
      mp.yield %y, %b : tensor<f32>, tensor<i1>
    }
    %y = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
    scf.yield %y, %t : tensor<?xf32>, !mp.edges<i1>
  }
  return %l#0 : tensor<?xf32>
}

// -----

func.func @counts(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{'scf.for' op has no derivative: mp-differentiate knows loops that count in signed numbers of type index}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> : i32 {
    %s = math.sin %a : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @until(%h: tensor<?xf32>, %x: tensor<f32>, %most: f32) -> tensor<f32> {
  // expected-error @below {{'scf.while' op has no derivative: mp-differentiate knows loops that count, scf.for, and not those that go on until a condition}}
  %r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %v = tensor.extract %a[] : tensor<f32>
    %small = arith.cmpf olt, %v, %most : f32
    scf.condition(%small) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = arith.addf %a, %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// What a step does is differentiated as it is elsewhere, in loops of loops too.
func.func @in_loops(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> tensor<4xf32> {
      // expected-error @below {{'math.sincos' op has no derivative: mp-differentiate knows no rule for it}}
      %sin, %cos = math.sincos %b : tensor<4xf32>
      %y = arith.addf %sin, %cos : tensor<4xf32>
      scf.yield %y : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @layer(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = math.sin %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
// expected-error @below {{has the name of a function that mp-differentiate makes of 'layer': give one of the two another name}}
func.func @layer_backward(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = math.cos %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
