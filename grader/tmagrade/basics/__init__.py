"""What every room stands on: where things are, files that are whole or not there, text of strangers, ways to stop."""
