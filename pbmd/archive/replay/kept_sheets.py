"""Positions as they were when rulesets stored in them the sheets of all turns that were to be opened at the end.

They are recognised by their digest in the journal, or by what the archive contains, and by nothing else: the field ``past`` in
the documents of those rulesets had the number and the sheets of each turn, first come first.
"""

from typing import Any

from pbmd.ledger.entries.codec import Document
from pbmd.rules import PastStep, PositionError, Ruleset


def with_sheets_kept(ruleset: Ruleset[Any], before: Document, after: Any, step: PastStep) -> Any | None:
    """The position after a step as it was then, with what its document had from the turns before it; None where there never was
    such a thing."""
    if ruleset.reveal is None:
        return None
    sheets = [{"player": sheet.seat, "arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in step.sheets]
    try:
        past = [*before.get("past", ()), {"turn": step.turn, "sheets": sheets}]
        return ruleset.load({**ruleset.dump(after), "past": past})
    except PositionError:
        return None
