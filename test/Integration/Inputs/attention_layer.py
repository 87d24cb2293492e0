# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of given queries, keys and values as a layer: any number of heads, head size and
element type, with a mask in the message or without, its heads side by side or not."""

LAYER = """
func.func @NAME(%g: !mp.graph, %q: tensor<?xHxDxT>, %k: tensor<?xHxDxT>, %v: tensor<?xHxDxT>)
    -> tensor<?xHxDxT> {
  %s, %x = mp.message %g dst(%qi = %q : tensor<?xHxDxT>)
      src(%kj = %k : tensor<?xHxDxT>, %vj = %v : tensor<?xHxDxT>)
      -> !mp.edges<HxT>, !mp.edges<HxDxT> {
    %d = mp.dot %qi, %kj : (tensor<HxDxT>, tensor<HxDxT>) -> tensor<HxT>
    %c = arith.constant dense<SCALE> : tensor<HxT>
    %e = arith.mulf %d, %c : tensor<HxT>MASK
    mp.yield %e, %vj : tensor<HxT>, tensor<HxDxT>
  }
  %m = mp.aggregate %g softmax(%s) %x : (!mp.edges<HxT>, !mp.edges<HxDxT>) -> tensor<?xHxDxT>
  return %m : tensor<?xHxDxT>
}
"""

# Receives from every third node of those that come 8 or more before it: the first nodes from none.
MASK = """
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %eight = arith.constant dense<8> : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %end = arith.addi %j, %eight : tensor<i32>
    %before = arith.cmpi sle, %end, %i : tensor<i32>
    %rest = arith.remui %j, %three : tensor<i32>
    %third = arith.cmpi eq, %rest, %zero : tensor<i32>
    %both = arith.andi %before, %third : tensor<i1>
    %allowed = mp.broadcast %both : tensor<i1> to tensor<Hxi1>
    %none = arith.constant dense<NEGATIVE> : tensor<HxT>
    %masked = arith.select %allowed, %e, %none : tensor<Hxi1>, tensor<HxT>"""

# The heads of a result side by side.
FLAT_RETURN = """  %o = mp.update (%mi = %m : tensor<?xHxDxT>) -> tensor<?xWxT> {
    %f = tensor.collapse_shape %mi [[0, 1]] : tensor<HxDxT> into tensor<WxT>
    %n = arith.negf %f : tensor<WxT>
    mp.yield %n : tensor<WxT>
  }
  return %o : tensor<?xWxT>"""

NEGATIVE = {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00"}


def make_layer(name, heads, size, dtype, mask=False, flat=False):
    """The function's text."""
    text = LAYER.replace("mp.yield %e", "mp.yield %masked" if mask else "mp.yield %e")
    if flat:
        text = text.replace("    -> tensor<?xHxDxT> {", "    -> tensor<?xWxT> {")
        text = text.replace("  return %m : tensor<?xHxDxT>", FLAT_RETURN)
    for old, new in (("MASK", MASK if mask else ""), ("NAME", name), ("xHx", f"x{heads}x"),
                     ("<Hx", f"<{heads}x"), ("xD", f"x{size}"), ("xW", f"x{heads * size}"),
                     ("<W", f"<{heads * size}"), ("SCALE", str(size ** -0.5)),
                     ("NEGATIVE", NEGATIVE[dtype]), ("xT>", f"x{dtype}>")):
        text = text.replace(old, new)
    return text
