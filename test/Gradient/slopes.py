# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slopes next to poles, of tiny and large numbers and at infinity: as f64 gives them."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import pathlib
import subprocess

import numpy as np


def check(name, op, slopes, *inputs):
    """The cotangents are random numbers, which the sum with another argument hands on as they are."""
    args = [f"x{k}" for k in range(len(inputs))]
    signature = ", ".join(f"%{arg}: tensor<?xf32>" for arg in [*args, "one"])
    given = ", ".join(f"%{arg}i = %{arg} : tensor<?xf32>" for arg in [*args, "one"])
    pathlib.Path("spec.mlir").write_text(f"""
func.func @f({signature}) -> tensor<?xf32> {{
  %r = mp.update ({given}) -> tensor<?xf32> {{
    %y = {op.format(*(f"%{arg}i" for arg in args))} : tensor<f32>
    %s = arith.addf %y, %onei : tensor<f32>
    mp.yield %s : tensor<f32>
  }}
  return %r : tensor<?xf32>
}}
""")
    inputs = [np.array(values, np.float32) for values in inputs]
    command = ["clique-run", "-O1", "spec.mlir", "--gradients"]
    for arg, values in zip([*args, "one"], [*inputs, np.ones_like(inputs[0])]):
        np.save(f"{arg}.npy", values)
        command += [f"--input={arg}={arg}.npy", f"--output=grad_{arg}=grad_{arg}.npy"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    cotangent = np.load("grad_one.npy").astype(np.float64)
    wanted = slopes(*(values.astype(np.float64) for values in inputs))
    for arg, slope in zip(args, wanted):
        result = np.load(f"grad_{arg}.npy") / cotangent
        assert np.allclose(result, slope, rtol=1e-6, atol=0), (name, arg, result, slope)
    print(name, "ok", flush=True)


near = 1 - 2.0 ** -np.arange(8, 25)
near = np.concatenate([near, -near])
check("asin", "math.asin {}", lambda x: [1 / np.sqrt(1 - x * x)], near)
check("acos", "math.acos {}", lambda x: [-1 / np.sqrt(1 - x * x)], near)
check("atanh", "math.atanh {}", lambda x: [1 / (1 - x * x)], near)
check("acosh", "math.acosh {}", lambda x: [1 / np.sqrt(x * x - 1)], 1 + 2.0 ** -np.arange(8, 24))


def angle(x, y):
    square = np.where((x == 0) & (y == 0), 1, x * x + y * y)
    return [y / square, -x / square]


sizes = [0, 0, 1e-25, 1e-25, -1e-25, 3, 1e30]
others = [0, 1, 1e-25, 0, 2e-25, -4, 1e29]
check("atan2", "math.atan2 {}, {}", angle, sizes, others)
check("atan2 far", "math.atan2 {}, {}", lambda x, y: [0 * y, 0 * y], [np.inf, -np.inf], [1, 2])
large = [np.inf, 100]
check("silu", "mp.silu {}", lambda x: [np.ones(2)], large)
check("gelu", "mp.gelu {}", lambda x: [np.ones(2)], large)
check("gelu tanh", "mp.gelu {} tanh", lambda x: [np.ones(2)], large)
