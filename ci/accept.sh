#!/usr/bin/env bash
# Keeps the run as the reference of its commit, unless the job fails by it. The oldest references beyond "keep" go.
set -euo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_KEEP:?}" "${ABALO_EXIT:?}" "${GITHUB_SHA:?}" "${RUNNER_TEMP:?}" "${ABALO_CONFTEST=}"
# shellcheck source=ci/git.sh
source "$(dirname "${BASH_SOURCE[0]}")/git.sh"

if [[ ! $ABALO_KEEP =~ ^[1-9][0-9]*$ ]]; then
  echo "::error title=Abalo::keep: expected a whole number from 1"
  exit 2
fi

not_kept() {
  echo "::warning title=Abalo::the run is not kept as a reference; the last good reference stays"
  exit 0
}

# A run that decided nothing (10) is kept: otherwise a repository might never get its first reference.
[[ $ABALO_EXIT =~ ^(0|10)$ ]] || not_kept
kept=$(kept)
work=$(mktemp -d "$RUNNER_TEMP/abalo-accept.XXXXXX")
trap 'rm -rf "$work"' EXIT
conftest=()
[ "$ABALO_CONFTEST" != true ] || conftest=(--conftest)
python -P -m abalo accept "$ABALO_REPORTS" --as "$work/run" "${conftest[@]}" || not_kept

export GIT_AUTHOR_NAME=abalo GIT_AUTHOR_EMAIL=abalo@localhost GIT_COMMITTER_NAME=abalo GIT_COMMITTER_EMAIL=abalo@localhost
listed=""
for file in "$work"/run/*; do
  blob=$(by_git hash-object -w --no-filters -- "$file")
  listed+="100644 blob $blob"$'\t'"${file##*/}"$'\n'
done
tree=$(by_git mktree <<<"${listed%$'\n'}")
made=$(by_git commit-tree -m "The run of $GITHUB_SHA" "$tree")
new="$references/$(date +%s)/$GITHUB_SHA"
by_git push --quiet origin "$made:$new"

stay=" $GITHUB_SHA "
number=1
old=()
while read -r run; do # the newest first
  [[ -n $run && $run != "$new" ]] || continue
  commit=${run##*/}
  if [[ $number -ge $ABALO_KEEP || $stay == *" $commit "* ]]; then
    old+=(":$run")
  else
    stay+="$commit "
    number=$((number + 1))
  fi
done < <(LC_ALL=C sort -r <<<"$kept")
if [ "${#old[@]}" -gt 0 ] && ! git push --quiet origin "${old[@]}"; then
  echo "::warning title=Abalo::old references could not be deleted; the next push with accept: true tries again"
fi
