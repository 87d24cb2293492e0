// One function in a message, a monoid and an update; @written is the same without.
func.func private @mlp(%x: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<8xf32> {
  %y = mp.linear %x, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  %z = call @squash(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func private @squash(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.tanh %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @called(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %d = arith.subf %hi, %hj : tensor<8xf32>
    %e = func.call @squash(%d) : (tensor<8xf32>) -> tensor<8xf32>
    %v = func.call @mlp(%e, %w) : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %v : tensor<8xf32>
  }
  %s = mp.aggregate %g custom %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    identity {
      %z = arith.constant dense<0.0> : tensor<8xf32>
      mp.yield %z : tensor<8xf32>
    }
    lift {
    ^bb0(%x: tensor<8xf32>):
      mp.yield %x : tensor<8xf32>
    }
    combine {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %c = arith.addf %a, %b : tensor<8xf32>
      mp.yield %c : tensor<8xf32>
    }
    finalise {
    ^bb0(%a: tensor<8xf32>):
      %r = func.call @squash(%a) : (tensor<8xf32>) -> tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
  %o = mp.update (%x = %s : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %v = func.call @mlp(%x, %w) : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    mp.yield %v : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}
func.func @written(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    %d = arith.subf %hi, %hj : tensor<8xf32>
    %e = math.tanh %d : tensor<8xf32>
    %v = mp.linear %e, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %t = math.tanh %v : tensor<8xf32>
    mp.yield %t : tensor<8xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  %o = mp.update (%x = %s : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %r = math.tanh %x : tensor<8xf32>
    %v = mp.linear %r, %w : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %t = math.tanh %v : tensor<8xf32>
    mp.yield %t : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}
