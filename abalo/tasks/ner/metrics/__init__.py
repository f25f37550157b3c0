"""From outcomes to numbers, one module each. A module that names its metrics in ``METRICS`` is found by itself."""
