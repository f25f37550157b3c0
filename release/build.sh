#!/usr/bin/env bash
# Builds the sdist of the commit that is checked out and, from it, the wheel; checks both and leaves them in a folder.
#   release/build.sh [FOLDER]      dist unless told otherwise; it must have no distributions yet
# Nothing but what is committed is built, twice: in two folders, under two umasks, with the time of the commit.
set -euo pipefail
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
cd "$(dirname "$0")/.."

if compgen -G "$dist/*.whl" >/dev/null || compgen -G "$dist/*.tar.gz" >/dev/null; then
  echo "$dist: has distributions already; remove them, so that none of another commit is taken for one of this" >&2
  exit 2
fi
for tool in build twine check_wheel_contents; do
  python -c "import $tool" 2>/dev/null || { echo "$tool is missing: pip install --group release" >&2; exit 2; }
done
if [ -n "$(git status --porcelain)" ]; then
  echo "NOT BUILT: what is not committed" >&2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PIP_CONSTRAINT=$PWD/ci/constraints.txt # the versions of what builds
export PIP_CONSTRAINT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

for turn in 022 077; do
  (
    umask "$turn"
    mkdir "$work/$turn"
    git archive HEAD | tar -x -C "$work/$turn"
    python -m build --outdir "$work/dist-$turn" "$work/$turn" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  )
done
for file in "$work"/dist-022/*; do
  cmp "$file" "$work/dist-077/${file##*/}" # says which byte differs, and ends this script
  cp "$file" "$dist/"
done
echo "built twice, byte for byte the same:"
(cd "$dist" && sha256sum -- *.whl *.tar.gz)

twine check --strict "$dist"/*.whl "$dist"/*.tar.gz
check-wheel-contents "$dist"/*.whl

echo "in the wheel, files by folder:"
python -m zipfile --list "$dist"/*.whl | awk 'NR > 1 { print $1 }' | sed -E \
  -e 's,^(abalo/_bundled/fixtures/[^/]+|tests_behavioral/[^/]+)/.*,\1/,' -e 't' \
  -e 's,^(abalo/_bundled|abalo|perturbations|tests_behavioral|[^/]+\.dist-info)/.*,\1/,' | sort | uniq -c
