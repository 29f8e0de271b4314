#!/bin/sh
# For pre-commit: hook.sh ARGS runs automaton ARGS, from a release that is fetched once and whose digest is listed here.
# AUTOMATON_PATH names a program that is there already.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${AUTOMATON_PATH:-}
if [ -z "$bin" ]; then
  version=$(sed -n 's/^VERSION ?= //p' "$here/Makefile")
  to=${XDG_CACHE_HOME:-$HOME/.cache}/automaton/release-$version
  bin=$to/automaton
  [ -x "$bin" ] || AUTOMATON_VERSION=$version AUTOMATON_TO=$to AUTOMATON_FROM='' sh "$here/install.sh" >/dev/null
fi
exec "$bin" "$@"
