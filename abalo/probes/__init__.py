"""The probes, which are the kinds of case: one module each, discovered automatically."""
