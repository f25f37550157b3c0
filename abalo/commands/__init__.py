"""The commands of ``abalo``, one module each: ``add`` says what it takes, ``run`` does it and gives the exit code.

They import what they work with when they run, so that ``--help`` answers at once.
"""
