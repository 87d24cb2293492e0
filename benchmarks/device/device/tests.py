# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device tests: each layer on each of its graphs against the reference's results."""

from .driver import FAILED, GOOD

PASSED, WRONG, SKIPPED = "passed", "failed", "skipped"
# Exit status of compute-sanitizer when it found an error, by --error-exitcode.
SANITIZER_STATUS = 99


def run(manifest, driver, wanted):
    """One dict for each test. `wanted`: a regular expression for names, or None."""
    problems = {layer["name"]: layer["problem"] for layer in manifest["layers"]}
    rows = []
    for test in manifest["tests"]:
        if wanted is not None and not wanted.search(test["name"]):
            continue
        problem = problems[test["layer"]]
        row = {"name": test["name"]}
        if problem:
            row.update(result=SKIPPED, reason=f"not compiled: {problem}")
        else:
            row.update(run_one(driver, test))
        rows.append(row)
        if row["result"] != PASSED:
            print(f"  {row['result']}: {row['name']}: {row['reason']}", flush=True)
    return rows


def run_one(driver, test):
    options = [f"--case={test['case']}", f"--lowering={test['lowering']}"]
    if test["graph"]:
        options.append(f"--graph={test['graph']}")
    outcome = driver.run_layer(test, *options)
    errors = [rest.split() for word, rest in outcome.facts if word == "error"]
    row = {"errors": {name: float(error) for name, error, _ in errors}}
    if outcome.status == GOOD:
        return dict(row, result=PASSED)
    wrong = [f"error of {name} {error}, tolerance {tolerance}"
             for name, error, tolerance in errors if not float(error) <= float(tolerance)]
    reason = "; ".join(wrong) if wrong and outcome.status == FAILED else outcome.message
    return dict(row, result=WRONG, reason=reason)


def count(rows):
    return {result: sum(row["result"] == result for row in rows)
            for result in (PASSED, WRONG, SKIPPED)}
