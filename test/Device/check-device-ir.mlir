// What no stage lowered is one error, at its place.

// RUN: clique-opt %s -split-input-file -clique-check-device-ir -verify-diagnostics

func.func @tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{op has no lowering to GPUs; compile it for the processor with --target=cpu}}
  %u = arith.addf %t, %t : tensor<4xf32>
  %v = arith.addf %u, %t : tensor<4xf32>
  return %v : tensor<4xf32>
}

// -----

func.func @parallel(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{'scf.parallel' op has no lowering to GPUs}}
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.reduce
  }
  return
}

// -----

gpu.module @device {
  gpu.func @linalg(%m: memref<4xf32>, %x: f32) kernel {
    // expected-error @below {{'linalg.fill' op has no lowering to GPUs}}
    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
    gpu.return
  }
}

// -----

gpu.module @device {
  gpu.func @fine(%m: memref<4xf32>, %x: f32) kernel {
    %t = gpu.thread_id x
    %y = math.exp %x : f32
    memref.store %y, %m[%t] : memref<4xf32>
    gpu.barrier
    gpu.return
  }
}
