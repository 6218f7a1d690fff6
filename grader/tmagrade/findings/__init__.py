"""What the emulator finds: a finding with all that belongs to it, the registry of codes, and its words."""
