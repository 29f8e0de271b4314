"""The reference of law 2: what unknown is worth (decision 0034). It makes vectors.json beside it.

It is the reference of law 1 with two amendments. A2: doubt that the submission withheld counts against it. A1: a
criterion of which half or more was not looked at has no score, and the total is over the others. Integers only;
ONE (10000 basis points) is 1.0, and one point of the scale of 1..5.
"""
import json, random
from math import isqrt

ONE = 10_000
JUDGES = ("Prosecutor", "TechLead", "Defense")
OURS = ("missing_blob", "timeout", "no_text_layer", "no_detector", "limit", "unverified", "left_out")
WITHHELD = ("unparsed", "shallow_history", "too_large", "encrypted", "not_submitted")
RELIABILITY = {"attested": 10000, "ast": 9500, "config": 9000, "token": 6000, "mention": 0}
PROVEN, ABSENCE, EXAMINED = 9000, 8500, 2500


def div(n, d):
    return (2 * n + d) // (2 * d)


def mul(a, b):
    return div(a * b, ONE)


def icbrt(n):
    lo, hi = 0, 1
    while hi ** 3 <= n:
        hi *= 2
    while hi - lo > 1:
        mid = (lo + hi) // 2
        lo, hi = (mid, hi) if mid ** 3 <= n else (lo, mid)
    return lo


PERSONAS = {
    "Prosecutor": dict(credit=7500, blame=2500, doubt=1000, curve=lambda x: (isqrt(4 * x ** 3 // ONE) + 1) // 2, core=2, gate=24900),
    "TechLead": dict(credit=5000, blame=5000, doubt=4000, curve=lambda x: x, core=3, gate=34900),
    "Defense": dict(credit=2500, blame=7500, doubt=7500, curve=lambda x: (icbrt(8 * x * x * ONE) + 1) // 2, core=2, gate=44900)}


def strength(e):
    if e["outcome"] == "unknown":
        return 0
    weight = RELIABILITY[e["source"]]
    return mul(e["confidence"], min(weight, ABSENCE) if e["outcome"] == "absent" else weight)


def sides(e):
    m = strength(e)
    full = ONE if m >= PROVEN else m
    good = {"present": full, "partial": mul(full, e.get("share", 0))}.get(e["outcome"], 0)
    return m, good, full - good


def weigh(check, persona):
    p, best, worst = PERSONAS[persona], 0, 0
    for e in check["evidence"]:
        m, pro, con = sides(e)
        best = max(best, pro if m >= p["credit"] else 0)
        worst = max(worst, con if m >= p["blame"] else 0)
    return best, worst


def ledger(checks, persona):
    """A row: belief b, disbelief d, doubt u, held (the part of u that was withheld), value x, sure."""
    p, rows = PERSONAS[persona], {}
    for c in checks:
        best, worst = weigh(c, persona)
        over = [rows[k] for k in c["requires"]]
        proven = max([0] + [r["d"] for r in over])                   # no better than what it rests on,
        counted = max([0] + [r["d"] + r["held"] for r in over])      # withheld or not
        b, d = min(best, ONE - worst, ONE - counted), max(min(worst, ONE - best), proven)
        u = ONE - b - d
        held = u if any(e.get("reason") in WITHHELD for e in c["evidence"]) else max(counted - d, 0)
        rows[c["id"]] = dict(weight=c["weight"] * (p["core"] if c["facet"] == "core" else 2), core=c["facet"] == "core",
                             b=b, d=d, u=u, held=held, x=b + mul(p["doubt"], u - held), sure=min([b] + [r["sure"] for r in over]))
    return rows


def average(rows, of):
    return div(sum(r["weight"] * of(r) for r in rows), sum(r["weight"] for r in rows))


def exact(rows, persona):
    p = PERSONAS[persona]
    e = ONE + 4 * p["curve"](average(rows, lambda r: r["x"]))
    return min(e, p["gate"]) if any(r["core"] and r["d"] + r["held"] >= PROVEN for r in rows) else e


def looked(check):
    return any(e["outcome"] != "unknown" or e["reason"] not in OURS for e in check["evidence"])


def assess(checks):
    rows = {j: ledger(checks, j) for j in JUDGES}
    bench = {j: exact(list(rows[j].values()), j) for j in JUDGES}
    tech, gate = rows["TechLead"], PERSONAS["TechLead"]["gate"]
    low, high = ONE + 4 * average(tech.values(), lambda r: r["sure"]), ONE + 4 * (ONE - average(tech.values(), lambda r: r["d"]))
    if any(r["core"] and ONE - r["sure"] >= PROVEN for r in tech.values()):
        low = min(low, gate)
    if any(r["core"] and r["d"] >= PROVEN for r in tech.values()):
        high = min(high, gate)
    unseen = [dict(tech[c["id"]], unseen=tech[c["id"]]["u"] == ONE and tech[c["id"]]["held"] == 0 and not looked(c)) for c in checks]
    return dict(bench=bench, held={j: [r["held"] for r in rows[j].values()] for j in JUDGES}, low=low, high=high,
                doubt=average(tech.values(), lambda r: r["u"]), unseen=average(unseen, lambda r: ONE * r["unseen"]))


def overall(shares):
    """shares: weight, exact, low, high, unexamined."""
    seen = [s for s in shares if not s["unexamined"]]

    def mean(of, key):
        total = sum(s["weight"] for s in of)
        return div(sum((s["weight"] if total else 1) * s[key] for s in of), total or len(of))
    e = mean(seen or shares, "exact")
    return dict(exact=e, low=min(e, mean(shares, "low")), high=max(e, mean(shares, "high")),
                unexamined=len(shares) - len(seen), unscored=not seen)


def some_evidence(r, n):
    e = dict(id=f"e{n}", outcome=r.choice(["present", "partial", "violation", "absent", "unknown", "unknown", "unknown"]),
             source=r.choice(list(RELIABILITY)), confidence=r.choice([10000, 9500, 8000, 4000]))
    if e["outcome"] == "unknown":
        e["reason"] = r.choice(OURS + WITHHELD + ("dynamic", "no_artifact"))
    if e["outcome"] == "partial":
        e["share"] = r.randrange(ONE + 1)
    return e


def some_checks(r):
    out = []
    for i in range(r.randint(1, 5)):
        above = [c["id"] for c in out]
        out.append(dict(id=f"c{i}", weight=r.randint(1, 5), facet=r.choice(["core", "robust"]),
                        requires=r.sample(above, min(len(above), r.choice([0, 0, 1, 2]))),
                        evidence=[some_evidence(r, 10 * i + k) for k in range(r.choice([0, 1, 1, 2]))]))
    return out


def some_shares(r):
    out = []
    for _ in range(r.randint(1, 6)):
        low, e, high = sorted(r.randrange(ONE, 5 * ONE + 1) for _ in range(3))
        out.append(dict(weight=r.choice([0, 10000, 15000, 20000]), exact=e, low=low, high=high, unexamined=r.random() < .3))
    return out


if __name__ == "__main__":
    r = random.Random(2)
    criteria = [dict(checks=c, want=assess(c)) for c in (some_checks(r) for _ in range(80))]
    totals = [dict(shares=s, want=overall(s)) for s in (some_shares(r) for _ in range(40))]
    json.dump(dict(criteria=criteria, totals=totals), open("vectors.json", "w"), separators=(",", ":"))
