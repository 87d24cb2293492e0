// What cannot be checked is refused.
// RUN: clique-opt %s --split-input-file --mp-check-sizes --verify-diagnostics

func.func @condition(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %d = tensor.generate %n {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %first -> f32 {
      scf.yield %zero : f32
    } else {
      // expected-error @below {{reads under a condition, at a position that is not checked there: read at a position that is always inside, and select afterwards}}
      %s = tensor.extract %a[%i] : tensor<?xf32>
      scf.yield %s : f32
    }
    tensor.yield %r : f32
  } : tensor<?xf32>
  return %d : tensor<?xf32>
}

// -----

func.func @chained(%a: tensor<?xi64>, %out: tensor<i64>, %k: tensor<?xi64>) -> tensor<i64> {
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%k : tensor<?xi64>) outs(%out : tensor<i64>) {
    ^bb0(%x: i64, %y: i64):
      %i = arith.index_cast %y : i64 to index
      // expected-error @below {{reads at a position that depends on what 'linalg.generic' computes, which is not checked: compute it before}}
      %s = tensor.extract %a[%i] : tensor<?xi64>
      linalg.yield %s : i64
    } -> tensor<i64>
  return %d : tensor<i64>
}
