# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the lit suite.

Substitutions: %clique_src_root, %clique_obj_root, %clique_lib_dir, %llvm_lib_dir,
%examples, %graphs (examples/graphs), %data (the shared graphs), %python and
%library_python, one that loads our libraries.
Features: 'shared-data' where the shared graphs are; CLIQUE_DATA names their
folder, ../shared/data beside the repository is the default. 'emulation' where
the emulated CUDA driver was built, 'ptxas' where the CUDA Toolkit is,
'python-package' where the Python package was built, 'torch' where a Python with
PyTorch is, 'jax' and 'mypy' where CLIQUE_TORCH_PYTHON names one that has these,
'wheel' where CLIQUE_WHEEL names one, 'minilm' where CLIQUE_MINILM names the model's
folder, 'clang-format', 'clang-tidy' and 'sanitizers' where those are.
`lit --param verify_roundtrip=1` makes every clique-opt also print, parse and
compare its input.

Every .py is a test; helper modules live in a folder named Inputs."""

import os
import shutil
import subprocess

import lit.formats

config.name = "CLIQUE"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "corpus", "lit.cfg.py", "lit.site.cfg.py.in"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [config.clique_tools_dir, config.llvm_tools_dir, config.environment["PATH"]])
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# OpenMP threads that spin while they wait slow down tests that run side by side.
config.environment["OMP_WAIT_POLICY"] = "passive"
RUNTIMES = os.path.join(config.llvm_tools_dir, os.pardir, "lib", "clang", "22", "lib", "linux")
# A Python that loads our libraries brings the functions of their sanitizer, and has LLVM's own
# stacks for signals left alone.
library_python = config.python
if "address" in config.clique_sanitize:
    config.available_features.add("asan")
    library_python = (
        "env LD_PRELOAD=" + os.path.join(RUNTIMES, "libclang_rt.asan-x86_64.so") +
        " ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0:"
        "allocator_may_return_null=1:use_sigaltstack=0 " + config.python)


def isOn(option):
    return option.upper() in ("ON", "TRUE", "YES", "1")


# What many runs share (Integration/Inputs/tool_runs.py).
if not config.clique_sanitize:
    config.environment["CLIQUE_TOOLS_LIBRARY"] = os.path.join(config.clique_lib_dir,
                                                              "libclique_compiler.so")
if isOn(config.clique_emulation):
    config.available_features.add("emulation")
if isOn(config.clique_python_package):
    config.available_features.add("python-package")

# A Python with PyTorch: Debian's python3-torch, or one of an environment of its own.
torchPython = os.environ.get("CLIQUE_TORCH_PYTHON") or config.python
config.substitutions.append(("%torch_python", torchPython))
probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
if "asan" in config.available_features:
    lit_config.note("no PyTorch beside sanitizers, whose functions it takes minutes to load with")
elif subprocess.run([torchPython, "-c", probe], check=False).returncode == 0:
    config.available_features.add("torch")
else:
    lit_config.note("no PyTorch: its tests are skipped; install the package python3-torch, or name "
                    "a Python that has it with CLIQUE_TORCH_PYTHON")

# What the environment of scripts/test-pytorch.sh has beside it.
for module in ("jax", "mypy"):
    probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
    if "CLIQUE_TORCH_PYTHON" in os.environ and subprocess.run([torchPython, "-c", probe],
                                                              check=False).returncode == 0:
        config.available_features.add(module)

# A wheel that was built.
config.substitutions.append(("%wheel", os.environ.get("CLIQUE_WHEEL", "")))
if "CLIQUE_WHEEL" in os.environ:
    config.available_features.add("wheel")

# A pretrained network.
config.substitutions.append(("%minilm", os.environ.get("CLIQUE_MINILM", "")))
if "CLIQUE_MINILM" in os.environ:
    config.available_features.add("minilm")

# Checks of the sources and of instrumented builds, with programs of clang.
for feature, isThere, package in (
        ("clang-format", shutil.which("clang-format-22"), "clang-format-22"),
        ("clang-tidy", shutil.which("clang-tidy-22"), "clang-tidy-22"),
        ("sanitizers", isOn(config.clique_has_sanitizers), "libclang-rt-22-dev")):
    if isThere:
        config.available_features.add(feature)
    else:
        lit_config.note(f"no {feature}: its tests are skipped; install the package {package}")

data = os.environ.get("CLIQUE_DATA") or os.path.join(
    config.clique_src_root, os.pardir, "shared", "data")
data = os.path.abspath(data)
if os.path.isdir(data):
    config.available_features.add("shared-data")
    config.environment["CLIQUE_DATA"] = data
else:
    lit_config.note(f"no shared graphs at {data}: the tests that need them are skipped; "
                    "set CLIQUE_DATA to their folder")

examples = os.path.join(config.clique_src_root, "examples")
config.substitutions += [
    ("%clique_src_root", config.clique_src_root),
    ("%clique_obj_root", config.clique_obj_root),
    ("%clique_lib_dir", config.clique_lib_dir),
    ("%llvm_lib_dir", os.path.join(config.llvm_tools_dir, os.pardir, "lib")),
    ("%examples", examples),
    ("%graphs", os.path.join(examples, "graphs")),
    ("%data", data),
    ("%python", config.python),
    ("%library_python", library_python),
]


def addTool(name, options=""):
    """Spells a tool's name, where it stands as a word, as its path and options."""
    folder = config.clique_tools_dir if name.startswith("clique") else config.llvm_tools_dir
    config.substitutions.append(
        (rf"(?<![\w./%-]){name}(?![\w./-])", f"{os.path.join(folder, name)} {options}".strip()))


# The assembler of the CUDA Toolkit, where clique-compile looks for it.
toolkit = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
if shutil.which("ptxas") or os.path.exists(os.path.join(toolkit, "bin", "ptxas")):
    config.available_features.add("ptxas")
else:
    lit_config.note("no ptxas: the tests that assemble PTX are skipped; install the CUDA Toolkit")
# Compiled code, which tests share. A name holds the build that made the code.
config.environment["CLIQUE_CACHE_DIR"] = os.path.join(config.clique_obj_root, "test", "cache")
# HOME: what is cached between builds.
for variable in ("CUDA_HOME", "CUDA_PATH", "HOME", "CLIQUE_TIDY_CACHE", "CCACHE_DIR"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

roundtrip = lit_config.params.get("verify_roundtrip", "0") not in ("", "0")
addTool("FileCheck", "-enable-var-scope --allow-unused-prefixes=false")
addTool("clique-opt", "--verify-roundtrip" if roundtrip else "")
for name in ("clique-compile", "clique-graph", "clique-run", "clique-smith", "clique-lsp-server"):
    addTool(name)
