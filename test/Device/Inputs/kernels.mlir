// Kernels that use what only a device has; execute.py runs them.
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @clique_device {
    memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

    // Sums of the rows of x, one block of 128 threads for each: warps by shuffles,
    // then through shared memory.
    gpu.func @sums(%x: memref<?x?xf32>, %to: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      %width = arith.constant 32 : i32
      %t = gpu.thread_id x
      %n = gpu.block_dim x
      %row = gpu.block_id x
      %lane = gpu.lane_id
      %columns = memref.dim %x, %c1 : memref<?x?xf32>
      %mine = scf.for %j = %t to %columns step %n iter_args(%s = %zero) -> (f32) {
        %v = memref.load %x[%row, %j] : memref<?x?xf32>
        %next = arith.addf %s, %v : f32
        scf.yield %next : f32
      }
      %o16 = arith.constant 16 : i32
      %s16, %p16 = gpu.shuffle xor %mine, %o16, %width : f32
      %a16 = arith.addf %mine, %s16 : f32
      %o8 = arith.constant 8 : i32
      %s8, %p8 = gpu.shuffle xor %a16, %o8, %width : f32
      %a8 = arith.addf %a16, %s8 : f32
      %o4 = arith.constant 4 : i32
      %s4, %p4 = gpu.shuffle xor %a8, %o4, %width : f32
      %a4 = arith.addf %a8, %s4 : f32
      %o2 = arith.constant 2 : i32
      %s2, %p2 = gpu.shuffle xor %a4, %o2, %width : f32
      %a2 = arith.addf %a4, %s2 : f32
      %o1 = arith.constant 1 : i32
      %s1, %p1 = gpu.shuffle xor %a2, %o1, %width : f32
      %a1 = arith.addf %a2, %s1 : f32
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %warps = arith.divui %n, %c32 : index
      %sums = memref.view %bytes[%c0][%warps] : memref<?xi8, #shared> to memref<?xf32, #shared>
      %isFirst = arith.cmpi eq, %lane, %c0 : index
      scf.if %isFirst {
        %warp = arith.divui %t, %c32 : index
        memref.store %a1, %sums[%warp] : memref<?xf32, #shared>
      }
      gpu.barrier
      %isLeader = arith.cmpi eq, %t, %c0 : index
      scf.if %isLeader {
        %sum = scf.for %w = %c0 to %warps step %c1 iter_args(%s = %zero) -> (f32) {
          %v = memref.load %sums[%w] : memref<?xf32, #shared>
          %next = arith.addf %s, %v : f32
          scf.yield %next : f32
        }
        memref.store %sum, %to[%row] : memref<?xf32>
      }
      gpu.return
    }

    // c = a b by one warp on tensor cores; a and b come by asynchronous copies.
    gpu.func @product(%a: memref<16x16xbf16>, %b: memref<16x8xbf16>, %c: memref<16x8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c512 = arith.constant 512 : index
      %t = gpu.thread_id x
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %sa = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<16x16xbf16, #shared>
      %sb = memref.view %bytes[%c512][] : memref<?xi8, #shared> to memref<16x8xbf16, #shared>
      %half = arith.divui %t, %c2 : index
      %rest = arith.remui %t, %c2 : index
      %column = arith.muli %rest, %c8 : index
      %copyA = nvgpu.device_async_copy %a[%half, %column], %sa[%half, %column], 8
          : memref<16x16xbf16> to memref<16x16xbf16, #shared>
      %row = arith.remui %t, %c16 : index
      %copyB = nvgpu.device_async_copy %b[%row, %c0], %sb[%row, %c0], 8
          : memref<16x8xbf16> to memref<16x8xbf16, #shared>
      %group = nvgpu.device_async_create_group %copyA, %copyB
      nvgpu.device_async_wait %group {numGroups = 0 : i32}
      gpu.barrier
      %side = arith.divui %t, %c16 : index
      %k = arith.muli %side, %c8 : index
      %fa = nvgpu.ldmatrix %sa[%row, %k] {numTiles = 4 : i32, transpose = false}
          : memref<16x16xbf16, #shared> -> vector<4x2xbf16>
      %fb = nvgpu.ldmatrix %sb[%row, %c0] {numTiles = 2 : i32, transpose = true}
          : memref<16x8xbf16, #shared> -> vector<2x2xbf16>
      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %fc = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 16]}
          : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %i = arith.divui %t, %c4 : index
      %quarter = arith.remui %t, %c4 : index
      %j = arith.muli %quarter, %c2 : index
      %top = vector.extract %fc[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %top, %c[%i, %j] : memref<16x8xf32>, vector<2xf32>
      %below = arith.addi %i, %c8 : index
      %bottom = vector.extract %fc[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %bottom, %c[%below, %j] : memref<16x8xf32>, vector<2xf32>
      gpu.return
    }

    // What another lane has, for each type of a shuffle.
    gpu.func @shuffles(%i: memref<32xi32>, %l: memref<32xi64>, %d: memref<32xf64>) kernel {
      %width = arith.constant 32 : i32
      %three = arith.constant 3 : i32
      %t = gpu.thread_id x
      %a = memref.load %i[%t] : memref<32xi32>
      %a3, %pa = gpu.shuffle xor %a, %three, %width : i32
      memref.store %a3, %i[%t] : memref<32xi32>
      %b = memref.load %l[%t] : memref<32xi64>
      %b3, %pb = gpu.shuffle idx %b, %three, %width : i64
      memref.store %b3, %l[%t] : memref<32xi64>
      %e = memref.load %d[%t] : memref<32xf64>
      %e3, %pe = gpu.shuffle xor %e, %three, %width : f64
      %mask = arith.constant -1 : i32
      nvvm.bar.warp.sync %mask : i32
      memref.store %e3, %d[%t] : memref<32xf64>
      gpu.return
    }

    // Each eight lanes go their own way: k times, for the k-th of a warp, they hand
    // what they have to their neighbours, and then all take the last one's.
    gpu.func @groups(%i: memref<64xi32>) kernel {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %eight = arith.constant 8 : index
      %groups = arith.constant 24 : index
      %own = arith.constant 255 : i32
      %segments = arith.constant 6175 : i32
      %next = arith.constant 1 : i32
      %last = arith.constant 7 : i32
      %t = gpu.thread_id x
      %first = arith.andi %t, %groups : index
      %shift = arith.index_cast %first : index to i32
      %lanes = arith.shli %own, %shift : i32
      %k = arith.divui %first, %eight : index
      %a = memref.load %i[%t] : memref<64xi32>
      %b = scf.for %round = %zero to %k step %one iter_args(%x = %a) -> i32 {
        %other = nvvm.shfl.sync bfly %lanes, %x, %next, %segments : i32 -> i32
        %sum = arith.addi %x, %other : i32
        scf.yield %sum : i32
      }
      %c = nvvm.shfl.sync idx %lanes, %b, %last, %segments : i32 -> i32
      memref.store %c, %i[%t] : memref<64xi32>
      gpu.return
    }

    // Parameters of every type, a constant, mathematics.
    gpu.func @mixed(%n: index, %flag: i1, %x: f32, %y: f64, %k: i32, %scalar: memref<i64>, %to: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %four = arith.constant 4 : index
      %isInside = arith.cmpi ult, %t, %n : index
      %isMine = arith.andi %isInside, %flag : i1
      scf.if %isMine {
        %table = memref.get_global @weights : memref<4xf32>
        %place = arith.remui %t, %four : index
        %w = memref.load %table[%place] : memref<4xf32>
        %yf = arith.truncf %y : f64 to f32
        %kf = arith.sitofp %k : i32 to f32
        %s = memref.load %scalar[] : memref<i64>
        %sf = arith.sitofp %s : i64 to f32
        %e = math.exp %x : f32
        %r = math.sqrt %yf : f32
        %h = math.tanh %kf : f32
        %p = math.exp2 %sf : f32
        %1 = arith.addf %e, %r : f32
        %2 = arith.addf %1, %h : f32
        %3 = arith.addf %2, %p : f32
        %4 = arith.mulf %3, %w : f32
        memref.store %4, %to[%t] : memref<?xf32>
      }
      gpu.return
    }
  }
}
