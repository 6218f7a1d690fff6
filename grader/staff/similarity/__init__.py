"""Which hand-ins are alike: as a question to a person, and never a verdict.

tokens.py takes names, comments and blanks off a text; fingerprints.py chooses short runs of what is left, as MOSS does
(Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003); alike.py compares a class, and what earlier classes handed in,
without what the skeleton or most of the class have; page.py shows the lines side by side.
"""
