"""Keeps a folder of journals small."""
import gzip
import os
import shutil
from pathlib import Path


class Keeper:
    def __init__(self, folder, name, size=1_000_000, keep=5):
        self.folder = Path(folder)
        self.name = name
        self.size = size
        self.keep = keep
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def current(self):
        return self.folder / self.name

    def packed(self):
        found = []
        for path in self.folder.glob(self.name + ".*.gz"):
            middle = path.name[len(self.name) + 1:-3]
            if middle.isdigit():
                found.append((int(middle), path))
        return sorted(found)

    def write(self, line):
        if self.current.exists() and self.current.stat().st_size + len(line) > self.size:
            self.turn()
        with self.current.open("a", encoding="utf-8") as out:
            out.write(line.rstrip("\n") + "\n")

    def turn(self):
        for number, path in reversed(self.packed()):
            if number >= self.keep:
                path.unlink()
            else:
                path.rename(path.with_name(f"{self.name}.{number + 1}.gz"))
        target = self.folder / f"{self.name}.1.gz"
        with self.current.open("rb") as source, gzip.open(target, "wb") as packed:
            shutil.copyfileobj(source, packed)
        os.truncate(self.current, 0)

    def search(self, text):
        for number, path in self.packed():
            with gzip.open(path, "rt", encoding="utf-8") as source:
                for at, line in enumerate(source, 1):
                    if text in line:
                        yield number, at, line.strip()


def used(folder):
    total = 0
    for root, _, names in os.walk(folder):
        total += sum(os.path.getsize(os.path.join(root, name)) for name in names)
    return total
