#!/usr/bin/env bash
# Writes the comment, and the summary of the job. Outputs: the exit code of the whole gate.
set -euo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_NAME:?}" "${ABALO_GATE:?}" "${ABALO_HEAD=}" "${ABALO_SHARD=}" "${ABALO_AGAINST=}"
: "${ABALO_NOTE=}" "${ABALO_WHY=}" "${ABALO_REQUIRE_REFERENCE=false}" "${ABALO_FIRST=false}" "${ABALO_CONFTEST=}"

code=0
if [ -n "$ABALO_SHARD" ]; then
  code=$ABALO_GATE
else
  comment=("$ABALO_REPORTS" "--name=$ABALO_NAME" "--out=$ABALO_REPORTS/comment.md")
  comment+=("--link=${GITHUB_SERVER_URL:?}/${GITHUB_REPOSITORY:?}/actions/runs/${GITHUB_RUN_ID:?}")
  [ -z "$ABALO_HEAD" ] || comment+=("--note=Commit ${ABALO_HEAD:0:12}.")
  [ -z "$ABALO_NOTE" ] || comment+=("--note=$ABALO_NOTE")
  [ -z "$ABALO_AGAINST" ] || comment+=("--against=$ABALO_AGAINST")
  [ -z "$ABALO_WHY" ] || comment+=("--not-compared=$ABALO_WHY")
  conftest=()
  [ "$ABALO_CONFTEST" != true ] || conftest=(--conftest)
  python -P -m abalo comment "${comment[@]}" "${conftest[@]}" || echo "::warning title=Abalo::the gate left no report"
  {
    cat "$ABALO_REPORTS/comment.md"
    if [ -f "$ABALO_REPORTS/robustness.md" ]; then
      printf '\n<details><summary>robustness.md</summary>\n\n'
      cat "$ABALO_REPORTS/robustness.md"
      printf '\n</details>\n'
    fi
  } >>"$GITHUB_STEP_SUMMARY"

  said=$(python -P -m abalo verdict "$ABALO_REPORTS" "${conftest[@]}") || code=$?
  printf '%s\n' "$said"
  [ "$code" -ne 0 ] || code=$ABALO_GATE
  if [ "$code" -eq 10 ] && [ "$ABALO_FIRST" = true ] && [[ $said == *"MEASURED, NOT JUDGED"* ]]; then
    echo "::notice title=Abalo::measured, not judged; the run becomes the first reference"
    code=0
  fi
  if [ "$code" -eq 0 ] && [ "$ABALO_REQUIRE_REFERENCE" = true ] && [ -z "$ABALO_AGAINST" ]; then
    echo "::error title=Abalo::the bounds hold, but there is no reference, and require-reference asks for one"
    code=10
  fi
fi
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
