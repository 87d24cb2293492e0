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
func.func @steps(%g: !mp.graph, %h: tensor<?x8xf32>, %n: index, %a: index, %b: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %h) -> (tensor<?x8xf32>) {
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
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %s = scf.for %l = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
      %g = mp.complete %n
      %d = mp.degree %g : !mp.graph<complete> -> tensor<?xf32>
      %c = arith.addf %b, %d : tensor<?xf32>
      scf.yield %c : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
