#!/usr/bin/env bash
# Installs Abalo as it stands beside this script, with the extras that are asked for, after the user's requirements.
set -euo pipefail

: "${ABALO_REQUIREMENTS=}" "${ABALO_EXTRAS=}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ ! $ABALO_EXTRAS =~ ^[a-z,]*$ ]]; then
  echo "::error title=Abalo::extras: expected names between commas, such as spacy,hub"
  exit 2
fi
if [ -n "$ABALO_REQUIREMENTS" ]; then
  python -m pip install --requirement "$ABALO_REQUIREMENTS"
fi
python -m pip install "$root${ABALO_EXTRAS:+[$ABALO_EXTRAS]}"
