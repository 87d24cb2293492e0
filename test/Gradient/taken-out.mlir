// What a select takes out has the gradient 0, though it, or its slope, is infinite: also of what is
// made of it before the select. Half of the numbers q are 0.
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.random.default_rng(1).standard_normal((5, 4), 'f'))"
// DEFINE: %{run} = clique-run --O1 %s --gradients --verify
// RUN: %{run} --entry=entropy --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=angle --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=inverse --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=exponential --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=activations --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=own_weights --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=own_map --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=tensors --input=x=%t.npy | FileCheck %s
// RUN: %{run} --entry=unit --graph=complete:5 | FileCheck %s
// RUN: %{run} --entry=unit --graph=complete:5 --second-order | FileCheck %s
// RUN: %{run} --entry=hoisted --graph=complete:5 | FileCheck %s
// RUN: %{run} --entry=degrees --graph=%S/../Integration/Inputs/graphs/isolated.mtx | FileCheck %s
// RUN: %{run} --entry=mapped --graph=%S/../Integration/Inputs/graphs/isolated.mtx | FileCheck %s --check-prefixes=CHECK,WEIGHTS
// CHECK: verify {{.*}}max error {{.*}}: ok
// WEIGHTS: grad_w: max error {{.*}}: ok
// RUN: clique-opt %s --mp-differentiate=functions=masked | FileCheck %s --check-prefix=MASKED

func.func @entropy(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %p = arith.cmpf ogt, %xi, %zeros : tensor<4xf32>
    %f = arith.uitofp %p : tensor<4xi1> to tensor<4xf32>
    %q = arith.mulf %xi, %f : tensor<4xf32>
    %l = math.log %q : tensor<4xf32>
    %y = arith.mulf %q, %l : tensor<4xf32>
    %s = arith.select %p, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

func.func @angle(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %p = arith.cmpf ogt, %xi, %zeros : tensor<4xf32>
    %f = arith.uitofp %p : tensor<4xi1> to tensor<4xf32>
    %q = arith.mulf %xi, %f : tensor<4xf32>
    %y = math.atan2 %q, %zeros : tensor<4xf32>
    %s = arith.select %p, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

func.func @inverse(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %p = arith.cmpf ogt, %xi, %zeros : tensor<4xf32>
    %f = arith.uitofp %p : tensor<4xi1> to tensor<4xf32>
    %q = arith.mulf %xi, %f : tensor<4xf32>
    %n = arith.constant dense<-1> : tensor<4xi32>
    %y = math.fpowi %q, %n : tensor<4xf32>, tensor<4xi32>
    %s = arith.select %p, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Where the root is NaN, so are the slopes of what is made of it.
func.func @activations(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %p = arith.cmpf ogt, %xi, %zeros : tensor<4xf32>
    %q = math.sqrt %xi : tensor<4xf32>
    %a = mp.sigmoid %q : tensor<4xf32>
    %b = mp.softplus %q : tensor<4xf32>
    %y = arith.addf %a, %b : tensor<4xf32>
    %s = arith.select %p, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Linear maps whose weights, some of them infinite, the region makes.
func.func @own_weights(%x: tensor<?x4xf32>, %v: tensor<?x4xf32>) -> tensor<?xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>, %vi = %v : tensor<?x4xf32>) -> tensor<?xf32> {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %first = tensor.extract_slice %xi[0] [1] [1] : tensor<4xf32> to tensor<f32>
    %p = arith.cmpf ogt, %first, %zero : tensor<f32>
    %all = mp.broadcast %p : tensor<i1> to tensor<4xi1>
    %f = arith.uitofp %all : tensor<4xi1> to tensor<4xf32>
    %w = arith.divf %xi, %f : tensor<4xf32>
    %y = mp.linear %vi, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %s = arith.select %p, %y, %zero : tensor<i1>, tensor<f32>
    mp.yield %s : tensor<f32>
  }
  return %o : tensor<?xf32>
}

func.func @own_map(%x: tensor<?x4xf32>, %v: tensor<?x3xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>, %vi = %v : tensor<?x3xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %p = arith.cmpf ogt, %xi, %zeros : tensor<4xf32>
    %f = arith.uitofp %p : tensor<4xi1> to tensor<4xf32>
    %c = arith.divf %xi, %f : tensor<4xf32>
    %w = mp.broadcast %c trailing : tensor<4xf32> to tensor<3x4xf32>
    %y = mp.linear %vi, %w : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
    %s = arith.select %p, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// An exponential linear unit; of 2000 x the exponential is infinite where it is not taken.
func.func @exponential(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %large = arith.constant dense<2000.0> : tensor<4xf32>
    %q = arith.mulf %xi, %large : tensor<4xf32>
    %p = arith.cmpf ogt, %q, %zeros : tensor<4xf32>
    %e = math.exp %q : tensor<4xf32>
    %y = arith.subf %e, %one : tensor<4xf32>
    %s = arith.select %p, %q, %y : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Arithmetic on whole tensors.
func.func @tensors(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?x4xf32>
  %p = arith.cmpf ogt, %x, %zeros : tensor<?x4xf32>
  %f = arith.uitofp %p : tensor<?x4xi1> to tensor<?x4xf32>
  %q = arith.mulf %x, %f : tensor<?x4xf32>
  %l = math.log %q : tensor<?x4xf32>
  %y = arith.mulf %q, %l : tensor<?x4xf32>
  %s = arith.select %p, %y, %zeros : tensor<?x4xi1>, tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// The direction to a neighbour; a node is where itself is.
func.func @unit(%g: !mp.graph, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = mp.message %g dst(%xi = %x : tensor<?x3xf32>) src(%xj = %x : tensor<?x3xf32>) -> !mp.edges<3xf32> {
    %d = arith.subf %xj, %xi : tensor<3xf32>
    %dd = mp.dot %d, %d : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %r = math.rsqrt %dd : tensor<f32>
    %rs = mp.broadcast %r : tensor<f32> to tensor<3xf32>
    %u = arith.mulf %d, %rs : tensor<3xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = arith.constant dense<0.0> : tensor<3xf32>
    %c = arith.cmpf ogt, %dd, %zero : tensor<f32>
    %cs = mp.broadcast %c : tensor<i1> to tensor<3xi1>
    %s = arith.select %cs, %u, %zeros : tensor<3xi1>, tensor<3xf32>
    mp.yield %s : tensor<3xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}

// Some nodes have no edges.
func.func @degrees(%g: !mp.graph, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %d = mp.degree %g -> tensor<?xf32>
  %o = mp.update (%xi = %x : tensor<?x4xf32>, %di = %d : tensor<?xf32>) -> tensor<?x4xf32> {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %r = math.rsqrt %di : tensor<f32>
    %rs = mp.broadcast %r : tensor<f32> to tensor<4xf32>
    %y = arith.mulf %xi, %rs : tensor<4xf32>
    %c = arith.cmpf ogt, %di, %zero : tensor<f32>
    %cs = mp.broadcast %c : tensor<i1> to tensor<4xi1>
    %s = arith.select %cs, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

func.func @mapped(%g: !mp.graph, %x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %d = mp.degree %g -> tensor<?xf32>
  %o = mp.update (%xi = %x : tensor<?x4xf32>, %di = %d : tensor<?xf32>) -> tensor<?x4xf32> {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %ds = mp.broadcast %di : tensor<f32> to tensor<4xf32>
    %p = arith.divf %xi, %ds : tensor<4xf32>
    %y = mp.linear %p, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %c = arith.cmpf ogt, %di, %zero : tensor<f32>
    %cs = mp.broadcast %c : tensor<i1> to tensor<4xi1>
    %s = arith.select %cs, %y, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// A mask takes out scores, which are finite: nothing is compared with NaN for it.
// MASKED-LABEL: func.func @masked_backward(
// MASKED-NOT:     arith.cmpf uno
// MASKED:         return
func.func @masked(%g: !mp.graph, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %v = mp.message %g dst(%xi = %x : tensor<?x4xf32>) src(%xj = %x : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<4xf32> {
    %lowest = arith.constant dense<0xFF800000> : tensor<f32>
    %scale = arith.constant dense<0.3> : tensor<f32>
    %seven = arith.constant dense<7> : tensor<i32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %ij = arith.xori %i, %j : tensor<i32>
    %c = arith.cmpi sle, %ij, %seven : tensor<i32>
    %d = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %t = arith.mulf %d, %scale : tensor<f32>
    %m = arith.select %c, %t, %lowest : tensor<i1>, tensor<f32>
    mp.yield %m, %xj : tensor<f32>, tensor<4xf32>
  }
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// A quotient of one end of the edge, which is computed once for each node.
func.func @hoisted(%g: !mp.graph, %x: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g dst(%a = %x : tensor<?xf32>) src(%b = %x : tensor<?xf32>) -> !mp.edges<f32> {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %p = arith.cmpf ogt, %b, %zero : tensor<f32>
    %q = arith.maximumf %b, %zero : tensor<f32>
    %one = arith.divf %b, %q : tensor<f32>
    %c = arith.mulf %one, %q : tensor<f32>
    %d = arith.mulf %c, %b : tensor<f32>
    %y = arith.mulf %d, %a : tensor<f32>
    %s = arith.select %p, %y, %zero : tensor<i1>, tensor<f32>
    mp.yield %s : tensor<f32>
  }
  %n = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %n : tensor<?xf32>
}
