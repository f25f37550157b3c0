"""From labels and scores to numbers. A module that names its metrics in ``METRICS`` is found by itself."""
