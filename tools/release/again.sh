#!/usr/bin/env bash
# Builds a release again from the same commit: in another folder, time zone and umask, and with a compiler's cache of
# its own. again.sh VERSION TARGET... fails unless it has the bytes of dist/, and names what differs.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(sed -n 's/^commit //p' dist/PROVENANCE.txt)
(
  umask 077
  git clone -q . "$work/another/place"
  git -C "$work/another/place" checkout -q --detach "$commit"
  TZ=Asia/Tokyo GOCACHE=$work/cache "$work/another/place/tools/release/build.sh" "$@"
)
diff "$work/another/place/dist/SHA256SUMS" dist/SHA256SUMS || { echo "two builds of $commit differ" >&2; exit 1; }
(cd dist && sha256sum --check --quiet --strict SHA256SUMS)
echo "two builds of $commit are equal: $(wc -l <dist/SHA256SUMS) files"
