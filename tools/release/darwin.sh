#!/usr/bin/env bash
# Writes into FOLDER what a linker must know of three libraries of macOS, so that a program can be linked without Apple's
# SDK: where they lie there, and the functions that Go's own sources call in them. darwin.sh FOLDER
set -euo pipefail
to=$1
names() { # LIBRARY: the functions that the standard library takes from it, in the form of a symbol table
  grep -rhoE "cgo_import_dynamic [A-Za-z0-9_]+ [A-Za-z0-9_]+ \"$1\"" "$(go env GOROOT)/src" --include='*.go' | awk '{ print "_" $3 }' | sort -u | paste -sd,
}
stub() { # FILE LIBRARY
  local list
  list=$(names "$2")
  [ -n "$list" ] || { echo "darwin.sh: Go's sources call nothing in $2" >&2; exit 1; }
  mkdir -p "$(dirname "$to/$1")"
  printf -- '--- !tapi-tbd\ntbd-version: 4\ntargets: [arm64-macos, x86_64-macos]\ninstall-name: %s\nexports:\n  - targets: [arm64-macos, x86_64-macos]\n    symbols: [%s]\n...\n' \
    "$2" "$list" >"$to/$1"
}
frameworks=/System/Library/Frameworks
stub libresolv.tbd /usr/lib/libresolv.9.dylib
stub Security.framework/Security.tbd $frameworks/Security.framework/Versions/A/Security
stub CoreFoundation.framework/CoreFoundation.tbd $frameworks/CoreFoundation.framework/Versions/A/CoreFoundation
