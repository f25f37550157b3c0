#!/usr/bin/env bash
# Finds what the run is judged against. Outputs: its folder, and a note on it; or why there is none, and whether a run
# that is only measured is good enough, as the first one is. If git fails, the script does.
set -euo pipefail

: "${ABALO_REFERENCE:?}" "${ABALO_BASE=}" "${GITHUB_SHA:?}" "${RUNNER_TEMP:?}"
# shellcheck source=ci/git.sh
source "$(dirname "${BASH_SOURCE[0]}")/git.sh"
far=200 # commits that are looked through, from the base back

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
    output first true
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

base=$ABALO_BASE # a new branch and a schedule have none
[[ $base =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ && ! $base =~ ^0+$ ]] || base=$GITHUB_SHA
kept=$(kept)
if [ -z "$kept" ]; then
  output first true
  none "no run is kept yet; the first push with accept: true keeps one"
fi

commits=$base
if ! grep -q "/$base\$" <<<"$kept"; then
  shallow=$(by_git rev-parse --is-shallow-repository)
  if [ "$shallow" = true ]; then
    by_git fetch --quiet --no-tags --depth="$far" origin "$base"
  else
    by_git fetch --quiet --no-tags origin "$base"
  fi
  commits=$(by_git rev-list --first-parent --max-count="$far" "$base")
fi

before=0
for commit in $commits; do
  run=$(grep "/$commit\$" <<<"$kept" | tail -n 1) || true
  if [ -n "$run" ]; then
    folder="$RUNNER_TEMP/abalo-references/${commit:0:12}"
    mkdir -p "$folder"
    by_git fetch --quiet --no-tags origin "$run"
    top=$(by_git rev-parse --show-toplevel)
    by_git -C "$top" archive FETCH_HEAD | tar -x -C "$folder"
    output folder "$folder"
    distance="$before commits"
    [ "$before" -ne 1 ] || distance="one commit"
    if [ "$before" -eq 0 ]; then
      output note "The reference is the run of the base commit ${base:0:12}."
    else
      output note "The base commit ${base:0:12} has no good run; the reference is the last good run, $distance before it."
    fi
    exit 0
  fi
  before=$((before + 1))
done
none "no run was kept of the base commit ${base:0:12} or of any of the $((before - 1)) before it"
