"""make class: writes the sample class to build/class."""

import os
import sys

from staff.sample_class.write import write_sample_class
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs

try:
    students = write_sample_class(HERE, load_labs(HERE.labs))
except GraderFault as fault:
    sys.exit(str(fault))
print(f"{os.path.relpath(HERE.sample_class)} holds what the sample class hands in: {len(students)} submissions")
