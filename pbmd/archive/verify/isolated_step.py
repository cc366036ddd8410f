"""A step resolved again from the files of its own folder, for archives whose journal does not show the orders.

That proves less than playing the whole game again: only the rolls and the position that come of the orders bind them.
"""

import json
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import tomli_w

from pbmd.adjudicate import Deadline, Letter, Resignation, adjudicate
from pbmd.adjudicate import Entry as Given
from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import Archive, Place, Problem, first_difference
from pbmd.archive.replay.kept_sheets import with_sheets_kept
from pbmd.rules import Dice, PastStep, Ruleset, ScriptedDice, Sheet

_PAIR, _YEAR_2000 = 2, 946_684_800_000_000


def check_alone(archive: Archive, ruleset: Ruleset[Any], game: ForeignGame, entries: Iterator[Entry]) -> None:
    """Resolve each step again from the files of its own folder: where the orders are in no chain, that is all that can be
    done."""
    findings = archive.findings
    findings.unchecked.append(
        "This archive is anonymised, so its journal does not show the orders: each turn was resolved again from its own "
        "position.toml and orders.toml, which nothing binds to the journal. Events, sheets, reports and maps were checked "
        "against their checksums only."
    )
    changed, moved, left = set[str](game.get("changed", ())), _moved_steps(entries), list[str]()
    for path in archive.files:
        if path.startswith("data/turns/") and path.endswith("/dice.json"):
            _check_dice(archive, path, changed)
        if not path.startswith("data/turns/") or not path.endswith("/resolution.toml"):
            continue
        turn = path.removeprefix("data/turns/").removesuffix("/resolution.toml")
        step, came, after = _resolve(archive, ruleset, turn)
        if came == after or (came and _same(came, after)):
            findings.count("turns resolved alone")
        elif turn in changed or step in moved:
            left.append(turn)
        else:
            archive.differs(Place(f"data/turns/{turn}/after.toml", turn), first_difference(came, after))
    if left:
        findings.unchecked.append(f"Not to be resolved from their own files are the turns {', '.join(sorted(left))}.")


def _resolve(archive: Archive, ruleset: Ruleset[Any], turn: str) -> tuple[Any, str, str]:
    """The number of the step in a folder, what comes of it, and its after.toml; or 0, nothing, and what went wrong instead."""
    texts = [archive.text(f"data/turns/{turn}/{name}.toml") for name in ("position", "orders", "resolution", "after")]
    try:
        position, orders, resolution, after = (text or "" for text in texts)
        older = "past" in tomllib.loads(after)
        return tomllib.loads(resolution)["step"], _resolved_alone(ruleset, position, orders, resolution, older=older), after
    except Exception as trouble:  # an archive may be anybody's, and make a ruleset stumble in any way
        return 0, "", f"{type(trouble).__name__}: {trouble}"


def _check_dice(archive: Archive, path: str, changed: Container[str]) -> None:
    """A file that says that its orders were anonymised need not give the rolls, so it may only say so if something can have
    been taken out of its orders."""
    turn = path.removeprefix("data/turns/").removesuffix("/dice.json")
    archive.findings.count("compared")
    try:
        document = json.loads(archive.text(path) or "")
        # Something was taken out of a seat only if its salt was, too.
        bound = "sheets" in document or any("salt" not in seat for seat in document.get("seats", ()))
        sound = "anonymised" not in document or (document["anonymised"] is True and bound and turn in changed)
    except (AttributeError, ValueError, TypeError, RecursionError):
        sound = False
    if not sound:
        problem = "it is not JSON, or says that it was anonymised, and nothing was taken out of the orders of this turn"
        archive.findings.add(Problem(path, problem, turn))


_NOT_IN_ORDERS = frozenset({"holder", "cancelled", "set", "ruled"})
"""What moves a position in the middle of a step and has no place in orders.toml."""


def _moved_steps(entries: Iterable[Entry]) -> set[int]:
    """The steps in which something happened that is not in their orders.toml."""
    moved: set[int] = set()
    running = 0
    for entry in entries:
        if entry.kind in _NOT_IN_ORDERS or entry.public is None:
            moved.add(running)
        elif entry.kind in ("resolved", "rolled-back"):
            step = entry.public.get("step")
            running = (step if isinstance(step, int) else running) + (entry.kind == "resolved")
    return moved


def _same(came: str, after: str) -> bool:
    try:
        return _without_places(tomllib.loads(came)) == _without_places(tomllib.loads(after))
    except (ValueError, RecursionError):
        return False


def _resolved_alone(ruleset: Ruleset[Any], position: str, orders: str, resolution: str, *, older: bool) -> str:
    """What after.toml should be. Raises whatever the rules raise when the files are not theirs."""
    dice, used = ScriptedDice([int(roll) for roll in tomllib.loads(resolution)["dice"].split()]), list[Sheet]()
    entries, before = [_given(given) for given in tomllib.loads(orders)["orders"]], tomllib.loads(position)

    def of_step(_step: int, sheets: Sequence[Sheet]) -> Dice:
        used.extend(sheets)
        return dice

    came = adjudicate(ruleset, before, entries, of_step)
    if older and ruleset.reveal is not None:
        step = PastStep(ruleset.turn(ruleset.load(before)), tuple(used))
        return tomli_w.dumps(ruleset.dump(with_sheets_kept(ruleset, before, came.position, step) or came.position))
    return tomli_w.dumps(came.document)


def _without_places(document: Any) -> Any:
    """A position without the places of letters among those of the same second: orders.toml has their order, but not these
    numbers. An arrival is the only pair of whole numbers that begins with the microseconds of a date."""
    if isinstance(document, Mapping):
        return {key: _without_places(value) for key, value in cast("Mapping[str, object]", document).items()}
    if not isinstance(document, list):
        return document
    items = cast("list[Any]", document)
    if len(items) == _PAIR and all(isinstance(item, int) for item in items) and items[0] > _YEAR_2000:
        return [items[0]]
    return [_without_places(item) for item in items]


def _given(given: Mapping[str, object]) -> Given:
    received = given["received"]
    if not isinstance(received, datetime):
        raise TypeError("received is no time")
    if given.get("deadline"):
        return Deadline(received)
    if given.get("resigns"):
        return Resignation(received, str(given["player"]))
    return Letter(received, str(given["player"]), str(given["text"]))
