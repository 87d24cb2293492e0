# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""extract.py PAGE FILE...: the blocks of a page that it calls so, one after the other."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
for name in sys.argv[2:]:
    print(re.search(rf"<!-- file: {re.escape(name)} -->\n```\w+\n(.*?)```", text, re.S)[1])
