//===- TensorPasses.td - On tensors, up to vectors ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_TENSORPASSES_TD
#define CLIQUE_COMPILER_CODEGEN_TENSORPASSES_TD

include "mlir/Pass/PassBase.td"

def BoolsAsBytesPass : Pass<"clique-bools-as-bytes", "::mlir::ModuleOp"> {
  let summary = "Truth values in tensors, buffers and edge features as bytes";
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

    What a public function returns is copied one by one unless a structured op made
    it: of bytes that were handed in and only moved, the result is 0 or 1, too.

    Elementwise ops on whole tensors are to be `linalg` by then
    (`convert-elementwise-to-linalg`).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::clique::mp::MPDialect"];
}

def PrefetchGathersPass : Pass<"clique-prefetch-gathers", "::mlir::func::FuncOp"> {
  let summary = "Rows that an array names are fetched before they are read";
  let description = [{
    An argument with the attribute `mp.prefetch = d` is an array of row numbers. Where
    a row is read whose number is `array[k]`, what is read of the row `array[k + d]`, or
    of the last one, is fetched into a cache of the core (which one, `prefetchLevels` of
    `Tuning.h` says): its first 16 cache lines, as hardware recognises a longer stream, and
    the last element, as rows may begin within a line. Of parts that share a line it is
    fetched once. The attribute is removed.

    ```mlir
    func.func private @sum_0_sparse(..., %sources: memref<?xi32> {mp.prefetch = 32 : i64}, ...) {
      ...
      %h = bufferization.to_tensor %buffer : memref<?x16xf32> to tensor<?x16xf32>
      ...
        %j = memref.load %sources[%k] : memref<?xi32>
        %source = arith.index_cast %j : i32 to index
        %x = tensor.extract_slice %h[%source, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    ```
    becomes
    ```mlir
        %later = arith.addi %k, %c32 : index
        %ahead = arith.minsi %later, %last : index
        %i = memref.load %sources[%ahead] : memref<?xi32>
        %next = arith.index_cast %i : i32 to index
        memref.prefetch %buffer[%next, %c0], read, locality<3>, data : memref<?x16xf32>
        %j = memref.load %sources[%k] : memref<?xi32>
        ...
    ```

    Each loop fetches what it reads itself, but for what an earlier loop over the same
    entries did. It is for IR from which what is not used was removed, and before
    `clique-bufferize`. Source: Ainsworth and Jones, "Software
    prefetching for indirect memory accesses", CGO 2017.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
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
    as it is. On a CPU two functions of a tile, as the exponential of a score that is
    a tanh, stay apart, since each is a long chain of steps that wait for each other.
    A reduction that subtracts its terms becomes a sum of what is minus them, which
    `clique-split-sums` takes apart.
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def FuseIntoGathersPass
    : Pass<"clique-fuse-into-gathers", "::mlir::func::FuncOp"> {
  let summary = "Rows are computed as they are gathered";
  let description = [{
    An elementwise op of rows that loops gather for it alone, as those of the two
    ends of a chunk's edges, is computed in these loops: what is gathered is not
    written to memory and read again. Where the innermost dimension is whole
    vectors, since the op's vectors run along a row now.

    ```mlir
    %x:2 = scf.for %i = %b to %e step %c1 iter_args(%s = %s0, %t = %t0) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
      ...
      %u = tensor.insert_slice %of_source into %s[%i, 0] [1, 64] [1, 1] ...
      %v = tensor.insert_slice %of_destination into %t[%i, 0] [1, 64] [1, 1] ...
      scf.yield %u, %v
    }
    %z = linalg.generic {add} ins(%x#0, %x#1 : tensor<48x64xf32>, tensor<48x64xf32>) ...
    ```
    becomes
    ```mlir
    %z = scf.for %i = %b to %e step %c1 iter_args(%s = %s0) -> (tensor<48x64xf32>) {
      ...
      %row = linalg.generic {add} ins(%of_source, %of_destination : tensor<64xf32>, tensor<64xf32>) ...
      %u = tensor.insert_slice %row into %s[%i, 0] [1, 64] [1, 1] ...
      scf.yield %u
    }
    ```
    Rows that the loops do not reach, those behind a chunk's last edge, are what
    they were before.
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseIntoStoresPass : Pass<"clique-fuse-into-stores", "::mlir::func::FuncOp"> {
  let summary = "Rows are computed as they are stored";
  let description = [{
    An elementwise op whose first rows are stored, as many as a block has, or row by
    row, as nodes in another order are, is computed in the loop that stores them:
    each row goes from registers to the result, and rows that are not stored are
    not computed. Where the innermost dimension is whole vectors, since the op's
    vectors run along a row now. What finishes the sums of a product stays, for it
    does so in their registers.

    ```mlir
    %mean = linalg.generic {mul} ins(%sum, %inverse : tensor<8x64xf32>, tensor<8xf32>) ...
    %rows = tensor.extract_slice %mean[0, 0] [%count, 64] [1, 1]
    bufferization.materialize_in_destination %rows in writable %out
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %count step %c1 {
      %sums = tensor.extract_slice %sum[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
      %by = tensor.extract_slice %inverse[%i] [1] [1] : tensor<8xf32> to tensor<f32>
      %row = linalg.generic {mul} ins(%sums, %by : tensor<64xf32>, tensor<f32>) ...
      %place = memref.subview %out[%i, 0] [1, 64] [1, 1]
      bufferization.materialize_in_destination %row in writable %place
    }
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
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

def HoistFromBlocksPass : Pass<"clique-hoist-from-blocks", "::mlir::ModuleOp"> {
  let summary = "What all blocks compute of weights alike is computed once";
  let description = [{
    A private function that is called in parallel loops alone, with an operand that is
    the same for all of their steps: what it computes elementwise of such operands,
    the words of weights in bf16 for instance (`clique-pair-products`), leaves the
    loop, and comes in as one more operand; it leaves the loops around it, too, in whose
    steps it is the same, those of a recurrence for instance. What is larger than what
    it is computed of, a bias that is repeated for each row, stays.

    ```mlir
    %w = bufferization.to_buffer %weights read_only : tensor<64x32xf32> to memref<64x32xf32>
    scf.parallel (%block) = ... {
      func.call @map_0_nodes(%first, %last, %h, %w, %out)
    }
    func.func private @map_0_nodes(..., %w: memref<64x32xf32>, ...) {
      %t = bufferization.to_tensor %w restrict : memref<64x32xf32> to tensor<64x32xf32>
      %words = linalg.generic ... ins(%low_of_t, %high_of_t) { mp.pair } -> tensor<32x32xi32>
      ...
    ```
    becomes
    ```mlir
    %words = linalg.generic ... ins(%low_of_weights, %high_of_weights) { mp.pair } -> tensor<32x32xi32>
    %w = bufferization.to_buffer %words read_only : tensor<32x32xi32> to memref<32x32xi32>
    scf.parallel (%block) = ... {
      func.call @map_0_nodes(%first, %last, %h, %out, %w)
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
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
    A little arithmetic on the elements of a contraction, its one user, is done tile by
    tile while they are in registers, in the main part and in the rest.

    Where only the first rows of a result are read, `%n` of the 32 say, because the
    last block of nodes is not full, the loops over rows of what it is computed from
    end there:
    ```mlir
    %out = tensor.extract_slice %c[0, 0] [%n, 64] [1, 1]
    ```

    Weights larger than the second-level cache are fetched ahead: the tile of the last
    rows does so for the next columns (`memref.prefetch`). Where many tiles of rows read
    the same columns of large weights, these are copied to where they are contiguous;
    otherwise they would lie in as many pages, and in few sets of the first cache. Of a
    sum over nodes of outer products both factors are.
  }];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::affine::AffineDialect"];
}

def VectorizePass
    : Pass<"clique-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Register tiles of linalg to vectors";
  let description = [{
    Vectorises the linalg ops of static shape that `clique-tile-registers` left,
    folds slices into the reads and writes of vectors, and carries accumulators in
    registers through the loops, nested ones too, and what each step overwrites as a whole,
    also where a step stores what it carries.
    Ops that do not vectorise stay for scalar loops.

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
    Option<"maxElements", "max-elements", "::clique::PositiveSize",
           "::clique::PositiveSize{1024}",
           "Largest iteration space that is unrolled into vectors">];
  let dependentDialects = ["::mlir::vector::VectorDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def CopyCarriedPass : Pass<"clique-copy-carried", "::mlir::func::FuncOp"> {
  let summary = "What a step of a loop makes is copied to where the step before had it";
  let description = [{
    A step that makes the next value of what its loop carries elsewhere would have a
    buffer allocated for it, and give back that of the step before. In block
    functions, where such tensors are small, it is copied instead: all steps have
    one buffer.

    ```mlir
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<12x8xf32>) {
      %next = scf.for ... iter_args(%rows = %empty) { ... reads %state ... }
      scf.yield %next : tensor<12x8xf32>
    }
    ```
    becomes
    ```mlir
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<12x8xf32>) {
      %next = scf.for ... iter_args(%rows = %empty) { ... reads %state ... }
      %copy = linalg.copy ins(%next) outs(%state)
      scf.yield %copy : tensor<12x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def SplitEmptiesPass : Pass<"clique-split-empties", "::mlir::func::FuncOp"> {
  let summary = "Each use of an empty tensor has its own";
  let description = [{
    Before `eliminate-empty-tensors`, which lets one use of an empty tensor write to
    the place of its result. Where there are several it takes one by their addresses,
    so that a spec became other code each time that it was compiled.

    ```mlir
    %e = tensor.empty() : tensor<12x64xf32>
    %a = scf.for ... iter_args(%x = %e) -> (tensor<12x64xf32>) { ... }
    %b = scf.for ... iter_args(%x = %e) -> (tensor<12x64xf32>) { ... }
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<12x64xf32>
    %e0 = tensor.empty() : tensor<12x64xf32>
    %a = scf.for ... iter_args(%x = %e) -> (tensor<12x64xf32>) { ... }
    %b = scf.for ... iter_args(%x = %e0) -> (tensor<12x64xf32>) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def SplitFilledPass : Pass<"clique-split-filled", "::mlir::func::FuncOp"> {
  let summary = "Each loop has its own tensor to write to";
  let description = [{
    What is alike is made once: also the tensors of the rows of a chunk's two ends,
    of which those behind the last edge are 0. A loop writes to its own, so that one
    of them would be copied for each chunk. It is made a second time, out of
    another empty tensor.

    ```mlir
    %e = tensor.empty() : tensor<48x64xf32>
    %rows = linalg.fill ins(%zero : f32) outs(%slice_of_e) -> tensor<?x64xf32>
    %x = tensor.insert_slice %rows into %e[%n, 0] [%rest, 64] [1, 1]
    %r:2 = scf.for ... iter_args(%a = %x, %b = %x) -> (tensor<48x64xf32>, tensor<48x64xf32>) { ... }
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<48x64xf32>
    %e0 = tensor.empty() : tensor<48x64xf32>
    %x = ...
    %rows0 = linalg.fill ins(%zero : f32) outs(%slice_of_e0) -> tensor<?x64xf32>
    %x0 = tensor.insert_slice %rows0 into %e0[%n, 0] [%rest, 64] [1, 1]
    %r:2 = scf.for ... iter_args(%a = %x, %b = %x0) -> (tensor<48x64xf32>, tensor<48x64xf32>) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_CODEGEN_TENSORPASSES_TD
