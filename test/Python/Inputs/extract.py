# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""extract.py PAGE FILE: the block of a page that it calls FILE."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
print(re.search(rf"<!-- file: {re.escape(sys.argv[2])} -->\n```\w+\n(.*?)```", text, re.S)[1])
