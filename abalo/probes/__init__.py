"""Probes, the kinds of case, one module each."""
