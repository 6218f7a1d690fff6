"""What this machine lets the grader have, and words for what it does not."""
