"""Changes of a passage, or of the question about it, that leave the answers as they are, or take them away."""
