"""Skeletons and solutions are one text: what a student begins with is cut out of the reference solution."""
