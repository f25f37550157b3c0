#!/usr/bin/env bash
# Runs the gate, or one shard of it, or merges its shards. Outputs: the exit code, which does not end the job yet, and
# a name for the artifact.
set -uo pipefail

: "${ABALO_REPORTS:?}" "${ABALO_NAME:?}" "${ABALO_MODEL=}" "${ABALO_CORPUS=}" "${ABALO_TASK=}" "${ABALO_THRESHOLDS=}"
: "${ABALO_OPTIONS=}" "${ABALO_AGAINST=}" "${ABALO_SHARD=}" "${ABALO_MERGE=}" "${ABALO_CONFTEST=}"
artifact="${ABALO_NAME//[^A-Za-z0-9._-]/-}-reports"
code=0
rm -f "$ABALO_REPORTS"/robustness.{json,md}  # of an earlier gate in the job: a run that ends before its first case leaves them

if [ -n "$ABALO_MERGE" ]; then
  shards=("$ABALO_MERGE"/*/)
  arguments=("${shards[@]}" "--out=$ABALO_REPORTS" "--junit=$ABALO_REPORTS/junit.xml")
  [ -z "$ABALO_THRESHOLDS" ] || arguments+=("--thresholds=$ABALO_THRESHOLDS")
  [ -z "$ABALO_AGAINST" ] || arguments+=("--against=$ABALO_AGAINST")
  [ "$ABALO_CONFTEST" != true ] || arguments+=("--conftest")
  python -P -m abalo merge "${arguments[@]}" || code=$?
else
  arguments=("--abalo-reports=$ABALO_REPORTS" "--junit-xml=$ABALO_REPORTS/junit.xml")
  [ -z "$ABALO_MODEL" ] || arguments+=("--abalo-model=$ABALO_MODEL")
  [ -z "$ABALO_CORPUS" ] || arguments+=("--abalo-corpus=$ABALO_CORPUS")
  [ -z "$ABALO_TASK" ] || arguments+=("--abalo-task=$ABALO_TASK")
  [ -z "$ABALO_THRESHOLDS" ] || arguments+=("--abalo-thresholds=$ABALO_THRESHOLDS")
  [ -z "$ABALO_AGAINST" ] || arguments+=("--abalo-against=$ABALO_AGAINST")
  [ -z "$ABALO_SHARD" ] || arguments+=("--abalo-shard=$ABALO_SHARD")
  [ -z "$ABALO_SHARD" ] || artifact="${ABALO_NAME//[^A-Za-z0-9._-]/-}-shard-${ABALO_SHARD//[^0-9]/-of-}"
  while IFS= read -r option; do
    [ -z "$option" ] || arguments+=("$option")
  done <<<"$ABALO_OPTIONS"
  case $'\n'"$ABALO_OPTIONS" in *$'\n--abalo-replies'*) ;; *) arguments+=("--abalo-no-cache") ;; esac  # of an earlier job, or of the pull request
  python -m pytest --pyargs tests_behavioral "${arguments[@]}" || code=$?
fi

printf 'exit-code=%s\nartifact=%s\n' "$code" "$artifact" >>"$GITHUB_OUTPUT"
