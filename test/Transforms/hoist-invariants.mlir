// mp-hoist-invariants: what leaves a loop, and what does not.

// RUN: clique-opt %s -mp-hoist-invariants | FileCheck %s

// An update of what the loop does not change, behind its check; nothing that
// depends on a step, and no message.
// CHECK-LABEL: func @steps
// CHECK:      mp.check {{.*}} "of the update"
// CHECK-NEXT: %[[W:.*]] = mp.update
// CHECK:      scf.for
// CHECK-NOT:  mp.update
// CHECK:      mp.message
// CHECK:      mp.aggregate
// CHECK:      mp.check {{.*}} "of the step"
// CHECK:      mp.update ({{.*}} = %[[W]] : tensor<?x8xf32>
func.func @steps(%g: !mp.graph, %h: tensor<?x8xf32>, %a: index, %b: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %h) -> (tensor<?x8xf32>) {
    mp.check %a in %b to %b, "of the update"
    %w = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %e = math.exp %hi : tensor<8xf32>
      mp.yield %e : tensor<8xf32>
    }
    %e = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %s = mp.aggregate %g sum %e : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.check %k in %a to %b, "of the step"
    %y = mp.update (%wi = %w : tensor<?x8xf32>, %xi = %x : tensor<?x8xf32>, %si = %s : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %u = arith.addf %wi, %xi : tensor<8xf32>
      %v = arith.addf %u, %si : tensor<8xf32>
      mp.yield %v : tensor<8xf32>
    }
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Out of two loops at once.
// CHECK-LABEL: func @nested
// CHECK:      mp.complete
// CHECK-NEXT: mp.degree
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.addf
func.func @nested(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %s = scf.for %l = %c0 to %c4 step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
      %g = mp.complete %n
      %d = mp.degree %g : !mp.graph<complete> -> tensor<?xf32>
      %c = arith.addf %b, %d : tensor<?xf32>
      scf.yield %c : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Of a loop that may take no step: what no input makes an error of, and no more.
// CHECK-LABEL: func @maybe_none
// CHECK:      %[[D:.*]] = mp.degree
// CHECK-NEXT: %[[R:.*]] = mp.update ({{.*}} = %[[D]] : tensor<?xf32>)
// CHECK:      mp.yield
// CHECK-NOT:  mp.
// CHECK-NOT:  tensor.extract
// CHECK:      scf.for
// CHECK-NEXT: mp.check {{.*}} "of the position"
// CHECK-NEXT: tensor.extract
// CHECK-NEXT: tensor.splat
// CHECK-NEXT: arith.mulf {{.*}}, %[[R]]
// CHECK-NEXT: mp.complete
func.func @maybe_none(%g: !mp.graph, %x: tensor<?xf32>, %t: tensor<?xf32>, %n: index, %a: index, %b: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
    mp.check %a in %c0 to %b, "of the position"
    %e = tensor.extract %t[%a] : tensor<?xf32>
    %d = mp.degree %g -> tensor<?xf32>
    %q = mp.update (%di = %d : tensor<?xf32>) -> tensor<?xf32> {
      %u = math.sqrt %di : tensor<f32>
      mp.yield %u : tensor<f32>
    }
    %m = tensor.splat %e[%b] : tensor<?xf32>
    %s = arith.mulf %m, %q : tensor<?xf32>
    %all = mp.complete %n
    %deg = mp.degree %all : !mp.graph<complete> -> tensor<?xf32>
    %z = arith.addf %s, %deg : tensor<?xf32>
    %w = arith.addf %y, %z : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// The condition of a loop is computed at least once, a step maybe never.
// CHECK-LABEL: func @condition
// CHECK:      mp.check {{.*}} "of the condition"
// CHECK-NEXT: tensor.extract
// CHECK-NEXT: scf.while
// CHECK:      do
// CHECK:      mp.check {{.*}} "of the step"
// CHECK-NEXT: tensor.extract
func.func @condition(%t: tensor<?xf32>, %a: index, %b: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.while (%y = %x) : (f32) -> f32 {
    mp.check %a in %c0 to %b, "of the condition"
    %e = tensor.extract %t[%a] : tensor<?xf32>
    %goes = arith.cmpf olt, %y, %e : f32
    scf.condition(%goes) %y : f32
  } do {
  ^bb0(%y: f32):
    mp.check %b in %c0 to %a, "of the step"
    %e = tensor.extract %t[%b] : tensor<?xf32>
    %z = arith.addf %y, %e : f32
    scf.yield %z : f32
  }
  return %r : f32
}
