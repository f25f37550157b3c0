"""Values and examples: what the other floors read and pass on."""
