// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are none in C.
func.func @names(%int: f32, %a.b: f32, %a-b: f32) -> (f32 {mp.name = "a_b"}) {
  return %int : f32
}
