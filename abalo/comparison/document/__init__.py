"""What a comparison found, as the document tells it."""
