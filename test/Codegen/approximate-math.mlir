// f32 becomes a polynomial, f64 keeps the library.
// RUN: clique-opt %s --clique-approximate-math | FileCheck %s

// CHECK-LABEL: @f32
// CHECK-NOT:     math.exp
// CHECK:         math.fma
func.func @f32(%x: vector<16xf32>) -> vector<16xf32> {
  %e = math.exp %x : vector<16xf32>
  return %e : vector<16xf32>
}

// A weight of a softmax, exact up to a factor, is a power of two of lower degree, without the second part of ln 2.
// CHECK-LABEL: @weight
// CHECK:         %[[D:.*]] = arith.subf
// CHECK-COUNT-7: math.fma
// CHECK-NOT:     math.fma
// CHECK:         arith.shli
func.func @weight(%s: vector<16xf32>, %m: vector<16xf32>) -> vector<16xf32> {
  %d = arith.subf %s, %m fastmath<reassoc,contract> : vector<16xf32>
  %e = math.exp %d : vector<16xf32>
  return %e : vector<16xf32>
}

// CHECK-LABEL: @of_difference
// CHECK-COUNT-9: math.fma
func.func @of_difference(%s: vector<16xf32>, %m: vector<16xf32>) -> vector<16xf32> {
  %d = arith.subf %s, %m : vector<16xf32>
  %e = math.exp %d : vector<16xf32>
  return %e : vector<16xf32>
}

// log(1 + x): what 1 + x has lost is added to its mantissa.
// CHECK-LABEL: @log1p
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>
// CHECK-NOT:     math.log
// CHECK-NOT:     arith.divf
// CHECK:         %[[U:.*]] = arith.addf %[[X]], %[[ONE:.*]] : vector<16xf32>
// CHECK:         %[[BACK:.*]] = arith.subf %[[U]], %[[ONE]]
// CHECK:         %[[LOST:.*]] = arith.subf %[[X]], %[[BACK]]
// CHECK:         math.fma %[[LOST]],
// CHECK-COUNT-11: math.fma
// CHECK:         math.copysign %{{.*}}, %[[X]]
func.func @log1p(%x: vector<16xf32>) -> vector<16xf32> {
  %l = math.log1p %x : vector<16xf32>
  return %l : vector<16xf32>
}

// The reduction of sine and cosine is in f64.
// CHECK-LABEL: @sine
// CHECK-NOT:     math.sin
// CHECK:         math.roundeven %{{.*}} : vector<8xf64>
// CHECK:         math.floor
// CHECK:         arith.select
func.func @sine(%x: vector<8xf32>) -> vector<8xf32> {
  %s = math.sin %x : vector<8xf32>
  return %s : vector<8xf32>
}

// One division, whichever of three intervals a number is in.
// CHECK-LABEL: @arc
// CHECK-NOT:     math.atan
// CHECK-COUNT-1: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         math.copysign
func.func @arc(%x: vector<8xf32>) -> vector<8xf32> {
  %a = math.atan %x : vector<8xf32>
  return %a : vector<8xf32>
}

// CHECK-LABEL: @f64
// CHECK:         math.exp
func.func @f64(%x: vector<8xf64>) -> vector<8xf64> {
  %e = math.exp %x : vector<8xf64>
  return %e : vector<8xf64>
}

// CHECK-LABEL: @both
// CHECK-SAME:      %[[X:.*]]: vector<2x2xf64>
// CHECK:         %[[S:.*]] = math.sin %[[X]]
// CHECK:         %[[C:.*]] = math.cos %[[X]]
// CHECK:         return %[[S]], %[[C]]
func.func @both(%x: vector<2x2xf64>) -> (vector<2x2xf64>, vector<2x2xf64>) {
  %s, %c = math.sincos %x : vector<2x2xf64>
  return %s, %c : vector<2x2xf64>, vector<2x2xf64>
}

// CHECK-LABEL: @clampf
// CHECK-SAME:    (%[[X:.*]]: vector<8xf64>, %[[LEAST:.*]]: vector<8xf64>, %[[MOST:.*]]: vector<8xf64>)
// CHECK:         %[[RAISED:.*]] = arith.maximumf %[[X]], %[[LEAST]]
// CHECK:         arith.minimumf %[[RAISED]], %[[MOST]]
func.func @clampf(%x: vector<8xf64>, %least: vector<8xf64>, %most: vector<8xf64>) -> vector<8xf64> {
  %c = math.clampf %x to [%least, %most] : vector<8xf64>
  return %c : vector<8xf64>
}

// CHECK-LABEL: @isinf
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000>
// CHECK-DAG:     %[[SIZE:.*]] = math.absf
// CHECK:         arith.cmpf oeq, %[[SIZE]], %[[INF]]
func.func @isinf(%x: vector<8xf32>) -> vector<8xi1> {
  %c = math.isinf %x : vector<8xf32>
  return %c : vector<8xi1>
}

// CHECK-LABEL: @isnormal
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000>
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant dense<1.17549435E-38>
// CHECK-DAG:     %[[SIZE:.*]] = math.absf
// CHECK-DAG:     %[[LARGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LEAST]]
// CHECK-DAG:     %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]], %[[INF]]
// CHECK:         arith.andi %[[LARGE]], %[[FINITE]]
func.func @isnormal(%x: vector<8xf32>) -> vector<8xi1> {
  %c = math.isnormal %x : vector<8xf32>
  return %c : vector<8xi1>
}

// Upstream makes LLVM's intrinsics of these of vectors, not of vectors of vectors.
// CHECK-LABEL: @counts
// CHECK-SAME:    (%[[X:.*]]: vector<2x3xi64>)
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0> : vector<2x3xi64>
// CHECK:         %[[NEGATED:.*]] = arith.subi %[[ZERO]], %[[X]]
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[X]], %[[NEGATED]]
// CHECK:         %[[FLAT:.*]] = vector.shape_cast %[[SIZE]] : vector<2x3xi64> to vector<6xi64>
// CHECK:         %[[LEADING:.*]] = math.ctlz %[[FLAT]] : vector<6xi64>
// CHECK:         %[[TRAILING:.*]] = math.cttz %[[LEADING]] : vector<6xi64>
// CHECK:         vector.shape_cast %[[TRAILING]] : vector<6xi64> to vector<2x3xi64>
func.func @counts(%x: vector<2x3xi64>) -> vector<2x3xi64> {
  %a = math.absi %x : vector<2x3xi64>
  %l = math.ctlz %a : vector<2x3xi64>
  %t = math.cttz %l : vector<2x3xi64>
  return %t : vector<2x3xi64>
}

// CHECK-LABEL: @of_rows
// CHECK:         math.isnan %{{.*}} : vector<6xf32>
// CHECK:         math.isfinite %{{.*}} : vector<6xf32>
func.func @of_rows(%x: vector<2x3xf32>) -> (vector<2x3xi1>, vector<2x3xi1>) {
  %c = math.isnan %x : vector<2x3xf32>
  %d = math.isfinite %x : vector<2x3xf32>
  return %c, %d : vector<2x3xi1>, vector<2x3xi1>
}

// 1 / x^3. What has no -n is exp(n log x), by other passes.
// CHECK-LABEL: @reciprocal
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : vector<4xf64>
// CHECK-DAG:     %[[THREE:.*]] = arith.constant dense<3> : vector<4xi32>
// CHECK:         %[[POWER:.*]] = math.fpowi %{{.*}}, %[[THREE]] : vector<4xf64>, vector<4xi32>
// CHECK:         arith.divf %[[ONE]], %[[POWER]]
// CHECK:         math.powf
func.func @reciprocal(%x: vector<4xf64>) -> (vector<4xf64>, vector<4xf64>) {
  %n = arith.constant dense<-3> : vector<4xi32>
  %p = math.fpowi %x, %n : vector<4xf64>, vector<4xi32>
  %least = arith.constant dense<-128> : vector<4xi8>
  %q = math.fpowi %x, %least : vector<4xf64>, vector<4xi8>
  return %p, %q : vector<4xf64>, vector<4xf64>
}
