//===- Passes.td - Gradients of specs -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_GRADIENT_PASSES_TD
#define CLIQUE_COMPILER_GRADIENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"mp-differentiate", "::mlir::ModuleOp"> {
  let summary = "The forward and the backward function of a layer";
  let description = [{
    Reverse mode. For a public function `@f` two are added, both ordinary specs:
    `@f_forward` returns what `@f` does and then what the backward function needs,
    and `@f_backward` makes the cotangents of the arguments from the arguments, the
    kept values and the cotangents of the results, in this order. Nothing is kept
    per edge: the values of an edge are computed again. What goes to destinations
    is an aggregation on the graph, what goes to sources one on its reverse, and
    gradients of weights are products over nodes. Values inside updates are computed
    again, but for results of linear maps of many terms, which take longer to compute
    than to read: such a map becomes an update of its own. Of an `scf.for` it keeps what is
    carried into each step, a row of a tensor for each, and the backward function
    has a loop from the last step to the first, which computes each again.
    docs/gradients.md derives the rules.

    ```mlir
    func.func @f(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        %t = math.tanh %hj : tensor<8xf32>
        mp.yield %t : tensor<8xf32>
      }
      %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      return %s : tensor<?x8xf32>
    }
    ```
    gains
    ```mlir
    func.func @f_forward(%g: !mp.graph, %h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
      %t = mp.update (%x = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
        %y = math.tanh %x : tensor<8xf32>
        mp.yield %y : tensor<8xf32>
      }
      ...
      return %s : tensor<?x8xf32>
    }
    func.func @f_backward(%g: !mp.graph, %h: tensor<?x8xf32>, %grad_out: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %r = mp.reverse %g : !mp.graph -> !mp.graph
      %m = mp.message %r src(%gi = %grad_out : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %gi : tensor<8xf32>
      }
      %t = mp.aggregate %r sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      %grad_h = mp.update (%x = %h : tensor<?x8xf32>, %g = %t : tensor<?x8xf32>) -> tensor<?x8xf32> {
        %y = math.tanh %x : tensor<8xf32>
        ...
      }
      return %grad_h : tensor<?x8xf32>
    }
    ```

    With `joined`, `@f_gradient` calls both: from the arguments and cotangents of
    the results to the cotangents of the arguments. It can be differentiated again.
    Gradients are added up in f32 where features are of half precision, and rounded
    when they are returned. Which forward results are kept, and which arguments and
    results have cotangents, stands in attributes of the backward function
    (`mp.kept`, `mp.gradient_of`, `mp.cotangent_of`). Its arguments that are kept
    values are `mp.donatable`: whoever calls it last may give them away.
  }];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "the functions to differentiate (default: all public ones)">,
    ListOption<"arguments", "arguments", "std::string",
               "arguments, by name or number, whose cotangents are wanted "
               "(default: all of floats)">,
    Option<"joined", "joined", "bool", "false",
           "add a function that calls both">];
  let dependentDialects = ["::clique::mp::MPDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_GRADIENT_PASSES_TD
