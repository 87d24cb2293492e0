//===- BufferPasses.td - On buffers, and down to LLVM ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_BUFFERPASSES_TD
#define CLIQUE_COMPILER_CODEGEN_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

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
    calls, stands the question whether it has; if so the caller returns, with a result
    that nobody looks at, since its own caller asks as well.
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
      %none = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
      llvm.return %none : !llvm.struct<(ptr, ptr, i64)>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def BufferizePass : Pass<"clique-bufferize", "::mlir::ModuleOp"> {
  let summary = "One-shot bufferization whose copies are linalg.copy";
  let description = [{
    Upstream's one-shot bufferization of a module, function boundaries included
    (identity layouts), with `linalg.copy` in place of `memref.copy`, or vectors
    where it is small: rows of a tile are strided, and a strided `memref.copy` is
    a library call. These vectors are one, two, four... registers of the module's
    target (`mp.target`), or less than one, as those of `clique-tile-registers`.
    Only private functions are analysed for writes in place: public ones lend their buffers to
    the loops that run kernels. Constants are numbered by where they are used first:
    upstream's numbers depend on addresses.

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
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
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

def HandOutBlocksPass : Pass<"clique-hand-out-blocks", "::mlir::ModuleOp"> {
  let summary = "The threads of an OpenMP region take blocks of a loop as they go";
  let description = [{
    Blocks differ in work (hubs, ragged cliques), and other programs may take a
    core; each block writes its own rows, so that the order in which threads take
    them changes no result. Threads take many blocks at first, so that what they
    read comes in order, and in the end single ones. Debian's OpenMP library takes
    microseconds to hand out a share, as long as a small block itself, whatever
    the schedule; here it is an atomic addition. An invocation that its caller
    interrupts leaves out the blocks that follow, and ends after the region. The
    region of a single block has one thread: to wake others takes longer than many a
    block. The `memref.alloca_scope` of a body that takes no memory on the stack goes:
    it may have one block only, and a loop in it becomes several.

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
    %isShared = arith.cmpi ugt, %n, %c1 : index
    omp.parallel if(%isShared) {
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
    Where a function's would take more than `max-bytes` of the stack of a thread, the
    largest become `memref.alloc`: a long region has a buffer for each of its steps.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "::clique::PositiveSize",
           "::clique::PositiveSize{1 << 19}",
           "Bytes of the stack that a function may take">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def InsertInPlacePass : Pass<"clique-insert-in-place", "::mlir::func::FuncOp"> {
  let summary = "Slices are inserted in place into what a loop carries";
  let description = [{
    Before bufferization, which copies what is written to in functions that lend
    buffers to kernels: a loop over the levels of a graph would take time for all
    nodes in each step. Where a step of a loop makes the next value of a tensor
    by inserting slices into it, and nothing reads the old value behind the first
    insertion, the tensor has a buffer of its own. A slice of the old value that is
    read behind it is copied.

    ```mlir
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x16xf32>) {
      %b = bufferization.to_buffer %h read_only : tensor<?x16xf32> to memref<?x16xf32>
      ...                                         // reads %b, makes %new
      %i = tensor.insert_slice %new into %h[%k, 0] [%c, 16] [1, 1]
          : tensor<?x16xf32> into tensor<?x16xf32>
      scf.yield %i : tensor<?x16xf32>
    }
    ```
    becomes
    ```mlir
    %from = bufferization.to_buffer %x read_only : tensor<?x16xf32> to memref<?x16xf32>
    %all = memref.alloc(%size) : memref<?x16xf32>
    linalg.copy ins(%from) outs(%all)
    scf.for %k = %c0 to %n step %c1 {
      %h = bufferization.to_tensor %all restrict : memref<?x16xf32> to tensor<?x16xf32>
      %b = bufferization.to_buffer %h read_only : tensor<?x16xf32> to memref<?x16xf32>
      ...
      %slice = memref.subview %all[%k, 0] [%c, 16] [1, 1] : memref<?x16xf32> to ...
      %part = bufferization.to_buffer %new read_only : tensor<?x16xf32> to memref<?x16xf32>
      linalg.copy ins(%part) outs(%slice)
    }
    %r = bufferization.to_tensor %all restrict : memref<?x16xf32> to tensor<?x16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
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

def ReuseArgumentsPass : Pass<"clique-reuse-arguments", "::mlir::ModuleOp"> {
  let summary = "The memory of arguments that the caller gives away is used again";
  let description = [{
    An argument with `mp.donatable` is freed behind its last use if the caller gave it
    away, which is known at run time only. Where that is a kernel whose functions have
    it as `mp.overwritten`, the result of the same number is written to its memory:
    each function reads its rows before it writes any.

    ```mlir
    %taken = call @clique_rt_take_argument(%address, %bytes) : (!llvm.ptr, index) -> i1
    %out = scf.if %taken -> (memref<?x64xf32>) {   // memref.alloc(%n) before
      %rows = memref.reinterpret_cast %z to offset: [0], sizes: [%n, 64], strides: [64, 1]
      scf.yield %rows
    } else { ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
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

def VectorizeCopiesPass
    : Pass<"clique-vectorize-copies", "::mlir::func::FuncOp"> {
  let summary = "Rows are copied and filled by vectors";
  let description = [{
    `linalg.copy` and `linalg.fill` on buffers whose last dimension is of known
    size and contiguous become loops over vectors, whatever the other dimensions.
    A row is as many of the last dimensions as follow each other without gaps. What
    is left of it is in vectors of powers of two: 48 elements are 32 and 16, which
    LLVM would take apart into scalars. Of long rows LLVM is told to keep the loop.

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
    Option<"lanes", "lanes", "::clique::PositiveSize",
           "::clique::PositiveSize{64}",
           "Elements of a vector, at most">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandStridedMetadataPass : Pass<"clique-expand-strided-metadata"> {
  let summary = "Views as addresses, sizes and strides";
  let description = [{
    Upstream's `expand-strided-metadata`: its patterns, without the simplification
    of regions behind them, which takes two thirds of its time again.

    ```mlir
    %row = memref.subview %m[%i, 0] [1, 8] [1, 1]
        : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    ```
    becomes
    ```mlir
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
    %at = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%i]
    %row = memref.reinterpret_cast %base to offset: [%at], sizes: [8], strides: [1]
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // CLIQUE_COMPILER_CODEGEN_BUFFERPASSES_TD
