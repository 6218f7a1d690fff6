"""What grading leaves in its folder: grades.json with everything in it, and what is made from that."""
