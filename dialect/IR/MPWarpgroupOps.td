//===- MPWarpgroupOps.td - Products of the four warps of a warpgroup -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPWARPGROUPOPS_TD
#define CLIQUE_DIALECT_IR_MPWARPGROUPOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"

def MP_Fragment : FixedVectorOfRankAndType<[2], [BF16, F16]>;
def MP_Panels : MemRefRankOf<[BF16, F16], [2]>;
def MP_Accumulators : FixedVectorOfRankAndType<[1], [F32]>;

def MP_WarpgroupProductOp
    : MP_Op<"warpgroup_product", [AttrSizedOperandSegments]> {
  let summary = "a product of matrices by the four warps of a warpgroup (wgmma)";
  let description = [{
    Made by `clique-distribute-to-threads` where the target has `wgmma`: sums + left right,
    64 x n, summed in f32 (PTX ISA, wgmma.mma_async). A warp has 16 of the rows. Its
    threads hold `left` and `sums` in fragments as those of mma.m16n8k16: a fragment
    of `left` is 16 deep, and n columns are n / 2 elements of the sums. Without
    `sums` these are 0.

    `right` is in shared memory: a row for each step of the depth, or with `transposed`
    for each column. With `panels` its elements lie where `clique-swizzle-shared` puts
    them, and the instruction expects them: in panels of up to 64 columns, one behind
    the other, parts of 16 bytes swizzled.

    ```mlir
    %scores = mp.warpgroup_product left(%a, %b : vector<4x2xbf16>, vector<4x2xbf16>)
        right(%keys : memref<64x32xbf16, #gpu.address_space<workgroup>>)
        {transposed} -> vector<32xf32>
    ```

    Constraints
    - C1: fragments are `vector<4x2xT>`, and the elements of `right` are of the same type.
    - C2: `right` has as many rows and columns as the depth (16 for each fragment) and
      the columns of the product (twice the size of the result), in this order or
      transposed; columns are 16 to 256 of these, a multiple of 8.
    - C3: rows of `right` have 16, 32 or a multiple of 64 elements.
  }];
  let arguments = (ins
    Variadic<MP_Fragment>:$left,
    Arg<MP_Panels, "", [MemRead]>:$right,
    Optional<MP_Accumulators>:$sums,
    UnitAttr:$transposed, UnitAttr:$panels);
  let results = (outs MP_Accumulators:$result);
  let assemblyFormat = [{
    `left` `(` $left `:` type($left) `)` `right` `(` $right `:` type($right) `)`
    (`sums` `(` $sums^ `:` type($sums) `)`)? attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How much is summed.
    int64_t getDepth() { return 16 * int64_t(getLeft().size()); }
    int64_t getColumns() { return 2 * getType().getDimSize(0); }
    /// Whether the instruction has so many columns.
    static bool canHaveColumns(int64_t columns) {
      constexpr int64_t fewest = 16, most = 256, step = 8;
      return columns >= fewest && columns <= most && columns % step == 0;
    }
    /// Elements of a row of a panel, for rows of `size` elements; 0 if these cannot be
    /// divided into panels.
    static int64_t getPanelWidth(int64_t size);
    int64_t getPanelWidth() {
      return getPanelWidth(getRight().getType().getDimSize(1));
    }
  }];
}

#endif // CLIQUE_DIALECT_IR_MPWARPGROUPOPS_TD
