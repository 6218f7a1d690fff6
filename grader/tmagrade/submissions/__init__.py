"""Submissions: what students handed in, in whatever form it came, and the stage in which one lab of it is built.

archives.py unpacks one archive; tree.py reads one student's hand-in, with the archives in it; recognition.py says
which labs are in it; plain.py, canvas.py and gradescope.py know how a class is laid out; find.py puts them together.
"""
