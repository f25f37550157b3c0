"""The names of the tests that ship, as pytest and JUnit know them."""

TESTS = "tests_behavioral"
"""The package of the tests that ship, with a folder for each task."""

MODULE = "test_against"
"""Its module of losses against the reference, beside the folders."""

FUNCTION = "test_loss"
"""The test in it, of which there is one for each loss."""
