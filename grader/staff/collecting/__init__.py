"""How what one student handed in is read, in whatever form it comes.

archives.py unpacks one archive; tree.py reads one student's hand-in, with the archives in it; recognition.py says
which labs are in it; plain.py reads a class without a platform.
"""
