"""The output formats of reports."""
