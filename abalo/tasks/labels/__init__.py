"""The common part of tasks in which a text, a pair of texts or an aspect gets a label. It is no task."""
