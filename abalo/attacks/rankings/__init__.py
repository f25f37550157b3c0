"""Orders in which searches try words, one module each."""
