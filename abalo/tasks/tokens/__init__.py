"""The shared part of tasks that label the tokens of a sentence."""
