"""Praise and blame said in another way, and the persons and works that they are about."""
