"""Capabilities: what a model must be able to do, written as templates (docs/capabilities.md)."""
