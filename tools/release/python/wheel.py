"""wheel.py BINARY VERSION TARGET OUT: a wheel that carries the binary, for pipx and pip.

The binary is a script of the wheel, so that installing it puts it on the path; no Python of ours runs.
"""
import base64
import hashlib
import os
import sys
import time
import zipfile

PLATFORMS = {"linux_amd64": ["manylinux_2_17_x86_64", "musllinux_1_1_x86_64"], "linux_arm64": ["manylinux_2_17_aarch64", "musllinux_1_1_aarch64"]}


def main(binary, version, target, out):
    platforms = PLATFORMS[target]
    name = f"automaton_auditor-{version}"
    tags = "".join(f"Tag: py3-none-{p}\n" for p in platforms)
    with open(binary, "rb") as f:
        program = f.read()
    files = [
        (f"{name}.data/scripts/automaton", program, 0o755),
        (f"{name}.dist-info/METADATA", ("Metadata-Version: 2.1\nName: automaton-auditor\n"
                                        f"Version: {version}\nSummary: Audits a repository and its report against a rubric\n"
                                        "Home-page: https://github.com/automaton-auditor/automaton\nLicense: Apache-2.0\nRequires-Python: >=3.8\n").encode(), 0o644),
        (f"{name}.dist-info/WHEEL", f"Wheel-Version: 1.0\nGenerator: automaton release\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644),
    ]
    rows = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for path, data, _ in files]
    record = f"{name}.dist-info/RECORD"
    files.append((record, ("".join(rows) + f"{record},,\n").encode(), 0o644))
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # a zip begins in 1980
    with zipfile.ZipFile(os.path.join(out, f"{name}-py3-none-{'.'.join(platforms)}.whl"), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data, mode in files:
            info = zipfile.ZipInfo(path, when)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data)


main(*sys.argv[1:])
