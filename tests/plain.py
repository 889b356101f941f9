"""The SQL of a Markdown page, block by block in one session of DuckDB alone; prints the rows of each as JSON."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import duckdb

BLOCK = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(database: str, page: str) -> None:
    found = []
    with duckdb.connect(database, read_only=True) as connection:
        for sql in BLOCK.findall(Path(page).read_text(encoding="utf-8")):
            result = connection.execute(sql)
            columns = [column[0] for column in result.description or ()]
            found.append([columns, *([*row] for row in (result.fetchall() if columns else ()))])
    assert "mosaic_sql" not in sys.modules
    print(json.dumps(found, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
