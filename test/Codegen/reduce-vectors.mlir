// Rows are summed by halves, all of them at once.
// RUN: clique-opt %s --clique-reduce-vectors --split-input-file | FileCheck %s

// CHECK-LABEL: @sum
// CHECK-SAME:    %[[X:.*]]: vector<2x4xf32>, %[[ACC:.*]]: vector<2xf32>
// CHECK:         %[[FLAT:.*]] = vector.shape_cast %[[X]] : vector<2x4xf32> to vector<8xf32>
// CHECK:         %[[LOW:.*]] = vector.shuffle %[[FLAT]], %[[FLAT]] [0, 1, 4, 5]
// CHECK:         %[[HIGH:.*]] = vector.shuffle %[[FLAT]], %[[FLAT]] [2, 3, 6, 7]
// CHECK:         %[[HALF:.*]] = arith.addf %[[LOW]], %[[HIGH]] : vector<4xf32>
// CHECK:         %[[EVEN:.*]] = vector.shuffle %[[HALF]], %[[HALF]] [0, 2]
// CHECK:         %[[ODD:.*]] = vector.shuffle %[[HALF]], %[[HALF]] [1, 3]
// CHECK:         %[[SUM:.*]] = arith.addf %[[EVEN]], %[[ODD]] : vector<2xf32>
// CHECK:         arith.addf %[[SUM]], %[[ACC]] : vector<2xf32>
func.func @sum(%x: vector<2x4xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %s = vector.multi_reduction <add>, %x, %acc [1] : vector<2x4xf32> to vector<2xf32>
  return %s : vector<2xf32>
}

// CHECK-LABEL: @heads
// CHECK:         arith.maximumf {{.*}} : vector<6xf32>
// CHECK:         vector.shape_cast {{.*}} : vector<6xf32> to vector<2x3xf32>
func.func @heads(%x: vector<2x3x2xf32>, %acc: vector<2x3xf32>) -> vector<2x3xf32> {
  %s = vector.multi_reduction <maximumf>, %x, %acc [2] : vector<2x3x2xf32> to vector<2x3xf32>
  return %s : vector<2x3xf32>
}

// LLVM would take the lanes of one vector one after the other.
// CHECK-LABEL: @largest
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[ACC:.*]]: f32
// CHECK:         %[[LOW:.*]] = vector.shuffle %[[X]], %[[X]] [0, 1]
// CHECK:         %[[HIGH:.*]] = vector.shuffle %[[X]], %[[X]] [2, 3]
// CHECK:         arith.maxnumf %[[LOW]], %[[HIGH]] : vector<2xf32>
// CHECK:         %[[LAST:.*]] = arith.maxnumf {{.*}} : vector<1xf32>
// CHECK:         %[[OLD:.*]] = vector.broadcast %[[ACC]] : f32 to vector<1xf32>
// CHECK:         %[[ALL:.*]] = arith.maxnumf %[[LAST]], %[[OLD]] : vector<1xf32>
// CHECK:         vector.extract %[[ALL]][0] : f32 from vector<1xf32>
func.func @largest(%x: vector<4xf32>, %acc: f32) -> f32 {
  %s = vector.multi_reduction <maxnumf>, %x, %acc [0] : vector<4xf32> to f32
  return %s : f32
}

// A maximum that passes over NaN takes its start first, if that is a number: what follows has no NaN to look for.
// CHECK-LABEL: @known_start
// CHECK-SAME:    %[[X:.*]]: vector<2x4xf32>
// CHECK:         %[[START:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK:         %[[LOW:.*]] = vector.shuffle %{{.*}} [0, 1, 4, 5]
// CHECK:         %[[HIGH:.*]] = vector.shuffle %{{.*}} [2, 3, 6, 7]
// CHECK:         %[[NUMBERS:.*]] = arith.maxnumf %[[LOW]], %[[START]] : vector<4xf32>
// CHECK:         arith.maxnumf %[[NUMBERS]], %[[HIGH]] : vector<4xf32>
// CHECK:         %[[ALL:.*]] = arith.maxnumf {{.*}} fastmath<nnan> : vector<2xf32>
// CHECK-NEXT:    return %[[ALL]]
func.func @known_start(%x: vector<2x4xf32>) -> vector<2xf32> {
  %lowest = arith.constant dense<0xFF800000> : vector<2xf32>
  %s = vector.multi_reduction <maxnumf>, %x, %lowest [1] : vector<2x4xf32> to vector<2xf32>
  return %s : vector<2xf32>
}

// A start that is NaN stays the last, and so does one that NaN passes through.
// CHECK-LABEL: @no_number
// CHECK-NOT:     nnan
func.func @no_number(%x: vector<2x4xf32>, %y: vector<4xf32>) -> (vector<2xf32>, f32) {
  %nan = arith.constant dense<0x7FC00000> : vector<2xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %s = vector.multi_reduction <minnumf>, %x, %nan [1] : vector<2x4xf32> to vector<2xf32>
  %t = vector.multi_reduction <maximumf>, %y, %lowest [0] : vector<4xf32> to f32
  return %s, %t : vector<2xf32>, f32
}

// Rows are added up one after the other: nothing is transposed.
// CHECK-LABEL: @rows
// CHECK-SAME:    %[[X:.*]]: vector<2x3xf32>, %[[ACC:.*]]: vector<3xf32>
// CHECK:         %[[FIRST:.*]] = vector.extract %[[X]][0] : vector<3xf32> from vector<2x3xf32>
// CHECK:         %[[SUM:.*]] = arith.addf %[[ACC]], %[[FIRST]] : vector<3xf32>
// CHECK:         %[[SECOND:.*]] = vector.extract %[[X]][1] : vector<3xf32> from vector<2x3xf32>
// CHECK:         %[[ALL:.*]] = arith.addf %[[SUM]], %[[SECOND]] : vector<3xf32>
// CHECK-NEXT:    return %[[ALL]]
func.func @rows(%x: vector<2x3xf32>, %acc: vector<3xf32>) -> vector<3xf32> {
  %s = vector.multi_reduction <add>, %x, %acc [0] : vector<2x3xf32> to vector<3xf32>
  return %s : vector<3xf32>
}

// What has no halves, or is the sum of one row, or is reduced along a dimension in between, stays.
// CHECK-LABEL: @others
// CHECK-COUNT-3: vector.multi_reduction
func.func @others(%x: vector<4x3xf32>, %y: vector<8xf32>, %z: vector<2x4x3xf32>,
                  %acc4: vector<4xf32>, %acc: f32, %acc2: vector<2x3xf32>)
    -> (vector<4xf32>, f32, vector<2x3xf32>) {
  %a = vector.multi_reduction <add>, %x, %acc4 [1] : vector<4x3xf32> to vector<4xf32>
  %b = vector.multi_reduction <add>, %y, %acc [0] : vector<8xf32> to f32
  %c = vector.multi_reduction <add>, %z, %acc2 [1] : vector<2x4x3xf32> to vector<2x3xf32>
  return %a, %b, %c : vector<4xf32>, f32, vector<2x3xf32>
}

// -----

// Rows of two registers: their halves, then two rows in one register, the last one twice.
module attributes {mp.target = #mp.cpu<vector_bits = 128, registers = 16>} {
// CHECK-LABEL: @registers
// CHECK-SAME:    %[[X:.*]]: vector<3x8xf32>, %[[ACC:.*]]: vector<3xf32>
// CHECK:         %[[LOW:.*]] = vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [4], strides = [1]}
// CHECK:         %[[HIGH:.*]] = vector.extract_strided_slice {{.*}} {offsets = [4], sizes = [4], strides = [1]}
// CHECK:         %[[A:.*]] = arith.addf %[[LOW]], %[[HIGH]] : vector<4xf32>
// CHECK:         %[[B:.*]] = arith.addf {{.*}} : vector<4xf32>
// CHECK:         %[[C:.*]] = arith.addf {{.*}} : vector<4xf32>
// CHECK:         %[[L:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 4, 5]
// CHECK:         %[[H:.*]] = vector.shuffle %[[A]], %[[B]] [2, 3, 6, 7]
// CHECK:         %[[AB:.*]] = arith.addf %[[L]], %[[H]] : vector<4xf32>
// CHECK:         vector.shuffle %[[C]], %[[C]] [0, 1, 4, 5]
// CHECK:         %[[CC:.*]] = arith.addf {{.*}} : vector<4xf32>
// CHECK:         vector.shuffle %[[AB]], %[[CC]] [0, 2, 4, 6]
// CHECK:         %[[ALL:.*]] = arith.addf {{.*}} : vector<4xf32>
// CHECK:         %[[ROWS:.*]] = vector.extract_strided_slice %[[ALL]] {offsets = [0], sizes = [3], strides = [1]}
// CHECK:         arith.addf %[[ROWS]], %[[ACC]] : vector<3xf32>
func.func @registers(%x: vector<3x8xf32>, %acc: vector<3xf32>) -> vector<3xf32> {
  %s = vector.multi_reduction <add>, %x, %acc [1] : vector<3x8xf32> to vector<3xf32>
  return %s : vector<3xf32>
}

// More rows than a register has elements: the results of two registers side by side.
// CHECK-LABEL: @many
// CHECK-COUNT-5: arith.minnumf {{.*}} : vector<4xf32>
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK:         vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [5], strides = [1]}
// CHECK:         arith.minnumf {{.*}} : vector<5xf32>
func.func @many(%x: vector<5x4xf32>, %acc: vector<5xf32>) -> vector<5xf32> {
  %s = vector.multi_reduction <minnumf>, %x, %acc [1] : vector<5x4xf32> to vector<5xf32>
  return %s : vector<5xf32>
}

// Registers hold two indices.
// CHECK-LABEL: @positions
// CHECK-COUNT-2: arith.maxsi {{.*}} : vector<2xindex>
func.func @positions(%x: vector<2x2xindex>, %acc: vector<2xindex>) -> vector<2xindex> {
  %s = vector.multi_reduction <maxsi>, %x, %acc [1] : vector<2x2xindex> to vector<2xindex>
  return %s : vector<2xindex>
}
}
