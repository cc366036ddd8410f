"""The files of an archive that are made from its other files: the pages, the database, the schemas. They are made again in a
temporary folder and compared.

This is done last, if everything else is sound, so that what is read here has been checked.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbmd.archive.format.findings import GAME, JOURNAL, SHOWN, Archive, Findings, Place, Problem, Progress, first_of
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.source import brought_along
from pbmd.archive.verify.contents import DATABASE, DERIVED, INDEX, LETTERS
from pbmd.archive.write import reader
from pbmd.archive.write.site import write_site
from pbmd.archive.write.sqlite_file import write_database
from pbmd.resources import folder as shipped

_DATA = "data/"
_NOT_DONE = (
    "The pages, the database and the schemas were not held against the other files, since not all of those are sound, or none "
    "could be made of them."
)


def check_derived(archive: Archive, made_by: str, progress: Progress) -> None:
    """Make them again and note the differences. What was `made_by` another version (empty: by this one) may look different;
    then the findings say that these files could not be checked. Raises `OSError`."""
    if archive.findings.problems:
        archive.findings.unchecked.append(_NOT_DONE)
        return
    with TemporaryDirectory() as temporary:
        home = Path(temporary)
        for name in (GAME, JOURNAL, LETTERS, f"{_DATA}turns"):
            if (archive.folder / name).exists():
                (home / name.removeprefix(_DATA)).symlink_to((archive.folder / name).absolute())
        counted = count(1)

        def done() -> None:
            progress("pages", next(counted), 0)

        try:
            source = reader.Archive(home)
            write_site(source, done)
            write_database(source, home / "game.sqlite", done)
        except Exception as trouble:  # an archive may be anybody's, and of an incomplete one only checksums are known
            archive.findings.add(Problem(GAME, f"no pages can be made of it: {type(trouble).__name__}: {trouble}"[:SHOWN]))
            return
        aside = Archive(archive.folder, archive.files, Findings(archive.findings.path))
        _check_files(aside, home)
        _check_database(aside, home / "game.sqlite")
    different = aside.findings.problems
    archive.findings.count("pages, database and schemas")
    if not made_by:
        for problem in different:
            archive.findings.add(problem)
    elif different:
        files = list(dict.fromkeys(problem.file.removeprefix(_DATA) for problem in different))
        archive.findings.unchecked.append(
            f"It says that it was made with {made_by}, and of its pages, its database and its schemas these come out "
            f"differently here, so that nothing but their checksums was checked: {first_of(files)}."
        )


def _check_files(archive: Archive, home: Path) -> None:
    schemas = shipped("templates") / "archive" / "schemas"
    made = {f"{DERIVED[1]}{path.name}": path for path in schemas.iterdir()}
    made |= {f"{_DATA}{path.relative_to(home).as_posix()}": path for path in (home / "assets").rglob("*") if path.is_file()}
    made[INDEX] = home / "index.html"
    made |= {path: file for path, file in brought_along().items() if path in archive.files}
    for path, file in sorted(made.items()):
        archive.compare(Place(path), file.read_text(encoding="utf-8"))
    for path in archive.files:
        if path.startswith(DERIVED) and path not in made:
            archive.findings.add(Problem(path, "nothing like it is made from the other files"))


def _check_database(archive: Archive, made: Path) -> None:
    """The bytes depend on the version of SQLite; so table by table, row by row."""
    archive.findings.count("compared")
    try:
        with closing(_opened(made)) as ours, closing(_opened(archive.folder / DATABASE)) as theirs:
            problem = next(_differences(ours, theirs), None)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as trouble:
        problem = Problem(DATABASE, f"it cannot be read: {trouble}"[:SHOWN])
    if problem:
        archive.findings.add(problem)


def _opened(path: Path) -> sqlite3.Connection:
    """Nothing that a database contains is executed: no trigger or view is looked at."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_TEXT)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def _differences(ours: sqlite3.Connection, theirs: sqlite3.Connection) -> Iterator[Problem]:
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    yield from _rows("its tables", ours, theirs, schema)
    tables = [name for (name,) in ours.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in tables:
        yield from _rows(f"table {table}", ours, theirs, f"SELECT * FROM {table}")  # noqa: S608 – the name is one of ours


def _rows(what: str, ours: sqlite3.Connection, theirs: sqlite3.Connection, question: str) -> Iterator[Problem]:
    for number, (row, other) in enumerate(zip_longest(ours.execute(question), theirs.execute(question)), 1):
        if row != other or list(map(type, row)) != list(map(type, other)):
            yield Problem(DATABASE, f"{what} comes out differently", line=number, expected=_shown(row), found=_shown(other))
            return


def _shown(row: tuple[Any, ...] | None) -> str:
    return "no such row" if row is None else repr(row)[:SHOWN]
