"""Submissions: what students handed in, in whatever form it came, and the stage in which one lab of it is built.

archives.py unpacks one archive; tree.py reads one student's hand-in, with the archives in it; recognition.py says
which labs are in it; plain.py, canvas.py and gradescope.py know how a class is laid out; find.py puts them together.
"""

from tmagrade.submissions.find import Found, Layout, find_submissions, solutions_as_student
from tmagrade.submissions.staging import (
    MAX_BYTES,
    MAX_FILES,
    copy_submitted,
    digest_submitted,
    open_submitted,
    source_files,
    stage,
    submitted_files,
    write_includes,
    write_one_include,
)
from tmagrade.submissions.submission import Submission

__all__ = [
    "MAX_BYTES",
    "MAX_FILES",
    "Found",
    "Layout",
    "Submission",
    "copy_submitted",
    "digest_submitted",
    "find_submissions",
    "open_submitted",
    "solutions_as_student",
    "source_files",
    "stage",
    "submitted_files",
    "write_includes",
    "write_one_include",
]
