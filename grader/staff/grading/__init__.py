"""Where and how a class is graded."""
