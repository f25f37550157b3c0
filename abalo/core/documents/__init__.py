"""The stored form of a run: results, losses, blocks of a report."""
