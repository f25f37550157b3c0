"""Multiple-choice questions, put in other words and other forms."""
