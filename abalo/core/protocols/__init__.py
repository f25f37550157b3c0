"""What tasks, probes and runs offer each other."""
