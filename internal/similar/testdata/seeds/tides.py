"""Reads tables of tides."""
import csv
import datetime as dt


def parse_row(row, place):
    day = dt.date.fromisoformat(row["day"].strip())
    hour, _, minute = row["time"].partition(":")
    when = dt.datetime(day.year, day.month, day.day, int(hour), int(minute or 0))
    height = float(row["height"].replace(",", "."))
    return {"place": place, "when": when, "height": height, "high": row.get("kind", "").lower() == "high"}


def load(path, place):
    with open(path, newline="", encoding="utf-8") as source:
        rows = [parse_row(row, place) for row in csv.DictReader(source, delimiter=";")]
    rows.sort(key=lambda row: row["when"])
    return rows


def ranges(rows):
    out = []
    previous = None
    for row in rows:
        if previous is not None and previous["high"] != row["high"]:
            out.append((previous["when"], row["when"], abs(row["height"] - previous["height"])))
        previous = row
    return out


def spring(rows, limit=4.5):
    days = {}
    for start, _, difference in ranges(rows):
        key = start.date()
        days[key] = max(days.get(key, 0.0), difference)
    return sorted(key for key, value in days.items() if value >= limit)


def between(rows, moment):
    before = [row for row in rows if row["when"] <= moment]
    after = [row for row in rows if row["when"] > moment]
    if not before or not after:
        raise LookupError("no tide around %s" % moment)
    low, high = before[-1], after[0]
    share = (moment - low["when"]) / (high["when"] - low["when"])
    return low["height"] + (high["height"] - low["height"]) * share


def report(path, place):
    rows = load(path, place)
    for start, end, difference in ranges(rows):
        print(f"{start:%d.%m. %H:%M} to {end:%H:%M}: {difference:.2f} m")
    print("spring tides:", ", ".join(str(day) for day in spring(rows)))
