"""Submissions: one lab that one student handed in, and the stage in which it is built."""
