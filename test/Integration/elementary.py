# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions of f32 against NumPy in f64, by their relative error: of small arguments,
of ordinary and of large ones."""
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
TOLERANCES = {"atan": 5e-6, "cbrt": 2e-6, "tanh": 4e-7, "erf": 4e-7}
EVERYWHERE = {"sin": np.sin, "cos": np.cos, "tanh": np.tanh, "atan": np.arctan, "cbrt": np.cbrt,
              "asinh": np.arcsinh, "erf": np.vectorize(math.erf)}
FUNCTIONS = {  # name: the function, and the arguments that it takes of any number
    **{name: (function, lambda x: x) for name, function in EVERYWHERE.items()},
    **{name: (getattr(np, name), lambda x: np.clip(x, -80, 80))
       for name in ("exp", "exp2", "expm1", "sinh", "cosh")},
    **{name: (getattr(np, name), lambda x: abs(x) + np.float32(1e-30))
       for name in ("log", "log2", "log10", "sqrt")},
    "log1p": (np.log1p, lambda x: np.maximum(x, -0.9)),
}


def write_spec():
    return "".join(f"""func.func @{name}_of(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {{
  %r = mp.update (%a = %x : tensor<?x16xf32>) -> tensor<?x16xf32> {{
    %y = math.{name} %a : tensor<16xf32>
    mp.yield %y : tensor<16xf32>
  }}
  return %r : tensor<?x16xf32>
}}
""" for name in FUNCTIONS)


def find_error(name, x):
    np.save("x.npy", x)
    subprocess.run(["clique-run", "layers.so", f"--entry={name}_of", "--input=x=x.npy",
                    "--output=y.npy"], check=True, stdout=subprocess.DEVNULL)
    right = FUNCTIONS[name][0](x.astype(np.float64))
    return (abs(np.load("y.npy") - right) / np.maximum(abs(right), 1e-37)).max()


def main():
    os.chdir(FOLDER)
    pathlib.Path("layers.mlir").write_text(write_spec())
    subprocess.run(["clique-compile", "layers.mlir", "-o", "layers.so"], check=True)
    random = np.random.default_rng(1)
    size = 10 ** random.uniform(-30, 12, (4096, 16))
    size[:2048] = 10 ** random.uniform(-3, 2, (2048, 16))
    x = (size * random.choice([-1, 1], size.shape)).astype(np.float32)
    failed = False
    for name, (_, restrict) in FUNCTIONS.items():
        error = find_error(name, restrict(x).astype(np.float32))
        print(f"{name}: {error:.1e}")
        failed |= not error <= TOLERANCES.get(name, 3e-7)
    return 1 if failed else 0


sys.exit(main())
