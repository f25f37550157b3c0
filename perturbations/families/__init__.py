"""The perturbations, one module each, in packages by what they act on. Importing a module registers what is in it."""
