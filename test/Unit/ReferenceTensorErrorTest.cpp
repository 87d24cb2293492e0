//===- ReferenceTensorErrorTest.cpp - Tensors that the interpreter refuses ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReferenceTestUtil.h"

using namespace clique;
using namespace clique::test;

namespace {
class ReferenceTensorError : public ReferenceTest {};
} // namespace

TEST_F(ReferenceTensorError, ShapesAtRunTime) {
  std::string types = "tensor<?xf32>, tensor<?xf32>";
  std::vector<ReferenceValue> arguments = {vector({1, 2}), vector({1, 2, 3})};
  std::string begin = "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {\n";
  expectError(begin + "%r = arith.addf %a, %b : tensor<?xf32>\nreturn\n}",
              arguments, "operands of shapes 2 and 3: expected one shape");
  expectError(begin + "%r = linalg.add ins(%a, %b : " + types +
                  ") outs(%a : tensor<?xf32>) -> tensor<?xf32>\nreturn\n}",
              arguments, "its loop 0 has extent 2 by one operand and 3 by");
  expectError(begin + "%r = tensor.cast %a : tensor<?xf32> to tensor<3xf32>\n"
                      "return\n}",
              arguments, "'tensor<3xf32>' has shape 2 at run time");
  expectError(
      begin + "%r = tensor.extract_slice %a[1] [2] [1] : tensor<?xf32> to "
              "tensor<2xf32>\nreturn\n}",
      arguments, "takes the elements 1 to 2 of dimension 0, which has 2");
  expectError(begin + "%i = arith.constant 2 : index\n"
                      "%r = tensor.extract %a[%i] : tensor<?xf32>\nreturn\n}",
              arguments, "takes element 2 of a dimension that has 2 elements");
  expectError(begin + "%n = arith.constant 3 : index\n"
                      "%s = tensor.cast %a : tensor<?xf32> to tensor<2xf32>\n"
                      "%r = tensor.generate %n {\n^bb0(%i: index):\n"
                      "%x = tensor.extract %s[%i] : tensor<2xf32>\n"
                      "tensor.yield %x : f32\n} : tensor<?xf32>\nreturn\n}",
              arguments, "takes element 2 of a dimension that has 2 elements");
  expectError(begin +
                  "%i = arith.constant 2 : index\n%x = arith.constant 1.0 : "
                  "f32\n%r = tensor.insert %x into %a[%i] : tensor<?xf32>\n"
                  "return\n}",
              arguments, "writes element 2 of a dimension that has 2 elements");
  std::string columns =
      "%c0 = arith.constant 0 : index\n"
      "%n = tensor.dim %a, %c0 : tensor<?xf32>\n"
      "%m = tensor.dim %b, %c0 : tensor<?xf32>\n"
      "%x = tensor.expand_shape %a [[0, 1]] output_shape [%n, 1] : "
      "tensor<?xf32> into tensor<?x1xf32>\n"
      "%y = tensor.expand_shape %b [[0, 1]] output_shape [%m, 1] : "
      "tensor<?xf32> into tensor<?x1xf32>\n";
  expectError(begin + columns +
                  "%r = mp.dot %x, %y : (tensor<?x1xf32>, tensor<?x1xf32>) -> "
                  "tensor<?xf32>\nreturn\n}",
              arguments,
              "has operands of different shapes: expected one row per node");
  expectError("func.func @f(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) {\n"
              "%r = arith.select %c, %a, %b : tensor<?xf32>\nreturn\n}",
              {scalar(1), arguments[0], arguments[1]},
              "selects between tensors of shapes 2 and 3: expected one shape");
  expectError(begin + "%n = arith.constant 3 : index\n%r = tensor.expand_shape "
                      "%a [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into "
                      "tensor<?x1xf32>\nreturn\n}",
              arguments,
              "makes a tensor of shape 3x1 from one of shape 2: expected as "
              "many elements");
  expectError("func.func @f(%a: tensor<?xf32>, %i: index) {\n"
              "%r = tensor.dim %a, %i : tensor<?xf32>\nreturn\n}",
              {arguments[0], scalar(1)},
              "asks for dimension 1 of a tensor of rank 1: expected a constant "
              "from 0 to the rank - 1");
  expectError("func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) {\n"
              "%r = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, "
              "tensor<?x?xf32>) -> tensor<?x?xf32>\nreturn\n}",
              {tensor({1, 2}, {1, 2}), tensor({1, 3}, {1, 2, 3})},
              "joins tensors along dimension 0 whose other dimensions differ: "
              "1x2 and 1x3");
  expectError(begin + "%n = arith.constant 1 : index\n%r = tensor.insert_slice "
                      "%a into %b[0] [%n] [1] : tensor<?xf32> into "
                      "tensor<?xf32>\nreturn\n}",
              arguments, "inserts a tensor of shape 2 into a slice of shape 1");
  expectError("func.func @f(%a: tensor<?xf32>, %b: tensor<?x2xf32>) {\n"
              "%k = arith.constant dense<1> : tensor<1xi32>\n"
              "%r = tensor.scatter %a into %b[%k] scatter_dims([1]) unique : "
              "(tensor<?xf32>, tensor<?x2xf32>, tensor<1xi32>) -> "
              "tensor<?x2xf32>\nreturn\n}",
              {tensor({3}, {1, 2, 3}), tensor({1, 2}, {1, 2})},
              "writes a tensor of shape 3 as a slice of shape 1");
  expectError(begin +
                  "%e = tensor.empty() : tensor<3xf32>\n"
                  "%r = linalg.conv_1d ins(%a, %b : " +
                  types +
                  ") outs(%e : tensor<3xf32>) -> tensor<3xf32>\n"
                  "return\n}",
              arguments,
              "operand #0 of shape 2 does not fit the other operands: its "
              "dimension 0 is read up to 4");
}

TEST_F(ReferenceTensorError, RegionsOfTensorOps) {
  auto generate = [](const std::string &body) {
    return "func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>, %n: index) {\n"
           "%c0 = arith.constant 0 : index\n"
           "%r = tensor.generate %n {\n^bb0(%i: index):\n" +
           body + "\ntensor.yield %x : f32\n} : tensor<?xf32>\nreturn\n}";
  };
  std::vector<ReferenceValue> arguments = {vector({1}), vector({1, 2, 3, 4}),
                                           scalar(2)};
  expectError(generate("%x = tensor.extract %a[%i] : tensor<?xf32>"), arguments,
              "takes element 1 of a dimension that has 1 elements");
  expectError(generate("%e = tensor.empty(%n) : tensor<?xf32>\n"
                       "%x = tensor.extract %e[%c0] : tensor<?xf32>"),
              arguments,
              "has a tensor of dynamic shape inside a region, which is not "
              "supported by the reference interpreter");
  expectError(generate("%s = tensor.extract_slice %b[%i] [1] [1] : "
                       "tensor<4xf32> to tensor<1xf32>\n"
                       "%x = tensor.extract %s[%c0] : tensor<1xf32>"),
              arguments,
              "has sizes or offsets that are computed inside a region, which "
              "is not supported by the reference interpreter: use constants");
  expectError("func.func @f(%a: tensor<4xf32>, %o: tensor<8xf32>) {\n"
              "%r = linalg.generic {indexing_maps = [affine_map<(d) -> (d "
              "floordiv 2)>, affine_map<(d) -> (d)>], iterator_types = "
              "[\"parallel\"]} ins(%a : tensor<4xf32>) outs(%o : "
              "tensor<8xf32>) {\n^bb0(%x: f32, %y: f32):\nlinalg.yield %x : "
              "f32\n} -> tensor<8xf32>\nreturn\n}",
              {vector({1, 2, 3, 4}), vector({1, 2, 3, 4, 5, 6, 7, 8})},
              "has an indexing map with a division, which is not supported by "
              "the reference interpreter");
}
