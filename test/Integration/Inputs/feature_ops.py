# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every feature op, as the text of a region: each makes a tensor<6xf32> %r from %a and %b
of that type, with %w, %u and %var, tensors of that type (%var is positive), the matrix %m,
tensor<6x6xf32>, and %ints, tensor<6xi32>, at hand."""

F = "tensor<6xf32>"
OPS = {}
for op in ("relu", "sigmoid", "silu", "softplus", "gelu", "elu"):
    OPS[f"mp_{op}"] = f"%r = mp.{op} %a : {F}"
OPS["mp_gelu_tanh"] = f"%r = mp.gelu %a tanh : {F}"
OPS["mp_elu_alpha"] = f"%r = mp.elu %a alpha 0.5 : {F}"
OPS["mp_leaky_relu"] = f"%r = mp.leaky_relu %a slope 0.2 : {F}"
OPS["mp_layer_norm"] = f"%r = mp.layer_norm %a : ({F}) -> {F}"
OPS["mp_layer_norm_affine"] = (
    f"%r = mp.layer_norm %a scale %w shift %u {{eps = 1.0e-3 : f64}} : ({F}, {F}, {F}) -> {F}")
OPS["mp_batch_norm"] = (
    f"%r = mp.batch_norm %a mean %w variance %var : ({F}, {F}, {F}) -> {F}")
OPS["mp_batch_norm_affine"] = (
    f"%r = mp.batch_norm %a mean %w variance %var scale %u shift %w : "
    f"({F}, {F}, {F}, {F}, {F}) -> {F}")
OPS["mp_linear"] = f"%r = mp.linear %a, %m : ({F}, tensor<6x6xf32>) -> {F}"
OPS["mp_linear_bias"] = (
    f"%r = mp.linear %a, %m bias %u : ({F}, tensor<6x6xf32>, {F}) -> {F}")
OPS["mp_linear_bias_of_edge"] = (
    f"%r = mp.linear %a, %m bias %b : ({F}, tensor<6x6xf32>, {F}) -> {F}")
OPS["mp_linear_to_scalar"] = f"""%d = mp.linear %a, %u : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
OPS["mp_linear_from_matrix"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %q = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 3, 6]
        : tensor<6x6xf32> into tensor<2x3x6xf32>
    %r = mp.linear %p, %q : (tensor<2x3xf32>, tensor<2x3x6xf32>) -> {F}"""
# Over the last dimensions of a larger value: one map for each row.
OPS["mp_linear_of_rows"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %k = tensor.extract_slice %m[1, 2] [3, 3] [1, 1] : tensor<6x6xf32> to tensor<3x3xf32>
    %l = tensor.extract_slice %u[2] [3] [1] : {F} to tensor<3xf32>
    %q = mp.linear %p, %k bias %l
        : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %r = tensor.collapse_shape %q [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_linear_of_rows_by_two"] = f"""%p = tensor.expand_shape %a [[0, 1, 2, 3]]
        output_shape [2, 1, 3, 1] : {F} into tensor<2x1x3x1xf32>
    %s = tensor.extract_slice %m[0, 1] [3, 3] [1, 1] : tensor<6x6xf32> to tensor<3x3xf32>
    %k = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [3, 1, 3, 1]
        : tensor<3x3xf32> into tensor<3x1x3x1xf32>
    %q = mp.linear %p, %k : (tensor<2x1x3x1xf32>, tensor<3x1x3x1xf32>) -> tensor<2x1x3x1xf32>
    %r = tensor.collapse_shape %q [[0, 1, 2, 3]] : tensor<2x1x3x1xf32> into {F}"""
OPS["mp_linear_of_rows_to_numbers"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %k = tensor.extract_slice %u[2] [3] [1] : {F} to tensor<3xf32>
    %q = mp.linear %p, %k : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    %s = mp.broadcast %q : tensor<2xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %s [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_linear_of_rows_of_ends"] = f"""%d = tensor.extract_slice %b[1] [2] [1] : {F} to tensor<2xf32>
    %c = tensor.extract_slice %a[0] [4] [1] : {F} to tensor<4xf32>
    %e = tensor.expand_shape %c [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %f = tensor.expand_shape %d [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %p = tensor.concat dim(1) %f, %e : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    %k = tensor.extract_slice %m[1, 2] [3, 3] [1, 1] : tensor<6x6xf32> to tensor<3x3xf32>
    %l = tensor.extract_slice %b[2] [3] [1] : {F} to tensor<3xf32>
    %q = mp.linear %p, %k bias %l
        : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %r = tensor.collapse_shape %q [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_dot"] = f"""%d = mp.dot %a, %b : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
OPS["mp_dot_of_itself"] = f"""%d = mp.dot %a, %a : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
for kind in ("sum", "mean", "max", "min"):
    OPS[f"mp_reduce_{kind}"] = f"""%d = mp.reduce {kind} %a dims [0] : {F} -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
    OPS[f"mp_reduce_{kind}_columns"] = f"""%p = tensor.expand_shape %a [[0, 1]]
        output_shape [2, 3] : {F} into tensor<2x3xf32>
    %d = mp.reduce {kind} %p dims [0] : tensor<2x3xf32> -> tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_broadcast_leading"] = f"""%d = tensor.extract_slice %a[1] [2] [1] : {F} to tensor<2xf32>
    %e = mp.broadcast %d : tensor<2xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_broadcast_between"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %q = tensor.expand_shape %b [[0, 1]] output_shape [2, 3] : {F} into tensor<2x3xf32>
    %d = mp.broadcast %p dims [1] : tensor<2x3xf32> to tensor<2x3x3xf32>
    %e = mp.broadcast %q dims [2] : tensor<2x3xf32> to tensor<2x3x3xf32>
    %o = arith.mulf %d, %e : tensor<2x3x3xf32>
    %s = mp.reduce max %o dims [1] : tensor<2x3x3xf32> -> tensor<2x3xf32>
    %r = tensor.collapse_shape %s [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_broadcast_around"] = f"""%p = tensor.extract_slice %a[1] [3] [1] : {F} to tensor<3xf32>
    %d = mp.broadcast %p dims [0, 2] : tensor<3xf32> to tensor<2x3x1xf32>
    %r = tensor.collapse_shape %d [[0, 1, 2]] : tensor<2x3x1xf32> into {F}"""
OPS["mp_lookup"] = f"""%d = mp.reduce sum %a dims [0] : {F} -> tensor<f32>
    %k = arith.fptosi %d : tensor<f32> to tensor<i32>
    %r = mp.lookup %m[%k] : tensor<6x6xf32>, tensor<i32> -> {F}"""
OPS["tensor_concat"] = f"""%d = tensor.extract_slice %a[0] [4] [1] : {F} to tensor<4xf32>
    %e = tensor.extract_slice %b[4] [2] [1] : {F} to tensor<2xf32>
    %r = tensor.concat dim(0) %e, %d : (tensor<2xf32>, tensor<4xf32>) -> {F}"""
OPS["tensor_concat_columns"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [3, 2]
        : {F} into tensor<3x2xf32>
    %q = tensor.expand_shape %u [[0, 1]] output_shape [3, 2] : {F} into tensor<3x2xf32>
    %e = tensor.concat dim(1) %q, %p
        : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %s = tensor.extract_slice %e[0, 1] [3, 2] [1, 1] : tensor<3x4xf32> to tensor<3x2xf32>
    %r = tensor.collapse_shape %s [[0, 1]] : tensor<3x2xf32> into {F}"""
OPS["tensor_slice_strided"] = f"""%d = tensor.extract_slice %a[1] [3] [2] : {F} to tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["tensor_slice_dropping"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %d = tensor.extract_slice %p[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""

# Upstream's elementwise ops, on arguments of their domain.
WIDE = "arith.addf %a, %b"
DOMAINS = {  # name: ops that make %x
    "any": "",
    "positive": "%y = math.absf %a : F\n    %x = arith.addf %y, %tenth : F",
    "above_one": "%y = math.absf %a : F\n    %x = arith.addf %y, %two : F",
    "inside_one": "%y = math.tanh %a : F\n    %x = arith.mulf %y, %half : F",
}
UNARY = {
    "any": ["arith.negf", "math.absf", "math.tanh", "math.exp", "math.exp2", "math.expm1",
            "math.sin", "math.cos", "math.sinh", "math.cosh", "math.asinh", "math.atan",
            "math.erf", "math.erfc", "math.cbrt"],
    "positive": ["math.log", "math.log2", "math.log10", "math.log1p", "math.sqrt", "math.rsqrt"],
    "above_one": ["math.acosh"],
    "inside_one": ["math.asin", "math.acos", "math.atanh", "math.tan"],
}
CONSTANTS = """%tenth = arith.constant dense<0.1> : F
    %half = arith.constant dense<0.5> : F
    %two = arith.constant dense<2.0> : F
    """
for domain, ops in UNARY.items():
    for op in ops:
        body = CONSTANTS + DOMAINS[domain] + f"\n    %r = {op} {'%a' if domain == 'any' else '%x'} : F"
        OPS[op.replace(".", "_")] = body.replace(" F", f" {F}")
# Steps: a value close to one would differ by 1, so they get whole numbers of tenths.
for op in ("ceil", "floor", "round", "roundeven", "trunc"):
    OPS[f"math_{op}"] = f"""%s = arith.constant dense<3.0> : {F}
    %y = arith.mulf %w, %s : {F}
    %z = math.{op} %y : {F}
    %r = arith.mulf %z, %a : {F}"""
for op in ("addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"):
    OPS[f"arith_{op}"] = f"%r = arith.{op} %a, %b : {F}"
OPS["arith_divf"] = (CONSTANTS + DOMAINS["above_one"] +
                     "\n    %r = arith.divf %b, %x : F").replace(" F", f" {F}")
OPS["math_powf"] = (CONSTANTS + DOMAINS["positive"] +
                    "\n    %r = math.powf %x, %b : F").replace(" F", f" {F}")
OPS["math_atan2"] = f"%r = math.atan2 %a, %b : {F}"
OPS["math_copysign"] = f"%r = math.copysign %a, %u : {F}"
OPS["math_fma"] = f"%r = math.fma %a, %b, %u : {F}"
OPS["math_clampf"] = f"""%lo = arith.constant dense<-0.5> : {F}
    %hi1 = arith.constant dense<0.25> : {F}
    %r = math.clampf %a to [%lo, %hi1] : {F}"""
for predicate in ("ogt", "olt", "oge", "une"):
    OPS[f"arith_cmpf_{predicate}"] = f"""%c = arith.cmpf {predicate}, %a, %b : {F}
    %d = arith.subf %a, %b : {F}
    %z = arith.constant dense<0.0> : {F}
    %r = arith.select %c, %d, %z : tensor<6xi1>, {F}"""
OPS["arith_cmpf_logic"] = f"""%z = arith.constant dense<0.0> : {F}
    %c = arith.cmpf ogt, %a, %z : {F}
    %d = arith.cmpf ogt, %b, %z : {F}
    %e = arith.andi %c, %d : tensor<6xi1>
    %k = arith.xori %e, %c : tensor<6xi1>
    %y = arith.select %e, %a, %b : tensor<6xi1>, {F}
    %r = arith.select %k, %z, %y : tensor<6xi1>, {F}"""
OPS["arith_widened"] = f"""%c = arith.extf %a : {F} to tensor<6xf64>
    %d = arith.mulf %c, %c : tensor<6xf64>
    %r = arith.truncf %d : tensor<6xf64> to {F}"""
OPS["arith_indicator"] = f"""%z = arith.constant dense<0.0> : {F}
    %c = arith.cmpf ogt, %a, %z : {F}
    %d = arith.extui %c : tensor<6xi1> to tensor<6xi32>
    %e = arith.sitofp %d : tensor<6xi32> to {F}
    %r = arith.mulf %e, %b : {F}"""
# Integers, from the position in a list of constants and from the table %k of i32.
for op in ("addi", "subi", "muli", "maxsi", "minsi", "andi", "ori", "xori", "divsi", "remsi",
           "shli", "shrsi", "maxui", "minui", "divui", "remui", "shrui", "ceildivsi",
           "floordivsi"):
    OPS[f"arith_{op}"] = f"""%three = arith.constant dense<3> : tensor<6xi32>
    %i = arith.{op} %ints, %three : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
# By what may be 0 or negative.
for op in ("divsi", "remsi", "divui", "remui", "ceildivsi", "floordivsi"):
    OPS[f"arith_{op}_by_any"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %divisors = arith.subi %ints, %two : tensor<6xi32>
    %i = arith.{op} %ints, %divisors : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
OPS["math_absi"] = f"""%three = arith.constant dense<3> : tensor<6xi32>
    %e = arith.subi %ints, %three : tensor<6xi32>
    %i = math.absi %e : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
for op in ("ctpop", "ctlz", "cttz"):
    OPS[f"math_{op}"] = f"""%i = math.{op} %ints : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
OPS["math_ipowi"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %i = math.ipowi %two, %ints : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
# Of -2 to 3, to a negative power: 0 to one is 0.
OPS["math_ipowi_negative"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %base = arith.subi %ints, %two : tensor<6xi32>
    %minus = arith.constant dense<[-1, -2, -1, -3, 2, -1]> : tensor<6xi32>
    %i = math.ipowi %base, %minus : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
# Infinite floats, and some beyond a byte.
for op, element in (("fptosi", "i8"), ("fptosi", "i32"), ("fptosi", "i64"), ("fptoui", "i32")):
    OPS[f"arith_{op}_{element}"] = f"""%z = arith.constant dense<0.0> : {F}
    %q = arith.divf %a, %z : {F}
    %e = arith.{op} %q : {F} to tensor<6x{element}>
    %n = arith.constant dense<200.0> : {F}
    %p = arith.mulf %a, %n : {F}
    %k = arith.{op} %p : {F} to tensor<6x{element}>
    %d = arith.xori %e, %k : tensor<6x{element}>
    %r = arith.sitofp %d : tensor<6x{element}> to {F}"""
OPS["arith_index"] = f"""%i = arith.index_cast %ints : tensor<6xi32> to tensor<6xindex>
    %s = arith.muli %i, %i : tensor<6xindex>
    %e = arith.index_cast %s : tensor<6xindex> to tensor<6xi32>
    %c = arith.cmpi slt, %i, %s : tensor<6xindex>
    %y = arith.sitofp %e : tensor<6xi32> to {F}
    %x = arith.mulf %y, %a : {F}
    %r = arith.select %c, %x, %b : tensor<6xi1>, {F}"""
OPS["math_fpowi"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %i = arith.addi %ints, %two : tensor<6xi32>
    %r = math.fpowi %a, %i : {F}, tensor<6xi32>"""
# Of a quotient that may be infinite or NaN.
for op in ("isnan", "isinf", "isfinite", "isnormal"):
    OPS[f"math_{op}"] = f"""%z = arith.constant dense<0.0> : {F}
    %y = mp.relu %a : {F}
    %x = mp.relu %b : {F}
    %q = arith.divf %x, %y : {F}
    %c = math.{op} %q : {F}
    %r = arith.select %c, %a, %z : tensor<6xi1>, {F}"""
OPS["arith_cmpi"] = f"""%three = arith.constant dense<1> : tensor<6xi32>
    %c = arith.cmpi slt, %ints, %three : tensor<6xi32>
    %r = arith.select %c, %a, %b : tensor<6xi1>, {F}"""
OPS["arith_wide_integers"] = f"""%e = arith.extsi %ints : tensor<6xi32> to tensor<6xi64>
    %i = arith.addi %e, %e : tensor<6xi64>
    %j = arith.trunci %i : tensor<6xi64> to tensor<6xi32>
    %y = arith.sitofp %j : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
