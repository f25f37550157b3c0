"""Metrics of segmentation."""
