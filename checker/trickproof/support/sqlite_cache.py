"""Texts kept between runs, by key, in a small SQLite database that may fail in any way without anybody noticing.

Several processes may use it at once.  One that is damaged is begun anew; where nothing can be read or written, nothing
is found or kept.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

FILE = "findings-1.sqlite"
"""The number is that of the table's form."""

MAX_ROWS = 20_000
"""Rows that are kept; the oldest go first."""

TIMEOUT = 1.0
"""Seconds to wait for other processes that write."""


class SqliteCache:
    """Texts by key in a folder's database; every row carries a digest of its text."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def read(self, keys: Sequence[str]) -> dict[str, str]:
        """Of some keys those that are there and sound, with their texts."""
        try:
            if not self.path.exists():
                return {}
            with closing(sqlite3.connect(self.path, timeout=TIMEOUT)) as base:
                rows = [base.execute("SELECT * FROM kept WHERE key = ?", (key,)).fetchone() for key in keys]
        except (OSError, ValueError, sqlite3.Error):
            return {}
        return {row[0]: row[1] for row in rows if row is not None and _digest(row[1]) == row[2]}

    def write(self, texts: Mapping[str, str]) -> bool:
        """Keeps texts, instead of others under the same keys; answers whether it could."""
        try:
            return self._written(texts)
        except sqlite3.OperationalError:  # locked, unwritable, full
            return False
        except sqlite3.DatabaseError:  # damaged
            try:
                self.path.unlink(missing_ok=True)
                return self._written(texts)
            except (OSError, ValueError, sqlite3.Error):
                return False
        except (OSError, ValueError):
            return False

    def drop(self, keys: Sequence[str]) -> None:
        """Forgets some rows."""
        try:
            with closing(sqlite3.connect(self.path, timeout=TIMEOUT)) as base, base:
                base.executemany("DELETE FROM kept WHERE key = ?", [(key,) for key in keys])
        except (OSError, ValueError, sqlite3.Error):
            return

    def _written(self, texts: Mapping[str, str]) -> bool:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        rows = [(key, text, _digest(text)) for key, text in texts.items()]
        with closing(sqlite3.connect(self.path, timeout=TIMEOUT)) as base, base:
            base.execute("PRAGMA synchronous = OFF")
            base.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, body TEXT, sum TEXT)")
            base.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
            base.execute("DELETE FROM kept WHERE rowid <= (SELECT max(rowid) FROM kept) - ?", (MAX_ROWS,))
        return True


def _digest(text: object) -> str:
    return hashlib.sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest()
