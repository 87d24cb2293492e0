//===- DevicePasses.td - Kernels of a gpu.module to code -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_DEVICE_DEVICEPASSES_TD
#define CLIQUE_COMPILER_DEVICE_DEVICEPASSES_TD

include "mlir/Pass/PassBase.td"

def DeallocateHostBuffersPass
    : Pass<"clique-deallocate-host-buffers", "::mlir::ModuleOp"> {
  let summary = "upstream's buffer deallocation, without block functions";
  let description = [{
    `ownership-based-buffer-deallocation` of the functions that stay on the host.
    Block functions, those with `mp.threads`, own no buffers, and hold barriers,
    of whose effects upstream's pass knows nothing.

    ```mlir
    %b = memref.alloc(%n) : memref<?xf32>
    ```
    becomes
    ```mlir
    %b = memref.alloc(%n) : memref<?xf32>
    ...
    bufferization.dealloc (%b : memref<?xf32>) if (%true)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def SplitDeallocationsPass
    : Pass<"clique-split-deallocations", "::mlir::func::FuncOp"> {
  let summary = "buffers are freed one after the other";
  let description = [{
    Upstream frees several buffers by a function that compares their addresses in
    arrays, which would be in device memory. Each gets an op of its own instead, for
    which upstream compares values; one that was freed before is left out.

    ```mlir
    %own = bufferization.dealloc (%a, %b : memref<?xf32>, memref<?xf32>)
        if (%owns_a, %owns_b) retain (%r : memref<?xf32>)
    ```
    becomes
    ```mlir
    %0 = bufferization.dealloc (%a : memref<?xf32>) if (%owns_a) retain (%r : memref<?xf32>)
    ... // %others: %owns_b, and not %owns_a where the addresses are the same
    %1 = bufferization.dealloc (%b : memref<?xf32>) if (%others) retain (%r : memref<?xf32>)
    %own = arith.ori %0, %1 : i1
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

def ParallelFirstPass : Pass<"clique-parallel-first", "::mlir::func::FuncOp"> {
  let summary = "the parallel loops of structured ops outside, at least one";
  let description = [{
    A parallel loop becomes a launch, and a loop around it one for each of its steps;
    what is in none is done by the host, with a copy for each element. In functions
    that stay on the host, the parallel loops of structured ops on buffers come before
    their reductions, and an op without any is put into a parallel loop of one step.

    ```mlir
    linalg.generic {iterator_types = ["reduction", "parallel"], ...}
        ins(%x : memref<?x64xf32>) outs(%sum : memref<64xf32>) { ... }
    linalg.fill ins(%zero : f32) outs(%s : memref<f32>)
    ```
    becomes
    ```mlir
    linalg.generic {iterator_types = ["parallel", "reduction"], ...}
        ins(%x : memref<?x64xf32>) outs(%sum : memref<64xf32>) { ... }
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      linalg.fill ins(%zero : f32) outs(%s : memref<f32>)
    }
    ```
  }];
  let dependentDialects = [
    "::clique::mp::MPDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"];
}

def LaunchBlocksPass : Pass<"clique-launch-blocks", "::mlir::func::FuncOp"> {
  let summary = "parallel loops of the host as launches of kernels";
  let description = [{
    A parallel loop that calls a block function becomes a launch with a group of
    threads for each round; any other, with a thread for each round. A block has as
    many groups as its usual threads, and the target's shared memory, suffice for.

    ```mlir
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      func.call @row(%i, %m) : (index, memref<?xf32>) -> ()
    }
    ```
    becomes
    ```mlir
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
               dynamic_shared_memory_size %bytes {
      ...
      func.call @row(%i, %m) : (index, memref<?xf32>) -> ()
      gpu.terminator
    }
    ```
  }];
  let dependentDialects = [
    "::clique::mp::MPDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def CheckDeviceIRPass : Pass<"clique-check-device-ir", "::mlir::ModuleOp"> {
  let summary = "What code is made of for GPUs, and nothing else";
  let description = [{
    Fails, at the first place, where an op is left that the stages before should
    have lowered: tensors and parallel loops in functions of the host, in kernels
    whatever does not belong to `arith`, `cf`, `math`, `memref`, `scf`, `ub`,
    `vector` on the one hand, `gpu`, `nvgpu`, `nvvm` on the other.
  }];
}

def AccessDeviceMemoryPass
    : Pass<"clique-access-device-memory", "::mlir::ModuleOp"> {
  let summary = "The host reads and writes device memory through the runtime";
  let description = [{
    In the functions of the host, every buffer is in device memory, but for
    `memref.alloca` (on the stack) and constants. A number that the host reads or
    writes goes through `clique_rt_read` and `clique_rt_write`, a copy of
    contiguous buffers is `clique_rt_copy`, and of a constant a kernel or the runtime
    sees the copy in device memory that `clique_rt_constant` makes once. Whatever else touches
    device memory on the host is an error: it should have been a kernel.

    ```mlir
    %x = memref.load %sums[%i] : memref<?xf32>
    ```
    becomes
    ```mlir
    %slot = memref.alloca() : memref<f32>
    ... // %to: the address of %slot, %from: that of %sums[%i]
    func.call @clique_rt_read(%to, %from, %c4)
    %x = memref.load %slot[] : memref<f32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ConvertGPULaunchToRuntimePass
    : Pass<"convert-gpu-launch-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Launches of kernels are calls of the runtime";
  let description = [{
    `gpu.launch_func` becomes a call of `clique_rt_launch`. Parameters are packed
    on the stack as the driver takes them: an array of pointers to each. A memref
    is the 3 + 2 * rank fields of its descriptor, an index an i64. The space is
    taken at the function's start, so that loops do not let the stack grow. The
    `gpu.module` stays; its images will be in the global `clique_device_code`.

    ```mlir
    gpu.launch_func @clique_device::@scale blocks in (%n, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%f : f32)
    ```
    becomes
    ```mlir
    %code = llvm.mlir.addressof @clique_device_code : !llvm.ptr
    %name = llvm.mlir.addressof @clique_string : !llvm.ptr // "scale\00"
    ... // stores into %grid and %parameters, both llvm.alloca
    func.call @clique_rt_launch(%code, %name, %grid, %shared, %parameters)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def SimplifyDeviceArithPass
    : Pass<"clique-simplify-device-arith", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Arithmetic as GPUs have it";
  let description = [{
    `math.exp` of f32 becomes a power of 2, for which there is an instruction; that
    of a difference which may be reassociated, from one number for several, with one
    multiplication and addition.
    A positive constant factor leaves a maximum and what is masked with -inf, which
    changes no number. So the scale of a softmax's scores is not applied to each of
    them. Divisions that round up or down are expanded; maxima and minima are not, as
    upstream's `arith-expand` would: they are instructions. A power of integers becomes
    a loop of products.

    ```mlir
    %y = math.exp %x : vector<4xf32>
    ```
    becomes
    ```mlir
    %log2e = arith.constant dense<1.44269502> : vector<4xf32>
    %scaled = arith.mulf %x, %log2e : vector<4xf32>
    %y = math.exp2 %scaled : vector<4xf32>
    ```
    and
    ```mlir
    %s = arith.mulf %d, %eighth : vector<4xf32>
    %m = vector.broadcast %max : f32 to vector<4xf32>
    %e = arith.subf %s, %m fastmath<reassoc,contract> : vector<4xf32>
    %p = math.exp %e : vector<4xf32>
    ```
    becomes
    ```mlir
    %x = arith.mulf %m, %log2e : vector<4xf32>
    %less = arith.negf %x : vector<4xf32>
    %e = math.fma %d, %log2eEighth, %less : vector<4xf32>
    %p = math.exp2 %e : vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertDeviceMathToLLVMPass
    : Pass<"convert-device-math-to-llvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Mathematical functions on a GPU, without CUDA's library";
  let description = [{
    What a GPU computes itself (square roots, rounding, classes of numbers, exp2 of f32,
    with `fastmath<afn>` also log2, sin and cos) becomes an intrinsic of LLVM. Most
    others of f32 are polynomials by now (`clique-approximate-math`,
    `math-expand-ops`); what is left, of f64 above all, becomes a call of libclc,
    LLVM's library of OpenCL's functions, of which PTX is given what it calls.
    Upstream's conversions would call libdevice, which comes with the CUDA Toolkit
    only.

    ```mlir
    %r = math.sqrt %x : f32
    ```
    becomes
    ```mlir
    %r = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
    ```
    and `math.exp %y : f64` becomes `llvm.call @_Z3expd(%y) : (f64) -> f64`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerDeviceVectorsPass
    : Pass<"clique-lower-device-vectors", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Vectors of more than one dimension as vectors of one";
  let description = [{
    Fragments of matrices have two dimensions. What reshapes, broadcasts or builds
    them becomes extracts, inserts and shuffles of rows, by upstream's patterns: as
    they are part of no pass but the conversion of vectors to LLVM, which does not
    know a GPU's address spaces.

    ```mlir
    %f = vector.shape_cast %m : vector<2x2xf32> to vector<4xf32>
    ```
    becomes
    ```mlir
    %r0 = vector.extract %m[0] : vector<2xf32> from vector<2x2xf32>
    %f0 = vector.insert_strided_slice %r0, %zero {offsets = [0], strides = [1]}
        : vector<2xf32> into vector<4xf32>
    ... // the second row
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertMmaToNVVMPass
    : Pass<"convert-mma-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Tensor cores on bf16";
  let description = [{
    `nvgpu.mma.sync` on bf16, which upstream's `convert-nvgpu-to-nvvm` does not
    know: pairs of elements become registers of 32 bits.

    ```mlir
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}
        : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    ```
    becomes
    ```mlir
    %r = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%c0, %c1, %c2, %c3]
        {multiplicandAPtxType = #nvvm.mma_type<bf16>, ...}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertWarpgroupsToPTXPass
    : Pass<"clique-convert-warpgroups-to-ptx", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Products of warpgroups as wgmma";
  let description = [{
    `mp.warpgroup_product`, whose right operand lies in panels
    (`clique-swizzle-shared`), becomes the instructions `wgmma.mma_async` for every 16
    of its depth, in one piece of assembly, which waits for them. Panels, and the rows
    of one, are told to them by a descriptor (PTX ISA, "Matrix Descriptor Format"): NVVM's
    ops take no left operands from registers.

    ```mlir
    %s = mp.warpgroup_product left(%a : vector<4x2xbf16>)
        right(%v : memref<16x64xbf16, #gpu.address_space<workgroup>>) {panels}
        -> vector<32xf32>
    ```
    becomes
    ```mlir
    %address = arith.shrui %start, %c4_i64 : i64
    %right = arith.ori %address, %strides : i64
    %r = llvm.inline_asm has_side_effects "{ wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, ...}, {$32, ...}, $36,
        none, 1, 1, 1; ... wgmma.wait_group.sync.aligned 0; }", "=f,...,r,r,r,r,l,~{memory}"
        %a0, %a1, %a2, %a3, %right : (i32, i32, i32, i32, i64) -> !llvm.struct<(f32, ...)>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def BoundRegistersPass : Pass<"clique-bound-registers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "As many blocks on a multiprocessor as products leave registers for";
  let description = [{
    A kernel with large products on tensor cores holds their accumulators and left operands
    in registers, and needs others for addresses. How many blocks a multiprocessor has
    the registers and the shared memory for then is a bound for the assembler, which takes
    more registers than it needs otherwise: while one block waits for a product,
    others compute.

    ```mlir
    gpu.func @tiles(...) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      ... // 96 registers for products
    }
    ```
    becomes
    ```mlir
    gpu.func @tiles(...) kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                                            nvvm.minctasm = 3 : i32} {...}
    ```
  }];
}

def AlignSharedMemoryPass
    : Pass<"clique-align-shared-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Shared memory begins where swizzled panels may";
  let description = [{
    What places in panels depend on (`clique-swizzle-shared`) are bits of addresses, which
    are those of a buffer's rows where shared memory begins at a multiple of 1024 bytes.

    ```mlir
    llvm.mlir.global external @__dynamic_shmem__0() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    ```
    becomes
    ```mlir
    llvm.mlir.global external @__dynamic_shmem__0()
        {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    ```
  }];
}

def EmulateDevicePass : Pass<"clique-emulate-device", "::mlir::ModuleOp"> {
  let summary = "Kernels as functions of the processor, for the emulated driver";
  let description = [{
    Leaves a module for the processor with the kernels alone: each is the body of
    one thread of the device, and what only a device has (its place in the grid,
    barriers, shuffles, tensor cores, shared memory, asynchronous copies) is a call
    of the emulated driver, which switches threads there. `clique_emu_kernel_NAME`
    unpacks the parameters of a launch. The host's functions are dropped.

    ```mlir
    gpu.module @clique_device {
      gpu.func @fill(%to: memref<?xf32>, %x: f32) kernel {
        %i = gpu.thread_id x
        memref.store %x, %to[%i] : memref<?xf32>
        gpu.return
      }
    }
    ```
    becomes
    ```mlir
    func.func private @fill(%to: memref<?xf32>, %x: f32) {
      %d = arith.constant 0 : i32
      %t = llvm.call @clique_emu_thread_id(%d) : (i32) -> i64
      %i = arith.index_cast %t : i64 to index
      memref.store %x, %to[%i] : memref<?xf32>
      return
    }
    func.func @clique_emu_kernel_fill(%parameters: !llvm.ptr) {
      ... // %to, %x
      call @fill(%to, %x) : (memref<?xf32>, f32) -> ()
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CLIQUE_COMPILER_DEVICE_DEVICEPASSES_TD
