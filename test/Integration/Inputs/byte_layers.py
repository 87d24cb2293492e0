# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of truth values and bytes: of nodes, edges and weights, taken, computed and
handed out, in regions, in custom monoids and at function level. Rows of 1, 3, 8, 17 and
64 elements: what packs truth values into bits shows in all of them but the first."""

WIDTHS = (1, 3, 8, 17, 64)


def masks(width):
    """A layer with four results, of the name masks_WIDTH."""
    def t(element, rows=""):
        return f"tensor<{rows}{width}x{element}>"
    n, m = t("f32", "?x"), t("i1", "?x")
    f, b = t("f32"), t("i1")
    e, eb = f"!mp.edges<{width}xf32>", f"!mp.edges<{width}xi1>"
    return f"""
func.func @masks_{width}(%g: !mp.graph, %h: {n}, %keep: {m}, %edge: {eb}, %feature: {b})
    -> ({n}, {m}, {eb}, {m}) {{
  %v, %on = mp.message %g dst(%ki = %keep : {m}) src(%hj = %h : {n}, %kj = %keep : {m})
      edge(%ke = %edge : {eb}) -> {e}, {eb} {{
    %zero = arith.constant dense<0.0> : {f}
    %both = arith.xori %ki, %kj : {b}
    %all = arith.andi %both, %feature : {b}
    %any = arith.ori %all, %ke : {b}
    %r = arith.select %any, %hj, %zero : {b}, {f}
    %i = arith.extui %ke : {b} to {t("i32")}
    %x = arith.sitofp %i : {t("i32")} to {f}
    %s = arith.addf %r, %x : {f}
    mp.yield %s, %any : {f}, {b}
  }}
  %sum = mp.aggregate %g sum %v : ({e}) -> {n}
  %any = mp.aggregate %g custom %on : ({eb}) -> {m}
    identity {{ %z = arith.constant dense<false> : {b}
               mp.yield %z : {b} }}
    lift {{ ^bb0(%x: {b}): mp.yield %x : {b} }}
    combine {{ ^bb0(%x: {b}, %y: {b}):
              %xy = arith.ori %x, %y : {b}
              mp.yield %xy : {b} }}
    finalise {{ ^bb0(%x: {b}): mp.yield %x : {b} }}
  %large = mp.update (%x = %sum : {n}, %k = %keep : {m}) -> {m} {{
    %zero = arith.constant dense<0.0> : {f}
    %p = arith.cmpf ogt, %x, %zero : {f}
    %r = arith.xori %p, %k : {b}
    mp.yield %r : {b}
  }}
  return %sum, %any, %on, %large : {n}, {m}, {eb}, {m}
}}
"""


def whole(width):
    """Truth values at function level: two results, of the name whole_WIDTH."""
    n, m = f"tensor<?x{width}xf32>", f"tensor<?x{width}xi1>"
    return f"""
func.func @whole_{width}(%h: {n}, %k: {n}, %keep: {m}, %scalar: i1) -> ({n}, {m}, tensor<?xi1>) {{
  %p = arith.cmpf olt, %h, %k : {n}
  %q = arith.andi %p, %keep : {m}
  %r = arith.select %q, %h, %k : {m}, {n}
  %s = arith.select %scalar, %r, %h : {n}
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %h, %c0 : {n}
  %fill = tensor.splat %scalar[%rows] : tensor<?xi1>
  %any = linalg.reduce ins(%q : {m}) outs(%fill : tensor<?xi1>) dimensions = [1]
    (%x: i1, %y: i1) {{
      %xy = arith.ori %x, %y : i1
      linalg.yield %xy : i1
    }}
  return %s, %q, %any : {n}, {m}, tensor<?xi1>
}}
"""


def small(width):
    """Bytes as small integers: three results, of the name bytes_WIDTH."""
    def t(element, rows=""):
        return f"tensor<{rows}{width}x{element}>"
    n, f, i = t("i8", "?x"), t("f32"), t("i8")
    e = f"!mp.edges<{width}xi8>"
    return f"""
func.func @bytes_{width}(%g: !mp.graph, %h: {n}, %edge: {e}, %w: {i})
    -> ({t("f32", "?x")}, {n}, {e}) {{
  %v, %b = mp.message %g dst(%hi = %h : {n}) src(%hj = %h : {n}) edge(%x = %edge : {e})
      -> !mp.edges<{width}xf32>, {e} {{
    %d = arith.subi %hi, %hj : {i}
    %k = arith.addi %d, %x : {i}
    %l = arith.muli %k, %w : {i}
    %r = arith.sitofp %l : {i} to {f}
    mp.yield %r, %k : {f}, {i}
  }}
  %m = mp.aggregate %g mean %v : (!mp.edges<{width}xf32>) -> {t("f32", "?x")}
  %most = mp.aggregate %g custom %b : ({e}) -> {n}
    identity {{ %z = arith.constant dense<-128> : {i}
               mp.yield %z : {i} }}
    lift {{ ^bb0(%x: {i}): mp.yield %x : {i} }}
    combine {{ ^bb0(%x: {i}, %y: {i}):
              %xy = arith.maxsi %x, %y : {i}
              mp.yield %xy : {i} }}
    finalise {{ ^bb0(%x: {i}): mp.yield %x : {i} }}
  return %m, %most, %b : {t("f32", "?x")}, {n}, {e}
}}
"""
