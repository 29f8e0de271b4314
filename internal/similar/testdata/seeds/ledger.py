"""A ledger in which every booking has two sides."""
import json
from datetime import date


class Unbalanced(Exception):
    pass


class Ledger:
    def __init__(self):
        self.bookings = []
        self.accounts = {"cash": 0, "bank": 0, "sales": 0, "rent": 0}

    def open(self, account):
        if account in self.accounts:
            raise KeyError(f"{account} is open")
        self.accounts[account] = 0

    def book(self, text, day=None, **sides):
        if sum(sides.values()) != 0:
            raise Unbalanced(f"{text}: {sum(sides.values())} is missing")
        unknown = set(sides) - set(self.accounts)
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        for account, cents in sides.items():
            self.accounts[account] += cents
        self.bookings.append({"day": str(day or date.today()), "text": text, "sides": sides})
        return len(self.bookings)

    def undo(self, number):
        old = self.bookings[number - 1]
        turned = {account: -cents for account, cents in old["sides"].items()}
        return self.book(f"undo {number}: {old['text']}", **turned)

    def statement(self, account):
        balance = 0
        for booking in self.bookings:
            cents = booking["sides"].get(account)
            if cents is None:
                continue
            balance += cents
            yield booking["day"], booking["text"], cents / 100, balance / 100

    def save(self, path):
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"accounts": list(self.accounts), "bookings": self.bookings}, out, indent=1)

    @classmethod
    def load(cls, path):
        ledger = cls()
        with open(path, encoding="utf-8") as source:
            kept = json.load(source)
        for account in kept["accounts"]:
            if account not in ledger.accounts:
                ledger.open(account)
        for booking in kept["bookings"]:
            ledger.book(booking["text"], booking["day"], **booking["sides"])
        return ledger
