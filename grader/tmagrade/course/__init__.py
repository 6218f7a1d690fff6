"""What the course asks: its labs, as each lab.toml tells them, and what a right result must come by."""
