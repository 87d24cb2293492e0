// Loops in a loop: values that change places each step, a mask and a number per node,
// an inner loop as long as the outer one's number, which its messages use.
func.func @nest(%g: !mp.graph, %h: tensor<?x4xf32>, %seen: tensor<?xi1>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi1>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = math.tanh %h : tensor<?x4xf32>
  %rows = mp.num_dst %g : !mp.graph
  %zero = tensor.generate %rows {
  ^bb0(%i: index):
    %z = arith.constant 0 : i32
    tensor.yield %z : i32
  } : tensor<?xi32>
  %r:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %h, %b = %x, %s = %seen, %lv = %zero) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi1>, tensor<?xi32>) {
    %w = scf.for %l = %c0 to %k step %c1 iter_args(%v = %a) -> (tensor<?x4xf32>) {
      %li = arith.index_cast %l : index to i32
      %lt = tensor.from_elements %li : tensor<i32>
      %m = mp.message %g src(%vj = %v : tensor<?x4xf32>, %sj = %s : tensor<?xi1>) -> !mp.edges<4xf32> {
        %lf = arith.sitofp %lt : tensor<i32> to tensor<f32>
        %lb = mp.broadcast %lf : tensor<f32> to tensor<4xf32>
        %t = arith.addf %vj, %lb : tensor<4xf32>
        %zz = arith.constant dense<0.0> : tensor<4xf32>
        %sb = mp.broadcast %sj : tensor<i1> to tensor<4xi1>
        %q = arith.select %sb, %t, %zz : tensor<4xi1>, tensor<4xf32>
        mp.yield %q : tensor<4xf32>
      }
      %u = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
      scf.yield %u : tensor<?x4xf32>
    }
    %ki = arith.index_cast %k : index to i32
    %kt = tensor.from_elements %ki : tensor<i32>
    %ns, %nl = mp.update (%si = %s : tensor<?xi1>, %wi = %w : tensor<?x4xf32>, %li = %lv : tensor<?xi32>) -> tensor<?xi1>, tensor<?xi32> {
      %f = mp.reduce max %wi dims [0] : tensor<4xf32> -> tensor<f32>
      %half = arith.constant dense<0.3> : tensor<f32>
      %c = arith.cmpf ogt, %f, %half : tensor<f32>
      %o = arith.xori %si, %c : tensor<i1>
      %q = arith.select %c, %kt, %li : tensor<i1>, tensor<i32>
      mp.yield %o, %q : tensor<i1>, tensor<i32>
    }
    scf.yield %b, %w, %ns, %nl : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi1>, tensor<?xi32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi1>, tensor<?xi32>
}

// Until the largest change is small: node and edge features, a count.
func.func @converge(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>, %tol: f32) -> (tensor<?x4xf32>, !mp.edges<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %z:4 = scf.while (%zk = %h, %ek = %e, %k = %c0, %old = %h) : (tensor<?x4xf32>, !mp.edges<4xf32>, index, tensor<?x4xf32>) -> (tensor<?x4xf32>, !mp.edges<4xf32>, index, tensor<?x4xf32>) {
    %d = arith.subf %zk, %old : tensor<?x4xf32>
    %a = math.absf %d : tensor<?x4xf32>
    %most = linalg.reduce ins(%a : tensor<?x4xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1] (%x: f32, %y: f32) {
      %m = arith.maximumf %x, %y : f32
      linalg.yield %m : f32
    }
    %change = tensor.extract %most[] : tensor<f32>
    %moves = arith.cmpf ogt, %change, %tol : f32
    %first = arith.cmpi eq, %k, %c0 : index
    %go = arith.ori %moves, %first : i1
    scf.condition(%go) %zk, %ek, %k, %old : tensor<?x4xf32>, !mp.edges<4xf32>, index, tensor<?x4xf32>
  } do {
  ^bb0(%zk: tensor<?x4xf32>, %ek: !mp.edges<4xf32>, %k: index, %old: tensor<?x4xf32>):
    %m = mp.message %g dst(%zi = %zk : tensor<?x4xf32>) src(%zj = %zk : tensor<?x4xf32>) edge(%x = %ek : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
      %s = arith.addf %zi, %zj : tensor<4xf32>
      %t = arith.addf %s, %x : tensor<4xf32>
      %half = arith.constant dense<0.2> : tensor<4xf32>
      %r = arith.mulf %t, %half : tensor<4xf32>
      mp.yield %r : tensor<4xf32>
    }
    %n = mp.aggregate %g mean %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    %kk = arith.addi %k, %c1 : index
    scf.yield %n, %m, %kk, %zk : tensor<?x4xf32>, !mp.edges<4xf32>, index, tensor<?x4xf32>
  }
  return %z#0, %z#1, %z#2 : tensor<?x4xf32>, !mp.edges<4xf32>, index
}

// A value that a step may make longer or shorter: an error.
func.func @carried(%h: tensor<?x4xf32>, %n: index, %step: index, %k: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %z = scf.for %i = %c0 to %n step %step iter_args(%zk = %h) -> (tensor<?x4xf32>) {
    %q = arith.negf %k : tensor<?x4xf32>
    scf.yield %q : tensor<?x4xf32>
  }
  return %z : tensor<?x4xf32>
}

// Steps that need an element of k.
func.func @absent(%h: tensor<?x4xf32>, %n: index, %k: tensor<?x4xf32>, %i: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %l = %c0 to %n step %c1 iter_args(%zk = %h) -> (tensor<?x4xf32>) {
    %e = tensor.extract %k[%i, %c0] : tensor<?x4xf32>
    %rows = tensor.dim %h, %c0 : tensor<?x4xf32>
    %s = tensor.splat %e[%rows] : tensor<?x4xf32>
    %a = arith.addf %zk, %s : tensor<?x4xf32>
    scf.yield %a : tensor<?x4xf32>
  }
  return %z : tensor<?x4xf32>
}

// Steps that need as many rows in k as h has.
func.func @unlike(%h: tensor<?x4xf32>, %n: index, %k: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %w = scf.while (%zk = %h, %l = %c0) : (tensor<?x4xf32>, index) -> tensor<?x4xf32> {
    %goes = arith.cmpi slt, %l, %n : index
    scf.condition(%goes) %zk : tensor<?x4xf32>
  } do {
  ^bb0(%zk: tensor<?x4xf32>):
    %a = arith.addf %h, %k : tensor<?x4xf32>
    %b = arith.addf %zk, %a : tensor<?x4xf32>
    scf.yield %b, %n : tensor<?x4xf32>, index
  }
  return %w : tensor<?x4xf32>
}

// More steps than 64 bits hold.
func.func @endless(%x: index) -> index {
  %begin = arith.constant -9223372036854775000 : index
  %end = arith.constant 9223372036854775000 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %begin to %end step %c1 iter_args(%a = %x) -> (index) {
    scf.yield %k : index
  }
  return %r : index
}
