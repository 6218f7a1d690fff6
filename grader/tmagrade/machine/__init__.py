"""What this machine lets the grader have: its toolkit, GPUs, processes, limits and room."""
