"""The sample class: students who make typical mistakes, each told as an edit of the reference solution.

edits.py changes a text in places that must be there exactly once; tables.py reads grader/tests/class; write.py puts the
class into folders, as if it had been handed in. grader/tests/class/README.md says how to add a student.
"""

from tmagrade.sample_class.edits import EditError, replace_once
from tmagrade.sample_class.tables import Student, few_of_class, read_class
from tmagrade.sample_class.write import write_class, write_sample_class

__all__ = ["EditError", "Student", "few_of_class", "read_class", "replace_once", "write_class", "write_sample_class"]
