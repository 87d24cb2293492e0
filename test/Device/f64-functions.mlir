// Functions of f64 on GPUs: PTX holds them itself, and calls nothing that is not there.

// RUN: clique-compile %s --target=cuda --gpu-arch=sm_80 --emit=ptx -o - | FileCheck %s
// RUN: clique-run %s --graph=%graphs/karate.mtx --target=cuda --emulate --verify

// They come from a library beside the compiler's own.
// RUN: rm -rf %t && mkdir -p %t/bin %t/lib && cp %clique_obj_root/bin/clique-compile %t/bin
// RUN: echo none > %t/lib/nvptx64--.bc
// RUN: not %t/bin/clique-compile %s --target=cuda --gpu-arch=sm_80 -o %t/f.ptx 2>&1 | FileCheck %s --check-prefix=LIBCLC
// LIBCLC: error: {{.*}}/lib/nvptx64--.bc: {{.*}}; functions of f64 on GPUs need libclc (Debian: libclc-{{[0-9]+}})

// CHECK-NOT: .extern .func
// CHECK: .visible .entry functions_0_nodes
// CHECK-NOT: .extern .func
func.func @functions(%g: !mp.graph, %x: tensor<?x7xf64>) -> tensor<?x7xf64> {
  %y = mp.update (%xi = %x : tensor<?x7xf64>) -> tensor<?x7xf64> {
    %a = math.exp %xi : tensor<7xf64>
    %b = math.tanh %a : tensor<7xf64>
    %c = math.erf %b : tensor<7xf64>
    %d = math.log1p %c : tensor<7xf64>
    %e = math.atan2 %d, %a : tensor<7xf64>
    %f = math.powf %a, %e : tensor<7xf64>
    mp.yield %f : tensor<7xf64>
  }
  %s, %m = mp.message %g src(%yj = %y : tensor<?x7xf64>) -> !mp.edges<f64>, !mp.edges<7xf64> {
    %r = mp.reduce sum %yj dims [0] : tensor<7xf64> -> tensor<f64>
    mp.yield %r, %yj : tensor<f64>, tensor<7xf64>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<f64>, !mp.edges<7xf64>) -> tensor<?x7xf64>
  return %o : tensor<?x7xf64>
}
