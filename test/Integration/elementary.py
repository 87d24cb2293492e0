# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions of f32 against NumPy in f64, by their relative error: of arguments below the
normal ones, of small, ordinary and large ones, and of those next to 1; atan2 and the cubic root of
zeros and infinities as well."""
# RUN: %python %s

import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(tempfile.mkdtemp())
# Relative errors; the others are below 2.5 ulp.
TOLERANCES = {"tanh": 4e-7, "erf": 4e-7}
EVERYWHERE = {"sin": np.sin, "cos": np.cos, "tanh": np.tanh, "atan": np.arctan, "cbrt": np.cbrt,
              "asinh": np.arcsinh, "erf": np.vectorize(math.erf)}
FUNCTIONS = {  # name: the function, and the arguments that it takes of any number
    **{name: (function, lambda x: x) for name, function in EVERYWHERE.items()},
    **{name: (getattr(np, name), lambda x: np.clip(x, -80, 80))
       for name in ("exp", "exp2", "expm1", "sinh", "cosh")},
    **{name: (getattr(np, name), lambda x: abs(x) + np.float32(1e-30))
       for name in ("log10", "sqrt")},
    **{name: (getattr(np, name), lambda x: abs(x) + np.float32(1e-44))
       for name in ("log", "log2")},
    "log1p": (np.log1p, lambda x: np.maximum(x, -0.9)),
    "asin": (np.arcsin, lambda x: np.clip(x, -1, 1)),
    "acos": (np.arccos, lambda x: np.clip(x, -1, 1)),
    "atanh": (np.arctanh, lambda x: np.clip(x, -1 + 1e-6, 1 - 1e-6)),
    "acosh": (np.arccosh, lambda x: np.maximum(abs(x), 1)),
}


def write_spec():
    return "".join(f"""func.func @{name}_of(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {{
  %r = mp.update (%a = %x : tensor<?x16xf32>) -> tensor<?x16xf32> {{
    %y = math.{name} %a : tensor<16xf32>
    mp.yield %y : tensor<16xf32>
  }}
  return %r : tensor<?x16xf32>
}}
""" for name in FUNCTIONS) + """func.func @quotients(%y: tensor<?xf32>, %x: tensor<?xf32>, %by: tensor<?xf32>)
    -> (tensor<?xf32> {mp.name = "angle"}, tensor<?xf32> {mp.name = "root"}) {
  %r:2 = mp.update (%yi = %y : tensor<?xf32>, %xi = %x : tensor<?xf32>, %b = %by : tensor<?xf32>)
      -> tensor<?xf32>, tensor<?xf32> {
    %p = arith.divf %yi, %b : tensor<f32>
    %q = arith.divf %xi, %b : tensor<f32>
    %angle = math.atan2 %p, %q : tensor<f32>
    %root = math.cbrt %p : tensor<f32>
    mp.yield %angle, %root : tensor<f32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}
"""


def find_error(name, x):
    np.save("x.npy", x)
    subprocess.run(["clique-run", "layers.so", f"--entry={name}_of", "--input=x=x.npy",
                    "--output=y.npy"], check=True, stdout=subprocess.DEVNULL)
    right = FUNCTIONS[name][0](x.astype(np.float64))
    return (abs(np.load("y.npy") - right) / np.maximum(abs(right), 1e-37)).max()


def check_quotients(random):
    """Divided by 1 and by 0: ordinary numbers and zeros, infinities and NaN."""
    numbers = np.array([0, -0.0, 1, -1, 3e-5, -7e5], np.float32)
    y, x = (part.ravel() for part in np.meshgrid(numbers, numbers))
    more = (random.normal(size=(2, 4096)) * 10 ** random.uniform(-9, 9, (2, 4096)))
    y, x = np.append(y, more[0]).astype(np.float32), np.append(x, more[1]).astype(np.float32)
    by = np.append(np.ones_like(y), np.zeros_like(y))
    arrays = {"y": np.tile(y, 2), "x": np.tile(x, 2), "by": by}
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
    subprocess.run(["clique-run", "layers.so", "--entry=quotients", "--output=angle=angle.npy",
                    "--output=root=root.npy", *(f"--input={name}={name}.npy" for name in arrays)],
                   check=True, stdout=subprocess.DEVNULL)
    with np.errstate(all="ignore"):
        p, q = (arrays[name].astype(np.float64) / by for name in "yx")
        for name, right in ("angle", np.arctan2(p, q)), ("root", np.cbrt(p)):
            found = np.load(f"{name}.npy")
            ordinary = np.isfinite(right)
            np.testing.assert_array_equal(found[~ordinary], right[~ordinary])
            found, right = found[ordinary], right[ordinary]
            np.testing.assert_allclose(found, right, rtol=3e-7)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(right))


def main():
    os.chdir(FOLDER)
    pathlib.Path("layers.mlir").write_text(write_spec())
    subprocess.run(["clique-compile", "layers.mlir", "-o", "layers.so"], check=True)
    random = np.random.default_rng(1)
    size = 10 ** random.uniform(-30, 12, (4096, 16))
    size[:2048] = 10 ** random.uniform(-3, 2, (2048, 16))
    size[:256] = 10 ** random.uniform(-44, -36, (256, 16))
    size[256:512] = 1 - 10 ** random.uniform(-7, 0, (256, 16))
    x = (size * random.choice([-1, 1], size.shape)).astype(np.float32)
    check_quotients(random)
    failed = False
    for name, (_, restrict) in FUNCTIONS.items():
        error = find_error(name, restrict(x).astype(np.float32))
        print(f"{name}: {error:.1e}")
        failed |= not error <= TOLERANCES.get(name, 3e-7)
    return 1 if failed else 0


sys.exit(main())
