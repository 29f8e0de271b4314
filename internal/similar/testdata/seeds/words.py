"""Suggests words for those that are not in a list."""
import re
import sys

LETTERS = re.compile(r"[a-z]+")


def distance(one, two):
    before = list(range(len(two) + 1))
    for i, a in enumerate(one, start=1):
        now = [i]
        for j, b in enumerate(two, start=1):
            cost = 0 if a == b else 1
            now.append(min(before[j] + 1, now[j - 1] + 1, before[j - 1] + cost))
        before = now
    return before[-1]


class Speller:
    def __init__(self, lines):
        self.counts = {}
        for line in lines:
            for word in LETTERS.findall(line.lower()):
                self.counts[word] = self.counts.get(word, 0) + 1
        self.by_length = {}
        for word in self.counts:
            self.by_length.setdefault(len(word), []).append(word)

    def near(self, word, most):
        for size in range(len(word) - most, len(word) + most + 1):
            for other in self.by_length.get(size, ()):
                if abs(ord(other[0]) - ord(word[0])) < 13:
                    yield other

    def suggest(self, word, most=2, count=3):
        if word in self.counts:
            return [word]
        ranked = []
        for other in self.near(word, most):
            far = distance(word, other)
            if far <= most:
                ranked.append((far, -self.counts[other], other))
        return [other for _, _, other in sorted(ranked)[:count]]


def main(argv):
    with open(argv[1], encoding="utf-8") as source:
        speller = Speller(source)
    wrong = 0
    for number, line in enumerate(sys.stdin, start=1):
        for word in LETTERS.findall(line.lower()):
            found = speller.suggest(word)
            if found != [word]:
                wrong += 1
                print(f"{number}: {word}? {' '.join(found) or 'nothing near'}")
    return 1 if wrong else 0
