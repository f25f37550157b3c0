"""One folder a task, found by itself: what an example, a prediction and a count are."""
