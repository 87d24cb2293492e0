//===- ThreadPasses.td - Block functions for threads of a device -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_THREADPASSES_TD
#define CLIQUE_COMPILER_THREADS_THREADPASSES_TD

include "mlir/Pass/PassBase.td"

def DistributeToThreadsPass
    : Pass<"clique-distribute-to-threads", "::mlir::ModuleOp"> {
  let summary = "the tensors of block functions spread over threads";
  let description = [{
    A function with the attribute `mp.threads` is run by so many threads together, a
    power of two: a warp or a part of one that computes a row, or a block of warps
    that computes a tile of `mp.rows` destinations, from the argument with
    `mp.first_destination` on: dimensions that come from these rows are destinations
    wherever they go, and spread as matrix instructions want them; sizes say nothing.
    `mp.product_type` is a half precision to which what is multiplied may be rounded.
    Each tensor becomes a vector of
    registers, spread so that what an elementwise op, a broadcast or a reduction needs
    is where it is computed; a reduction across threads is a butterfly of shuffles.
    Products of matrices and changes of layout go through shared memory, and
    `mp.shared_bytes` says how much of it a group takes. Groups of the same warp may
    go different ways: a shuffle (`nvvm.shfl.sync` there, not `gpu.shuffle`, which is
    one of the warp's first lanes) and a synchronisation name the group's own lanes.
    A result is stored before the next one is computed.

    ```mlir
    func.func private @f(%m: memref<64xf32>, %o: memref<64xf32>)
        attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
      %t = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
      %e = tensor.empty() : tensor<64xf32>
      %r = linalg.exp ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      bufferization.materialize_in_destination %r in writable %o
          : (tensor<64xf32>, memref<64xf32>) -> ()
      return
    }
    ```
    becomes
    ```mlir
    %lane = arith.remui %thread, %c32 : index
    %at = arith.muli %lane, %c2 : index
    %x = vector.load %m[%at] : memref<64xf32>, vector<2xf32>
    %y = math.exp %x : vector<2xf32>
    vector.store %y, %o[%at] : memref<64xf32>, vector<2xf32>
    ```
  }];
  let options = [
    Option<"tf32", "tf32", "bool", "false",
           "Products of f32 matrices on tensor cores, which read 10 of the 23 "
           "bits of a fraction">];
  let dependentDialects = [
    "::clique::mp::MPDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def LimitSharedMemoryPass
    : Pass<"clique-limit-shared-memory", "::mlir::ModuleOp"> {
  let summary = "no dense tiles where a block lacks the memory for them";
  let description = [{
    How much shared memory a tile takes (`mp.shared_bytes`) is known when it is
    spread over threads. Of a kernel whose tiles take more than a block of the target has,
    the version in sparse rows alone is left for the runtime to choose; where the
    type of the graph left tiles alone, that is an error.

    ```mlir
    %dense = mp.choose_dense %g, "gat_1" versions both cost <...> : !mp.graph
    scf.if %dense {
      func.call @tiles(...)   // mp.shared_bytes = 271104
    } else {
      func.call @rows(...)
    }
    ```
    becomes
    ```mlir
    %dense = mp.choose_dense %g, "gat_1" versions sparse cost <...> : !mp.graph
    func.call @rows(...)
    ```
  }];
  let dependentDialects = ["::clique::mp::MPDialect"];
}

def TileProductsPass : Pass<"clique-tile-products", "::mlir::func::FuncOp"> {
  let summary = "products with weights for tensor cores, a part at a time";
  let description = [{
    A product of a block's rows with weights that tensor cores will compute reads
    the weights from shared memory. Where they are larger than `part-bytes`, it
    becomes a loop (upstream's tiling) over parts of what is summed: each is copied
    while the one before is multiplied (`clique-distribute-to-threads`,
    `clique-pipeline-copies`). Rows that come from memory and that nothing else
    reads come in the same parts. Products that are for ordinary units stay.

    ```mlir
    %p = linalg.generic ... ins(%x, %w : tensor<64x512xf32>, tensor<512x128xf32>)
                            outs(%bias : tensor<64x128xf32>) { multiply, add }
    ```
    becomes
    ```mlir
    %p = scf.for %k = %c0 to %c512 step %c64 iter_args(%sum = %bias) {
      %xk = tensor.extract_slice %x[0, %k] [64, 64] [1, 1]
      %wk = tensor.extract_slice %w[%k, 0] [64, 128] [1, 1]
      %next = linalg.generic ... ins(%xk, %wk : tensor<64x64xf32>, tensor<64x128xf32>)
                                 outs(%sum : tensor<64x128xf32>) { multiply, add }
      scf.yield %next
    }
    ```
  }];
  let options = [
    Option<"tf32", "tf32", "bool", "false",
           "Products of f32 matrices are on tensor cores, too">,
    Option<"partBytes", "part-bytes", "::clique::PositiveSize",
           "::clique::PositiveSize{16384}",
           "The weights of a round take so much memory, or are as deep as one "
           "instruction">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def PipelineCopiesPass
    : Pass<"clique-pipeline-copies", "::mlir::func::FuncOp"> {
  let summary = "asynchronous copies start a round before they are needed";
  let description = [{
    A loop whose rounds copy a tile to shared memory, in two buffers by turns, wait
    for it and compute, becomes one that copies the next round's tile while it
    computes. One barrier is enough: a thread that has come to it sees the tile,
    and is done with the one before, in whose place the next one goes. Loops of
    other forms stay.

    ```mlir
    scf.for %i = %begin to %end step %c64 {
      ...                                  // %mine: a buffer, by turns
      nvgpu.device_async_copy %keys[%i, %x], %mine[%y, %x], 8 ...
      %tile = nvgpu.device_async_create_group {mp.tiles}
      nvgpu.device_async_wait %tile
      gpu.barrier
      ...                                  // reads %mine
    }
    ```
    becomes
    ```mlir
    %isAny = arith.cmpi slt, %begin, %end : index
    scf.if %isAny {
      nvgpu.device_async_copy %keys[%begin, %x], %first[%y, %x], 8 ...
    }
    %ahead = nvgpu.device_async_create_group {mp.tiles}
    scf.for %i = %begin to %end step %c64 iter_args(%tile = %ahead) {
      nvgpu.device_async_wait %tile
      gpu.barrier
      scf.if %isNext {
        nvgpu.device_async_copy %keys[%next, %x], %other[%y, %x], 8 ...
      }
      %nextTile = nvgpu.device_async_create_group {mp.tiles}
      ...                                  // reads %mine
      scf.yield %nextTile
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SwizzleSharedPass
    : Pass<"clique-swizzle-shared", "::mlir::func::FuncOp"> {
  let summary = "tiles of shared memory without conflicts between banks";
  let description = [{
    The eight rows that `ldmatrix` reads at once lie a whole row apart: in the same
    banks, where rows follow each other without gaps. In a buffer that it reads,
    16 bytes of a row change places by the row's number (exclusive or), for all
    accesses alike. A buffer that has other uses than loads, stores and copies of
    its elements stays as it is.

    ```mlir
    nvgpu.ldmatrix %tile[%row, %column] ... : memref<64x64xbf16, ...>
    ```
    becomes
    ```mlir
    %low = arith.andi %row, %c7 : index
    %bits = arith.muli %low, %c8 : index
    %place = arith.xori %column, %bits : index
    nvgpu.ldmatrix %tile[%row, %place] ... : memref<64x64xbf16, ...>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // CLIQUE_COMPILER_THREADS_THREADPASSES_TD
