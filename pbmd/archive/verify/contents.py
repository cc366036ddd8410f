"""Which files an archive has: none that it needs may be missing, and none may be there that pbmd would not have written.

The pages, the database and the schemas are checked in `pbmd.archive.verify.derived`, and where turns are played again, the
files of turns in `pbmd.archive.verify.turn_by_turn`.
"""

import re
from collections.abc import Iterable
from typing import Any

from pbmd.archive.format.audience import ALL, TO_PUBLIC, Audience
from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.findings import BESIDE, GAME, JOURNAL, Archive, Place, Problem
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.seals import PAGE, PROGRAM, SOURCE, TAG_FILES
from pbmd.archive.verify.head_signatures import OF_SIGNATURES
from pbmd.archive.verify.recomputed import OF_A_REPORT, OF_A_STEP, OF_ITS_LETTERS, OF_THE_BEGINNING, Row
from pbmd.archive.write.turns import file_name

INFO = "bag-info.txt"
LETTERS, DATABASE, INDEX = "data/letters.mbox", "data/game.sqlite", "data/index.html"
DERIVED = ("data/assets/", "data/schemas/")
_MAY_BE_LARGE = frozenset({LETTERS, DATABASE, JOURNAL}) | TAG_FILES
"""Read in pieces."""
_TURN = re.compile(r"data/turns/((?:rolled-back/\d{1,9}/)?\d{3,9}(?:\.\d{1,9})?)/(.+)", re.ASCII)
_OF_A_TURN: tuple[Row[Any], ...] = (*OF_A_STEP, OF_ITS_LETTERS)
_BEGINNING = "000"
_TOO_MANY = "an archive of this view has no such file"


def view_of(game: ForeignGame) -> Audience | None:
    """For whom an archive is, by its game.toml, None if there is no such reader."""
    kind, _, seat = str(game["view"]).partition(":")
    if kind == "seat" and any(seat == each.get("name") for each in game["seats"]):
        return Audience("seat", seat)
    return {"all": ALL, "public": TO_PUBLIC}.get(str(game["view"]))


def check_contents(archive: Archive, game: ForeignGame, view: Audience, *, played: bool) -> None:
    """Note what is missing or superfluous. If the archive is `played` again, the files of turns are left out here."""
    blamed = {problem.file for problem in archive.findings.problems}
    known = _files_of_games(game, view)
    for path, size in archive.files.items():
        if not played and size > LARGEST_TEXT and path not in _MAY_BE_LARGE:
            archive.findings.add(Problem(path, "it is larger than any such file"))
        of_kind = path.startswith(DERIVED) or _TURN.fullmatch(path) or _may_be_signed(path, game)
        if path not in known and not of_kind and path not in blamed:
            archive.findings.add(Problem(path, _TOO_MANY))
    for path in _must_be_there(game):
        if path not in archive.files and path not in blamed:
            archive.findings.add(Problem(path, "it is missing"))
    if not played:
        _check_turns(archive, game, view)


def _must_be_there(game: ForeignGame) -> tuple[str, ...]:
    return (DATABASE, INDEX, INFO, *((PAGE, PROGRAM, SOURCE) if game["format"] >= BESIDE else ()))


def _may_be_signed(path: str, game: ForeignGame) -> bool:
    return not game.get("anonymised") and OF_SIGNATURES.fullmatch(path) is not None


def _files_of_games(game: ForeignGame, view: Audience) -> frozenset[str]:
    """The files that may exist only once."""
    letters = {LETTERS} if view.everything and not game.get("anonymised") else set[str]()
    return frozenset({GAME, JOURNAL, DATABASE, INDEX, *letters, *TAG_FILES})


def _check_turns(archive: Archive, game: ForeignGame, view: Audience) -> None:
    """Each folder must have its required files, and there must be one for each step and the beginning."""
    turns: dict[str, set[str]] = {}
    for found in filter(None, map(_TURN.fullmatch, archive.files)):
        turns.setdefault(found[1], set()).add(found[2])
    for turn, files in turns.items():
        _check_turn(archive, turn, files, _files_of_turns(game, view), view)
    steps = game.get("resolved_steps")
    if len(turns) - 1 != steps:
        archive.findings.add(Problem(GAME, "it has not a folder for each step", "", "", 0, f"{len(turns) - 1}", f"{steps}"))


def _files_of_turns(game: ForeignGame, view: Audience) -> frozenset[str]:
    """The names that files of turns may have."""
    seats = {
        f"{seat.get('number')}-{file_name(str(seat.get('name')))}" for seat in game["seats"] if view.sees_seat(seat["name"])
    }
    reports = {row.what.format(name) for name in (*seats, "public") for row in OF_A_REPORT}
    return _seen(_OF_A_TURN, view) | reports


def _seen(rows: Iterable[Row[Any]], view: Audience) -> frozenset[str]:
    """The files of a turn that such an archive contains."""
    may = {"everybody": True, "seats": view.kind != "public", "nobody": view.everything}
    return frozenset(row.what for row in rows if may[row.seen_by] and row.what != JOURNAL)


def _check_turn(archive: Archive, turn: str, files: set[str], may: frozenset[str], view: Audience) -> None:
    must = _seen(OF_THE_BEGINNING if turn == _BEGINNING else _OF_A_TURN, view) - {"dice.json"}
    must |= {f"reports/public.{form}" for form in ("txt", "html") if any(name.startswith("reports/") for name in files)}
    for name in sorted(must - files):
        archive.findings.add(Problem(f"data/turns/{turn}/{name}", "it is missing", turn))
    for name in sorted(files - may):
        archive.findings.add(Problem(f"data/turns/{turn}/{name}", _TOO_MANY, turn))


def check_info(archive: Archive, game: ForeignGame, last_day: str) -> None:
    """Check bag-info.txt against the game; `last_day` is the day of the last entry of the journal, in ISO 8601."""
    text = archive.text(INFO) or ""
    found = [line.partition(": ")[::2] for line in text.splitlines()]
    payload = [size for path, size in archive.files.items() if path.startswith("data/")]
    agent = next((value for key, value in found if key == "Bag-Software-Agent"), "")
    own = re.escape(f"pbmd {game.get('pbmd')} with bagit ") + r"[\w.]{1,20}"
    expected = {
        "Bag-Software-Agent": agent if re.fullmatch(own, agent) else f"pbmd {game.get('pbmd')} with bagit",
        "Bagging-Date": last_day,
        "External-Description": f"{game['name']}, a game of {game.get('title')}: {game['view']}",
        "External-Identifier": archive.findings.head,
        "Payload-Oxum": f"{sum(payload)}.{len(payload)}",
    }
    wanted = [f"{key}: {value}" for key, value in expected.items() if value]
    archive.compare(Place(INFO), "".join(f"{line}\n" for line in wanted))
