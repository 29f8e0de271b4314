"""Seats guests so that no two who quarrel share a table."""
import itertools
import random


def quarrels(lines):
    out = {}
    for line in lines:
        line = line.split("#")[0].strip()
        if not line:
            continue
        one, _, two = line.partition(" x ")
        out.setdefault(one, set()).add(two)
        out.setdefault(two, set()).add(one)
    return out


def possible(guest, table, feuds, size):
    return len(table) < size and not feuds.get(guest, set()) & set(table)


def seat(guests, feuds, tables, size):
    order = sorted(guests, key=lambda guest: -len(feuds.get(guest, ())))
    plan = [[] for _ in range(tables)]

    def place(at):
        if at == len(order):
            return True
        tried = set()
        for table in plan:
            if tuple(table) in tried:
                continue
            tried.add(tuple(table))
            if possible(order[at], table, feuds, size):
                table.append(order[at])
                if place(at + 1):
                    return True
                table.pop()
        return False

    return plan if place(0) else None


def fewest(guests, feuds, size):
    for tables in itertools.count(1):
        if tables > len(guests):
            return None
        plan = seat(guests, feuds, tables, size)
        if plan is not None:
            return plan


def improve(plan, friends, feuds, rounds=200, chance=None):
    chance = chance or random.Random(4)
    score = lambda tables: sum((a, b) in friends for table in tables for a in table for b in table)
    best = score(plan)
    for _ in range(rounds):
        one, two = chance.sample(range(len(plan)), 2)
        if not plan[one] or not plan[two]:
            continue
        i, j = chance.randrange(len(plan[one])), chance.randrange(len(plan[two]))
        plan[one][i], plan[two][j] = plan[two][j], plan[one][i]
        if score(plan) < best:
            plan[one][i], plan[two][j] = plan[two][j], plan[one][i]
        best = score(plan)
    return best
