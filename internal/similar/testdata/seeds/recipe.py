"""Scales recipes and makes shopping lists of them."""
import json
import math

UNITS = {"kg": ("g", 1000), "l": ("ml", 1000), "tbsp": ("ml", 15), "tsp": ("ml", 5)}


def normal(amount, unit):
    if unit in UNITS:
        unit, factor = UNITS[unit]
        amount = amount * factor
    return amount, unit


def readable(amount, unit):
    if unit in ("g", "ml") and amount >= 1000:
        return "%g %s" % (round(amount / 1000, 2), "kg" if unit == "g" else "l")
    if not unit:
        return str(math.ceil(amount))
    return "%d %s" % (round(amount), unit)


def scale(recipe, persons):
    factor = persons / recipe["persons"]
    scaled = dict(recipe, persons=persons)
    scaled["parts"] = [dict(part, amount=part["amount"] * factor) for part in recipe["parts"]]
    return scaled


def shopping(recipes, stock=None):
    needed = {}
    for recipe in recipes:
        for part in recipe["parts"]:
            amount, unit = normal(part["amount"], part.get("unit", ""))
            key = (part["name"], unit)
            needed[key] = needed.get(key, 0) + amount
    for name, have in (stock or {}).items():
        amount, unit = normal(have["amount"], have.get("unit", ""))
        if (name, unit) in needed:
            needed[name, unit] -= amount
    return {key: amount for key, amount in needed.items() if amount > 0}


def steps(recipe):
    minute = 0
    for number, step in enumerate(recipe["steps"], start=1):
        yield f"{number}. at minute {minute}: {step['text']}"
        minute += step.get("minutes", 0)


def show(path, persons):
    with open(path) as file:
        book = json.load(file)
    week = [scale(recipe, persons) for recipe in book]
    for (name, unit), amount in sorted(shopping(week).items()):
        print("-", name, readable(amount, unit))
    for recipe in week:
        print(recipe["title"].upper(), *steps(recipe), sep="\n")
