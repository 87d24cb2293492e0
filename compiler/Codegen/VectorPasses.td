//===- VectorPasses.td - On vectors and arithmetic ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_VECTORPASSES_TD
#define CLIQUE_COMPILER_CODEGEN_VECTORPASSES_TD

include "mlir/Pass/PassBase.td"

def ReduceVectorsPass : Pass<"clique-reduce-vectors"> {
  let summary = "Sums along the rows of a vector as a tree of halves";
  let description = [{
    A reduction of many short rows (the scores of an edge: one per head) is done
    for all rows at once: the lower and the upper halves of the rows are joined
    until a number per row is left. Upstream reduces row after row.

    ```mlir
    %s = vector.multi_reduction <add>, %x, %acc [1]
        : vector<8x4xf32> to vector<8xf32>
    ```
    becomes
    ```mlir
    %l = vector.shuffle %x, %x [0, 1, 4, 5, 8, 9, ...]
    %u = vector.shuffle %x, %x [2, 3, 6, 7, 10, 11, ...]
    %h = arith.addf %l, %u : vector<16xf32>
    ... // once more for vector<8xf32>
    %s = arith.addf %h1, %acc
    ```
    This associates sums anew, as vector reductions do. A maximum that passes over
    NaN (`maxnumf`) takes a start that is a known number first: later steps have no
    NaN to look for, and are one instruction each on x86. A single vector stays, for
    LLVM halves it as well, unless it is a maximum or a minimum, which LLVM takes
    lane by lane. Rows that fill registers are taken a register at a time, and two
    of them become one: LLVM takes long over shuffles of many registers.
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlattenVectorsPass : Pass<"clique-flatten-vectors", "::mlir::func::FuncOp"> {
  let summary = "Rows that do not fill a register side by side, as one vector";
  let description = [{
    LLVM has vectors of one dimension, and of a value of 8 heads of 8 features makes
    eight of 8 elements, each in half a register of 512 bits. Where all that is done
    with a value is done element by element, or is a broadcast, a reduction of its
    rows (`clique-reduce-vectors`), or a transfer of consecutive elements, all of its
    rows become one vector, which fills registers; also what loops carry. Not so
    where the number of elements is no power of two: LLVM keeps such a vector as
    single elements between basic blocks.

    ```mlir
    %x = vector.transfer_read %m[%i, %c0, %c0], %p : memref<?x8x8xf32>, vector<8x8xf32>
    %r = vector.broadcast %w : vector<8xf32> to vector<8x8xf32>
    %t = vector.transpose %r, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
    %y = arith.mulf %t, %x : vector<8x8xf32>
    ```
    becomes
    ```mlir
    %f = memref.collapse_shape %m [[0], [1, 2]] : memref<?x8x8xf32> into memref<?x64xf32>
    %x = vector.transfer_read %f[%i, %c0], %p : memref<?x64xf32>, vector<64xf32>
    %t = vector.shuffle %w, %w [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, ...] : vector<8xf32>, vector<8xf32>
    %y = arith.mulf %t, %x : vector<64xf32>
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerScalarTransfersPass : Pass<"clique-lower-scalar-transfers"> {
  let summary = "Transfers of one number as loads and stores";
  let description = [{
    A vector without dimensions is read and written whatever the strides of its
    buffer. The conversion to LLVM knows such transfers only where the last stride
    is 1.

    ```mlir
    %v = vector.transfer_read %m[%i], %p : memref<16xf32, strided<[12]>>, vector<f32>
    ```
    becomes
    ```mlir
    %x = memref.load %m[%i] : memref<16xf32, strided<[12]>>
    %v = vector.broadcast %x : f32 to vector<f32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerTransposesPass
    : Pass<"clique-lower-transposes", "::mlir::func::FuncOp"> {
  let summary = "Transpositions of vectors as shuffles of whole rows";
  let description = [{
    Upstream's patterns, of which those for 16 x 16 numbers take 64 shuffles. The
    conversion of vectors to LLVM has them too, but by then canonicalisation has
    taken a transposition of rows apart into its 256 numbers.

    ```mlir
    %t = vector.transpose %m, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
    ```
    becomes
    ```mlir
    %r0 = vector.extract %m[0] : vector<16xf32> from vector<16x16xf32>
    %r1 = vector.extract %m[1] : vector<16xf32> from vector<16x16xf32>
    %a0 = vector.shuffle %r0, %r1 [0, 16, 1, 17, 4, 20, ...]
        : vector<16xf32>, vector<16xf32>
    ... // 63 more
    ```
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect"];
}

def ApproximateMathPass : Pass<"clique-approximate-math"> {
  let summary = "Elementary functions of f32 as polynomials";
  let description = [{
    log, tanh, erf ... of f32 become upstream's polynomial approximations (relative
    error a few 1e-7), on vectors without a call per lane, and exp a shorter one of
    our own (below 1 ulp). That of a difference that may be reassociated and
    contracted, which is exact up to a factor as the weights of a softmax are, is
    shorter still (1 ulp and 1.3e-8 times the size of the difference). f64 keeps the
    mathematical library.

    ```mlir
    %e = math.exp %x : vector<16xf32>
    ```
    becomes a range reduction, a polynomial and a scaling by a power of two. The
    sine and the cosine are our own, too (about 1 ulp up to 2^50): upstream's
    have no relative accuracy for small numbers. So are the arc tangent and the arc sine (2 ulp;
    upstream's have 40 and 8), atan2, of which upstream's is NaN of two zeros, and the
    cubic root (1 ulp; upstream's has 16, and is NaN of infinity), and log(1 + x) (1.5 ulp
    without a quotient; upstream's has 2.5). The logarithms of numbers
    below the normal ones are those of 2^24 times these, from which a constant is taken.

    What LLVM and the library lack, clampf, isinf and isnormal, becomes
    comparisons, minimum and maximum, for every element type. Of vectors of vectors,
    sincos becomes a sine and a cosine, absi a maximum, and ctlz, cttz, isnan and
    isfinite are those of one long vector: upstream makes LLVM's intrinsics of plain
    vectors only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def Log1pToLibmPass : Pass<"clique-log1p-to-libm", "::mlir::ModuleOp"> {
  let summary = "log1p and expm1 as functions of the mathematical library";
  let description = [{
    Upstream's conversion to LLVM makes log(1 + x) and exp(x) - 1 of them, which have
    no digits near 0, where these functions are for. Before it upstream's patterns for
    the library take these two, of every type that is left.

    ```mlir
    %y = math.log1p %x : f64
    ```
    becomes
    ```mlir
    %y = call @log1p(%x) : (f64) -> f64
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandArithPass : Pass<"clique-expand-arith"> {
  let summary = "Arithmetic that LLVM has no ops for";
  let description = [{
    Upstream's `arith-expand`: divisions that round up or down, and maxima and minima
    that keep NaN. Those that pass over NaN stay: LLVM takes them in three
    instructions, which are four where comparisons and choices are made of them.

    ```mlir
    %a = arith.ceildivui %n, %m : index
    %b = arith.maxnumf %x, %y : vector<16xf32>
    ```
    becomes
    ```mlir
    %more = arith.subi %n, %c1 : index
    %quotient = arith.divui %more, %m : index
    %up = arith.addi %quotient, %c1 : index
    %a = arith.select %isZero, %c0, %up : index
    %b = arith.maxnumf %x, %y : vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def SpreadPrefetchesPass : Pass<"clique-spread-prefetches"> {
  let summary = "What is fetched during a product";
  let description = [{
    A processor that is asked for more lines at once than it can wait for drops some
    of them. A loop of prefetches before a product, or before a few products in a
    loop, becomes several: each fetches a share of the rows and comes before a part of
    the product's steps (`stepsBetweenFetches`).

    ```mlir
    scf.for %row = %begin to %end step %c1 {
      memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x64xf32>
    }
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (vector<8x32xf32>) {
      ...
    }
    ```
    becomes
    ```mlir
    scf.for %row = %begin to %quarter step %c1 {
      memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x64xf32>
    }
    %s0 = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<8x32xf32>) {
      ...
    }
    scf.for %row = %quarter to %half step %c1 {
      memref.prefetch %h[%row, %c0], read, locality<3>, data : memref<?x64xf32>
    }
    %s1 = scf.for %k = %c16 to %c32 step %c1 iter_args(%s = %s0) -> (vector<8x32xf32>) {
      ...
    }
    ... // two more quarters
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def UnrollTransfersPass : Pass<"clique-unroll-transfers"> {
  let summary = "Transfers of vectors of several dimensions row by row";
  let description = [{
    Upstream's `convert-vector-to-scf=full-unroll`: its patterns, without the
    simplification of regions behind them, which takes as long again.

    ```mlir
    %v = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, true]}
        : memref<?x?xf32>, vector<2x8xf32>
    ```
    becomes
    ```mlir
    %r0 = vector.transfer_read %m[%i, %j], %p {in_bounds = [true]}
        : memref<?x?xf32>, vector<8xf32>
    %v0 = vector.insert %r0, %padding [0] : vector<8xf32> into vector<2x8xf32>
    ... // the second row
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerVectorsPass : Pass<"clique-lower-vectors"> {
  let summary = "Vector ops as those that LLVM's dialect has";
  let description = [{
    Contractions, transfers, broadcasts, masks and vectors of several dimensions,
    by upstream's patterns: what `convert-vector-to-llvm` does before it converts.

    ```mlir
    %v = vector.transfer_read %m[%i], %p {in_bounds = [true]}
        : memref<?xf32>, vector<8xf32>
    %r = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]}
        : vector<8xf32> to vector<4xf32>
    ```
    becomes
    ```mlir
    %v = vector.load %m[%i] : memref<?xf32>, vector<8xf32>
    %r = vector.shuffle %v, %v [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertToLLVMPass : Pass<"clique-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Loops without structure, vectors and buffers to the LLVM dialect";
  let description = [{
    Upstream's patterns of all dialects that are left, in one walk in place of one
    for each dialect: values are cast between the types of two dialects nowhere.
    Memory is allocated by the runtime (`_mlir_memref_to_llvm_aligned_alloc`), sums
    of a vector in any order, and functions that LLVM has no intrinsic for are those
    of the mathematical library. A loop's `llvm.loop_annotation` becomes the branch's
    own `loop_annotation`.

    ```mlir
    %v = vector.load %m[%i] : memref<?xf32>, vector<8xf32>
    %w = math.sqrt %v : vector<8xf32>
    ```
    becomes
    ```mlir
    %p = llvm.getelementptr inbounds|nuw %base[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
    %w = llvm.intr.sqrt(%v) : (vector<8xf32>) -> vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def UnrollLoopsPass : Pass<"clique-unroll-loops"> {
  let summary = "Loops of a few steps are unrolled";
  let description = [{
    LLVM does so, too, but looks at all other loops of a nest again for each.

    ```mlir
    scf.for %head = %c0 to %c2 step %c1 {
      vector.store %zero, %sums[%head, %c0] : memref<2x8xf32>, vector<8xf32>
    }
    ```
    becomes
    ```mlir
    vector.store %zero, %sums[%c0, %c0] : memref<2x8xf32>, vector<8xf32>
    vector.store %zero, %sums[%c1, %c0] : memref<2x8xf32>, vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FoldExtractsPass : Pass<"clique-fold-extracts", "::mlir::ModuleOp"> {
  let summary = "A part of an aggregate is the value that was put there";
  let description = [{
    Upstream's conversion builds an aggregate for each buffer and for each vector of
    several dimensions, and takes it apart wherever it is used: half of all ops, which
    LLVM would get to fold, and each pass before to walk over.

    ```mlir
    %b = llvm.insertvalue %pointer, %a[1] : !llvm.struct<(ptr, ptr, i64)>
    %p = llvm.extractvalue %b[1] : !llvm.struct<(ptr, ptr, i64)>
    %x = llvm.load %p : !llvm.ptr -> f32
    ```
    becomes
    ```mlir
    %x = llvm.load %pointer : !llvm.ptr -> f32
    ```
  }];
}

def GuardDivisionPass : Pass<"clique-guard-division"> {
  let summary = "Integer division by 0 or -1 without a trap, shifts by any number";
  let description = [{
    A quotient or remainder by 0 is 0, and the least number divided by -1 is itself,
    as in the reference interpreter; a processor would stop the program. A constant
    divisor that is neither stays as it is.

    ```mlir
    %r = arith.remsi %a, %b : i32
    ```
    becomes
    ```mlir
    %zero = arith.cmpi eq, %b, %c0 : i32
    %b0 = arith.select %zero, %c1, %b : i32
    %minus = arith.cmpi eq, %b, %cm1 : i32
    %b1 = arith.select %minus, %c1, %b0 : i32
    %r = arith.remsi %a, %b1 : i32
    ```

    With `floors` it is for the beginning, before anything is folded: upstream folds
    a floor division of constants by 0 to its dividend where a later element has
    another divisor, and takes ceilings apart.

    With `shifts` it is for what the user wrote: a shift by as many bits as there are, or more, is 0, or the
    sign of a signed number.

    ```mlir
    %r = arith.shli %a, %b : i32
    %s = arith.shrsi %a, %b : i32
    ```
    becomes
    ```mlir
    %inside = arith.cmpi ult, %b, %c32 : i32
    %b0 = arith.select %inside, %b, %c0 : i32
    %shifted = arith.shli %a, %b0 : i32
    %r = arith.select %inside, %shifted, %c0 : i32
    %b1 = arith.minui %b, %c31 : i32
    %s = arith.shrsi %a, %b1 : i32
    ```
  }];
  let options = [
    Option<"floors", "floors", "bool", "false",
      "Only floors and ceilings, of tensors whose shape is known">,
    Option<"shifts", "shifts", "bool", "false",
      "Only shifts">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SaturateConversionsPass : Pass<"clique-saturate-conversions"> {
  let summary = "Floats beyond a type of integers give its least or largest number";
  let description = [{
    A float that is beyond the type of integers that it is converted to gives the
    least or largest number of that type, and NaN gives 0, as in the reference
    interpreter; each processor would make something else of them.

    ```mlir
    %r = arith.fptosi %x : f32 to i8
    ```
    becomes
    ```mlir
    %i = arith.fptosi %x : f32 to i8
    %low = arith.cmpf ole, %x, %c-128.0 : f32
    %r0 = arith.select %low, %c-128, %i : i8
    %high = arith.cmpf oge, %x, %c128.0 : f32
    %r1 = arith.select %high, %c127, %r0 : i8
    %nan = arith.cmpf uno, %x, %x : f32
    %r = arith.select %nan, %c0, %r1 : i8
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerPairsPass : Pass<"clique-lower-pairs", "::mlir::func::FuncOp"> {
  let summary = "Products of pairs as instructions of x86";
  let description = [{
    `mp.pair` and `mp.dot_pairs` on vectors become upstream's `x86vector` ops on
    registers of 16 words, whatever remains of a row on one that is filled up; on
    scalars, one lane of it.

    ```mlir
    %s = mp.dot_pairs %sum, %a, %b : (vector<16xf32>, vector<16xi32>, vector<16xi32>) -> vector<16xf32>
    ```
    becomes
    ```mlir
    %x = vector.bitcast %a : vector<16xi32> to vector<32xbf16>
    %y = vector.bitcast %b : vector<16xi32> to vector<32xbf16>
    %s = x86vector.avx512.dot %sum, %x, %y : vector<32xbf16> -> vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
                           "::mlir::x86vector::X86VectorDialect"];
}

#endif // CLIQUE_COMPILER_CODEGEN_VECTORPASSES_TD
