#!/usr/bin/env bash
# Keeps the run as the reference of its commit, unless the job fails by it. The oldest references beyond "keep" go.
set -euo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_KEEP:?}" "${ABALO_EXIT:?}" "${GITHUB_SHA:?}" "${RUNNER_TEMP:?}"
# shellcheck source=ci/git.sh
source "$(dirname "${BASH_SOURCE[0]}")/git.sh"

if [[ ! $ABALO_KEEP =~ ^[1-9][0-9]*$ ]]; then
  echo "::error title=Abalo::keep: expected a whole number from 1"
  exit 2
fi
work=$(mktemp -d "$RUNNER_TEMP/abalo-accept.XXXXXX")
trap 'rm -rf "$work"' EXIT
# A run that decided nothing (10) is kept: otherwise a repository would never get its first reference.
if [[ ! $ABALO_EXIT =~ ^(0|10)$ ]] || ! python -m abalo accept "$ABALO_REPORTS" --as "$work/run"; then
  echo "::warning title=Abalo::the run is not kept as a reference; the last good reference stays"
  exit 0
fi

export GIT_AUTHOR_NAME=abalo GIT_AUTHOR_EMAIL=abalo@localhost GIT_COMMITTER_NAME=abalo GIT_COMMITTER_EMAIL=abalo@localhost
listed=""
for file in "$work"/run/*; do
  blob=$(by_git hash-object -w --no-filters -- "$file")
  listed+="100644 blob $blob"$'\t'"${file##*/}"$'\n'
done
tree=$(by_git mktree <<<"${listed%$'\n'}")
made=$(by_git commit-tree -m "The run of $GITHUB_SHA" "$tree")
by_git push --quiet origin "$made:$references/$(date +%s)/$GITHUB_SHA"

kept=$(kept)
stay=" "
number=0
old=()
while read -r run; do # the newest first
  commit=${run##*/}
  if [[ $number -ge $ABALO_KEEP || $stay == *" $commit "* ]]; then
    old+=(":$run")
  else
    stay+="$commit "
    number=$((number + 1))
  fi
done < <(sort -r <<<"$kept")
if [ "${#old[@]}" -gt 0 ] && ! git push --quiet origin "${old[@]}"; then
  echo "::warning title=Abalo::old references could not be deleted; the next push with accept: true tries again"
fi
