"""What people read of a grading of a class."""
