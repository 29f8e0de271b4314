"""Adds up invoices with taxes and discounts."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Item:
    title: str
    price: Decimal
    amount: int = 1
    tax: str = "full"

    @property
    def net(self):
        return self.price * self.amount


@dataclass
class Invoice:
    number: int
    customer: str
    items: list = field(default_factory=list)
    discount: Decimal = Decimal(0)

    def add(self, title, price, amount=1, tax="full"):
        if amount < 1:
            raise ValueError("an item needs an amount")
        self.items.append(Item(title, Decimal(price), amount, tax))
        return self

    def by_tax(self):
        sums = {}
        for item in self.items:
            reduced = item.net * (1 - self.discount)
            sums[item.tax] = sums.get(item.tax, Decimal(0)) + reduced
        return sums


def rounded(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def total(invoice, rates):
    gross = Decimal(0)
    lines = []
    for tax, net in sorted(invoice.by_tax().items()):
        try:
            rate = rates[tax]
        except KeyError:
            raise LookupError(f"no rate for {tax}") from None
        part = rounded(net * rate)
        lines.append((tax, rounded(net), part))
        gross += rounded(net) + part
    return lines, gross


def letter(invoice, rates):
    lines, gross = total(invoice, rates)
    text = [f"Invoice {invoice.number} for {invoice.customer}", ""]
    for position, item in enumerate(invoice.items, 1):
        text.append(f"{position:>3} {item.title:<30} {item.amount:>4} x {item.price:>8}")
    for tax, net, part in lines:
        text.append(f"{tax}: {part} on {net}")
    return "\n".join(text + [f"Total {gross}"])
