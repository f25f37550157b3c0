"""The content of reports as blocks."""
