"""Ways to search among candidates, one module each."""
