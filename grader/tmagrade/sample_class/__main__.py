"""make class: writes the sample class to build/class."""

import os
import sys

from tmagrade.errors import GraderFault
from tmagrade.labs import load_labs
from tmagrade.paths import HERE
from tmagrade.sample_class import write_sample_class

try:
    students = write_sample_class(HERE, load_labs(HERE.labs))
except GraderFault as fault:
    sys.exit(str(fault))
print(f"{os.path.relpath(HERE.sample_class)} holds what the sample class hands in: {len(students)} submissions")
