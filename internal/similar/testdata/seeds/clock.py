"""A clock for two players."""
import time


class Side:
    def __init__(self, name, seconds, bonus):
        self.name = name
        self.left = float(seconds)
        self.bonus = bonus
        self.moves = 0

    def spend(self, used):
        self.left -= used
        if self.left <= 0:
            self.left = 0.0
            raise TimeoutError(f"{self.name} has no time left")
        self.left += self.bonus
        self.moves += 1


class Clock:
    def __init__(self, names, seconds=300, bonus=2, now=time.monotonic):
        self.sides = [Side(name, seconds, bonus) for name in names]
        self.turn = 0
        self.now = now
        self.since = None

    def start(self):
        if self.since is not None:
            raise RuntimeError("the clock runs already")
        self.since = self.now()

    def press(self):
        if self.since is None:
            return self.start()
        moment = self.now()
        self.sides[self.turn].spend(moment - self.since)
        self.turn = 1 - self.turn
        self.since = moment
        return None

    def display(self):
        rows = []
        for side in self.sides:
            minutes, seconds = divmod(int(side.left), 60)
            rows.append("%s %02d:%02d after %d" % (side.name, minutes, seconds, side.moves))
        return " | ".join(rows)


def replay(names, pauses):
    ticks = iter([sum(pauses[:i]) for i in range(len(pauses) + 1)])
    clock = Clock(names, seconds=60, bonus=0, now=lambda: next(ticks))
    clock.start()
    for pause in pauses:
        try:
            clock.press()
        except TimeoutError as over:
            return str(over), pause
    return clock.display(), None
