"""Runs a course: what its staff need besides tmagrade. A release lacks it, and tmagrade imports none of it."""
