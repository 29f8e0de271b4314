#!/usr/bin/env bash
# Tries install.sh, the wheel and the npm packages with a stand-in for the binary; nothing is fetched but from this machine.
# shellcheck disable=SC2016 # stand-ins expand what stands between single quotes
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '#!/bin/sh\necho "stand-in $*"\nexit "${STANDIN:-0}"\n' >automaton
chmod 755 automaton
case $(uname -m) in x86_64) target=linux_amd64 cpu=x64 ;; aarch64) target=linux_arm64 cpu=arm64 ;; *) echo 'no target for this machine' >&2; exit 1 ;; esac
fail() { echo "FAIL: $*" >&2; exit 1; }
is() { [ "$2" = "$3" ] || fail "$1: $2, want $3"; }

# install.sh compares before it unpacks.
archive=automaton_1.2.3_$target.tar.gz
mkdir release
tar -czf "release/$archive" ./automaton
sum=$(sha256sum "release/$archive" | cut -d' ' -f1)
install() { AUTOMATON_FROM=${FROM:-$work/release} AUTOMATON_TO=${TO:-$work/bin} sh "$work/${FILE:-install.sh}" 2>&1; }
refuses() { # WHAT WORDS: nothing is left in the folder
  local out
  out=$(install) && fail "$1 is taken"
  case $out in *"install.sh: "*"$2"*) ;; *) fail "of $1 it says $out" ;; esac
  [ -z "$(ls -A bin)" ] || fail "of $1 there is $(ls -A bin)"
}
sed "s/^digests=''/digests='$sum  $archive'/" "$here/../../install.sh" >install.sh
sed "s/^digests=''/digests='$(printf '%064d' 0)  $archive'/" "$here/../../install.sh" >other.sh
is 'installed' "$(install)" "$work/bin/automaton"
is 'runs' "$(bin/automaton x)" 'stand-in x'
is 'installed again' "$(install)" "$work/bin/automaton"
out=$(STANDIN=3 install) && fail 'a program that does not run is installed'
is 'the one before stays' "$(ls -A bin) $(bin/automaton y)" 'automaton stand-in y'
rm bin/automaton
FILE=other.sh refuses 'a wrong digest' "has the digest $sum, and 0000"
AUTOMATON_VERSION=9.9.9 refuses 'an unknown release' 'no release 9.9.9'
FROM=http://example.org refuses 'http' 'neither an https address'
TO=$work/automaton/below refuses 'a folder that is none' 'AUTOMATON_TO names another folder'
STANDIN=3 refuses 'a program that does not run' 'does not run'
mkdir odd && printf '#!/bin/sh\n[ "$1" = -m ] && echo sparc64 || echo SunOS\n' >odd/uname && chmod 755 odd/uname
PATH=$work/odd:$PATH refuses 'an unknown platform' 'for sunos_sparc64'

# The same from a server, whose certificate is checked.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2>openssl.txt || fail "$(cat openssl.txt)"
python3 "$here/server.py" cert.pem key.pem release >port &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
until [ -s port ]; do kill -0 $server || fail 'the server does not start'; done
FROM=https://localhost:$(cat port)
export FROM CURL_CA_BUNDLE=$work/cert.pem
is 'installed from a server' "$(install)" "$work/bin/automaton"
rm bin/automaton
FILE=other.sh refuses 'a wrong digest of a server' "has the digest $sum, and 0000"
FROM=$FROM/cut refuses 'a file that is cut' 'cannot be fetched'
FROM=$FROM/short refuses 'a file that is short' 'has the digest'
FROM=$FROM/none refuses 'a file that is not there' 'cannot be fetched'
CURL_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt refuses 'a server that nobody vouches for' 'cannot be fetched'
FROM=http${FROM#https} refuses 'a server without encryption' 'neither an https address'

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
