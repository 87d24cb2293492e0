// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linear map of a difference of nearly equal features.
func.func @layer(%g: !mp.graph, %x: tensor<?x3xbf16>, %w: tensor<6x8xbf16>, %b: tensor<8xbf16>)
    -> tensor<?x8xbf16> {
  %m = mp.message %g dst(%xi = %x : tensor<?x3xbf16>) src(%xj = %x : tensor<?x3xbf16>) -> !mp.edges<8xbf16> {
    %d = arith.subf %xj, %xi : tensor<3xbf16>
    %zero = arith.constant dense<0.0> : tensor<3xbf16>
    %c = tensor.concat dim(0) %zero, %d : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<6xbf16>
    %y = mp.linear %c, %w bias %b : (tensor<6xbf16>, tensor<6x8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    mp.yield %y : tensor<8xbf16>
  }
  %a = mp.aggregate %g max %m : (!mp.edges<8xbf16>) -> tensor<?x8xbf16>
  return %a : tensor<?x8xbf16>
}
