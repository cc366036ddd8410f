"""A report for programs, ``report.json``: what its reader may know, and the order lines that may be sent now. It is made of the
ruleset's view and order form, so that every ruleset has it. ``templates/mail/report.schema.json`` says what is in it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbmd.rules import RulesetInfo, View
from pbmd.rules.forms import offered

FORMAT = "pbmd-report/1"


@dataclass(frozen=True, slots=True)
class Around:
    """What a report says besides the view: of which game and of what it is, how the game ended, whether orders of its reader
    are awaited, and until when (in UTC, as in RFC 3339; "" for no deadline)."""

    game: str
    reported: str
    step: str
    outcome: str = ""
    awaited: bool = False
    deadline: str = ""


def report_json(info: RulesetInfo, view: View, around: Around, form: str) -> bytes:
    """The report of a seat. The view must be JSON, which `pbmd try` sees to."""
    lines = offered(form)
    document = {
        "format": FORMAT,
        "game": around.game,
        "ruleset": info.slug,
        "title": info.title,
        "seat": view.reader.seat,
        "reported": around.reported,
        "turn": view.turn,
        "step": around.step,
        "outcome": around.outcome or None,
        "orders": {
            "awaited": around.awaited,
            "deadline": around.deadline or None,
            "remarks": _list(lines.remarks),
            "together": _list(lines.together),
            "instead": _list(lines.instead),
        },
        "view": view.data,
    }
    return (json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def _list(lines: Sequence[str]) -> list[Any]:
    return list(lines)
