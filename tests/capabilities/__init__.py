"""Templates, their fillers, and what is drawn of them."""
