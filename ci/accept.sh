#!/usr/bin/env bash
# Keeps the run on the branch of references, in a folder called after its commit. The branch is one commit without a
# parent, so that it does not grow; its file "commits" lists the folders, oldest first.
set -euo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_BRANCH:?}" "${ABALO_KEEP:?}" "${GITHUB_SHA:?}" "${RUNNER_TEMP:?}"
branch="refs/heads/$ABALO_BRANCH"
git check-ref-format "$branch"
if [[ ! $ABALO_KEEP =~ ^[1-9][0-9]*$ ]]; then
  echo "::error title=Abalo::keep: expected a whole number from 1"
  exit 2
fi

work=$(mktemp -d "$RUNNER_TEMP/abalo-accept.XXXXXX")
trap 'rm -rf "$work"' EXIT
if ! python -m abalo accept "$ABALO_REPORTS" --as "$work/run"; then
  echo "::warning title=Abalo::the run is not kept as a reference"
  exit 0
fi

export GIT_AUTHOR_NAME=abalo GIT_AUTHOR_EMAIL=abalo@localhost GIT_COMMITTER_NAME=abalo GIT_COMMITTER_EMAIL=abalo@localhost

blob() { # a line of a tree: a file under a name
  printf '100644 blob %s\t%s\n' "$(git hash-object -w --no-filters -- "$1")" "$2"
}

run=$(for file in "$work"/run/*; do blob "$file" "${file##*/}"; done | git mktree)

for _ in 1 2 3 4 5; do # another push may keep its run at the same time
  tip=$(git ls-remote --quiet origin "$branch" | cut -f 1)
  : >"$work/before"
  if [ -n "$tip" ]; then
    git fetch --quiet --no-tags --depth=1 origin "$branch"
    tip=$(git rev-parse FETCH_HEAD)
    git cat-file blob "$tip:commits" | grep -v -x -F "$GITHUB_SHA" | tail -n "$((ABALO_KEEP - 1))" >"$work/before" || true
  fi
  { cat "$work/before" && echo "$GITHUB_SHA"; } >"$work/commits"
  tree=$({
    while read -r commit; do
      printf '040000 tree %s\t%s\n' "$(git rev-parse "$tip:$commit")" "$commit"
    done <"$work/before"
    printf '040000 tree %s\t%s\n' "$run" "$GITHUB_SHA"
    blob "$work/commits" commits
  } | git mktree)
  made=$(git commit-tree -m "Runs of the last commits, as references" "$tree")
  if git push --quiet --force-with-lease="$branch:$tip" origin "$made:$branch"; then
    exit 0
  fi
  sleep 1
done
echo "::error title=Abalo::the run could not be kept on the branch $ABALO_BRANCH; it needs the permission contents: write"
exit 2
