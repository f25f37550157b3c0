"""A run from its request to its report: `RunSpec`, `Opened`, `Prepared`, `Execution`, `Report`."""
