"""The sample class: students who make typical mistakes, each told as an edit of the reference solution.

edits.py changes a text in places that must be there exactly once; tables.py reads grader/tests/class; write.py puts the
class into folders, as if it had been handed in. grader/tests/class/README.md says how to add a student.
"""
