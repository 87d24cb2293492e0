//===- MPFeatureOps.td - The mathematics of one edge or one node -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPFEATUREOPS_TD
#define CLIQUE_DIALECT_IR_MPFEATUREOPS_TD

//===----------------------------------------------------------------------===//
// Feature ops: inside the regions of mp.message, mp.update and custom monoids,
// beside arith, math and tensor (concat, reshapes, slices) on static tensors. At
// function level those with the trait FeatureOp take node features as well.
//===----------------------------------------------------------------------===//

def MP_Float : AnyTypeOf<[BF16, F16, F32, F64]>;
/// A feature: static shape; rank 0 is a scalar.
def MP_FloatFeature : TypeAlias<StaticShapeTensorOf<[MP_Float]>,
                                "a static tensor of bf16, f16, f32 or f64">;
def MP_Feature : TypeAlias<AnyStaticShapeTensor, "a static tensor">;
class MP_WithRows<Type type, string what>
    : Type<And<[type.predicate,
                CPred<"::clique::mp::hasStaticFeature($_self)">]>,
           what, "::mlir::RankedTensorType">;
/// A feature, or one for each node: the first dimension may be dynamic.
def MP_Features : MP_WithRows<AnyRankedTensor,
    "a tensor with static dimensions, but for a first one that counts nodes">;
def MP_FloatFeatures : MP_WithRows<RankedTensorOf<[MP_Float]>,
    "a tensor of bf16, f16, f32 or f64 with static dimensions, but for a first "
    "one that counts nodes">;
/// An op that may stand at function level: the result has a row for each node if
/// the first operand has, and is computed row by row. Types are those of an
/// mp.update there.
def MP_FeatureOp : NativeOpTrait<"FeatureOp"> {
  let cppNamespace = "::clique::mp";
}
def MP_IntScalar : TypeAlias<0DTensorOf<[I32, I64]>,
                             "a tensor<i32> or tensor<i64>">;

/// What rows are looked up in: features, of nodes or edges as well.
def MP_Table : TypeAlias<AnyTypeOf<[MP_Features, MP_EdgesType]>,
    "a tensor with static dimensions, but for a first one that counts nodes, or "
    "an edge feature">;
/// A number, or one for each node or edge.
def MP_Indices : Type<And<[TensorRankOf<[I32, I64], [0, 1]>.predicate,
                           CPred<"::mlir::cast<::mlir::RankedTensorType>($_self).getRank() == 0 || "
                                 "::clique::mp::hasRows($_self)">]>,
    "a tensor of i32 or i64 without dimensions or of a dynamic length",
    "::mlir::RankedTensorType">;

def MP_LinearOp : MP_Op<"linear", [Pure, MP_FeatureOp]> {
  let summary = "W^T x + b, for an output of any shape";
  let description = [{
    Contracts the last dimensions of `x` with the leading dimensions of the weights.
    What `x` has before them stays, in front of what is left of the weights' shape:
    one map for each head, as a linear layer of a framework is applied to the last
    dimension. How many dimensions are contracted follows from the ranks. Half
    precision is accumulated in f32.

    ```mlir
    %q = mp.linear %x, %w : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    %y = mp.linear %x, %v bias %b
           : (tensor<64xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %z = mp.linear %q, %u bias %b
           : (tensor<8x16xf32>, tensor<16x32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
    ```

    Constraints
    - C1: `x` has rank >= 1, and its last dimensions, one at least, are the first
      ones of the weights.
    - C2: the result's shape is the rest of x's shape, then the rest of the weights'.
    - C3: the bias has the shape that is left of the weights'.
    - C4: all have one element type.
  }];
  let arguments = (ins MP_FloatFeatures:$x, MP_FloatFeature:$weights,
                       Optional<MP_FloatFeature>:$bias);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat = [{
    $x `,` $weights (`bias` $bias^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions of x that stay: all before those that are contracted.
    int64_t getNumOuterDims();
    /// The dimensions of x that are contracted, its last ones.
    int64_t getNumContractedDims();
    /// Products that make one element of the result.
    int64_t getContractedSize();
  }];
}

def MP_DotOp : MP_Op<"dot", [Pure, Commutative, MP_FeatureOp]> {
  let summary = "inner product over the last dimension";
  let description = [{
    ```mlir
    %s = mp.dot %q, %k : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
    ```

    Constraints
    - C1: both operands have one type, of rank >= 1.
    - C2: the result has that type without its last dimension.
  }];
  let arguments = (ins MP_FloatFeatures:$lhs, MP_FloatFeatures:$rhs);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def MP_ReduceOp : MP_Op<"reduce", [Pure, MP_FeatureOp]> {
  let summary = "sum, mean, max or min over feature dimensions";
  let description = [{
    ```mlir
    %m = mp.reduce max %x dims [0] : tensor<8x16xf32> -> tensor<16xf32>
    ```

    Constraints
    - C1: the dimensions are distinct, ascending and in range.
    - C2: the result has the operand's type without them.
  }];
  let arguments = (ins MP_ReductionKindAttr:$kind, MP_FloatFeatures:$x,
                       DenseI64ArrayAttr:$dims);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat =
      "custom<Reduction>($kind) $x `dims` $dims attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MP_BroadcastOp : MP_Op<"broadcast", [Pure, MP_FeatureOp]> {
  let summary = "repeats a feature along new dimensions";
  let description = [{
    The operand's dimensions are the result's leading ones (a weight per head
    times a vector per head), or with `trailing` the last ones, as in NumPy. `dims`
    names the new dimensions of the result, wherever they are: what `mp.reduce` over
    them takes away.

    ```mlir
    %b = mp.broadcast %s : tensor<8xf32> to tensor<8x16xf32>
    %c = mp.broadcast %v trailing : tensor<16xf32> to tensor<8x16xf32>
    %d = mp.broadcast %k dims [1] : tensor<8x16xf32> to tensor<8x4x16xf32>
    ```

    The outer product of two vectors for each head, `a_hk b_hl`, is
    `a dims [2]` times `b dims [1]`.

    Constraints
    - C1: the operand's shape is a prefix (`trailing`: a suffix) of the result's.
    - C2: the element types are the same.
    - C3: dims are distinct, ascending and in range, stand without `trailing`, and
      the result without them has the operand's shape.
  }];
  let arguments = (ins MP_Features:$x, UnitAttr:$trailing,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs MP_Features:$result);
  let assemblyFormat = [{
    $x (`trailing` $trailing^)? (`dims` $dims^)? attr-dict
    `:` type($x) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
                   "bool":$trailing)>,
    /// With the new dimensions of the result.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
                   "::llvm::ArrayRef<int64_t>":$newDims)>];
  let extraClassDeclaration = [{
    /// The result's dimensions that x does not have, in whichever way they are
    /// written.
    ::llvm::SmallVector<int64_t> getNewDims();
    /// The result's dimensions that are those of x, in order.
    ::llvm::SmallVector<int64_t> getKeptDims();
    /// Writes the new dimensions in the shortest way.
    void setNewDims(::llvm::ArrayRef<int64_t> dims);
  }];
}

def MP_PositionOp : MP_Op<"position", [Pure, HasParent<"MessageOp">]> {
  let summary = "the number of an edge's destination or source, or of the edge";
  let description = [{
    For masks, relative bias and ALiBi. Edges have their numbers in the order of
    edge features.

    ```mlir
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %e = mp.position edge : tensor<i64>
    ```

    Constraints
    - C1: the result is a tensor<i32> or tensor<i64>.
  }];
  let arguments = (ins MP_EndpointAttr:$endpoint);
  let results = (outs MP_IntScalar:$result);
  let assemblyFormat = "custom<Endpoint>($endpoint) attr-dict `:` type($result)";
}

def MP_LookupOp : MP_Op<"lookup", [Pure]> {
  let summary = "a row of a table";
  let description = [{
    Relative bias tables, embeddings and weights per edge type. An index outside
    the table takes its first or last row.

    ```mlir
    %b = mp.lookup %table[%d] : tensor<257x8xf32>, tensor<i32> -> tensor<8xf32>
    ```

    At function level there may be an index for each node, and node features and edge
    features may be looked up: nodes in another order, the edges of a part.

    ```mlir
    %x = mp.lookup %table[%words] : tensor<257x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %y = mp.lookup %x[%order] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
    %z = mp.lookup %e[%edges] : !mp.edges<f32>, tensor<?xi64> -> !mp.edges<f32>
    ```

    Constraints
    - C1: the table is a tensor of rank >= 1, static but for its first dimension, which is
      not 0, or an edge feature.
    - C2: the index is a scalar i32 or i64, or there is one for each row of the result; into
      an edge feature there is one for each edge.
    - C3: the result has the table's type without its first dimension, behind the
      first one of the index; of edge features it has the table's type.
  }];
  let arguments = (ins MP_Table:$table, MP_Indices:$index);
  let results = (outs MP_Table:$result);
  let assemblyFormat = [{
    $table `[` $index `]` attr-dict `:` type($table) `,` type($index)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def MP_LayerNormOp : MP_Op<"layer_norm", [Pure, AttrSizedOperandSegments,
    MP_FeatureOp]> {
  let summary = "layer normalisation over the last dimension";
  let description = [{
    (x - mean(x)) / sqrt(var(x) + eps) * scale + shift, with the population
    variance (Ba, Kiros, Hinton: Layer Normalization, 2016). eps is 1e-5 where it is
    not given.

    ```mlir
    %y = mp.layer_norm %x scale %g shift %b {eps = 1.0e-5 : f64}
           : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    ```

    Constraints
    - C1: `x` has rank >= 1, and a last dimension that does not count nodes; the
      result has its type.
    - C2: scale and shift have the shape of the last dimension and x's element
      type.
    - C3: eps > 0.
  }];
  let arguments = (ins MP_FloatFeatures:$x, Optional<MP_FloatFeature>:$scale,
                       Optional<MP_FloatFeature>:$shift,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$eps);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat = [{
    $x (`scale` $scale^)? (`shift` $shift^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def MP_BatchNormOp : MP_Op<"batch_norm", [Pure, AttrSizedOperandSegments,
    MP_FeatureOp]> {
  let summary = "batch normalisation with given statistics (inference)";
  let description = [{
    (x - mean) / sqrt(variance + eps) * scale + shift, elementwise
    (Ioffe, Szegedy: Batch Normalization, 2015). eps is 1e-5 where it is not given.

    ```mlir
    %y = mp.batch_norm %x mean %m variance %v scale %g shift %b
           : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>,
              tensor<64xf32>) -> tensor<64xf32>
    ```

    Constraints
    - C1: the result has x's type, and so have the other operands; for node
      features those have the type of one node's feature.
    - C2: eps > 0.
  }];
  let arguments = (ins MP_FloatFeatures:$x, MP_FloatFeature:$mean,
                       MP_FloatFeature:$variance,
                       Optional<MP_FloatFeature>:$scale,
                       Optional<MP_FloatFeature>:$shift,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$eps);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat = [{
    $x `mean` $mean `variance` $variance (`scale` $scale^)? (`shift` $shift^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Activations (tanh and exp are math.tanh and math.exp)
//===----------------------------------------------------------------------===//

class MP_ActivationOp<string mnemonic, string formula, list<Trait> traits = []>
    : MP_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType,
                                  MP_FeatureOp], traits)> {
  let summary = formula;
  let description = "```mlir\n%y = mp." # mnemonic # " %x : tensor<64xf32>\n```";
  let arguments = (ins MP_FloatFeatures:$x);
  let results = (outs MP_FloatFeatures:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def MP_ReluOp : MP_ActivationOp<"relu", "max(x, 0)", [Idempotent]>;
def MP_SigmoidOp : MP_ActivationOp<"sigmoid", "1 / (1 + exp(-x))">;
def MP_SiluOp : MP_ActivationOp<"silu", "x * sigmoid(x)">;
def MP_SoftplusOp : MP_ActivationOp<"softplus", "log(1 + exp(x))">;
def MP_GeluOp : MP_ActivationOp<"gelu", "x * Phi(x), Phi the normal distribution"> {
  let description = [{
    Exact (erf), or with `tanh` the approximation
    x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (Hendrycks, Gimpel, 2016).

    ```mlir
    %y = mp.gelu %x : tensor<64xf32>
    %z = mp.gelu %x tanh : tensor<64xf32>
    ```
  }];
  let arguments = (ins MP_FloatFeatures:$x, UnitAttr:$tanh);
  let assemblyFormat = "$x (`tanh` $tanh^)? attr-dict `:` type($x)";
}
def MP_LeakyReluOp : MP_ActivationOp<"leaky_relu", "x if x > 0, else slope * x"> {
  let description = [{
    ```mlir
    %y = mp.leaky_relu %x slope 0.2 : tensor<64xf32>
    ```
  }];
  let arguments = (ins MP_FloatFeatures:$x, F64Attr:$slope);
  let assemblyFormat = "$x `slope` $slope attr-dict `:` type($x)";
}
def MP_EluOp : MP_ActivationOp<"elu", "x if x > 0, else alpha * (exp(x) - 1)"> {
  let description = [{
    ```mlir
    %y = mp.elu %x alpha 1.0 : tensor<64xf32>
    ```

    alpha is 1 where it is not given.
  }];
  let arguments = (ins MP_FloatFeatures:$x, DefaultValuedAttr<F64Attr, "1.0">:$alpha);
  let assemblyFormat = "$x (`alpha` $alpha^)? attr-dict `:` type($x)";
}

#endif // CLIQUE_DIALECT_IR_MPFEATUREOPS_TD
