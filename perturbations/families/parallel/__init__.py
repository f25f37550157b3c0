"""Changes of a text that its translations share."""
