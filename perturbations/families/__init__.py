"""The perturbations, one module each, in packages by what they act on. Importing a module registers its perturbation."""
