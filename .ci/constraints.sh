#!/usr/bin/env bash
# Writes ci/constraints.txt: one version of every package that CI installs, for each Python and platform, without torch
# and what belongs to a build of it. Versions stay as they are if they still fit; --upgrade raises them.
set -euo pipefail
cd "$(dirname "$0")/.."
made=$(mktemp)
trap 'rm -f "$made"' EXIT
cp ci/constraints.txt "$made" 2>/dev/null || true
groups=$(python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"])')
# shellcheck disable=SC2046,SC2086
uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-config --all-extras \
  $(printf -- '--group %s ' $groups) --no-emit-package torch "$@" --output-file "$made" pyproject.toml
{
  echo "# Versions of CI, by .ci/constraints.sh. torch is installed before all else, by name."
  grep -vE '^(#|cuda-|nvidia-|triton=)' "$made"
} >ci/constraints.txt
