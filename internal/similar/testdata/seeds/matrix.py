"""Exact arithmetic with matrices of fractions."""
from fractions import Fraction


class Matrix:
    def __init__(self, rows):
        self.rows = [[Fraction(cell) for cell in row] for row in rows]
        widths = {len(row) for row in self.rows}
        if len(widths) != 1:
            raise ValueError("rows of different width")
        self.height, self.width = len(self.rows), widths.pop()

    @classmethod
    def unit(cls, size):
        return cls([[int(x == y) for x in range(size)] for y in range(size)])

    def __mul__(self, other):
        if self.width != other.height:
            raise ValueError("the shapes do not fit")
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def __pow__(self, power):
        result, square = Matrix.unit(self.height), self
        while power:
            if power & 1:
                result = result * square
            square = square * square
            power >>= 1
        return result

    def reduced(self):
        rows = [list(row) for row in self.rows]
        pivots = []
        top = 0
        for x in range(self.width):
            best = next((y for y in range(top, self.height) if rows[y][x] != 0), None)
            if best is None:
                continue
            rows[top], rows[best] = rows[best], rows[top]
            lead = rows[top][x]
            rows[top] = [cell / lead for cell in rows[top]]
            for y in range(self.height):
                if y != top and rows[y][x] != 0:
                    factor = rows[y][x]
                    rows[y] = [cell - factor * other for cell, other in zip(rows[y], rows[top])]
            pivots.append(x)
            top += 1
            if top == self.height:
                break
        return Matrix(rows), pivots

    def rank(self):
        return len(self.reduced()[1])


def fibonacci(n):
    return int((Matrix([[1, 1], [1, 0]]) ** n).rows[0][1])
