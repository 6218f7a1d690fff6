"""From a hand-in's text to a library: compiled in the sandbox, and looked at before it is run."""
