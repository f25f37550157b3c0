"""Perturbations of style: the same said as people say it elsewhere."""
