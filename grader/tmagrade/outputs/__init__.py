"""What people read of a grading: grades.json with everything in it, and all that is made from that."""
