# Virtual environments by uv, or by pip if uv cannot be had; sourced by .ci/run, which sets $work.
# Versions are those of ci/constraints.txt. uv reads no settings of pip, so they are handed on by variables.
# shellcheck shell=bash disable=SC2154

# An option of pip, such as find-links: from the environment, else from its files.
setting() {
  local variable="PIP_$1"
  variable=${variable^^}
  variable=${variable//-/_}
  if [ -n "${!variable:-}" ]; then
    printf '%s' "${!variable}" | tr '\n' ' '
  else
    { python3 -m pip config get "install.$1" || python3 -m pip config get "global.$1" || true; } 2>/dev/null | tr '\n' ' '
  fi
}

# hand_on VARIABLE OPTION: to uv, by the variable, if pip has the option.
hand_on() {
  local value
  value=$(setting "$2" | xargs) # without white space at its ends
  [ -z "$value" ] || export "$1=$value"
}

# Makes $work/tools with ruff and, if it can be had, uv.
tools() {
  python3 -m venv "$work/tools"
  "$work/tools/bin/python" -m pip install --quiet -c ci/constraints.txt ruff uv ||
    "$work/tools/bin/python" -m pip install --quiet -c ci/constraints.txt ruff
  constraints=(-c "$PWD/ci/constraints.txt")
  [ -x "$work/tools/bin/uv" ] || return 0
  export UV_PYTHON_DOWNLOADS=never UV_COMPILE_BYTECODE=1 UV_INDEX_STRATEGY=unsafe-best-match UV_NO_CONFIG=1
  hand_on UV_FIND_LINKS find-links
  [ -z "${UV_FIND_LINKS:-}" ] || export UV_FIND_LINKS="${UV_FIND_LINKS// /,}"
  hand_on UV_DEFAULT_INDEX index-url
  hand_on UV_INDEX extra-index-url
  hand_on SSL_CERT_FILE cert
  local file
  for file in $(setting constraint); do
    constraints+=(-c "$file")
  done
}

# environment NAME: an empty environment in $work/NAME, with torch from where pip would take it.
environment() {
  if [ -x "$work/tools/bin/uv" ]; then
    "$work/tools/bin/uv" venv --quiet --python "$(command -v python3)" "$work/$1"
  else
    python3 -m venv "$work/$1"
    "$work/$1/bin/python" -m pip install --quiet --upgrade "pip>=25.1" # which knows groups
  fi
  UV_COMPILE_BYTECODE=0 into "$1" torch==2.13.0 # what is used of it is compiled when it is used
}

# into NAME ARGUMENTS…: installs into the environment.
into() {
  local name=$1
  shift
  if [ -x "$work/tools/bin/uv" ]; then
    "$work/tools/bin/uv" pip install --quiet --python "$work/$name/bin/python" "${constraints[@]}" "$@" </dev/null
  else
    "$work/$name/bin/python" -m pip install --quiet "${constraints[@]}" "$@" </dev/null
  fi
}

# optional NAME WHAT ARGUMENTS…: installs what must not end the run where it cannot be had, and tells.
optional() {
  local name=$1 what=$2
  shift 2
  into "$name" "$@" || echo "NOT INSTALLED: $what"
}

# use NAME: its programs come first from here on.
use() {
  export VIRTUAL_ENV="$work/$1" PATH="$work/$1/bin:$outer_path"
}
outer_path=$PATH
