#!/usr/bin/env bash
# Installs Abalo as it stands beside this script, with the extras that are asked for, after the user's requirements.
set -euo pipefail

: "${ABALO_REQUIREMENTS=}" "${ABALO_EXTRAS=}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ ! $ABALO_EXTRAS =~ ^[a-z,]*$ ]]; then
  echo "::error title=Abalo::extras: expected names between commas, such as spacy,hub"
  exit 2
fi

names_torch() {
  [ -n "$ABALO_REQUIREMENTS" ] && grep -qiE '^ *torch([^a-z0-9._-]|$)' -- "$ABALO_REQUIREMENTS"
}

torch_for_this_machine() { # uv knows which index has the builds for a processor alone, and those for a GPU
  python -m pip install uv && python -m uv pip install --python "$(command -v python)" --torch-backend=auto torch
}

if ! python -m pip show --quiet torch && ! names_torch && ! torch_for_this_machine; then
  echo "::warning title=Abalo::uv found no torch for this machine; pip installs its usual build, some gigabytes on Linux"
fi
if [ -n "$ABALO_REQUIREMENTS" ]; then
  python -m pip install --requirement "$ABALO_REQUIREMENTS"
fi
python -m pip install "$root${ABALO_EXTRAS:+[$ABALO_EXTRAS]}"
