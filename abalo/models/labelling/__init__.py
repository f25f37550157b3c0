"""Translates model labels into corpus labels."""
