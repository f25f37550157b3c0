"""``python -m abalo`` runs the command ``abalo``."""

import sys

from abalo.cli import main

if __name__ == "__main__":
    sys.exit(main())
