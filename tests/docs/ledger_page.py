"""`python -m tests.docs.ledger_page`: write the tables in docs/ledger.md anew, from those of the code and their docstrings."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

from sqlalchemy import Enum, Table
from sqlmodel import SQLModel

from pbmd.ledger.tables import Game

FILE = Path(__file__).parents[2] / "docs" / "ledger.md"
TABLES = re.compile(r"(?<=<!-- tables -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_tables(text: str) -> str:
    """The page with what stands between ``<!-- tables -->`` and ``<!-- end -->`` made from the code."""
    return TABLES.sub(lambda _: "".join(map(_chapter, rows())) + "\n", text)


def rows() -> list[type[SQLModel]]:
    """The class of each table of the ledger, by the names of the tables."""
    mapped = {mapper.class_ for mapper in Game._sa_registry.mappers}  # SQLModel's only list of them
    return sorted(mapped, key=lambda row: table_of(row).name)


def table_of(row: type[SQLModel]) -> Table:
    """The table of a class of rows."""
    return row.metadata.tables[str(row.__tablename__)]


def _chapter(row: type[SQLModel]) -> str:
    table, about = table_of(row), cleandoc(row.__doc__ or "").replace("``", "`")
    assert about, f"{row.__name__} does not say what its rows are"
    columns = ", ".join(f"`{column.name}`" for column in table.columns)
    return "\n\n".join([f"\n### {table.name}", about, f"Columns: {columns}.", *_states(table)]) + "\n"


def _states(table: Table) -> Iterator[str]:
    for column in table.columns:
        if isinstance(column.type, Enum):
            meaning = " ".join(cleandoc(column.type.enum_class.__doc__ or "").split())
            yield f"`{column.name}` is {', '.join(f'`{value}`' for value in column.type.enums)}: {meaning}"


if __name__ == "__main__":
    FILE.write_text(with_tables(FILE.read_text(encoding="utf-8")), encoding="utf-8")
