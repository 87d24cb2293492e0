// Custom monoids whose parts mix: a softmax as a stream, products of complex numbers, the moments
// of Chan, Golub and LeVeque, and one whose combine has a weight.

// A score of -inf takes its edge out.
func.func @softmax(%g: !mp.graph, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s, %m = mp.message %g dst(%qi = %q : tensor<?x4xf32>) src(%kj = %k : tensor<?x4xf32>, %vj = %v : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %d = mp.dot %qi, %kj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %two = arith.constant dense<2> : tensor<i32>
    %ij = arith.addi %i, %j : tensor<i32>
    %r = arith.remsi %ij, %two : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %is = arith.cmpi eq, %r, %zero : tensor<i32>
    %none = arith.constant dense<0xFF800000> : tensor<f32>
    %score = arith.select %is, %d, %none : tensor<i1>, tensor<f32>
    mp.yield %score, %vj : tensor<f32>, tensor<4xf32>
  }
  %o = mp.aggregate %g custom %s, %m : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
    identity { %low = arith.constant dense<0xFF800000> : tensor<f32>
               %z = arith.constant dense<0.0> : tensor<f32>
               %zv = arith.constant dense<0.0> : tensor<4xf32>
               mp.yield %low, %z, %zv : tensor<f32>, tensor<f32>, tensor<4xf32> }
    lift { ^bb0(%a: tensor<f32>, %x: tensor<4xf32>):
           %one = arith.constant dense<1.0> : tensor<f32>
           mp.yield %a, %one, %x : tensor<f32>, tensor<f32>, tensor<4xf32> }
    combine { ^bb0(%a: tensor<f32>, %s1: tensor<f32>, %x: tensor<4xf32>, %b: tensor<f32>, %s2: tensor<f32>, %y: tensor<4xf32>):
              %low = arith.constant dense<0xFF800000> : tensor<f32>
              %z = arith.constant dense<0.0> : tensor<f32>
              %top = arith.maximumf %a, %b : tensor<f32>
              %da = arith.subf %a, %top : tensor<f32>
              %db = arith.subf %b, %top : tensor<f32>
              %fa = math.exp %da : tensor<f32>
              %fb = math.exp %db : tensor<f32>
              %noa = arith.cmpf oeq, %a, %low : tensor<f32>
              %nob = arith.cmpf oeq, %b, %low : tensor<f32>
              %ea = arith.select %noa, %z, %fa : tensor<i1>, tensor<f32>
              %eb = arith.select %nob, %z, %fb : tensor<i1>, tensor<f32>
              %t1 = arith.mulf %s1, %ea : tensor<f32>
              %t2 = arith.mulf %s2, %eb : tensor<f32>
              %t = arith.addf %t1, %t2 : tensor<f32>
              %eav = mp.broadcast %ea : tensor<f32> to tensor<4xf32>
              %ebv = mp.broadcast %eb : tensor<f32> to tensor<4xf32>
              %x1 = arith.mulf %x, %eav : tensor<4xf32>
              %y1 = arith.mulf %y, %ebv : tensor<4xf32>
              %r = arith.addf %x1, %y1 : tensor<4xf32>
              mp.yield %top, %t, %r : tensor<f32>, tensor<f32>, tensor<4xf32> }
    finalise { ^bb0(%a: tensor<f32>, %t: tensor<f32>, %x: tensor<4xf32>):
               %z = arith.constant dense<0.0> : tensor<f32>
               %one = arith.constant dense<1.0> : tensor<f32>
               %no = arith.cmpf oeq, %t, %z : tensor<f32>
               %d = arith.select %no, %one, %t : tensor<i1>, tensor<f32>
               %dv = mp.broadcast %d : tensor<f32> to tensor<4xf32>
               %r = arith.divf %x, %dv : tensor<4xf32>
               mp.yield %r : tensor<4xf32> }
  return %o : tensor<?x4xf32>
}
// a + b + w a b; its lift has a weight too.
func.func @weighted(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<f32>, %w: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%we = %e : !mp.edges<f32>) -> !mp.edges<4xf32> {
    %b = mp.broadcast %we : tensor<f32> to tensor<4xf32>
    %r = arith.mulf %b, %hj : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  %s = mp.aggregate %g custom %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    identity { %zero = arith.constant dense<0.0> : tensor<4xf32>
               mp.yield %zero : tensor<4xf32> }
    lift { ^bb0(%a: tensor<4xf32>): 
           %x = arith.mulf %a, %u : tensor<4xf32>
           %t = math.tanh %x : tensor<4xf32>
           mp.yield %t : tensor<4xf32> }
    combine { ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
              %ab = arith.mulf %a, %b : tensor<4xf32>
              %wab = arith.mulf %w, %ab : tensor<4xf32>
              %s0 = arith.addf %a, %b : tensor<4xf32>
              %r = arith.addf %s0, %wab : tensor<4xf32>
              mp.yield %r : tensor<4xf32> }
    finalise { ^bb0(%a: tensor<4xf32>): 
              %x = math.tanh %a : tensor<4xf32>
              mp.yield %x : tensor<4xf32> }
  return %s : tensor<?x4xf32>
}

// A product of complex numbers, and the same backwards with a number of edges beside it.
func.func @rotation(%g: !mp.graph, %h: tensor<?x2xf32>, %e: !mp.edges<2xf32>)
    -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %m = mp.message %g dst(%hi = %h : tensor<?x2xf32>) src(%hj = %h : tensor<?x2xf32>)
      edge(%w = %e : !mp.edges<2xf32>) -> !mp.edges<2xf32> {
    %d = arith.subf %hj, %hi : tensor<2xf32>
    %r = arith.mulf %d, %w : tensor<2xf32>
    mp.yield %r : tensor<2xf32>
  }
  %p:2 = mp.aggregate %g custom %m : (!mp.edges<2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    identity { %one = arith.constant dense<1.0> : tensor<2xf32>
               %zero = arith.constant dense<0.0> : tensor<2xf32>
               %none = arith.constant dense<0> : tensor<i32>
               mp.yield %one, %zero, %none : tensor<2xf32>, tensor<2xf32>, tensor<i32> }
    lift { ^bb0(%x: tensor<2xf32>):
           %one = arith.constant dense<1> : tensor<i32>
           %c = math.cos %x : tensor<2xf32>
           %s = math.sin %x : tensor<2xf32>
           mp.yield %c, %s, %one : tensor<2xf32>, tensor<2xf32>, tensor<i32> }
    combine { ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: tensor<i32>,
                   %c: tensor<2xf32>, %d: tensor<2xf32>, %k: tensor<i32>):
              %ac = arith.mulf %a, %c : tensor<2xf32>
              %bd = arith.mulf %b, %d : tensor<2xf32>
              %ad = arith.mulf %a, %d : tensor<2xf32>
              %bc = arith.mulf %b, %c : tensor<2xf32>
              %re = arith.subf %ac, %bd : tensor<2xf32>
              %im = arith.addf %ad, %bc : tensor<2xf32>
              %nk = arith.addi %n, %k : tensor<i32>
              mp.yield %re, %im, %nk : tensor<2xf32>, tensor<2xf32>, tensor<i32> }
    finalise { ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: tensor<i32>):
               %f = arith.sitofp %n : tensor<i32> to tensor<f32>
               %fs = mp.broadcast %f : tensor<f32> to tensor<2xf32>
               %r = arith.mulf %fs, %a : tensor<2xf32>
               mp.yield %r, %b : tensor<2xf32>, tensor<2xf32> }
  return %p#0, %p#1 : tensor<?x2xf32>, tensor<?x2xf32>
}

// Mean and squared deviations of the neighbours.
func.func @moments(%g: !mp.graph, %h: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x3xf32>) -> !mp.edges<3xf32> {
    mp.yield %hj : tensor<3xf32>
  }
  %o = mp.aggregate %g custom %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
    identity { %none = arith.constant dense<0.0> : tensor<f32>
               %zero = arith.constant dense<0.0> : tensor<3xf32>
               mp.yield %none, %zero, %zero : tensor<f32>, tensor<3xf32>, tensor<3xf32> }
    lift { ^bb0(%x: tensor<3xf32>):
           %one = arith.constant dense<1.0> : tensor<f32>
           %zero = arith.constant dense<0.0> : tensor<3xf32>
           mp.yield %one, %x, %zero : tensor<f32>, tensor<3xf32>, tensor<3xf32> }
    combine { ^bb0(%n: tensor<f32>, %x: tensor<3xf32>, %s: tensor<3xf32>,
                   %k: tensor<f32>, %y: tensor<3xf32>, %t: tensor<3xf32>):
              %one = arith.constant dense<1.0> : tensor<f32>
              %nk = arith.addf %n, %k : tensor<f32>
              %least = arith.maximumf %nk, %one : tensor<f32>
              %part = arith.divf %k, %least : tensor<f32>
              %parts = mp.broadcast %part : tensor<f32> to tensor<3xf32>
              %ns = mp.broadcast %n : tensor<f32> to tensor<3xf32>
              %d = arith.subf %y, %x : tensor<3xf32>
              %step = arith.mulf %d, %parts : tensor<3xf32>
              %mean = arith.addf %x, %step : tensor<3xf32>
              %dd = arith.mulf %d, %step : tensor<3xf32>
              %cross = arith.mulf %dd, %ns : tensor<3xf32>
              %both = arith.addf %s, %t : tensor<3xf32>
              %sum = arith.addf %both, %cross : tensor<3xf32>
              mp.yield %nk, %mean, %sum : tensor<f32>, tensor<3xf32>, tensor<3xf32> }
    finalise { ^bb0(%n: tensor<f32>, %x: tensor<3xf32>, %s: tensor<3xf32>):
               %r = arith.mulf %x, %s : tensor<3xf32>
               mp.yield %r : tensor<3xf32> }
  return %o : tensor<?x3xf32>
}

// Affine maps x -> a x + b of each edge, in the order of the edges: no monoid of the spec is, which
// commute. The values before each edge, and the scan back over them.
func.func @affine(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<f32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32>) {
  %a, %b = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      edge(%w = %e : !mp.edges<f32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %s = mp.sigmoid %hj : tensor<4xf32>
    %ws = mp.broadcast %w : tensor<f32> to tensor<4xf32>
    %v = arith.addf %hi, %ws : tensor<4xf32>
    mp.yield %s, %v : tensor<4xf32>, tensor<4xf32>
  }
  %last, %before = mp.scan %g from(%x = %h : tensor<?x4xf32>)
      edge(%ae = %a : !mp.edges<4xf32>, %be = %b : !mp.edges<4xf32>)
      -> tensor<?x4xf32>, !mp.edges<4xf32> {
    %ax = arith.mulf %ae, %x : tensor<4xf32>
    %next = arith.addf %ax, %be : tensor<4xf32>
    mp.yield %next, %x : tensor<4xf32>, tensor<4xf32>
  }
  %first, %behind = mp.scan %g reversed from(%x = %last : tensor<?x4xf32>)
      edge(%ae = %a : !mp.edges<4xf32>, %be = %before : !mp.edges<4xf32>)
      -> tensor<?x4xf32>, !mp.edges<4xf32> {
    %ax = arith.mulf %ae, %x : tensor<4xf32>
    %next = arith.addf %ax, %be : tensor<4xf32>
    %t = math.tanh %next : tensor<4xf32>
    mp.yield %next, %t : tensor<4xf32>, tensor<4xf32>
  }
  return %last, %first, %behind : tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32>
}

// In each step of a loop.
func.func @loop(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %h) -> (tensor<?xf32>) {
    %m = mp.message %g src(%hj = %x : tensor<?xf32>) edge(%w = %e : !mp.edges<f32>) -> !mp.edges<f32> {
      %p = arith.mulf %hj, %w : tensor<f32>
      mp.yield %p : tensor<f32>
    }
    %s = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
      identity { %zero = arith.constant dense<0.0> : tensor<f32>
                 mp.yield %zero : tensor<f32> }
      lift { ^bb0(%a: tensor<f32>):
             %t = math.tanh %a : tensor<f32>
             mp.yield %t : tensor<f32> }
      combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                %ab = arith.mulf %a, %b : tensor<f32>
                %s0 = arith.addf %a, %b : tensor<f32>
                %r = arith.addf %s0, %ab : tensor<f32>
                mp.yield %r : tensor<f32> }
      finalise { ^bb0(%a: tensor<f32>):
                 %t = math.tanh %a : tensor<f32>
                 mp.yield %t : tensor<f32> }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Of edges that no message computes, and of a weight that lift alone reads.
func.func @edges(%g: !mp.graph, %e: !mp.edges<f32>, %k: !mp.edges<i32>, %w: tensor<f32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %s = mp.aggregate %g custom %e : (!mp.edges<f32>) -> tensor<?xf32>
      identity { %zero = arith.constant dense<0.0> : tensor<f32>
                 mp.yield %zero : tensor<f32> }
      lift { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
      combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                %ab = arith.mulf %a, %b : tensor<f32>
                %s0 = arith.addf %a, %b : tensor<f32>
                %r = arith.addf %s0, %ab : tensor<f32>
                mp.yield %r : tensor<f32> }
      finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  %t = mp.aggregate %g custom %k : (!mp.edges<i32>) -> tensor<?xf32>
    identity { %least = arith.constant dense<-64.0> : tensor<f32>
               mp.yield %least : tensor<f32> }
    lift { ^bb0(%a: tensor<i32>): mp.yield %w : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %r = arith.maximumf %a, %b : tensor<f32>
              mp.yield %r : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}
