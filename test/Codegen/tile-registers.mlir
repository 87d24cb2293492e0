// RUN: clique-opt %s --mp-attach-target --clique-tile-registers --canonicalize --split-input-file | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: clique-opt %s --mp-attach-target='target="#mp.cpu<vector_bits = 256, registers = 16>"' --clique-tile-registers --canonicalize --split-input-file | FileCheck %s --check-prefixes=CHECK,NARROW

// A contraction: rows x two vectors, the sum one step at a time, its fill inside.
// CHECK-LABEL: @matmul
// WIDE:         %[[FILL:.*]] = linalg.fill {{.*}} -> tensor<8x32xf32>
// WIDE:         scf.for {{.*}} iter_args(%{{.*}} = %[[FILL]])
// WIDE:           linalg.generic {{.*}} ins({{.*}} : tensor<8x1xf32>, tensor<1x32xf32>) outs({{.*}} : tensor<8x32xf32>)
// NARROW:       linalg.generic {{.*}} ins({{.*}} : tensor<4x1xf32>, tensor<1x16xf32>) outs({{.*}} : tensor<4x16xf32>)
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func private @matmul(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<32x16xf32>, tensor<16x64xf32>) outs(%init : tensor<32x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// -----

// 67 numbers: whole vectors, then the three that are left.
// CHECK-LABEL: @rest
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<3xf32>) outs({{.*}} : tensor<3xf32>)
#d = affine_map<(i) -> (i)>
func.func private @rest(%a: tensor<67xf32>) -> tensor<67xf32> {
  %empty = tensor.empty() : tensor<67xf32>
  %r = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%a : tensor<67xf32>) outs(%empty : tensor<67xf32>) {
    ^bb0(%x: f32, %y: f32):
      %n = arith.negf %x : f32
      linalg.yield %n : f32
  } -> tensor<67xf32>
  return %r : tensor<67xf32>
}

// A last column is not alone, which would be a vector of rows: it takes half of the register before it along.
// CHECK-LABEL: @last_column
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<26x1xf32>, tensor<1x16xf32>) outs({{.*}} : tensor<26x16xf32>)
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<26x1xf32>, tensor<1x9xf32>) outs({{.*}} : tensor<26x9xf32>)
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<26x1xf32>, tensor<1x8xf32>) outs({{.*}} : tensor<26x8xf32>)
// NARROW:        linalg.generic {{.*}} ins({{.*}} : tensor<4x1xf32>, tensor<1x16xf32>) outs({{.*}} : tensor<4x16xf32>)
// NARROW:        linalg.generic {{.*}} outs({{.*}} : tensor<{{.*}}x8xf32>)
// NARROW:        linalg.generic {{.*}} outs({{.*}} : tensor<{{.*}}x5xf32>)
// NARROW:        linalg.generic {{.*}} outs({{.*}} : tensor<{{.*}}x4xf32>)
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func private @last_column(%a: tensor<52x16xf32>, %b: tensor<16x33xf32>, %init: tensor<52x33xf32>) -> tensor<52x33xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<52x16xf32>, tensor<16x33xf32>) outs(%init : tensor<52x33xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<52x33xf32>
  return %r : tensor<52x33xf32>
}

// -----

// 13 rows of two registers would leave LLVM too few: 12 at a time, and the rest.
// CHECK-LABEL: @rows_of_two_registers
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<12x1xf32>, tensor<1x32xf32>) outs({{.*}} : tensor<12x32xf32>)
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<4x1xf32>, tensor<1x32xf32>) outs({{.*}} : tensor<4x32xf32>)
// NARROW:        linalg.generic {{.*}} ins({{.*}} : tensor<4x1xf32>, tensor<1x16xf32>) outs({{.*}} : tensor<4x16xf32>)
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func private @rows_of_two_registers(%a: tensor<52x16xf32>, %b: tensor<16x32xf32>, %init: tensor<52x32xf32>) -> tensor<52x32xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<52x16xf32>, tensor<16x32xf32>) outs(%init : tensor<52x32xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<52x32xf32>
  return %r : tensor<52x32xf32>
}

// -----

// Rows of 48 elements, more than are one register tile: vectors of 32 and of 16, which LLVM keeps in
// registers, or of two registers each.
// CHECK-LABEL: @rows_of_48
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<1x32xf32>) outs({{.*}} : tensor<1x32xf32>)
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<1x16xf32>) outs({{.*}} : tensor<1x16xf32>)
// NARROW:        linalg.generic {{.*}} ins({{.*}} : tensor<1x32xf32>) outs({{.*}} : tensor<1x32xf32>)
// NARROW:        linalg.generic {{.*}} ins({{.*}} : tensor<1x16xf32>) outs({{.*}} : tensor<1x16xf32>)
#e = affine_map<(i, j) -> (i, j)>
func.func private @rows_of_48(%a: tensor<24x48xf32>) -> tensor<24x48xf32> {
  %empty = tensor.empty() : tensor<24x48xf32>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<24x48xf32>) outs(%empty : tensor<24x48xf32>) {
    ^bb0(%x: f32, %y: f32):
      %n = arith.negf %x : f32
      linalg.yield %n : f32
  } -> tensor<24x48xf32>
  return %r : tensor<24x48xf32>
}

// A little arithmetic on the elements of a product is done while they are in
// registers: one loop over the output, the reduction inside, one store.
// CHECK-LABEL: @finisher
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             linalg.generic {{.*}}"reduction"{{.*}} ins({{.*}} : tensor<{{12x1|6x1}}xf32>, tensor<{{1x32|1x16}}xf32>)
// CHECK:           linalg.generic {{.*}}["parallel", "parallel"]{{.*}} ins({{.*}} : tensor<{{12x32|6x16}}xf32>)
// CHECK:             arith.mulf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func private @finisher(%q: tensor<12x16xf32>, %k: tensor<16x64xf32>) -> tensor<12x64xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %empty = tensor.empty() : tensor<12x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x64xf32>) -> tensor<12x64xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<12x16xf32>, tensor<16x64xf32>) outs(%init : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %t = arith.addf %c, %p : f32
      linalg.yield %t : f32
  } -> tensor<12x64xf32>
  %e = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<12x64xf32>) outs(%empty : tensor<12x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %scale : f32
      linalg.yield %p : f32
  } -> tensor<12x64xf32>
  return %e : tensor<12x64xf32>
}

// -----

// The same in the main part of 112 columns and in the rest.
// CHECK-LABEL: @finisher_of_112
// WIDE:          linalg.generic {{.*}}"reduction"{{.*}} outs({{.*}} : tensor<12x32xf32>)
// WIDE:          linalg.generic {{.*}}["parallel", "parallel"]{{.*}} ins({{.*}} : tensor<12x32xf32>, tensor<12x32xf32>)
// WIDE:          linalg.generic {{.*}}"reduction"{{.*}} outs({{.*}} : tensor<12x16xf32>)
// WIDE:          linalg.generic {{.*}}["parallel", "parallel"]{{.*}} ins({{.*}} : tensor<12x16xf32>, tensor<12x16xf32>)
// CHECK:         return
func.func private @finisher_of_112(%q: tensor<12x16xf32>, %k: tensor<16x112xf32>, %sum: tensor<12x112xf32>) -> tensor<12x112xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x112xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x112xf32>) -> tensor<12x112xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<12x16xf32>, tensor<16x112xf32>) outs(%init : tensor<12x112xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %t = arith.addf %c, %p : f32
      linalg.yield %t : f32
  } -> tensor<12x112xf32>
  %e = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sum, %s : tensor<12x112xf32>, tensor<12x112xf32>) outs(%empty : tensor<12x112xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.addf %a, %b : f32
      linalg.yield %p : f32
  } -> tensor<12x112xf32>
  return %e : tensor<12x112xf32>
}

// -----

// What fits half of the registers takes no loop: the sums of an edge's heads. Its
// vectors are powers of two, or the rest of one, each a slice of the whole.
// CHECK-LABEL: @heads
// WIDE-NOT:      scf.for
// NARROW:        scf.for
// WIDE:          %[[MAIN:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x16xf32>)
// WIDE:          %[[ONE:.*]] = tensor.insert_slice %[[MAIN]] into %{{.*}}[0, 0] [8, 16]
// WIDE:          tensor.extract_slice %[[ONE]][0, 16] [8, 8] [1, 1] : tensor<8x24xf32>
// WIDE:          %[[REST:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x8xf32>)
// WIDE:          tensor.insert_slice %[[REST]] into %[[ONE]][0, 16] [8, 8]
// WIDE-NOT:      scf.for
#e = affine_map<(h, d) -> (h)>
#f = affine_map<(h, d) -> (h, d)>
func.func private @heads(%w: tensor<8xf32>, %v: tensor<8x24xf32>, %sum: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %r = linalg.generic {indexing_maps = [#e, #f, #f], iterator_types = ["parallel", "parallel"]}
      ins(%w, %v : tensor<8xf32>, tensor<8x24xf32>) outs(%sum : tensor<8x24xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<8x24xf32>
  return %r : tensor<8x24xf32>
}

// -----

// 112 columns: loops over two vectors, then one; never a vector of any other size,
// which LLVM would take apart into scalars between the steps of the sum.
// CHECK-LABEL: @columns
// WIDE:         linalg.generic {{.*}} ins({{.*}} : tensor<12x1xf32>, tensor<1x32xf32>)
// WIDE:         linalg.generic {{.*}} ins({{.*}} : tensor<12x1xf32>, tensor<1x16xf32>)
// NARROW:       linalg.generic {{.*}} ins({{.*}} : tensor<6x1xf32>, tensor<1x16xf32>)
// CHECK-NOT:    linalg.generic
#ca = affine_map<(i, j, k) -> (i, k)>
#cb = affine_map<(i, j, k) -> (k, j)>
#cc = affine_map<(i, j, k) -> (i, j)>
func.func private @columns(%a: tensor<12x16xf32>, %b: tensor<16x112xf32>, %c: tensor<12x112xf32>)
    -> tensor<12x112xf32> {
  %r = linalg.generic {indexing_maps = [#ca, #cb, #cc], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<12x16xf32>, tensor<16x112xf32>) outs(%c : tensor<12x112xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<12x112xf32>
  return %r : tensor<12x112xf32>
}

// -----

// Of 24 rows the first %n are read: the loops over rows end there, those of a
// chain of ops, through reshapes and loops of partial sums.
// CHECK-LABEL: @some_rows
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c64 step
// CHECK:             scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{c12|c6}}
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[N]] step %c1
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#e = affine_map<(i, j) -> (i, j)>
#f = affine_map<(i, j, k) -> (i, j, k)>
func.func private @some_rows(%n: index, %a: tensor<24x512xf32>, %b: tensor<512x64xf32>) -> tensor<?x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %empty = tensor.empty() : tensor<24x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x64xf32>) -> tensor<24x64xf32>
  %r = scf.for %k = %c0 to %c512 step %c256 iter_args(%sum = %init) -> (tensor<24x64xf32>) {
    %ak = tensor.extract_slice %a[0, %k] [24, 256] [1, 1] : tensor<24x512xf32> to tensor<24x256xf32>
    %bk = tensor.extract_slice %b[%k, 0] [256, 64] [1, 1] : tensor<512x64xf32> to tensor<256x64xf32>
    %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ak, %bk : tensor<24x256xf32>, tensor<256x64xf32>) outs(%sum : tensor<24x64xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %m = arith.mulf %x, %y : f32
        %s = arith.addf %z, %m : f32
        linalg.yield %s : f32
    } -> tensor<24x64xf32>
    scf.yield %p : tensor<24x64xf32>
  }
  %heads = tensor.expand_shape %r [[0], [1, 2]] output_shape [24, 4, 16] : tensor<24x64xf32> into tensor<24x4x16xf32>
  %other = tensor.empty() : tensor<24x4x16xf32>
  %q = linalg.generic {indexing_maps = [#f, #f], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%heads : tensor<24x4x16xf32>) outs(%other : tensor<24x4x16xf32>) {
    ^bb0(%x: f32, %z: f32):
      %m = math.tanh %x : f32
      linalg.yield %m : f32
  } -> tensor<24x4x16xf32>
  %out = tensor.extract_slice %q[0, 0, 0] [%n, 4, 16] [1, 1, 1] : tensor<24x4x16xf32> to tensor<?x4x16xf32>
  return %out : tensor<?x4x16xf32>
}

// -----

// Rows are read by steps of 8, up to %n: the last step ends behind it, and so do
// the loops. Of 20 rows steps of 8 could end behind the last one: all of them.
// CHECK-LABEL: @steps
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         %[[STEPS:.*]] = arith.ceildivui %[[N]], %c8
// CHECK:         %[[END:.*]] = arith.muli %[[STEPS]], %c8
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c20{{[^ ]*}} step
#e = affine_map<(i, j) -> (i, j)>
func.func private @steps(%n: index, %a: tensor<24x512xf32>, %b: tensor<20x512xf32>,
                         %out: tensor<8x512xf32>) -> (tensor<8x512xf32>, tensor<?x512xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %empty = tensor.empty() : tensor<24x512xf32>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<24x512xf32>) outs(%empty : tensor<24x512xf32>) {
    ^bb0(%x: f32, %z: f32):
      %m = arith.negf %x : f32
      linalg.yield %m : f32
  } -> tensor<24x512xf32>
  %sum = scf.for %row = %c0 to %n step %c8 iter_args(%s = %out) -> (tensor<8x512xf32>) {
    %part = tensor.extract_slice %r[%row, 0] [8, 512] [1, 1] : tensor<24x512xf32> to tensor<8x512xf32>
    %next = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
        ins(%part : tensor<8x512xf32>) outs(%s : tensor<8x512xf32>) {
      ^bb0(%x: f32, %z: f32):
        %m = arith.addf %x, %z : f32
        linalg.yield %m : f32
    } -> tensor<8x512xf32>
    scf.yield %next : tensor<8x512xf32>
  }
  %other = tensor.empty() : tensor<20x512xf32>
  %q = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<20x512xf32>) outs(%other : tensor<20x512xf32>) {
    ^bb0(%x: f32, %z: f32):
      %m = arith.negf %x : f32
      linalg.yield %m : f32
  } -> tensor<20x512xf32>
  %cut = tensor.extract_slice %q[0, 0] [%n, 512] [1, 1] : tensor<20x512xf32> to tensor<?x512xf32>
  return %sum, %cut : tensor<8x512xf32>, tensor<?x512xf32>
}

// -----

// All rows: a sum over them is read too, and %r by an op that wants all.
// CHECK-LABEL: @all_rows
// CHECK-NOT:     to %{{n|arg0}} step
// CHECK:         return
#e = affine_map<(i, j) -> (i, j)>
#s = affine_map<(i, j) -> (j)>
func.func private @all_rows(%n: index, %a: tensor<24x512xf32>) -> (tensor<?x512xf32>, tensor<512xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x512xf32>
  %r = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<24x512xf32>) outs(%empty : tensor<24x512xf32>) {
    ^bb0(%x: f32, %z: f32):
      %m = arith.negf %x : f32
      linalg.yield %m : f32
  } -> tensor<24x512xf32>
  %row = tensor.empty() : tensor<512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction", "parallel"]}
      ins(%r : tensor<24x512xf32>) outs(%init : tensor<512xf32>) {
    ^bb0(%x: f32, %z: f32):
      %m = arith.addf %x, %z : f32
      linalg.yield %m : f32
  } -> tensor<512xf32>
  %out = tensor.extract_slice %r[0, 0] [%n, 512] [1, 1] : tensor<24x512xf32> to tensor<?x512xf32>
  return %out, %sum : tensor<?x512xf32>, tensor<512xf32>
}

// -----

// All rows: of one that was left out, a position would be any number.
// CHECK-LABEL: @positions
// CHECK-NOT:     to %{{n|arg0}} step
// CHECK:         return
#e = affine_map<(i, j) -> (i, j)>
#p = affine_map<(i, j) -> (i)>
func.func private @positions(%n: index, %a: tensor<24x512xf32>, %at: tensor<24xindex>, %table: tensor<?xf32>) -> tensor<?x512xf32> {
  %empty = tensor.empty() : tensor<24x512xf32>
  %r = linalg.generic {indexing_maps = [#e, #p, #e], iterator_types = ["parallel", "parallel"]}
      ins(%a, %at : tensor<24x512xf32>, tensor<24xindex>) outs(%empty : tensor<24x512xf32>) {
    ^bb0(%x: f32, %i: index, %z: f32):
      %t = tensor.extract %table[%i] : tensor<?xf32>
      %m = arith.addf %x, %t : f32
      linalg.yield %m : f32
  } -> tensor<24x512xf32>
  %out = tensor.extract_slice %r[0, 0] [%n, 512] [1, 1] : tensor<24x512xf32> to tensor<?x512xf32>
  return %out : tensor<?x512xf32>
}

// -----

// Weights of 4 MiB: the last rows of a panel fetch the next one, which behind
// the last columns is the same. Smaller ones stay in the second-level cache.
// CHECK-LABEL: @far
// CHECK:         scf.for %[[COLUMN:.*]] = %c0 to %c1024 step
// CHECK:           scf.for %[[ROW:.*]] = %c0 to %c24 step %[[ROWS:.*]] iter_args
// CHECK:             scf.for %[[K:.*]] = %c0 to %c1024 step %c1
// CHECK:               %[[NEXT:.*]] = arith.minsi
// CHECK:               scf.if
// CHECK-NEXT:            %[[PART:.*]] = tensor.extract_slice %{{.*}}[%[[K]], %[[NEXT]]]
// CHECK-NEXT:            %[[BUFFER:.*]] = bufferization.to_buffer %[[PART]] read_only
// CHECK-NEXT:            memref.prefetch %[[BUFFER]][%c0, %c0], read, locality<3>, data
// WIDE-NEXT:             memref.prefetch %[[BUFFER]][%c0, %c16], read, locality<3>, data
// CHECK-NEXT:          }
// CHECK-LABEL: @near
// CHECK-NOT:     memref.prefetch
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func private @far(%a: tensor<24x1024xf32>, %b: tensor<1024x1024xf32>, %init: tensor<24x1024xf32>) -> tensor<24x1024xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x1024xf32>, tensor<1024x1024xf32>) outs(%init : tensor<24x1024xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<24x1024xf32>
  return %r : tensor<24x1024xf32>
}
func.func private @near(%a: tensor<24x256xf32>, %b: tensor<256x512xf32>, %init: tensor<24x512xf32>) -> tensor<24x512xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x256xf32>, tensor<256x512xf32>) outs(%init : tensor<24x512xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<24x512xf32>
  return %r : tensor<24x512xf32>
}

// -----

// Many rows read the columns of far weights: they are copied once for all of
// them, and each fetches the next ones into the second-level cache.
// CHECK-LABEL: @packed
// CHECK:         scf.for %[[COLUMN:.*]] = %c0 to %c1024 step
// CHECK:           %[[PANEL:.*]] = tensor.extract_slice %{{.*}}[0, %[[COLUMN]]] [1024, [[WIDTH:16|32]]] [1, 1]
// CHECK:           %[[EMPTY:.*]] = tensor.empty() : tensor<1024x[[WIDTH]]xf32>
// CHECK:           %[[COPY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[EMPTY]])
// CHECK:             linalg.copy
// CHECK:           scf.for %[[ROW:.*]] = %c0 to %c96 step
// CHECK:             scf.for %[[K:.*]] = %c0 to %c1024 step %c1
// CHECK-NOT:           scf.if
// CHECK:               tensor.extract_slice %[[COPY]][%[[K]], 0] [1, [[WIDTH]]] [1, 1]
// CHECK-NOT:           scf.if
// CHECK:               memref.prefetch %{{.*}}[%c0, %c0], read, locality<2>, data
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func private @packed(%a: tensor<96x1024xf32>, %b: tensor<1024x1024xf32>, %init: tensor<96x1024xf32>) -> tensor<96x1024xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<96x1024xf32>, tensor<1024x1024xf32>) outs(%init : tensor<96x1024xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      linalg.yield %s : f32
  } -> tensor<96x1024xf32>
  return %r : tensor<96x1024xf32>
}

// -----

// A sum over nodes: its rows are columns of the first operand, of which those of
// the block are copied, too. Of both no more than 256 nodes are there.
// CHECK-LABEL: @outer
// CHECK:         %[[ROWS:.*]] = tensor.empty() : tensor<256x96xf32>
// CHECK:         tensor.extract_slice %[[ROWS]][0, 0] [%{{.*}}, 96] [1, 1]
// CHECK:         linalg.copy
// CHECK:         scf.for %[[COLUMN:.*]] = %c0 to %c1024 step
// CHECK:           %[[COLUMNS:.*]] = tensor.empty() : tensor<256x{{16|32}}xf32>
// CHECK:           linalg.copy
// CHECK:           scf.for %[[ROW:.*]] = %c0 to %c96 step
#x = affine_map<(i, j, k) -> (k, i)>
#y = affine_map<(i, j, k) -> (k, j)>
#z = affine_map<(i, j, k) -> (i, j)>
func.func private @outer(%n: index, %first: index, %x: tensor<?x512xf32>, %y: tensor<?x1024xf32>, %init: tensor<96x1024xf32>) -> tensor<96x1024xf32> {
  %k = affine.min affine_map<(n) -> (n, 256)>(%n)
  %a = tensor.extract_slice %x[0, %first] [%k, 96] [1, 1] : tensor<?x512xf32> to tensor<?x96xf32>
  %b = tensor.extract_slice %y[0, 0] [%k, 1024] [1, 1] : tensor<?x1024xf32> to tensor<?x1024xf32>
  %r = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x96xf32>, tensor<?x1024xf32>) outs(%init : tensor<96x1024xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %p = arith.mulf %i, %j : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<96x1024xf32>
  return %r : tensor<96x1024xf32>
}

// -----

// The messages of a tile are contiguous along their sources, the means of its
// destinations along features: of the larger one nothing is gathered. Vectors of
// some features are added up together.
// CHECK-LABEL: @distances
// WIDE-COUNT-2:  scf.for
// WIDE:          linalg.generic {{.*}} ins({{.*}} : tensor<4x1x64xf32>, tensor<1x4xf32>)
// NARROW-COUNT-3: scf.for
// NARROW:        linalg.generic {{.*}} ins({{.*}} : tensor<2x1x32xf32>, tensor<1x2xf32>)
#sources = affine_map<(d, f, s) -> (f, d, s)>
#features = affine_map<(d, f, s) -> (d, f)>
func.func private @distances(%m: tensor<32x12x64xf32>, %mean: tensor<12x32xf32>, %init: tensor<12x32xf32>) -> tensor<12x32xf32> {
  %r = linalg.generic {indexing_maps = [#sources, #features, #features], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%m, %mean : tensor<32x12x64xf32>, tensor<12x32xf32>) outs(%init : tensor<12x32xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %d = arith.subf %x, %y : f32
      %q = arith.mulf %d, %d : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
  } -> tensor<12x32xf32>
  return %r : tensor<12x32xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// A reduction that compares is taken term by term, though all of it would fit.
// CHECK-LABEL: @compares
// CHECK:         scf.for %{{.*}} = %c0 to %c12 step %c1 iter_args(%{{.*}}) -> (tensor<16xf32>)
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<1x16xf32>) outs(%{{.*}} : tensor<16xf32>)
func.func private @compares(%x: tensor<12x16xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %larger = arith.cmpf ogt, %in, %out : f32
    %next = arith.select %larger, %in, %out : f32
    linalg.yield %next : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// Sums that loops carry from step to step are vectors that LLVM keeps in registers: 24 elements are
// 16 and 8, or as many registers of 256 bits.
// CHECK-LABEL: @carried
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x16xf32>) outs(%{{.*}} : tensor<1x16xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x8xf32>) outs(%{{.*}} : tensor<1x8xf32>)
// CHECK-NOT:     tensor<1x24xf32>
#sourceRows = affine_map<(d, f, s) -> (s, f)>
#sums = affine_map<(d, f, s) -> (d, f)>
func.func private @carried(%x: tensor<64x24xf32>, %init: tensor<12x24xf32>) -> tensor<12x24xf32> {
  %r = linalg.generic {indexing_maps = [#sourceRows, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<64x24xf32>) outs(%init : tensor<12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
  } -> tensor<12x24xf32>
  return %r : tensor<12x24xf32>
}

// -----

// Sums start from a bias in registers, not from rows of it in memory.
// CHECK-LABEL: func.func private @from_a_bias(
// CHECK-SAME:    %{{[^:]*}}: tensor<48x64xf32>, %{{[^:]*}}: tensor<64x64xf32>, %[[B:[^:]*]]: tensor<64xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         scf.for %[[COLUMN:.*]] = %c0 to %c64 step %c
// CHECK:           scf.for {{.*}} to %c48 step
// CHECK:             %[[PART:.*]] = tensor.extract_slice %[[B]][%[[COLUMN]]] [{{[0-9]+}}] [1]
// CHECK:             %[[START:.*]] = linalg.generic {{.*}} ins(%[[PART]] : tensor<{{[0-9]+}}xf32>)
// CHECK:             scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
func.func private @from_a_bias(%a: tensor<48x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<48x64xf32> {
  %e = tensor.empty() : tensor<48x64xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                          iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64xf32>) outs(%e : tensor<48x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<48x64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
                                        affine_map<(d0, d1, d2) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<48x64xf32>, tensor<64x64xf32>) outs(%rows : tensor<48x64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<48x64xf32>
  return %c : tensor<48x64xf32>
}
