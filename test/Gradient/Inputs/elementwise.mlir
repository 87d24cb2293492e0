// Every op of the table of derivatives, on values where it is smooth.
func.func @arith(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%x = %a : tensor<?x4xf32>, %y = %b : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %z = arith.addf %y, %two : tensor<4xf32>
    %0 = arith.mulf %x, %z : tensor<4xf32>
    %1 = arith.divf %x, %z : tensor<4xf32>
    %2 = arith.subf %0, %1 : tensor<4xf32>
    %3 = arith.negf %2 : tensor<4xf32>
    %4 = arith.maximumf %3, %y : tensor<4xf32>
    %5 = arith.minimumf %x, %w : tensor<4xf32>
    %6 = arith.maxnumf %x, %y : tensor<4xf32>
    %7 = arith.minnumf %6, %z : tensor<4xf32>
    %8 = arith.remf %z, %two : tensor<4xf32>
    %c = arith.cmpf ogt, %x, %y : tensor<4xf32>
    %9 = arith.select %c, %0, %8 : tensor<4xi1>, tensor<4xf32>
    %10 = arith.addf %4, %5 : tensor<4xf32>
    %11 = arith.mulf %10, %7 : tensor<4xf32>
    %12 = arith.addf %11, %9 : tensor<4xf32>
    mp.yield %12 : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

func.func @math(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %o, %p = mp.update (%x = %a : tensor<?x4xf32>, %y = %b : tensor<?x4xf32>) -> tensor<?x4xf32>, tensor<?x4xf32> {
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %half = arith.constant dense<0.5> : tensor<4xf32>
    %n = arith.constant dense<3> : tensor<4xi32>
    %z = arith.addf %x, %two : tensor<4xf32>
    %h = arith.mulf %x, %half : tensor<4xf32>
    %0 = math.absf %x : tensor<4xf32>
    %1 = math.acos %h : tensor<4xf32>
    %2 = math.acosh %z : tensor<4xf32>
    %3 = math.asin %h : tensor<4xf32>
    %4 = math.asinh %x : tensor<4xf32>
    %5 = math.atan %x : tensor<4xf32>
    %6 = math.atan2 %x, %y : tensor<4xf32>
    %7 = math.atanh %h : tensor<4xf32>
    %8 = math.cbrt %z : tensor<4xf32>
    %9 = math.copysign %z, %y : tensor<4xf32>
    %10 = math.cos %x : tensor<4xf32>
    %11 = math.cosh %x : tensor<4xf32>
    %12 = math.erf %x : tensor<4xf32>
    %13 = math.erfc %x : tensor<4xf32>
    %14 = math.exp %x : tensor<4xf32>
    %15 = math.exp2 %x : tensor<4xf32>
    %16 = math.expm1 %x : tensor<4xf32>
    %17 = math.fma %x, %y, %z : tensor<4xf32>
    %18 = math.fpowi %z, %n : tensor<4xf32>, tensor<4xi32>
    %19 = math.log %z : tensor<4xf32>
    %20 = math.log10 %z : tensor<4xf32>
    %21 = math.log1p %z : tensor<4xf32>
    %22 = math.log2 %z : tensor<4xf32>
    %23 = math.powf %z, %y : tensor<4xf32>
    %24 = math.rsqrt %z : tensor<4xf32>
    %25 = math.sin %x : tensor<4xf32>
    %26 = math.sinh %x : tensor<4xf32>
    %27 = math.sqrt %z : tensor<4xf32>
    %28 = math.tan %x : tensor<4xf32>
    %29 = math.tanh %x : tensor<4xf32>
    %30 = math.floor %z : tensor<4xf32>
    %31 = math.clampf %x to [%y, %z] : tensor<4xf32>
    %s0 = arith.mulf %0, %1 : tensor<4xf32>
    %s1 = arith.addf %s0, %2 : tensor<4xf32>
    %s2 = arith.mulf %s1, %3 : tensor<4xf32>
    %s3 = arith.addf %s2, %4 : tensor<4xf32>
    %s4 = arith.mulf %s3, %5 : tensor<4xf32>
    %s5 = arith.addf %s4, %6 : tensor<4xf32>
    %s6 = arith.addf %s5, %7 : tensor<4xf32>
    %s7 = arith.mulf %s6, %8 : tensor<4xf32>
    %s8 = arith.addf %s7, %9 : tensor<4xf32>
    %s9 = arith.mulf %s8, %10 : tensor<4xf32>
    %s10 = arith.addf %s9, %11 : tensor<4xf32>
    %s11 = arith.mulf %s10, %12 : tensor<4xf32>
    %s12 = arith.addf %s11, %13 : tensor<4xf32>
    %s13 = arith.addf %s12, %14 : tensor<4xf32>
    %s14 = arith.addf %s13, %15 : tensor<4xf32>
    %s15 = arith.mulf %s14, %16 : tensor<4xf32>
    %t0 = arith.addf %17, %18 : tensor<4xf32>
    %t1 = arith.mulf %t0, %19 : tensor<4xf32>
    %t2 = arith.addf %t1, %20 : tensor<4xf32>
    %t3 = arith.mulf %t2, %21 : tensor<4xf32>
    %t4 = arith.addf %t3, %22 : tensor<4xf32>
    %t5 = arith.mulf %t4, %23 : tensor<4xf32>
    %t6 = arith.addf %t5, %24 : tensor<4xf32>
    %t7 = arith.mulf %t6, %25 : tensor<4xf32>
    %t8 = arith.addf %t7, %26 : tensor<4xf32>
    %t9 = arith.mulf %t8, %27 : tensor<4xf32>
    %t10 = arith.addf %t9, %28 : tensor<4xf32>
    %t11 = arith.mulf %t10, %29 : tensor<4xf32>
    %t12 = arith.mulf %t11, %30 : tensor<4xf32>
    %t13 = arith.addf %t12, %31 : tensor<4xf32>
    mp.yield %s15, %t13 : tensor<4xf32>, tensor<4xf32>
  }
  return %o, %p : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @features(%a: tensor<?x3x4xf32>, %w: tensor<3x4xf32>, %m: tensor<12x2x3xf32>,
                    %bias: tensor<2x3xf32>, %table: tensor<5x6x3xf32>,
                    %index: tensor<?xi32>, %scale: tensor<4xf32>, %shift: tensor<4xf32>)
    -> (tensor<?x3xf32>, tensor<?xf32>) {
  %o, %p = mp.update (%x = %a : tensor<?x3x4xf32>, %i = %index : tensor<?xi32>) -> tensor<?x3xf32>, tensor<?xf32> {
    %0 = mp.layer_norm %x scale %scale shift %shift
        : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %1 = mp.relu %0 : tensor<3x4xf32>
    %2 = mp.leaky_relu %0 slope 0.2 : tensor<3x4xf32>
    %3 = mp.elu %x alpha 1.5 : tensor<3x4xf32>
    %4 = mp.sigmoid %0 : tensor<3x4xf32>
    %5 = mp.silu %0 : tensor<3x4xf32>
    %6 = mp.softplus %x : tensor<3x4xf32>
    %7 = mp.gelu %0 : tensor<3x4xf32>
    %8 = mp.gelu %x tanh : tensor<3x4xf32>
    %s0 = arith.addf %1, %2 : tensor<3x4xf32>
    %s1 = arith.mulf %s0, %3 : tensor<3x4xf32>
    %s2 = arith.addf %s1, %4 : tensor<3x4xf32>
    %s3 = arith.mulf %s2, %5 : tensor<3x4xf32>
    %s4 = arith.addf %s3, %6 : tensor<3x4xf32>
    %s5 = arith.mulf %s4, %7 : tensor<3x4xf32>
    %s6 = arith.addf %s5, %8 : tensor<3x4xf32>
    %d = mp.dot %s6, %w : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3xf32>
    %most = mp.reduce max %s6 dims [1] : tensor<3x4xf32> -> tensor<3xf32>
    %least = mp.reduce min %s6 dims [0, 1] : tensor<3x4xf32> -> tensor<f32>
    %mean = mp.reduce mean %s6 dims [0] : tensor<3x4xf32> -> tensor<4xf32>
    %flat = tensor.collapse_shape %s6 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
    %y = mp.linear %flat, %m bias %bias
        : (tensor<12xf32>, tensor<12x2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %middle = mp.broadcast %y trailing : tensor<2x3xf32> to tensor<4x2x3xf32>
    %means = mp.broadcast %mean : tensor<4xf32> to tensor<4x2x3xf32>
    %scaled = arith.mulf %middle, %means : tensor<4x2x3xf32>
    %inner = mp.reduce sum %scaled dims [1] : tensor<4x2x3xf32> -> tensor<4x3xf32>
    %part = tensor.extract_slice %inner[1, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
    %row = mp.lookup %table[%i] : tensor<5x6x3xf32>, tensor<i32> -> tensor<6x3xf32>
    %long = tensor.concat dim(0) %part, %y, %part
        : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
    %all = arith.mulf %long, %row : tensor<6x3xf32>
    %cube = tensor.expand_shape %all [[0, 1], [2]] output_shape [2, 3, 3]
        : tensor<6x3xf32> into tensor<2x3x3xf32>
    %sum = mp.reduce sum %cube dims [0, 2] : tensor<2x3x3xf32> -> tensor<3xf32>
    %r = arith.addf %sum, %d : tensor<3xf32>
    %q = arith.mulf %r, %most : tensor<3xf32>
    mp.yield %q, %least : tensor<3xf32>, tensor<f32>
  }
  return %o, %p : tensor<?x3xf32>, tensor<?xf32>
}
