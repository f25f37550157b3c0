"""The commands of ``abalo``, one module each: ``add`` adds options, ``run`` returns the exit code.

Dependencies are imported when a command runs, to keep ``--help`` fast.
"""
