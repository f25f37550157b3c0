"""The document of a run, and checks of its consistency."""
