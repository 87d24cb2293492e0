// RUN: clique-opt %s -split-input-file -verify-diagnostics

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c1_left(%b: memref<16x64xbf16, #shared>) {
  // expected-error@+1 {{'mp.warpgroup_product' op has no left operand: give a fragment for every 16 of what is summed}}
  %r = "mp.warpgroup_product"(%b) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (memref<16x64xbf16, #shared>) -> vector<32xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c1(%a: vector<4x2xf16>, %b: memref<16x64xbf16, #shared>) {
  // expected-error@+1 {{'mp.warpgroup_product' op has a fragment 'vector<4x2xf16>' of its left operand, expected 'vector<4x2xbf16>'}}
  %r = mp.warpgroup_product left(%a : vector<4x2xf16>) right(%b : memref<16x64xbf16, #shared>) -> vector<32xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c2(%a: vector<4x2xbf16>, %b: memref<64x16xbf16, #shared>) {
  // expected-error@+1 {{'mp.warpgroup_product' op has a right operand 'memref<64x16xbf16, #gpu.address_space<workgroup>>', expected 16x64: depth 16, columns 64}}
  %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%b : memref<64x16xbf16, #shared>) -> vector<32xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c2_columns(%a: vector<4x2xbf16>, %b: memref<16x320xbf16, #shared>) {
  // expected-error@+1 {{'mp.warpgroup_product' op has 320 columns, expected a multiple of 8 from 16 to 256}}
  %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%b : memref<16x320xbf16, #shared>) -> vector<160xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c2_sums(%a: vector<4x2xbf16>, %b: memref<16x64xbf16, #shared>, %s: vector<16xf32>) {
  // expected-error@+1 {{'mp.warpgroup_product' op adds to 'vector<16xf32>', expected 'vector<32xf32>'}}
  %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%b : memref<16x64xbf16, #shared>) sums(%s : vector<16xf32>) -> vector<32xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>

func.func @warpgroup_product_c3(%a: vector<4x2xbf16>, %b: memref<16x48xbf16, #shared>) {
  // expected-error@+1 {{'mp.warpgroup_product' op has a right operand with rows of 48 elements, expected 16, 32 or a multiple of 64}}
  %r = mp.warpgroup_product left(%a : vector<4x2xbf16>) right(%b : memref<16x48xbf16, #shared>) -> vector<24xf32>
  return
}
