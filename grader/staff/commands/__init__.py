"""What the course's staff type, beside what students do."""
