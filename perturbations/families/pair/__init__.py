"""Changes of one of two sentences that are read together, such as a premise and a hypothesis."""
