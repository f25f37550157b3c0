#!/usr/bin/env bash
# Finds what the run is judged against. Outputs: its folder, and a note on it; or why there is none.
set -euo pipefail

: "${ABALO_REFERENCE:?}" "${ABALO_BRANCH:?}" "${ABALO_BASE=}"
far=200 # commits before the base that are looked through

output() { # on one line, so that no value can be taken for another output
  printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >>"$GITHUB_OUTPUT"
}

none() {
  echo "::warning title=Abalo::no reference: $1"
  output why "$1"
  exit 0
}

case "$ABALO_REFERENCE" in
  base) ;;
  none)
    output why "none was asked for"
    exit 0
    ;;
  *)
    if [ ! -f "$ABALO_REFERENCE/robustness.json" ]; then
      echo "::error title=Abalo::the folder that reference names holds no accepted run"
      exit 2
    fi
    output folder "$ABALO_REFERENCE"
    exit 0
    ;;
esac

[[ $ABALO_BASE =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ && ! $ABALO_BASE =~ ^0+$ ]] || none "the event has no base commit"
git check-ref-format "refs/heads/$ABALO_BRANCH"

found=0
git ls-remote --exit-code --quiet origin "refs/heads/$ABALO_BRANCH" >/dev/null || found=$?
[ "$found" -ne 2 ] || none "there is no branch $ABALO_BRANCH yet; a push with accept: true makes it"
[ "$found" -eq 0 ] || none "the branch $ABALO_BRANCH cannot be read"

git fetch --quiet --no-tags --depth=1 origin "refs/heads/$ABALO_BRANCH"
kept=$(git rev-parse FETCH_HEAD)
git fetch --quiet --no-tags --depth="$far" origin "$ABALO_BASE" || none "the base commit ${ABALO_BASE:0:12} cannot be read"

before=0
while read -r commit; do
  if git cat-file -e "$kept:$commit/robustness.json" 2>/dev/null; then
    folder="${RUNNER_TEMP:?}/abalo-references/${commit:0:12}"
    mkdir -p "$folder"
    git -C "$(git rev-parse --show-toplevel)" archive "$kept:$commit" | tar -x -C "$folder"
    output folder "$folder"
    distance="$before commits"
    [ "$before" -ne 1 ] || distance="one commit"
    if [ "$before" -eq 0 ]; then
      output note "The reference is the run of the base commit ${ABALO_BASE:0:12}."
    else
      output note "No run was kept of the base commit ${ABALO_BASE:0:12}; the reference is $distance before it."
    fi
    exit 0
  fi
  before=$((before + 1))
done < <(git rev-list --first-parent --max-count="$far" "$ABALO_BASE")
none "no run was kept of the base commit ${ABALO_BASE:0:12} or of any of the $((before - 1)) before it"
