// Structured ops whose bodies use numbers from outside, of which several bodies use one, and such
// that have results without a gradient: what has none needs no rule.
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.random.default_rng(1).standard_normal((5, 4), 'f'))"
// DEFINE: %{run} = clique-run --O1 %s --input=x=%t.npy --gradients --verify
// RUN: %{run} --entry=centred | FileCheck %s
// RUN: %{run} --entry=scaled | FileCheck %s
// RUN: %{run} --entry=compared | FileCheck %s
// RUN: %{run} --entry=both | FileCheck %s
// RUN: clique-run --O1 %s --entry=multiple --graph=complete:5 --gradients --verify | FileCheck %s
// CHECK: verify {{.*}}max error {{.*}}: ok
// RUN: clique-opt %s --mp-differentiate=functions=half | FileCheck %s --check-prefix=HALF
// HALF-LABEL: func.func @half_backward(
// HALF:         arith.extf %{{.*}} : bf16 to f32

#row = affine_map<(j) -> (j)>
func.func @centred(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %inv = arith.divf %one, %nf : f32
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x4xf32>) outs(%zeros : tensor<4xf32>) dimensions = [0]
  %mean = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%s : tensor<4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.mulf %v, %inv : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %c = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %d = arith.subf %xi, %mean : tensor<4xf32>
    mp.yield %d : tensor<4xf32>
  }
  %sq = arith.mulf %c, %c : tensor<?x4xf32>
  %q = linalg.reduce { arith.addf } ins(%sq : tensor<?x4xf32>) outs(%zeros : tensor<4xf32>) dimensions = [0]
  %var = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%q : tensor<4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.mulf %v, %inv : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  return %c, %var : tensor<?x4xf32>, tensor<4xf32>
}

#all = affine_map<(i, j) -> (i, j)>
func.func @scaled(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %ni = arith.index_cast %n : index to i64
  %c = arith.sitofp %ni : i64 to f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.mulf %v, %c : f32
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = math.sin %v : f32
    %p = arith.mulf %s, %c : f32
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// The largest number is only compared.
func.func @compared(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %low = arith.constant dense<0.0> : tensor<f32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x4xf32>) outs(%low : tensor<f32>) dimensions = [0, 1]
  %o = mp.update (%xi = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %half = arith.constant dense<0.5> : tensor<f32>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %t = arith.mulf %m, %half : tensor<f32>
    %ts = mp.broadcast %t : tensor<f32> to tensor<4xf32>
    %c = arith.cmpf oge, %xi, %ts : tensor<4xf32>
    %s = arith.select %c, %xi, %zeros : tensor<4xi1>, tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// A sum and a maximum, which is an integer then.
#sum = affine_map<(i, j) -> (j)>
func.func @both(%x: tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %low = arith.constant dense<-3.0e38> : tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #sum, #sum], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%zero, %low : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%v: f32, %a: f32, %b: f32):
    %s = math.sin %v : f32
    %n = arith.addf %a, %s : f32
    %m = arith.maximumf %b, %v : f32
    linalg.yield %n, %m : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %k = arith.fptosi %r#1 : tensor<4xf32> to tensor<4xi32>
  return %r#0, %k : tensor<4xf32>, tensor<4xi32>
}

func.func @half(%x: tensor<?x4xbf16>, %k: i32) -> tensor<?x4xbf16> {
  %c0 = arith.constant 0 : index
  %t = arith.sitofp %k : i32 to bf16
  %n = tensor.dim %x, %c0 : tensor<?x4xbf16>
  %e = tensor.empty(%n) : tensor<?x4xbf16>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xbf16>) outs(%e : tensor<?x4xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %p = arith.mulf %v, %t : bf16
    linalg.yield %p : bf16
  } -> tensor<?x4xbf16>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x4xbf16>) outs(%e : tensor<?x4xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %s = math.sin %v : bf16
    %p = arith.mulf %s, %t : bf16
    linalg.yield %p : bf16
  } -> tensor<?x4xbf16>
  return %z : tensor<?x4xbf16>
}

// The cotangent of the sum is wide, and read for each row.
#column = affine_map<(i, j) -> (j)>
func.func @multiple(%g: !mp.graph, %x: tensor<?x64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %m = mp.message %g dst(%xi = %x : tensor<?x64xf32>) src(%xj = %x : tensor<?x64xf32>) -> !mp.edges<64xf32> {
    %p = arith.mulf %xi, %xj : tensor<64xf32>
    mp.yield %p : tensor<64xf32>
  }
  %t = mp.to_tensor %m : !mp.edges<64xf32> -> tensor<?x64xf32>
  %n = tensor.dim %t, %c0 : tensor<?x64xf32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%t : tensor<?x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%v: f32, %a: f32):
    %f = math.sin %v : f32
    %r = arith.addf %a, %f : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%s : tensor<64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %d = arith.mulf %v, %nf : f32
    linalg.yield %d : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}
