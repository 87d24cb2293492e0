//===- CodegenPasses.td - Block functions to machine code -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_TD
#define CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_TD

include "mlir/Pass/PassBase.td"

def BoolsAsBytesPass : Pass<"clique-bools-as-bytes", "::mlir::ModuleOp"> {
  let summary = "Truth values in tensors and buffers as bytes";
  let description = [{
    A truth value in memory is a byte, 0 or 1, as callers have it; of what is read,
    every byte but 0 is true. LLVM would pack the elements of a vector of `i1` into
    the bits of a byte, and give each a byte where they are read one by one.

    ```mlir
    %o = linalg.generic {...} ins(%m, %x : tensor<?xi1>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%mask: i1, %in: f32, %out: f32):
      %s = arith.select %mask, %in, %zero : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    ```
    becomes
    ```mlir
    %o = linalg.generic {...} ins(%m, %x : tensor<?xi8>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%byte: i8, %in: f32, %out: f32):
      %mask = arith.cmpi ne, %byte, %c0_i8 : i8
      %s = arith.select %mask, %in, %zero : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    ```

    Elementwise ops on whole tensors are to be `linalg` by then
    (`convert-elementwise-to-linalg`).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def CheckAllocationsPass : Pass<"clique-check-allocations", "::mlir::ModuleOp"> {
  let summary = "Out of memory inside a parallel region is reported after it";
  let description = [{
    A runtime function that fails says so to the invocation of its thread, which the
    other threads of a parallel region do not have: the functions that such regions
    call return the bytes that were not to be had, 0 if nothing failed, and give
    back before what they had allocated. The invoking thread asks after the region.

    ```mlir
    omp.parallel {
      llvm.call @block(%b) : (i64) -> ()
      omp.terminator
    }
    llvm.func @block(%b: i64) attributes {sym_visibility = "private"} {
      %scratch = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
      ...
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.store %zero, %failed : i64, !llvm.ptr
    omp.parallel {
      %bytes = llvm.call @block(%b) : (i64) -> i64
      // where it is not 0: llvm.store %bytes, %failed atomic monotonic
      omp.terminator
    }
    // where %failed is not 0: llvm.call @clique_rt_out_of_memory
    llvm.func @block(%b: i64) -> i64 attributes {sym_visibility = "private"} {
      %scratch = llvm.call @clique_rt_try_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
      // where it is null: llvm.return %size
      ...
      llvm.return %zero : i64
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckFailuresPass : Pass<"clique-check-failures", "::mlir::ModuleOp"> {
  let summary = "A function returns where one of the runtime has failed";
  let description = [{
    After each call of a runtime function that may fail, and of a function with such
    calls, stands the question whether it has; if so the caller returns, with zeros.
    What it had allocated the runtime gives back at the end of the invocation.
    Parallel regions call nothing that fails like this.

    ```mlir
    %graph = llvm.call @clique_rt_reverse(%g) : (!llvm.ptr) -> !llvm.ptr
    ```
    becomes
    ```mlir
      %graph = llvm.call @clique_rt_reverse(%g) : (!llvm.ptr) -> !llvm.ptr
      %failed = llvm.call @clique_rt_has_failed() : () -> i1
      llvm.cond_br %failed, ^return, ^next
    ^next:
      ...
    ^return:
      %zero = llvm.mlir.zero : !llvm.struct<(ptr, ptr, i64)>
      llvm.return %zero : !llvm.struct<(ptr, ptr, i64)>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def OutlineSumsPass : Pass<"clique-outline-sums", "::mlir::ModuleOp"> {
  let summary = "Sums of whole tensors in functions of their own, in parallel";
  let description = [{
    A reduction of a public function into one tensor of static shape, the gradient of
    a weight say, becomes a private function that computes some rows of the result,
    and a parallel loop over all of them. There it is written in place, which in a
    public function nothing is (`clique-bufferize`), and `clique-split-sums` finds it
    by its attribute. Each row is summed by one thread: the result does not depend on
    their number. A result of one dimension, or of few rows, is one block.

    ```mlir
    %w = linalg.generic {...} ins(%x, %y : tensor<?x64xf32>, tensor<?x32xf32>)
           outs(%zero : tensor<64x32xf32>) ...
    ```
    becomes
    ```mlir
    %out = memref.alloc() : memref<64x32xf32>
    scf.parallel (%block) = (%c0) to (%c2) step (%c1) {
      %row = arith.muli %block, %c32 : index
      func.call @f_sum_0(%row, %xs, %ys, %zeros, %out) : ...
    }
    %w = bufferization.to_tensor %out restrict writable : ...
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitSumsPass : Pass<"clique-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Long sums of whole tensors block by block";
  let description = [{
    The reductions of structured ops in public functions, or taken out of them by
    `clique-outline-sums` (kernels sum in blocks by themselves), whose length is dynamic or more than two blocks: blocks of
    `block-size` steps are summed by themselves, these sums in blocks again, and so
    on. The error of a sum grows with its longest part instead of its length, and
    does not depend on threads. Sums of half precision, of whatever length, are
    carried in f32.

    ```mlir
    %s = linalg.reduce ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) dimensions = [0]
      (%in: f32, %out: f32) { ... arith.addf ... }
    ```
    becomes, with blocks of 512,
    ```mlir
    %s = scf.for %i = %c0 to %n step %c262144 iter_args(%outer = %zero) -> (tensor<f32>) {
      %sums = scf.for %k = %c0 to %m step %c512 iter_args(%inner = %fill) -> (tensor<f32>) {
        %slice = tensor.extract_slice %x[%first] [%size] [1] : tensor<?xf32> to tensor<?xf32>
        %part = linalg.reduce ins(%slice : tensor<?xf32>) outs(%fill : tensor<f32>) dimensions = [0] ...
        %next = linalg.generic {...} ins(%part : tensor<f32>) outs(%inner : tensor<f32>) ... arith.addf ...
        scf.yield %next : tensor<f32>
      }
      ... // %outer + %sums
    }
    ```
  }];
  let options = [Option<"blockSize", "block-size", "int64_t", "512",
                        "Steps of a block">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BufferizePass : Pass<"clique-bufferize", "::mlir::ModuleOp"> {
  let summary = "One-shot bufferization whose copies are linalg.copy";
  let description = [{
    Upstream's one-shot bufferization of a module, function boundaries included
    (identity layouts), with `linalg.copy` in place of `memref.copy`, or vectors
    where it is small: rows of a tile are strided, and a strided `memref.copy` is
    a library call. Only private
    functions are analysed for writes in place: public ones lend their buffers to
    the loops that run kernels.

    ```mlir
    %t = tensor.insert_slice %rows into %tile[0, 0] [%n, 8] [1, 1] : ...
    ```
    becomes
    ```mlir
    %v = memref.subview %tile[0, 0] [%n, 8] [1, 1] : ...
    linalg.copy ins(%rows : ...) outs(%v : ...)
    ```
  }];
  let options = [
    Option<"copySmallInVectors", "copy-small-in-vectors", "bool", "true",
           "Copy small buffers through vector registers">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def SplitSlicesPass : Pass<"clique-split-slices", "::mlir::func::FuncOp"> {
  let summary = "Slices have strides or drop dimensions, not both";
  let description = [{
    Which dimensions a view of memory has dropped is found by its strides, which
    fails where it has been given other ones. A slice with strides keeps all of its
    dimensions here, and a reshape drops them; a stride over one entry is none.

    ```mlir
    %s = tensor.extract_slice %t[0, 1, 0] [4, 1, 3] [2, 1, 1]
        : tensor<7x2x3xf32> to tensor<4x3xf32>
    ```
    becomes
    ```mlir
    %w = tensor.extract_slice %t[0, 1, 0] [4, 1, 3] [2, 1, 1]
        : tensor<7x2x3xf32> to tensor<4x1x3xf32>
    %s = tensor.collapse_shape %w [[0, 1], [2]] : tensor<4x1x3xf32> into tensor<4x3xf32>
    ```
    Where slices are inserted `tensor.expand_shape` adds the dimensions before.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def CopyByLoopsPass : Pass<"clique-copy-by-loops", "::mlir::func::FuncOp"> {
  let summary = "Copies of parts of buffers as linalg.copy";
  let description = [{
    What bufferization and the deallocation of buffers copy where a function hands
    out a part of a tensor. As `memref.copy` it would be a call of MLIR's own
    library, which a layer does not bring.

    ```mlir
    memref.copy %part, %whole : memref<?x4xf32, strided<[4, 1]>> to memref<?x4xf32>
    ```
    becomes
    ```mlir
    linalg.copy ins(%part : memref<?x4xf32, strided<[4, 1]>>) outs(%whole : memref<?x4xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

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
    This associates sums anew, as vector reductions do.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
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
    our own (below 1 ulp). f64 keeps the mathematical library.

    ```mlir
    %e = math.exp %x : vector<16xf32>
    ```
    becomes a range reduction, a polynomial and a scaling by a power of two. The
    sine and the cosine are our own, too (about 1 ulp up to 2^50): upstream's
    have no relative accuracy for small numbers.

    What LLVM and the library lack, clampf, isinf and isnormal, becomes
    comparisons, minimum and maximum, for every element type.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def GuardDivisionPass : Pass<"clique-guard-division"> {
  let summary = "Integer division by 0 or -1 without a trap";
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
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def HandOutBlocksPass : Pass<"clique-hand-out-blocks", "::mlir::ModuleOp"> {
  let summary = "The threads of an OpenMP region take blocks of a loop as they go";
  let description = [{
    Blocks differ in work (hubs, ragged cliques), and other programs may take a
    core; each block writes its own rows, so that the order in which threads take
    them changes no result. Threads take many blocks at first, so that what they
    read comes in order, and in the end single ones. Debian's OpenMP library takes
    microseconds to hand out a share, as long as a small block itself, whatever
    the schedule; here it is an atomic addition. An invocation that its caller
    interrupts leaves out the blocks that follow, and ends after the region.

    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%b) : index = (%c0) to (%n) step (%c1) { ... }
      }
    }
    ```
    becomes
    ```mlir
    %interruption = func.call @clique_rt_interruption() : () -> !llvm.ptr
    memref.store %zero, %counter[%c0] : memref<8xi64>
    omp.parallel {
      %threads = func.call @omp_get_num_threads() : () -> i32
      scf.while : () -> (index, index) {
        %share = memref.atomic_rmw addi %one, %counter[%c0] : (i64, memref<8xi64>) -> i64
        ...
        scf.condition(%isLeft) %begin, %end : index, index
      } do {
      ^bb0(%begin: index, %end: index):
        scf.for %b = %begin to %end step %c1 {
          %goesOn = func.call @clique_rt_goes_on(%interruption) : (!llvm.ptr) -> i1
          scf.if %goesOn { ... }
        }
      }
    }
    func.call @clique_rt_fail_if_interrupted(%interruption) : (!llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def FuseElementwisePass
    : Pass<"clique-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Elementwise ops join their user where nothing is done twice";
  let description = [{
    Upstream's fusion of elementwise linalg ops, but only where the user visits
    each element once, or the producer is trivial: an exponential or an activation
    in front of a matrix product is not evaluated again for each of its columns.

    ```mlir
    %b = linalg.generic {gelu} ins(%a : tensor<32x64xf32>) ...
    %c = linalg.generic {add} ins(%b, %r : tensor<32x64xf32>, tensor<32x64xf32>) ...
    %d = linalg.generic {matmul} ins(%b2, %w : tensor<32x64xf32>, tensor<64x8xf32>) ...
    ```
    `%b` becomes part of the addition; another one that is an operand of `%d` stays
    as it is.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def EmitCInterfacePass
    : Pass<"clique-emit-c-interface", "::mlir::ModuleOp"> {
  let summary = "Public functions get a C interface";
  let description = [{
    Unlike upstream's `llvm-request-c-wrappers` it leaves private functions and
    declarations of the runtime alone.

    ```mlir
    func.func @layer(%h: memref<?x8xf32>)
    ```
    becomes
    ```mlir
    func.func @layer(%h: memref<?x8xf32>) attributes {llvm.emit_c_interface}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def HoistAllocasPass
    : Pass<"clique-hoist-allocas", "::mlir::func::FuncOp"> {
  let summary = "Scratch on the stack is taken once per call";
  let description = [{
    A `memref.alloca` of known size moves to the start of its function, or of the
    parallel loop around it. In the body of a loop it would take more of the stack
    in every round, as loops that have become branches no longer give it back.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloca() : memref<12x64xf32>
      ...
    ```
    becomes
    ```mlir
    %a = memref.alloca() : memref<12x64xf32>
    scf.for %i = %c0 to %n step %c1 {
      ...
    ```
    What would take more than `max-bytes` of the stack of a thread in one function
    becomes `memref.alloc`: a long region has a buffer for each of its steps.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "1 << 20",
           "Bytes of the stack that a function may take">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def FreeEarlyPass : Pass<"clique-free-early", "::mlir::func::FuncOp"> {
  let summary = "Buffers are freed behind their last use";
  let description = [{
    Behind bufferization's deallocation, which frees what a block allocates at its
    end: a deep network would keep the features of all its layers. Each
    deallocation moves behind the last op of its block that uses the buffer or may
    use a part of it, also where the buffer is the result of a branch, and where it
    is freed on a condition.

    ```mlir
    %1 = scf.if %dense -> (memref<?x64xf32>) {...}
    %2 = scf.if %dense -> (memref<?x64xf32>) {... %1 ...}
    %3 = scf.if %dense -> (memref<?x64xf32>) {... %2 ...}
    memref.dealloc %1 : memref<?x64xf32>
    memref.dealloc %2 : memref<?x64xf32>
    ```
    becomes
    ```mlir
    %1 = scf.if %dense -> (memref<?x64xf32>) {...}
    %2 = scf.if %dense -> (memref<?x64xf32>) {... %1 ...}
    memref.dealloc %1 : memref<?x64xf32>
    %3 = scf.if %dense -> (memref<?x64xf32>) {... %2 ...}
    memref.dealloc %2 : memref<?x64xf32>
    ```
  }];
}

def PairProductsPass : Pass<"clique-pair-products", "::mlir::func::FuncOp"> {
  let summary = "Products of bf16 as dot products of pairs";
  let description = [{
    Where the CPU multiplies pairs of bf16 (`bf16_pairs` of `mp.target`), a product
    of matrices whose operands are bf16, widened to f32, becomes one of words that
    hold two elements each: the first half of the summed dimension in the low
    halves of the words, the second in the high ones. The left operand may also be
    computed, as the weights of a softmax are: it is rounded, if whatever floats
    the function takes are of bf16. Words are made where the whole operand is, of
    which a product may take a slice.

    ```mlir
    %c = linalg.generic ... ins(%a, %b : tensor<12x64xf32>, tensor<64x32xf32>) outs(%z) {
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    }
    ```
    becomes
    ```mlir
    %low, %high = columns [0, 32) and [32, 64) of %a
    %aw = linalg.generic ... ins(%low, %high) { mp.pair } -> tensor<12x32xi32>
    %bw = ... tensor<32x32xi32>
    %c = linalg.generic ... ins(%aw, %bw : tensor<12x32xi32>, tensor<32x32xi32>) outs(%z) {
      %s = mp.dot_pairs %sum, %x, %y : (f32, i32, i32) -> f32
      linalg.yield %s : f32
    }
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
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

def StreamStoresPass : Pass<"clique-stream-stores", "::mlir::ModuleOp"> {
  let summary = "Large results go past the caches";
  let description = [{
    A processor reads a cache line before it is written to. What a block function
    writes in whole lines and never reads, its result, goes to memory without
    that where the whole result outgrows the caches (`clique_rt_outgrows_caches`):
    such a result would not be found there by who reads it next, and would drive
    out the rows that the block gathers. Fences where parallel regions end order
    these stores.

    ```mlir
    vector.store %row, %out[%i, %c0] : memref<?x64xf32>, vector<64xf32>
    ```
    becomes
    ```mlir
    %large = call @clique_rt_outgrows_caches(%bytes) : (index) -> i1
    ...
    scf.if %large_and_aligned {
      vector.store %row, %out[%i, %c0]
          {alignment = 64 : i64, nontemporal = true} : ...
    } else {
      vector.store %row, %out[%i, %c0] : ...
    }
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::omp::OpenMPDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileRegistersPass
    : Pass<"clique-tile-registers", "::mlir::func::FuncOp"> {
  let summary = "Tiles linalg ops so that a tile fits vector registers";
  let description = [{
    The dimension along which most operands are contiguous runs over whole
    vectors; a contraction also keeps several rows, as many as the registers hold,
    and takes its reduction one step at a time; every other dimension is a loop. A
    size that no vector divides is split into a main part and a rest. Width and number
    of the registers are those of the module's target (`mp.target`). An op that
    fits half of the registers takes no loops. What is carried from step to step or
    from edge to edge is in vectors of one, two, four... registers, or less than one:
    96 numbers are 64 and 32. LLVM would keep others as scalars there.

    ```mlir
    %c = linalg.generic {matmul} ins(%a, %b : tensor<32x16xf32>, tensor<16x64xf32>)
           outs(%init : tensor<32x64xf32>)
    ```
    becomes three loops around one on `tensor<8x32xf32>` with one step of the sum.
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def VectorizePass
    : Pass<"clique-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Register tiles of linalg to vectors";
  let description = [{
    Vectorises the linalg ops of static shape that `clique-tile-registers` left,
    folds slices into the reads and writes of vectors, and carries accumulators in
    registers through the loops, nested ones too. Ops that do not vectorise stay for scalar loops.

    ```mlir
    %r = linalg.generic {elementwise add} ins(%a, %b : tensor<16xf32>, ...)
    ```
    becomes
    ```mlir
    %va = vector.transfer_read %a[%c0], %cst {in_bounds = [true]} : ...
    ...
    %r = vector.transfer_write %sum, %init[%c0] : ...
    ```
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", "1024",
           "Largest iteration space that is unrolled into vectors">];
  let dependentDialects = ["::mlir::vector::VectorDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def VectorizeCopiesPass
    : Pass<"clique-vectorize-copies", "::mlir::func::FuncOp"> {
  let summary = "Rows are copied and filled by vectors";
  let description = [{
    `linalg.copy` and `linalg.fill` on buffers whose last dimension is of known
    size and contiguous become loops over vectors, whatever the other dimensions.
    A row is as many of the last dimensions as follow each other without gaps.

    ```mlir
    linalg.copy ins(%a : memref<?x64xf32, strided<[512, 1], offset: ?>>)
                outs(%b : memref<?x64xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      %row = vector.load %a[%i, %c0] : ..., vector<64xf32>
      vector.store %row, %b[%i, %c0] : memref<?x64xf32>, vector<64xf32>
    }
    ```
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "64",
           "Elements of a vector, at most">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CLIQUE_COMPILER_CODEGEN_CODEGENPASSES_TD
