"""Tasks, one folder each, discovered automatically, as are the ``METRICS`` of modules in ``metrics``."""
