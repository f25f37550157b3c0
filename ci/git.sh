# Sourced by the scripts that ask git. A run is kept as a commit without parents under refs/abalo/NAME/TIME/COMMIT of
# origin: a job can fetch one run, and a clone fetches none.
# shellcheck shell=bash

: "${ABALO_NAME:?}"
references="refs/abalo/${ABALO_NAME//[^A-Za-z0-9_-]/-}"
export GIT_TERMINAL_PROMPT=0 # asks nothing, since nobody answers

by_git() { # runs git; if it fails, ends the script with git's own words and a remedy
  local words code=0 remedy
  { words=$(LC_ALL=C git "$@" 2>&1 1>&3 3>&-); } 3>&1 || code=$?
  [ "$code" -ne 0 ] || return 0
  # shellcheck disable=SC2016 # the variable is for the shell of the reader
  case $words in
    *"dubious ownership"* | *"unsafe repository"*)
      remedy='the checkout belongs to another user, as in a job with container:; add a step before this one that runs: git config --global --add safe.directory "$GITHUB_WORKSPACE"'
      ;;
    *"git: command not found"*)
      remedy='install git in the container, in a step before actions/checkout'
      ;;
    *"not a git repository"*)
      remedy='run actions/checkout before this action, on a machine that has git'
      ;;
    *"could not read "* | *"uthentication failed"* | *"denied"* | *"error: 40"[134]* | *"epository not found"*)
      remedy='give the job the permission contents: read (contents: write with accept: "true"), and let actions/checkout keep its token (leave out persist-credentials: false)'
      ;;
    *)
      remedy='run the job again; if git fails in the same way, correct what it names'
      ;;
  esac
  words="git $* failed with exit code $code: $words"$'\n'"What to do: $remedy"
  words=${words//'%'/%25}
  words=${words//$'\r'/%0D}
  echo "::error title=Abalo::${words//$'\n'/%0A}" >&2 # a caller may take the output
  exit 2
}

kept() { # the names of the runs that are kept, oldest first
  by_git rev-parse --git-dir >/dev/null # ls-remote does not say that it distrusts the owner
  by_git ls-remote --quiet origin "$references/*" | cut -f 2
}
