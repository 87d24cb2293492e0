// What a step of a loop makes is copied to where the step before had it; an insertion into it is
// there already. Large tensors, and those of the host, are not copied.
// RUN: clique-opt %s --clique-copy-carried | FileCheck %s

// CHECK-LABEL: func.func private @state
// CHECK:         scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (tensor<12x8xf32>, tensor<8xf32>)
// CHECK:           %[[NEXT:.*]] = scf.for {{.*}} -> (tensor<12x8xf32>)
// CHECK:           %[[COPY:.*]] = linalg.copy ins(%[[NEXT]] : tensor<12x8xf32>) outs(%[[STATE]] : tensor<12x8xf32>)
// CHECK:           scf.yield %[[COPY]], %{{.*}} : tensor<12x8xf32>, tensor<8xf32>
func.func private @state(%x: tensor<12x8xf32>, %sum: tensor<8xf32>, %n: index) -> (tensor<12x8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x, %all = %sum) -> (tensor<12x8xf32>, tensor<8xf32>) {
    %empty = tensor.empty() : tensor<12x8xf32>
    %next = scf.for %i = %c0 to %c12 step %c1 iter_args(%rows = %empty) -> (tensor<12x8xf32>) {
      %row = tensor.extract_slice %state[%i, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<8xf32>
      %made = linalg.exp ins(%row : tensor<8xf32>) outs(%row : tensor<8xf32>) -> tensor<8xf32>
      %with = tensor.insert_slice %made into %rows[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<12x8xf32>
      scf.yield %with : tensor<12x8xf32>
    }
    %first = tensor.extract_slice %next[0, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<8xf32>
    %more = linalg.add ins(%all, %first : tensor<8xf32>, tensor<8xf32>) outs(%all : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %next, %more : tensor<12x8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<12x8xf32>, tensor<8xf32>
}

// What a step reads of the tensor comes before it writes to it.
// CHECK-LABEL: func.func private @parts
// CHECK:         scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}})
// CHECK-DAG:       vector.transfer_read %[[STATE]][%c0]
// CHECK-DAG:       vector.transfer_read %[[STATE]][%c8]
// CHECK:           vector.transfer_write
// CHECK-NOT:       linalg.copy
func.func private @parts(%x: tensor<12xf32>, %n: index) -> tensor<12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<12xf32>) {
    %a = vector.transfer_read %state[%c0], %zero {in_bounds = [true]} : tensor<12xf32>, vector<8xf32>
    %w = vector.transfer_write %a, %state[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<12xf32>
    %b = vector.transfer_read %state[%c8], %zero {in_bounds = [true]} : tensor<12xf32>, vector<4xf32>
    %s = arith.addf %b, %b : vector<4xf32>
    %y = vector.transfer_write %s, %w[%c8] {in_bounds = [true]} : vector<4xf32>, tensor<12xf32>
    scf.yield %y : tensor<12xf32>
  }
  return %r : tensor<12xf32>
}

// CHECK-LABEL: func.func private @large
// CHECK-NOT:     linalg.copy
func.func private @large(%x: tensor<1024x1024xf32>, %n: index) -> tensor<1024x1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<1024x1024xf32>) {
    %empty = tensor.empty() : tensor<1024x1024xf32>
    %next = linalg.exp ins(%state : tensor<1024x1024xf32>) outs(%empty : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    scf.yield %next : tensor<1024x1024xf32>
  }
  return %r : tensor<1024x1024xf32>
}

// CHECK-LABEL: func.func @host
// CHECK-NOT:     linalg.copy
func.func @host(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<8xf32>) {
    %empty = tensor.empty() : tensor<8xf32>
    %next = linalg.exp ins(%state : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
