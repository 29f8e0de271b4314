#!/usr/bin/env bash
# Makes a release in dist/: build.sh VERSION [TARGET...]; the targets are linux_amd64 and linux_arm64, and for a trial
# darwin_arm64 and darwin_amd64, which zig links and which have run nowhere yet.
#
# A binary is static, so that it runs on any Linux. Another processor needs its C compiler, as the grammars and the
# first stage of the sandbox are C (apt-get install gcc-aarch64-linux-gnu). The same commit gives the same bytes.
# shellcheck disable=SC2016 # a script that is written here expands its own arguments
set -euo pipefail
umask 022
cd "$(dirname "$0")/../.."
version=$1
shift
[ $# -gt 0 ] || set -- linux_amd64 linux_arm64
out=$PWD/dist
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH CGO_ENABLED=1
flags="-s -w -X main.version=$version"
static='-linkmode external -extldflags -static'
say() { printf 'release: %s\n' "$*" >&2; }

compiler() { # TARGET
  case $1 in
    "linux_$(go env GOHOSTARCH)") echo "${CC:-cc}" ;;
    linux_amd64) echo x86_64-linux-gnu-gcc ;;
    linux_arm64) echo aarch64-linux-gnu-gcc ;;
    darwin_arm64) echo zig-aarch64-macos.13.0 ;;
    darwin_amd64) echo zig-x86_64-macos.13.0 ;;
    *) say "$1 is not a target"; return 1 ;;
  esac
}

# pack FOLDER ARCHIVE: the same files give the same bytes.
pack() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" -C "$1" -cf - . | gzip -n9 >"$2"
}

# texts FOLDER: what every package holds beside the binary. Completions come from the host's own binary.
texts() {
  mkdir -p "$1/man" "$1/completions"
  cp LICENSE README.md SECURITY.md "$1/"
  cp docs/man/*.1 "$1/man/"
  local shell
  for shell in bash zsh fish; do
    "$host" completion "$shell" >"$1/completions/automaton.$shell"
  done
  chmod -R u=rwX,go=rX "$1" # whatever the umask of the checkout was
}

build() { # TARGET
  local target=$1 cc link=$flags
  cc=$(compiler "$target")
  case $target in
    linux_*) link+=" $static" ;;
    darwin_*) # by a name of its own, as the folder of the stubs would be in the program's bytes
      command -v zig >/dev/null || { say "$target needs zig"; return 1; }
      "$here/darwin.sh" "$work/darwin"
      printf '#!/bin/sh\nexec zig cc -target %s -F"%s" -L"%s" "$@"\n' "${cc#zig-}" "$work/darwin" "$work/darwin" >"$tools/$cc"
      chmod 755 "$tools/$cc"
      ;;
  esac
  command -v "$cc" >/dev/null || { say "$target needs $cc"; return 1; }
  mkdir -p "$work/$target"
  say "building $target"
  GOOS=${target%_*} GOARCH=${target#*_} CC=$cc go build -buildvcs=true -trimpath -tags netgo,osusergo -ldflags "$link" -o "$work/$target/automaton" ./cmd/automaton
}

sbom() { # TARGET FILE: its time is the commit's
  "$tools/cyclonedx-gomod" bin -json -noserial -version "$version" -output "$work/sbom" "$work/$1/automaton"
  sed "s/^    \"timestamp\": \".*\"/    \"timestamp\": \"$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)\"/" "$work/sbom" >"$2"
}

wrap() { # TARGET
  local target=$1 arch=${1#linux_} name=automaton_${version}_$1
  texts "$work/$target"
  pack "$work/$target" "$out/$name.tar.gz"
  sbom "$target" "$out/$name.cdx.json"
  [ "${target%_*}" = linux ] || return 0
  local kind
  for kind in deb rpm; do
    (cd "$work/$target" && VERSION=$version ARCH=$arch "$tools/nfpm" package --packager "$kind" --config "$here/nfpm.yaml" --target "$out/")
  done
  python3 "$here/python/wheel.py" "$work/$target/automaton" "$version" "$target" "$out"
  python3 "$here/npm/pack.py" "$work/$target/automaton" "$version" "$target" "$out"
}

here=$PWD/tools/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$work/tools
mkdir -p "$tools"
PATH=$tools:$PATH
GOBIN=$tools CGO_ENABLED=0 go install -trimpath -modfile="$here/go.mod" github.com/goreleaser/nfpm/v2/cmd/nfpm github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
rm -rf "$out"
mkdir -p "$out"
for target; do build "$target"; done
host=$work/linux_$(go env GOHOSTARCH)/automaton
[ -x "$host" ] || { say "one of the targets is this machine's: its binary writes the completions"; exit 1; }
for target; do wrap "$target"; done
cp tools/release/Containerfile "$out/"
(cd "$out" && sha256sum -- *.tar.gz) >"$work/archives"
awk -v sums="$(cat "$work/archives")" '/^digests=/ { print "digests='\''" sums "'\''"; next } { print }' install.sh >"$out/install.sh"
chmod 755 "$out/install.sh"
{
  printf 'commit %s\nversion %s\n%s\n' "$(git rev-parse HEAD)" "$version" "$(go version)"
  printf 'flags -trimpath -tags netgo,osusergo -ldflags "%s", and on linux "%s"\n' "$flags" "$static"
  for target; do printf 'compiler of %s: %s\n' "$target" "$("$(compiler "$target")" --version | head -n 1)"; done
  [[ " $* " != *' darwin_'* ]] || printf 'zig %s\n' "$(zig version)"
} >"$out/PROVENANCE.txt"
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
say "for action/releases.sha256:"
cat "$work/archives"
