# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes and positions that only a run knows. Each layer runs twice, compiled for the
CPU and for the emulated device, and some just in time: with numbers that fit, checked
against the reference interpreter, and with numbers that do not, which is one error with
its place in the spec and nothing written."""
# RUN: %python %s %S/Inputs | FileCheck %s
# RUN: %python %s %S/Inputs jit | FileCheck %s
# RUN: %if emulation %{ %python %s %S/Inputs emulated | FileCheck %s %}
# CHECK: sizes: {{[0-9]+}} layers

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy

MODE = sys.argv[2] if len(sys.argv) > 2 else "library"


@dataclasses.dataclass
class Case:
    name: str
    text: str  # of the function, without its name
    good: dict  # inputs: shapes of random features, or arrays and scalars
    bad: dict  # what differs from the good ones
    error: str  # a regular expression
    jit: bool = False  # also just in time
    cuda: bool = True
    reference: bool = True  # the reference interpreter knows its ops


def ints(values, dtype=numpy.int64):
    return numpy.array(values, dtype)


N4 = "tensor<?x4xf32>"
CONVOLUTION = """(%a: tensor<?xf32>, %k: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>)
      -> tensor<?xf32>
  return %d : tensor<?xf32>
}"""

CASES = [
    Case("add", f"(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = arith.addf %a, %b : {N4}\n  return %c : {N4}\n}}",
         {"a": (34, 4), "b": (34, 4)}, {"b": (4, 4)},
         r"'arith.addf': dimension 0 of operand #1 must be that of operand #0: "
         "given 4, expected 34", jit=True),
    Case("fma", f"(%a: {N4}, %b: {N4}, %c: {N4}) -> {N4} {{\n"
         f"  %d = math.fma %a, %b, %c : {N4}\n  return %d : {N4}\n}}",
         {"a": (5, 4), "b": (5, 4), "c": (5, 4)}, {"c": (3, 4)},
         r"'math.fma': dimension 0 of operand #2 must be that of operand #0: given 3, expected 5"),
    Case("columns", """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = arith.mulf %a, %b : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}""", {"a": (3, 5), "b": (3, 5)}, {"b": (3, 6)},
         r"'arith.mulf': dimension 1 of operand #1 must be that of operand #0: given 6, expected 5"),
    Case("compare", f"(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = arith.cmpf olt, %a, %b : {N4}\n"
         f"  %d = arith.select %c, %a, %b : tensor<?x4xi1>, {N4}\n  return %d : {N4}\n}}",
         {"a": (9, 4), "b": (9, 4)}, {"a": (8, 4)}, r"'arith.cmpf': dimension 0 of operand #1"),
    Case("readout", f"(%o: tensor<?xi64>, %h: {N4}) -> {N4} {{\n"
         f"  %r = mp.readout %o sum %h : (tensor<?xi64>, {N4}) -> {N4}\n"
         f"  %c = arith.addf %r, %h : {N4}\n  return %c : {N4}\n}}",
         {"o": ints([0, 2, 2, 3]), "h": (3, 4)}, {"o": ints([0, 2, 3])},
         r"'arith.addf': dimension 0 of operand #1 must be that of operand #0: given 3, expected 2",
         jit=True),
    Case("matmul", """(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x4xf32>) outs(%c : tensor<?x4xf32>)
      -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}""", {"a": (3, 7), "b": (7, 4), "c": (3, 4)}, {"b": (6, 4)},
         r"'linalg.matmul': dimension 0 of operand #1 must be dimension 1 of operand #0: "
         "given 6, expected 7"),
    Case("reduce", """(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
    (%x: f32, %y: f32) {
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
  return %d : tensor<?xf32>
}""", {"a": (3, 7), "c": (7,)}, {"c": (8,)},
         r"'linalg.reduce': dimension 0 of operand #1 must be dimension 1 of operand #0: "
         "given 8, expected 7"),
    Case("generic", """(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
  return %d : tensor<?xf32>
}""", {"a": (30,), "b": (30,)}, {"a": (31,)}, r"'linalg.generic': dimension 0 of operand #1"),
    Case("convolution", CONVOLUTION, {"a": (12,), "k": (3,), "c": (10,)}, {"c": (11,)},
         r"'linalg.conv_1d': last position along dimension 0 of operand #0: "
         "given 12, expected 0 to 11"),
    Case("convolution_of_nothing", CONVOLUTION, {"a": (2,), "k": (3,), "c": (0,)}, {"c": (1,)},
         r"'linalg.conv_1d': last position along dimension 0 of operand #0: "
         "given 2, expected 0 to 1"),
    Case("convolution_by_nothing", CONVOLUTION, {"a": (0,), "k": (0,), "c": (3,)}, {"k": (1,)},
         r"'linalg.conv_1d': first position along dimension 0 of operand #0: given 0, expected none"),
    Case("concat", f"(%a: {N4}, %b: {N4}) -> tensor<?x8xf32> {{\n"
         f"  %c = tensor.concat dim(1) %a, %b : ({N4}, {N4}) -> tensor<?x8xf32>\n"
         "  return %c : tensor<?x8xf32>\n}",
         {"a": (6, 4), "b": (6, 4)}, {"b": (5, 4)},
         r"'tensor.concat': dimension 0 of operand #1 must be that of operand #0: given 5, expected 6"),
    Case("long_slice", f"(%a: {N4}) -> tensor<40x4xf32> {{\n"
         f"  %c = tensor.extract_slice %a[0, 0] [40, 4] [1, 1] : {N4} to tensor<40x4xf32>\n"
         "  return %c : tensor<40x4xf32>\n}", {"a": (41, 4)}, {"a": (39, 4)},
         r"'tensor.extract_slice': size of the part along dimension 0: given 40, expected 0 to 39"),
    Case("slice", f"(%a: {N4}, %o: index, %n: index) -> {N4} {{\n"
         f"  %c = tensor.extract_slice %a[%o, 0] [%n, 4] [2, 1] : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "o": 1, "n": 4}, {"n": 5},
         r"'tensor.extract_slice': last position along dimension 0: given 9, expected 0 to 8"),
    # The number of the last position, in 64 bits, is one that there is.
    Case("wrapped_slice", f"(%a: {N4}, %k: index, %n: index) -> {N4} {{\n"
         f"  %c = tensor.extract_slice %a[0, 0] [%n, 4] [%k, 1] : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "k": 2, "n": 4}, {"k": 6148914691236517206},
         r"'tensor.extract_slice': last position along dimension 0: given 12, expected 0 to 8"),
    Case("wrapped_insert", f"(%a: {N4}, %b: {N4}, %k: index, %n: index) -> {N4} {{\n"
         f"  %c = tensor.insert_slice %b into %a[0, 0] [%n, 4] [%k, 1] : {N4} into {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "b": (4, 4), "k": 2, "n": 4},
         {"k": 6148914691236517206},
         r"'tensor.insert_slice': last position along dimension 0: given 12, expected 0 to 8"),
    Case("one_far_row", f"(%a: {N4}, %k: index, %n: index) -> {N4} {{\n"
         f"  %c = tensor.extract_slice %a[8, 0] [%n, 4] [%k, 1] : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "k": 1 << 62, "n": 1}, {"n": 2},
         r"'tensor.extract_slice': last position along dimension 0: given 18, expected 0 to 8"),
    Case("large_new", "(%n: index, %m: index) -> tensor<?x?xf32> {\n"
         "  %z = arith.constant 1.0 : f32\n"
         "  %c = tensor.splat %z[%n, %m] : tensor<?x?xf32>\n"
         "  return %c : tensor<?x?xf32>\n}", {"n": 3, "m": 4}, {"n": 1 << 32, "m": (1 << 30) + 1},
         r"'tensor.splat': dynamic size #1: given 1073741825, expected 0 to 256"),
    Case("large_pad", f"(%a: {N4}, %k: index) -> {N4} {{\n"
         "  %z = arith.constant 1.0 : f32\n"
         "  %c = tensor.pad %a low[%k, 0] high[0, 0] {\n  ^bb0(%i: index, %j: index):\n"
         f"    tensor.yield %z : f32\n  }} : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "k": 2}, {"k": 1 << 62},
         r"'tensor.pad': low padding of dimension 0: given 4611686018427387904, "
         "expected 0 to 274877906944"),
    Case("empty_slice", f"(%a: {N4}, %o: index, %n: index) -> {N4} {{\n"
         f"  %c = tensor.extract_slice %a[%o, 0] [%n, 4] [1, 1] : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "o": 9, "n": 0}, {"o": -1, "n": 2},
         r"'tensor.extract_slice': first position along dimension 0: given -1, expected 0 to 8"),
    Case("negative_slice", f"(%a: {N4}, %n: index) -> {N4} {{\n"
         f"  %c = tensor.extract_slice %a[0, 0] [%n, 4] [1, 1] : {N4} to {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (9, 4), "n": 9}, {"n": -9},
         r"'tensor.extract_slice': size of the part along dimension 0: given -9, expected 0 or more"),
    Case("insert", f"(%a: {N4}, %b: {N4}, %n: index) -> {N4} {{\n"
         f"  %t = math.exp %a : {N4}\n"  # computed where it is inserted
         f"  %c = tensor.insert_slice %t into %b[1, 0] [%n, 4] [1, 1] : {N4} into {N4}\n"
         f"  return %c : {N4}\n}}", {"a": (3, 4), "b": (9, 4), "n": 3}, {"a": (40, 4)},
         r"'tensor.insert_slice': dimension 0 of the source must be that of the part: "
         "given 40, expected 3"),
    Case("scatter", """(%a: tensor<?x4xf32>, %b: tensor<?x7x4xf32>, %k: tensor<1xi32>,
    %i: tensor<1xi1>, %n: tensor<1xindex>) -> tensor<?x7x4xf32> {
  %t = arith.negf %a : tensor<?x4xf32>
  %c = tensor.scatter %a into %b[%k] scatter_dims([1]) unique
      : (tensor<?x4xf32>, tensor<?x7x4xf32>, tensor<1xi32>) -> tensor<?x7x4xf32>
  %d = tensor.scatter %t into %c[%i] scatter_dims([1]) unique
      : (tensor<?x4xf32>, tensor<?x7x4xf32>, tensor<1xi1>) -> tensor<?x7x4xf32>
  %node = arith.constant dense<1.5> : tensor<7x4xf32>
  %e = tensor.scatter %node into %d[%n] scatter_dims([0]) unique
      : (tensor<7x4xf32>, tensor<?x7x4xf32>, tensor<1xindex>) -> tensor<?x7x4xf32>
  return %e : tensor<?x7x4xf32>
}""", {"a": (5, 4), "b": (5, 7, 4), "k": ints([9], numpy.int32), "i": numpy.array([True]),
       "n": ints([-3])}, {"a": (6, 4)},
         r"'tensor.scatter': dimension 0 of the source must be dimension 0 of the destination: "
         "given 6, expected 5"),
    Case("scatter_nothing", f"(%b: {N4}, %k: tensor<1xi32>) -> {N4} {{\n"
         "  %a = arith.constant dense<1.0> : tensor<4xf32>\n"
         "  %c = tensor.scatter %a into %b[%k] scatter_dims([0]) unique "
         f": (tensor<4xf32>, {N4}, tensor<1xi32>) -> {N4}\n  return %c : {N4}\n}}",
         {"b": (1, 4), "k": ints([0], numpy.int32)}, {"b": (0, 4)},
         r"'tensor.scatter': size of dimension 0 of the destination: given 0, expected 1 or more",
         reference=False),
    Case("expand", """(%a: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
  %c = tensor.expand_shape %a [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %c : tensor<?x3xf32>
}""", {"a": (12,), "n": 4}, {"n": 5},
         r"'tensor.expand_shape': dimension 0 must be the product .*: given 12, expected 15"),
    Case("cast", f"(%a: {N4}) -> tensor<7x4xf32> {{\n"
         f"  %c = tensor.cast %a : {N4} to tensor<7x4xf32>\n"
         "  return %c : tensor<7x4xf32>\n}", {"a": (7, 4)}, {"a": (6, 4)},
         r"'tensor.cast': dimension 0 must be what the result's type says: given 6, expected 7"),
    Case("wrapped_expand", """(%a: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %c = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}""", {"a": (12,), "n": 3}, {"n": (1 << 62) + 3},
         r"'tensor.expand_shape': dimension 0 must be the product .*: given 12, expected 52"),
    Case("static_pad", """(%a: tensor<?xf32>) -> tensor<20xf32> {
  %z = arith.constant 1.0 : f32
  %c = tensor.pad %a low[0] high[8] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<20xf32>
  return %c : tensor<20xf32>
}""", {"a": (12,)}, {"a": (13,)},
         r"'tensor.pad': dimension 0 must be what the result's type says: given 21, expected 20"),
    Case("static_concat", """(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<20xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<20xf32>
  return %c : tensor<20xf32>
}""", {"a": (12,), "b": (8,)}, {"b": (9,)},
         r"'tensor.concat': dimension 0 must be what the result's type says: given 21, expected 20"),
    Case("extract", f"(%a: {N4}, %i: index) -> f32 {{\n"
         f"  %c1 = arith.constant 1 : index\n"
         f"  %c = tensor.extract %a[%i, %c1] : {N4}\n  return %c : f32\n}}",
         {"a": (6, 4), "i": 5}, {"i": 6},
         r"'tensor.extract': position along dimension 0: given 6, expected 0 to 5", jit=True),
    Case("extract_before", f"(%a: {N4}, %i: index) -> f32 {{\n"
         f"  %c = tensor.extract %a[%i, %i] : {N4}\n  return %c : f32\n}}",
         {"a": (6, 4), "i": 3}, {"i": -1},
         r"'tensor.extract': position along dimension 0: given -1, expected 0 to 5"),
    Case("extract_of_nothing", f"(%a: {N4}, %i: index) -> f32 {{\n"
         f"  %c = tensor.extract %a[%i, %i] : {N4}\n  return %c : f32\n}}",
         {"a": (1, 4), "i": 0}, {"a": (0, 4)},
         r"'tensor.extract': position along dimension 0: given 0, expected none"),
    Case("sized", """(%n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %c = tensor.splat %one[%n] : tensor<?xf32>
  return %c : tensor<?xf32>
}""", {"n": 3}, {"n": -3}, r"'tensor.splat': dynamic size #0: given -3, expected 0 to 1099511627776"),
    Case("numbers", """(%n: index) -> tensor<?xi32> {
  %c = mp.node_numbers %n : tensor<?xi32>
  return %c : tensor<?xi32>
}""", {"n": 3}, {"n": -3}, r"'mp.node_numbers': number of nodes: given -3, expected 0 to 2147483647"),
    Case("parts", """(%o: tensor<?xi64>, %n: index) -> tensor<?xi32> {
  %c = mp.part_numbers %o to %n : tensor<?xi64> -> tensor<?xi32>
  return %c : tensor<?xi32>
}""", {"o": ints([0, 2]), "n": 2}, {"o": ints([])},
         r"'mp.part_numbers': entries of the offsets: given 0, expected 1 or more"),
    Case("part_nodes", """(%o: tensor<?xi64>, %n: index) -> tensor<?xi32> {
  %c = mp.part_numbers %o to %n : tensor<?xi64> -> tensor<?xi32>
  return %c : tensor<?xi32>
}""", {"o": ints([0, 2]), "n": 2}, {"n": -3},
         r"'mp.part_numbers': number of nodes: given -3, expected 0 to 2147483647"),
    Case("gather", """(%a: tensor<?xf32>, %k: tensor<?xi64>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%k : tensor<?xi64>) outs(%out : tensor<?xf32>) {
    ^bb0(%x: i64, %y: f32):
      %i = arith.index_cast %x : i64 to index
      %s = tensor.extract %a[%i] : tensor<?xf32>
      linalg.yield %s : f32
    } -> tensor<?xf32>
  return %d : tensor<?xf32>
}""", {"a": (6,), "k": ints([0, 5, 3]), "out": (3,)}, {"k": ints([0, 6, 3])},
         r"'linalg.generic': position along dimension 0 of what its tensor.extract reads: "
         "given 6, expected 0 to 5", cuda=False, reference=False),
    Case("gather_before", """(%a: tensor<?xf32>, %k: tensor<?xi64>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%k : tensor<?xi64>) outs(%out : tensor<?xf32>) {
    ^bb0(%x: i64, %y: f32):
      %i = arith.index_cast %x : i64 to index
      %s = tensor.extract %a[%i] : tensor<?xf32>
      linalg.yield %s : f32
    } -> tensor<?xf32>
  return %d : tensor<?xf32>
}""", {"a": (0,), "k": ints([]), "out": (0,)},
         {"a": (6,), "k": ints([2, -2, 5, 9]), "out": (4,)},
         r"what its tensor.extract reads: given -2, expected 0 to 5", cuda=False, reference=False),
    Case("shifted", """(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.generate %n {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    %s = tensor.extract %a[%j] : tensor<?xf32>
    tensor.yield %s : f32
  } : tensor<?xf32>
  return %d : tensor<?xf32>
}""", {"a": (6,), "n": 5}, {"n": 6},
         r"'tensor.generate': position along dimension 0 of what its tensor.extract reads: "
         "given 6, expected 0 to 5", cuda=False, reference=False),
    Case("update", f"(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = mp.update (%x = %a : {N4}, %y = %b : {N4}) -> {N4} {{\n"
         "    %z = arith.mulf %x, %y : tensor<4xf32>\n    mp.yield %z : tensor<4xf32>\n  }\n"
         f"  return %c : {N4}\n}}", {"a": (34, 4), "b": (34, 4)}, {"a": (33, 4)},
         r"'mp.update': dimension 0 of operand #1 must be that of operand #0: given 34, expected 33",
         jit=True),
    Case("sources", f"(%n: index, %h: {N4}, %x: {N4}) -> {N4} {{\n"
         "  %g = mp.complete %n\n"
         f"  %y = arith.addf %h, %x : {N4}\n"
         f"  %m = mp.message %g : !mp.graph<complete> dst(%i = %h : {N4}) src(%j = %y : {N4}) "
         "-> !mp.edges<4xf32> {\n"
         "    %d = arith.subf %i, %j : tensor<4xf32>\n    mp.yield %d : tensor<4xf32>\n  }\n"
         f"  %s = mp.aggregate %g : !mp.graph<complete> max %m : (!mp.edges<4xf32>) -> {N4}\n"
         f"  return %s : {N4}\n}}", {"n": 5, "h": (5, 4), "x": (5, 4)}, {"n": 6},
         r"'mp.message': dst operand #0 needs a row for each destination of its graph: "
         "given 5, expected 6"),
    Case("edges", """(%p: tensor<?xi64>, %k: tensor<?xi32>, %n: index, %e: !mp.edges<2xf32>) -> tensor<?x2xf32> {
  %g = mp.csr %p, %k, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph
  %s = mp.aggregate %g sum %e : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %s : tensor<?x2xf32>
}""", {"p": ints([0, 1, 3]), "k": ints([1, 0, 1], numpy.int32), "n": 2, "e": (3, 2)},
         {"e": (2, 2)},
         r"'mp.aggregate': edge feature #0 needs a row for each edge of the graph: "
         "given 2, expected 3"),
    Case("constructed", """(%p: tensor<?xi64>, %k: tensor<?xi32>, %n: index) -> tensor<?xf32> {
  %g = mp.csr %p, %k, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph
  %s = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %s : tensor<?xf32>
}""", {"p": ints([0, 1, 3]), "k": ints([1, 0, 1], numpy.int32), "n": 2}, {"p": ints([0, 1, 2])},
         r"mp.csr: indptr ends with 2, but there are 3 indices"),
    Case("called", f"(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = call @product(%a, %b) : ({N4}, {N4}) -> {N4}\n  return %c : {N4}\n}}\n"
         f"func.func private @product(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = arith.mulf %a, %b : {N4}\n  return %c : {N4}\n}}",
         {"a": (34, 4), "b": (34, 4)}, {"a": (33, 4)},
         r"'arith.mulf': dimension 0 of operand #1 must be that of operand #0: given 34, expected 33"),
    Case("unused", f"(%a: {N4}, %b: {N4}) -> {N4} {{\n"
         f"  %c = arith.mulf %a, %b : {N4}\n  return %a : {N4}\n}}",
         {"a": (34, 4), "b": (34, 4)}, {"a": (33, 4)}, r"'arith.mulf': dimension 0 of operand #1"),
]


def write_inputs(case, values, folder):
    random = numpy.random.default_rng(1)
    for name, value in values.items():
        if isinstance(value, int):
            yield f"--input={name}={value}"
            continue
        if isinstance(value, tuple):
            value = random.standard_normal(value).astype(numpy.float32)
        path = folder / f"{case.name}_{name}.npy"
        numpy.save(path, value)
        yield f"--input={name}={path}"


def execute(command):
    done = subprocess.run([str(word) for word in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def attempt(case, layer, spec, folder):
    """The failure's text, or None."""
    start = ["clique-run", layer, f"--entry={case.name}"]
    if layer != spec:
        start += [f"--spec={spec}"]
    if MODE == "emulated":
        start += ["--emulate"]
    folder = folder / case.name
    folder.mkdir()
    good = list(write_inputs(case, case.good, folder))
    verify = ["--verify"] if case.reference else []
    status, text = execute(start + good + verify)
    if status != 0:
        return f"{case.name}: exit status {status} with numbers that fit:\n{text}"
    bad = list(write_inputs(case, {**case.good, **case.bad}, folder))
    out = folder / "out.npy"
    for options in ([], verify):
        status, text = execute(start + bad + options + [f"--output={out}"])
        place = rf"error: {case.name}: \S*layers.mlir:\d+:\d+: .*"
        if status != 1 or not re.search(place + case.error, text):
            return f"{case.name}: exit status {status}, expected {case.error}:\n{text}"
        if out.exists():
            return f"{case.name}: wrote a result\n{text}"
    return None


def main():
    cases = [case for case in CASES
             if (MODE != "jit" or case.jit) and (MODE != "emulated" or case.cuda)]
    if len(sys.argv) > 3:
        cases = [case for case in cases if case.name in sys.argv[3:]]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        spec, library = folder / "layers.mlir", folder / "layers.so"
        spec.write_text("\n".join(f"func.func @{case.name}{case.text}" for case in cases))
        target = ["--target=cuda", "--gpu-arch=emulated"] if MODE == "emulated" else []
        if MODE != "jit":
            status, text = execute(["clique-compile", spec, *target, "-o", library])
            if status != 0:
                sys.exit(text)
        layer = spec if MODE == "jit" else library
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = [text for text in pool.map(
                lambda case: attempt(case, layer, spec, folder), cases) if text]
    if failures:
        sys.exit("\n".join(failures) + f"\n{len(failures)} of {len(cases)} layers failed")
    print(f"sizes: {len(cases)} layers")


main()
