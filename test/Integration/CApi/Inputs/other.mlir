// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer with the name of another one's.
func.func @names(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
