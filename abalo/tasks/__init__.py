"""Tasks, one folder each, found by themselves: the meaning of an example, a prediction and a count."""
