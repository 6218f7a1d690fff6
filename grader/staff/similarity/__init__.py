"""Which hand-ins are alike: as a question to a person, and never a verdict.

words.py reads a text, plain_macros.py expands its macros, tokens.py takes the names off, and the other plain_*.py what
may be said in many ways. fingerprints.py chooses short runs of what is left, as MOSS does (Schleimer, Wilkerson, Aiken:
Winnowing, SIGMOD 2003); alike.py compares a class, and what earlier classes handed in, without what the skeleton or
most of the class have; page.py shows the lines side by side.
"""
