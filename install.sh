#!/bin/sh
# Installs automaton from a release: the archive's digest is compared before anything is unpacked.
#
#   AUTOMATON_VERSION  the release (default: the newest that this file has a digest of)
#   AUTOMATON_TO       folder for the program (default ~/.local/bin)
#   AUTOMATON_FROM     where the archives lie: an https address or a folder (default: the project's releases)
set -eu

# SHA-256 and name of each archive. A release's own install.sh has them here; in the repository they lie in a file.
digests=''

refuse() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

platform() {
  system=$(uname -s | tr '[:upper:]' '[:lower:]')
  case $(uname -m) in
    x86_64 | amd64) machine=amd64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) machine=$(uname -m) ;;
  esac
  printf '%s_%s\n' "$system" "$machine"
}

sum_of() { { sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | cut -d' ' -f1; }

main() {
  if [ -z "$digests" ] && [ -f "$(dirname "$0")/action/releases.sha256" ]; then
    digests=$(grep -v '^#' "$(dirname "$0")/action/releases.sha256" || :)
  fi
  on=$(platform)
  line=$(printf '%s\n' "$digests" | grep -E "^[0-9a-f]{64}  automaton_${AUTOMATON_VERSION:-[0-9A-Za-z.+-]+}_$on\.tar\.gz\$" | tail -n 1)
  [ -n "$line" ] || refuse "there is no release${AUTOMATON_VERSION:+ $AUTOMATON_VERSION} for $on with a digest listed here"
  want=${line%% *} archive=${line##* }
  version=${archive#automaton_} version=${version%"_$on.tar.gz"}
  from=${AUTOMATON_FROM:-https://github.com/automaton-auditor/automaton/releases/download/v$version}
  to=${AUTOMATON_TO:-$HOME/.local/bin}
  temp=$(mktemp -d) new=''
  trap 'rm -rf "$temp" ${new:+"$new"}' EXIT
  case $from in
    https://*) curl -fsSL --proto '=https' --max-time 300 -o "$temp/$archive" "$from/$archive" || refuse "$from/$archive cannot be fetched" ;;
    /*) cp "$from/$archive" "$temp/$archive" || refuse "$archive is not in $from" ;;
    *) refuse "AUTOMATON_FROM '$from' is neither an https address nor an absolute path" ;;
  esac
  sum=$(sum_of "$temp/$archive")
  [ "$sum" = "$want" ] || refuse "$archive has the digest $sum, and $want is listed here"
  tar -xzf "$temp/$archive" -C "$temp" ./automaton || refuse "$archive cannot be unpacked in $temp"
  { mkdir -p "$to" && new=$(mktemp "$to/.automaton.XXXXXX") && cat "$temp/automaton" >"$new" && chmod 755 "$new"; } || refuse "the program cannot be written to $to; AUTOMATON_TO names another folder"
  # What is there already is replaced only by a program that runs.
  "$new" version >/dev/null || refuse "the program of $archive does not run in $to"
  mv -f "$new" "$to/automaton"
  printf '%s\n' "$to/automaton"
}

main "$@"
