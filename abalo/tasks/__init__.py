"""Tasks: what a prediction is, and how it is compared with gold after the text has changed."""
