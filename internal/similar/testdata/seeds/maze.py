"""Finds ways through mazes that are drawn with signs."""
from collections import deque

WALL = "#"
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Maze:
    def __init__(self, text):
        self.cells = [list(line) for line in text.splitlines() if line]
        self.start = self.find("S")
        self.goal = self.find("G")

    def find(self, sign):
        for y, row in enumerate(self.cells):
            if sign in row:
                return y, row.index(sign)
        raise ValueError("the maze has no " + sign)

    def free(self, y, x):
        if y < 0 or x < 0 or y >= len(self.cells):
            return False
        return x < len(self.cells[y]) and self.cells[y][x] != WALL

    def ways(self, place):
        y, x = place
        for name, (dy, dx) in STEPS.items():
            if self.free(y + dy, x + dx):
                yield name, (y + dy, x + dx)

    def solve(self):
        came = {self.start: None}
        waiting = deque([self.start])
        while waiting:
            here = waiting.popleft()
            if here == self.goal:
                break
            for name, there in self.ways(here):
                if there not in came:
                    came[there] = (here, name)
                    waiting.append(there)
        else:
            return None
        path = []
        place = self.goal
        while came[place] is not None:
            place, name = came[place]
            path.append(name)
        return path[::-1]


def shorten(path):
    out = []
    for name in path:
        if out and out[-1][0] == name:
            out[-1][1] += 1
        else:
            out.append([name, 1])
    return ["%d %s" % (count, name) for name, count in out]
