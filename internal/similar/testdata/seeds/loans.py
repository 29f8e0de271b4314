"""Lends books and reminds those who keep them."""
import sqlite3
from contextlib import closing
from datetime import date, timedelta

TABLES = """
create table if not exists book (id integer primary key, title text, author text);
create table if not exists loan (book integer references book, reader text, due text, back text);
"""


class Shelf:
    def __init__(self, path=":memory:"):
        self.db = sqlite3.connect(path)
        self.db.executescript(TABLES)

    def buy(self, title, author):
        with self.db:
            return self.db.execute("insert into book (title, author) values (?, ?)", (title, author)).lastrowid

    def is_out(self, book):
        with closing(self.db.execute("select count(*) from loan where book = ? and back is null", (book,))) as found:
            return found.fetchone()[0] > 0

    def lend(self, book, reader, days=28, today=None):
        if self.is_out(book):
            raise LookupError("the book is out")
        if len(self.kept(reader)) >= 5:
            raise PermissionError(reader + " has five books")
        due = (today or date.today()) + timedelta(days=days)
        with self.db:
            self.db.execute("insert into loan values (?, ?, ?, null)", (book, reader, due.isoformat()))
        return due

    def kept(self, reader):
        rows = self.db.execute("select title, due from loan join book on id = book where reader = ? and back is null", (reader,))
        return [(title, date.fromisoformat(due)) for title, due in rows]

    def take_back(self, book, today=None):
        today = today or date.today()
        due = self.db.execute("select due from loan where book = ? and back is null", (book,)).fetchone()
        if due is None:
            raise LookupError("nobody has it")
        with self.db:
            self.db.execute("update loan set back = ? where book = ? and back is null", (today.isoformat(), book))
        late = (today - date.fromisoformat(due[0])).days
        return max(late, 0) * 20

    def reminders(self, today):
        for reader, title, due in self.db.execute("select reader, title, due from loan join book on id = book where back is null order by reader"):
            if date.fromisoformat(due) < today:
                yield f"Dear {reader}, please bring back {title!r}, due on {due}."
