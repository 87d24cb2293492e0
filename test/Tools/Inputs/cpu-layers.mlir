// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What processors do in different ways, or not at all, in rows of 40 numbers:
// more than whole vectors.

// A monoid of bf16.
func.func @monoid(%g: !mp.graph, %h: tensor<?x40xbf16>) -> tensor<?x40xbf16> {
  %m = mp.message %g src(%hj = %h : tensor<?x40xbf16>) -> !mp.edges<40xbf16> {
    %t = math.tanh %hj : tensor<40xbf16>
    mp.yield %t : tensor<40xbf16>
  }
  %o = mp.aggregate %g custom %m : (!mp.edges<40xbf16>) -> tensor<?x40xbf16>
    identity {
      %z = arith.constant dense<-1.0> : tensor<40xbf16>
      mp.yield %z : tensor<40xbf16>
    }
    lift {
    ^bb0(%x: tensor<40xbf16>):
      mp.yield %x : tensor<40xbf16>
    }
    combine {
    ^bb0(%a: tensor<40xbf16>, %b: tensor<40xbf16>):
      %c = arith.maximumf %a, %b : tensor<40xbf16>
      mp.yield %c : tensor<40xbf16>
    }
    finalise {
    ^bb0(%a: tensor<40xbf16>):
      %t = math.tanh %a : tensor<40xbf16>
      %s = arith.addf %a, %t : tensor<40xbf16>
      mp.yield %s : tensor<40xbf16>
    }
  return %o : tensor<?x40xbf16>
}

// f16 and bf16 from and to each other, f64 and integers.
func.func @convert(%g: !mp.graph, %h: tensor<?x40xf16>, %d: tensor<?x40xf64>)
    -> (tensor<?x40xbf16>, tensor<?x40xf16>) {
  %m, %n = mp.message %g src(%hj = %h : tensor<?x40xf16>) dst(%di = %d : tensor<?x40xf64>)
      -> !mp.edges<40xbf16>, !mp.edges<40xf16> {
    %i = arith.fptosi %hj : tensor<40xf16> to tensor<40xi32>
    %f = arith.sitofp %i : tensor<40xi32> to tensor<40xf16>
    %r = arith.subf %hj, %f : tensor<40xf16>
    %t = arith.truncf %di : tensor<40xf64> to tensor<40xf16>
    %w = arith.extf %r : tensor<40xf16> to tensor<40xf32>
    %b = arith.truncf %w : tensor<40xf32> to tensor<40xbf16>
    %u = arith.mulf %t, %r : tensor<40xf16>
    mp.yield %b, %u : tensor<40xbf16>, tensor<40xf16>
  }
  %o = mp.aggregate %g max %m : (!mp.edges<40xbf16>) -> tensor<?x40xbf16>
  %p = mp.aggregate %g sum %n : (!mp.edges<40xf16>) -> tensor<?x40xf16>
  return %o, %p : tensor<?x40xbf16>, tensor<?x40xf16>
}

// Powers, whose exponents are known or not.
func.func @powers(%g: !mp.graph, %h: tensor<?x40xf32>, %k: tensor<?x40xi32>)
    -> (tensor<?x40xf32>, tensor<?x40xf64>) {
  %m, %n = mp.message %g src(%x = %h : tensor<?x40xf32>, %e = %k : tensor<?x40xi32>)
      -> !mp.edges<40xf32>, !mp.edges<40xf64> {
    %c = arith.constant dense<3> : tensor<40xi32>
    %p = math.fpowi %x, %c : tensor<40xf32>, tensor<40xi32>
    %q = math.fpowi %x, %e : tensor<40xf32>, tensor<40xi32>
    %s = arith.addf %p, %q : tensor<40xf32>
    %w = arith.extf %x : tensor<40xf32> to tensor<40xf64>
    %r = math.fpowi %w, %e : tensor<40xf64>, tensor<40xi32>
    mp.yield %s, %r : tensor<40xf32>, tensor<40xf64>
  }
  %o = mp.aggregate %g max %m : (!mp.edges<40xf32>) -> tensor<?x40xf32>
  %p = mp.aggregate %g max %n : (!mp.edges<40xf64>) -> tensor<?x40xf64>
  return %o, %p : tensor<?x40xf32>, tensor<?x40xf64>
}
