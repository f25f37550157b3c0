"""The commands of ``abalo``, one module each: ``add`` adds its options, ``run`` does it and gives the exit code.

They import what they work with when they run, so that ``--help`` answers at once.
"""
