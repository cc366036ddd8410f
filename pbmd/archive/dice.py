"""What the dice of a step were made of, so that anybody can draw them again without pbmd (`deploy/verify_dice.py` does).

A document has the step, the secret and its commitment, the sheets used (first come first, lines as understood), the context
that the rolls are bound to, in hex, and the rolls as [sides, roll]. The set-up has a `text` instead of sheets. Where
anonymising has changed the sheets, so that the context does not follow from those shown, the document says `anonymised`.
"""

import json
from dataclasses import dataclass
from typing import Any

from pbmd.archive.plan import START, SetUp
from pbmd.ledger.tables import StepRecord
from pbmd.rules import Ruleset, commitment
from pbmd.rules.sheets import bound, to_be_used


@dataclass(frozen=True, slots=True)
class Bound:
    """The secret that the dice of a step came from, and what they were bound to: those of the next step are bound to it, too,
    if they come from the same secret."""

    secret: bytes = b""
    context: bytes = b""


def dice_of_setup(setup: SetUp) -> dict[str, Any]:
    """The document of the set-up of a game."""
    return {
        "step": START,
        "turn": 0,
        "secret": setup.secret.hex(),
        "commitment": commitment(setup.secret),
        "text": setup.context.decode(),
        "context": setup.context.hex(),
        "rolls": [list(roll) for roll in setup.rolls],
    }


def dice_of_step(ruleset: Ruleset[Any], record: StepRecord, last: Bound) -> tuple[dict[str, Any], Bound]:
    """The document of a step, and what its dice were bound to. `last` is that of the step resolved before it."""
    sheets = to_be_used(ruleset, ruleset.load(json.loads(record.before)))
    now = Bound(record.secret, bound(sheets, last.context if last.secret == record.secret else b""))
    document = {
        "step": record.step,
        "turn": record.turn,
        "secret": record.secret.hex(),
        "commitment": commitment(record.secret),
        "sheets": [{"seat": sheet.seat, "lines": list(sheet.lines)} for sheet in sheets],
        "context": now.context.hex(),
        "rolls": json.loads(record.dice),
    }
    return document, now
