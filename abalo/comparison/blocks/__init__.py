"""What a comparison found, as pages show it."""
