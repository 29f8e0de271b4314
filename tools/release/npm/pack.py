"""pack.py BINARY VERSION TARGET OUT: packages of npm, one that carries the binary of a platform, and automaton-auditor, which names them all and starts the one that fits.

Neither has a script that runs when it is installed.
"""
import gzip
import io
import json
import os
import sys
import tarfile

CPUS = {"linux_amd64": "x64", "linux_arm64": "arm64"}


def pack(path, files):
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for name, data, mode in files:
            info = tarfile.TarInfo("package/" + name)
            info.size, info.mode, info.mtime = len(data), mode, int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
            tar.addfile(info, io.BytesIO(data))


def manifest(name, version, **more):
    base = {"name": name, "version": version, "description": "Audits a repository and its report against a rubric", "license": "Apache-2.0",
            "repository": "github:automaton-auditor/automaton"}
    return (json.dumps({**base, **more}, indent=2) + "\n").encode()


def main(binary, version, target, out):
    with open(binary, "rb") as f:
        program = f.read()
    cpu = CPUS[target]
    pack(os.path.join(out, f"automaton-auditor-linux-{cpu}-{version}.tgz"),
         [("package.json", manifest(f"automaton-auditor-linux-{cpu}", version, os=["linux"], cpu=[cpu]), 0o644), ("automaton", program, 0o755)])
    with open(os.path.join(os.path.dirname(__file__), "automaton.js"), "rb") as f:
        launcher = f.read()
    pack(os.path.join(out, f"automaton-auditor-{version}.tgz"),
         [("package.json", manifest("automaton-auditor", version, bin={"automaton": "automaton.js"}, engines={"node": ">=18"},
                                    optionalDependencies={f"automaton-auditor-linux-{c}": version for c in CPUS.values()}), 0o644), ("automaton.js", launcher, 0o755)])


main(*sys.argv[1:])
