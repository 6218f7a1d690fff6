"""Grading a class: every step of every hand-in, in order, on this machine or on a cluster; what is done is kept."""
