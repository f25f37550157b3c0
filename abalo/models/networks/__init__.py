"""Opens networks and runs them on windows in batches."""
