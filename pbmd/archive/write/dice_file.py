"""What the dice of a step were made from, so that anybody can draw them again without pbmd (`deploy/verify.py` does).

A document has the step, the secret and its commitment, the context that the rolls are bound to, in hex, and the rolls as
[sides, roll]. A step has the secret of its salts (`salts`) and all seats in order, each with its salt, its lines as understood,
null if it had none, and the word that came with them, if one did; one that began before there were salts has the sheets used
instead, first come first. The set-up has the lines of sign-ups in the same way, or a `text` if it was not promised. Where
anonymising has changed lines, or a player wrote the word, the document says `anonymised`: then it lacks the secret of the
salts, and such a seat has its digest in place of its salt, which would let anybody test guesses at what was taken out.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbmd.archive.format.plan import START
from pbmd.ledger.tables import StepRecord
from pbmd.rules import Ruleset, Sheet, commitment
from pbmd.rules.salts import salt_of, salted_digest, salts_of
from pbmd.rules.sheets import bound, to_be_used
from pbmd.set_up import SetUp

_MADE = re.compile(r"(?:[a-z2-7]{13})?")
"""A word that pbmd made, or none."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The secret that the dice of a step came from, and what they were bound to: the dice of the next step are bound to it,
    too, if they come from the same secret."""

    secret: bytes = b""
    context: bytes = b""


def dice_of_setup(setup: SetUp, seats: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """The document for the set-up of a game. `seats` are numbers and names of all."""
    salts = setup.salts
    return {
        "step": START,
        "turn": 0,
        "secret": setup.secret.hex(),
        "commitment": commitment(setup.secret),
        **(_salted(salts, sorted(seats), setup.signups, {}) if salts else {"text": setup.context.decode()}),
        "context": setup.context.hex(),
        "rolls": [list(roll) for roll in setup.rolls],
    }


def dice_of_step(
    ruleset: Ruleset[Any], record: StepRecord, seats: Iterable[tuple[int, str]], last: Bound
) -> tuple[dict[str, Any], Bound]:
    """The document for a step, and what its dice were bound to. `seats` are numbers and names of all; `last` is what the dice
    of the previous resolved step were bound to."""
    in_order = sorted(seats)
    sheets = to_be_used(ruleset, ruleset.load(json.loads(record.before)))
    before = last.context if last.secret == record.secret else b""
    words = json.loads(record.words)
    now = Bound(record.secret, bound(sheets, salts_of(record.salts, in_order), before, words))
    document = {
        "step": record.step,
        "turn": record.turn,
        "secret": record.secret.hex(),
        "commitment": commitment(record.secret),
        **_orders(record.salts, in_order, sheets, words),
        "context": now.context.hex(),
        "rolls": json.loads(record.dice),
    }
    return document, now


def _orders(
    salts: bytes | None, seats: Iterable[tuple[int, str]], sheets: Iterable[Sheet], words: Mapping[str, str]
) -> dict[str, Any]:
    lines = {sheet.seat: list(sheet.lines) for sheet in sheets}
    if salts is None:
        return {"sheets": [{"seat": seat, "lines": own} for seat, own in lines.items()]}
    return _salted(salts, seats, lines, words)


def _salted(
    salts: bytes, seats: Iterable[tuple[int, str]], lines: Mapping[str, Sequence[str]], words: Mapping[str, str]
) -> dict[str, Any]:
    salted = [
        {"number": number, "seat": name, "salt": salt_of(salts, number).hex(), "lines": lines.get(name)}
        | ({"word": words[name]} if name in words else {})
        for number, name in seats
    ]
    return {"salts": salts.hex(), "seats": salted}


def is_own(word: str) -> bool:
    """Whether a player wrote the word, and may have said who they are."""
    return _MADE.fullmatch(word) is None


def anonymised(document: dict[str, Any], cleaned: Callable[[str], str]) -> dict[str, Any] | None:
    """The document without what would confirm a guess at what `cleaned` takes out of the orders; None if it takes out nothing
    that the dice are bound to."""
    if "sheets" in document:
        used = json.dumps(document["sheets"], ensure_ascii=False)
        return {**document, "anonymised": True} if cleaned(used) != used else None
    seats: list[dict[str, Any]] = []
    for seat in document.get("seats", ()):
        said = json.dumps([seat["lines"], seat.get("word", "")], ensure_ascii=False)
        shown = {key: value for key, value in seat.items() if key not in ("salt", "word")}
        digest = {"digest": salted_digest(bytes.fromhex(seat["salt"]), seat["lines"], seat.get("word", "")).hex()}
        seats.append(shown | digest if is_own(seat.get("word", "")) or cleaned(said) != said else seat)
    if seats == document.get("seats", []):
        return None
    return {key: value for key, value in document.items() if key != "salts"} | {"seats": seats, "anonymised": True}
