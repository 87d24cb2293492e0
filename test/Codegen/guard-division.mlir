// Integer division by what may be 0 or -1 gets a divisor that does not trap.

// RUN: clique-opt %s -clique-guard-division | FileCheck %s
// RUN: clique-opt %s -clique-guard-division=floors -canonicalize | FileCheck %s --check-prefix=FLOORS
// RUN: clique-opt %s -clique-guard-division=shifts -canonicalize | FileCheck %s --check-prefix=SHIFTS

// CHECK-LABEL: func @unsigned
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @unsigned(%a: i32, %b: i32) -> i32 {
  // CHECK: %[[IS_ZERO:.*]] = arith.cmpi eq, %[[B]], %c0
  // CHECK: %[[SAFE:.*]] = arith.select %[[IS_ZERO]], %c1{{.*}}, %[[B]] : i32
  // CHECK: %[[Q:.*]] = arith.divui %[[A]], %[[SAFE]] : i32
  // CHECK: %[[R:.*]] = arith.select %[[IS_ZERO]], %c0{{.*}}, %[[Q]] : i32
  // CHECK: return %[[R]]
  %q = arith.divui %a, %b : i32
  return %q : i32
}

// CHECK-LABEL: func @signed
// CHECK-SAME: (%[[A:.*]]: vector<4xi64>, %[[B:.*]]: vector<4xi64>)
func.func @signed(%a: vector<4xi64>, %b: vector<4xi64>) -> vector<4xi64> {
  // CHECK: %[[IS_ZERO:.*]] = arith.cmpi eq, %[[B]], %cst
  // CHECK: %[[ONE:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %[[B]]
  // CHECK: %[[IS_MINUS_ONE:.*]] = arith.cmpi eq, %[[B]], %cst
  // CHECK: %[[SAFE:.*]] = arith.select %[[IS_MINUS_ONE]], %{{.*}}, %[[ONE]]
  // CHECK: %[[Q:.*]] = arith.floordivsi %[[A]], %[[SAFE]]
  // CHECK: %[[ZERO:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %[[Q]]
  // CHECK: %[[MINUS:.*]] = arith.subi %{{.*}}, %[[A]]
  // CHECK: %[[R:.*]] = arith.select %[[IS_MINUS_ONE]], %[[MINUS]], %[[ZERO]]
  // CHECK: return %[[R]]
  %q = arith.floordivsi %a, %b : vector<4xi64>
  return %q : vector<4xi64>
}

// A remainder by 1 is 0 already.
// CHECK-LABEL: func @remainder
func.func @remainder(%a: index, %b: index) -> index {
  // CHECK: %[[SAFE:.*]] = arith.select
  // CHECK-NEXT: %[[R:.*]] = arith.remui %{{.*}}, %[[SAFE]]
  // CHECK-NEXT: return %[[R]]
  %r = arith.remui %a, %b : index
  return %r : index
}

// CHECK-LABEL: func @constants
func.func @constants(%a: i32) -> (i32, i32) {
  // CHECK-NOT: arith.select
  // CHECK: arith.divsi
  // CHECK: arith.select
  // CHECK: arith.remsi
  %three = arith.constant 3 : i32
  %minus = arith.constant -1 : i32
  %q = arith.divsi %a, %three : i32
  %r = arith.remsi %a, %minus : i32
  return %q, %r : i32, i32
}

// A floor division of constants: 0, 0 and 10, before it is folded. Others stay.
// FLOORS-LABEL: func @floors
// FLOORS:         %[[C:.*]] = arith.constant dense<[0, 0, 10]> : tensor<3xi32>
// FLOORS:         %[[Q:.*]] = arith.divsi %arg0, %arg0 : i32
// FLOORS-NEXT:    return %[[C]], %[[Q]]
func.func @floors(%a: i32) -> (tensor<3xi32>, i32) {
  %x = arith.constant dense<[-9, -9, -10]> : tensor<3xi32>
  %y = arith.constant dense<[0, 0, -1]> : tensor<3xi32>
  %z = arith.floordivsi %x, %y : tensor<3xi32>
  %q = arith.divsi %a, %a : i32
  return %z, %q : tensor<3xi32>, i32
}

// A shift by 32 bits or more is 0; the sign stays. Known numbers of bits are as they are, or nothing.
// CHECK-LABEL: func @shifts
// SHIFTS-LABEL: func @shifts
// SHIFTS-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @shifts(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  // SHIFTS: %[[FOUR:.*]] = arith.shli %[[A]], %c4
  // SHIFTS: %[[IN:.*]] = arith.cmpi ult, %[[B]], %c32
  // SHIFTS: %[[AMOUNT:.*]] = arith.select %[[IN]], %[[B]], %c0
  // SHIFTS: %[[SHIFTED:.*]] = arith.shrui %[[A]], %[[AMOUNT]]
  // SHIFTS: %[[R:.*]] = arith.select %[[IN]], %[[SHIFTED]], %c0
  // SHIFTS: %[[LEAST:.*]] = arith.minui %[[B]], %c31
  // SHIFTS: %[[S:.*]] = arith.shrsi %[[A]], %[[LEAST]]
  // SHIFTS: return %[[FOUR]], %c0{{.*}}, %[[R]], %[[S]]
  // CHECK: arith.shrui %{{.*}}, %{{.*}} : i32
  // CHECK-NOT: arith.select
  // CHECK: return
  %c4 = arith.constant 4 : i32
  %c40 = arith.constant 40 : i32
  %p = arith.shli %a, %c4 : i32
  %q = arith.shli %a, %c40 : i32
  %r = arith.shrui %a, %b : i32
  %s = arith.shrsi %a, %b : i32
  return %p, %q, %r, %s : i32, i32, i32, i32
}
