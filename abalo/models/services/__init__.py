"""Calls to user code: several in flight, retries, limits, and answers that are kept between runs."""
