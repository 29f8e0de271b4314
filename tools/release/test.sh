#!/usr/bin/env bash
# Tries install.sh, the wheel and the npm packages with a stand-in for the binary; nothing is fetched.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck disable=SC2016 # the stand-in expands them
printf '#!/bin/sh\necho "stand-in $*"\nexit "${STANDIN:-0}"\n' >automaton
chmod 755 automaton
case $(uname -m) in x86_64) target=linux_amd64 cpu=x64 ;; aarch64) target=linux_arm64 cpu=arm64 ;; *) echo 'no target for this machine' >&2; exit 1 ;; esac
fail() { echo "FAIL: $*" >&2; exit 1; }
is() { [ "$2" = "$3" ] || fail "$1: $2, want $3"; }

# install.sh compares before it unpacks.
mkdir release
tar -czf "release/automaton_1.2.3_$target.tar.gz" ./automaton
sum=$(sha256sum "release/automaton_1.2.3_$target.tar.gz" | cut -d' ' -f1)
install() { AUTOMATON_FROM=$work/release AUTOMATON_TO=$work/bin sh "$@" 2>&1; }
sed "s/^digests=''/digests='$sum  automaton_1.2.3_$target.tar.gz'/" "$here/../../install.sh" >install.sh
is 'installed' "$(install install.sh)" "$work/bin/automaton"
is 'runs' "$(bin/automaton x)" 'stand-in x'
rm bin/automaton
sed "s/^digests=''/digests='$(printf '%064d' 0)  automaton_1.2.3_$target.tar.gz'/" "$here/../../install.sh" >other.sh
out=$(install other.sh) && fail 'a wrong digest is taken'
case $out in *"has the digest $sum, and 0000"*) ;; *) fail "says $out" ;; esac
[ ! -e bin/automaton ] || fail 'unpacked in spite of its digest'
out=$(AUTOMATON_VERSION=9.9.9 install install.sh) && fail 'an unknown release is installed'
case $out in *'no release 9.9.9'*) ;; *) fail "says $out" ;; esac
out=$(AUTOMATON_FROM=http://example.org sh install.sh 2>&1) && fail 'http is taken'
case $out in *'neither an https address'*) ;; *) fail "says $out" ;; esac

# The wheel puts the binary on the path.
mkdir out
for n in 1 2; do python3 "$here/python/wheel.py" automaton 1.2.3 "$target" out && sha256sum out/*.whl >"wheel$n"; done
cmp -s wheel1 wheel2 || fail 'two wheels of one binary differ'
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install -q --no-index --disable-pip-version-check out/*.whl
is 'the wheel runs' "$(venv/bin/automaton a b)" 'stand-in a b'

# The packages of npm start it, and end as it ends.
python3 "$here/npm/pack.py" automaton 1.2.3 "$target" out
mkdir project && cd project && echo '{"private": true}' >package.json
npm install --silent --offline --no-fund --no-audit --ignore-scripts --omit=optional "$work/out/automaton-auditor-1.2.3.tgz" "$work/out/automaton-auditor-linux-$cpu-1.2.3.tgz"
is 'npx runs' "$(npx --no-install automaton c)" 'stand-in c'
code=0
STANDIN=3 npx --no-install automaton >/dev/null || code=$?
is 'the code' "$code" 3
rm -r "node_modules/automaton-auditor-linux-$cpu"
out=$(npx --no-install automaton 2>&1) && fail 'it runs without its binary'
case $out in *'is not installed'*) ;; *) fail "says $out" ;; esac
echo 'install.sh, wheel and npm packages do what they should'
