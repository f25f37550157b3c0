#!/usr/bin/env bash
# Puts comment.md on the pull request, in the place of the comment of an earlier run: one of the same writer that has the
# same mark. Where the token may not write, the summary says so, and nothing fails.
set -euo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_PULL_REQUEST:?}" "${GITHUB_REPOSITORY:?}" "${GH_TOKEN=}" "${ABALO_HEAD_REPOSITORY=}"
body="$ABALO_REPORTS/comment.md"
export GH_HOST="${GITHUB_SERVER_URL#*://}" GH_ENTERPRISE_TOKEN="$GH_TOKEN" MARK

not_posted() {
  echo "::notice title=Abalo::no comment on the pull request: $1"
  printf '\n> No comment on the pull request: %s.\n' "$1" >>"$GITHUB_STEP_SUMMARY"
  exit 0
}

[[ $ABALO_PULL_REQUEST =~ ^[0-9]+$ ]] || not_posted "it has no number"
[ "$ABALO_HEAD_REPOSITORY" = "$GITHUB_REPOSITORY" ] ||
  not_posted "it comes from a fork, whose token may only read; the summary of the job has all that it would say"
command -v gh >/dev/null || not_posted "this machine has no gh"

MARK=$(tail -n 1 "$body")
# shellcheck disable=SC2016 # the variables are those of the query
query='query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $endCursor) {
        nodes { databaseId body viewerDidAuthor }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}'
before=$(
  gh api graphql --paginate -f "query=$query" -f "owner=${GITHUB_REPOSITORY%/*}" -f "name=${GITHUB_REPOSITORY#*/}" \
    -F "number=$ABALO_PULL_REQUEST" --jq '.data.repository.pullRequest.comments.nodes[]
      | select(.viewerDidAuthor and (.body | contains(env.MARK))) | .databaseId'
) || not_posted "its comments cannot be read"
before=${before%%$'\n'*}

if [ -n "$before" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$before" -F "body=@$body" ||
    not_posted "the token may not write; give the job the permission pull-requests: write"
else
  gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$ABALO_PULL_REQUEST/comments" -F "body=@$body" ||
    not_posted "the token may not write; give the job the permission pull-requests: write"
fi
