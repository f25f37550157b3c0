"""Names of the bundled tests in pytest and JUnit."""

TESTS = "tests_behavioral"

MODULE = "test_against"

FUNCTION = "test_loss"
