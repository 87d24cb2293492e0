// A loop of every kind of value: node features, weights, numbers, edge features and a message from
// before it; a loop in it; bounds and a step that are no constants.
func.func @carried(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>, %w: tensor<4x4xf32>,
                   %c: f32, %seen: tensor<?xi1>, %kind: tensor<?xi32>, %begin: index, %end: index,
                   %step: index)
    -> (tensor<?x4xf32>, f32, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.constant dense<[0.5, -0.25, 1.0, 0.75]> : tensor<4xf32>
  %gates = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      edge(%ei = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
    %d = arith.subf %hi, %hj : tensor<4xf32>
    %p = arith.mulf %d, %ei : tensor<4xf32>
    %s = mp.sigmoid %p : tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  %r:6 = scf.for %k = %begin to %end step %step
      iter_args(%x = %h, %y = %c, %v = %b, %on = %seen, %last = %begin, %kinds = %kind)
      -> (tensor<?x4xf32>, f32, tensor<4xf32>, tensor<?xi1>, index, tensor<?xi32>) {
    // As many steps as the one before had a number.
    %u = scf.for %l = %c0 to %last step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
      %ah = arith.mulf %a, %h : tensor<?x4xf32>
      %as = math.sin %ah : tensor<?x4xf32>
      scf.yield %as : tensor<?x4xf32>
    }
    %m = mp.message %g src(%uj = %u : tensor<?x4xf32>, %oj = %on : tensor<?xi1>)
        edge(%gi = %gates : !mp.edges<4xf32>, %ei = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
      %ob = mp.broadcast %oj : tensor<i1> to tensor<4xi1>
      %wu = mp.linear %uj, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
      %o = arith.select %ob, %wu, %ei : tensor<4xi1>, tensor<4xf32>
      %p = arith.mulf %o, %gi : tensor<4xf32>
      mp.yield %p : tensor<4xf32>
    }
    %s = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %yt = tensor.from_elements %y : tensor<f32>
    %next, %off, %kinds1 = mp.update (%si = %s : tensor<?x4xf32>, %oi = %on : tensor<?xi1>,
                                      %ki = %kinds : tensor<?xi32>)
        -> tensor<?x4xf32>, tensor<?xi1>, tensor<?xi32> {
      %yb = mp.broadcast %yt : tensor<f32> to tensor<4xf32>
      %ys = arith.mulf %yb, %si : tensor<4xf32>
      %f = arith.sitofp %ki : tensor<i32> to tensor<f32>
      %fb = mp.broadcast %f : tensor<f32> to tensor<4xf32>
      %a0 = arith.addf %ys, %v : tensor<4xf32>
      %a1 = arith.mulf %a0, %fb : tensor<4xf32>
      %t = math.tanh %a1 : tensor<4xf32>
      %true = arith.constant dense<true> : tensor<i1>
      %n = arith.xori %oi, %true : tensor<i1>
      %one = arith.constant dense<1> : tensor<i32>
      %more = arith.xori %ki, %one : tensor<i32>
      mp.yield %t, %n, %more : tensor<4xf32>, tensor<i1>, tensor<i32>
    }
    %v0 = tensor.extract %v[%c1] : tensor<4xf32>
    %edges = mp.num_rows %e : !mp.edges<4xf32>
    %some = arith.cmpi sgt, %edges, %k : index
    %yv = arith.mulf %y, %v0 : f32
    %y1 = arith.select %some, %yv, %y : f32
    %vn = math.sin %v : tensor<4xf32>
    %from = arith.subi %k, %begin : index
    scf.yield %next, %y1, %vn, %off, %from, %kinds1
        : tensor<?x4xf32>, f32, tensor<4xf32>, tensor<?xi1>, index, tensor<?xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<?x4xf32>, f32, tensor<4xf32>
}

// What no step makes with a gradient, what is swapped, and what is set back.
func.func @no_step(%h: tensor<?x4xf32>, %x: tensor<?x4xf32>, %n: index)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %ones = arith.constant dense<1.0> : tensor<4xf32>
    mp.yield %ones : tensor<4xf32>
  }
  %set = scf.for %k = %c0 to %n step %c1 iter_args(%a = %h) -> (tensor<?x4xf32>) {
    scf.yield %one : tensor<?x4xf32>
  }
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %h, %b = %set)
      -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %ax = arith.mulf %a, %x : tensor<?x4xf32>
    scf.yield %b, %ax : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %set, %r#0, %r#1 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// As many steps in a step as its number: for second derivatives.
func.func @nested(%x: tensor<?x4xf32>, %w: tensor<4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %s = scf.for %l = %c0 to %k step %c1 iter_args(%b = %a) -> (tensor<?x4xf32>) {
      %t = mp.update (%bi = %b : tensor<?x4xf32>) -> tensor<?x4xf32> {
        %p = arith.mulf %bi, %w : tensor<4xf32>
        %q = math.sin %p : tensor<4xf32>
        mp.yield %q : tensor<4xf32>
      }
      scf.yield %t : tensor<?x4xf32>
    }
    scf.yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// Steps that write rows that others write, too: each is kept.
func.func @overlapping(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %next = arith.addi %k, %c1 : index
    %own = tensor.extract_slice %a[%k, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
    %other = tensor.extract_slice %a[%next, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
    %p = arith.mulf %own, %other : tensor<2x4xf32>
    %s = math.sin %p : tensor<2x4xf32>
    %all = tensor.insert_slice %s into %a[%next, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x4xf32>
    scf.yield %all : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
