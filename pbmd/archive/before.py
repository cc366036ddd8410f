"""How the game stood before each step: after the step before it, and after what the game master did to the position between."""

import json
from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.plan import Plan
from pbmd.ledger.tables import JournalEntry

_KINDS = ("set", "ruled", "rolled-back", "resolved")


def positions_before(session: Session, plan: Plan) -> dict[int, Mapping[str, Any]]:
    """The position document before each resolved step, by the number of the step, without the orders of that step."""
    after = {step.number: step.record.after for step in plan.steps if step.record is not None}
    entries = select(JournalEntry).where(JournalEntry.game_id == plan.game.id, col(JournalEntry.kind).in_(_KINDS))
    before: dict[int, Mapping[str, Any]] = {}
    position = plan.first_position
    for entry in session.exec(entries.order_by(col(JournalEntry.number))):
        public, secret = json.loads(entry.public), json.loads(entry.secret or "{}")
        if entry.kind == "resolved":
            before[public["step"]] = position
            position = json.loads(after[public["step"]])
        elif entry.kind == "rolled-back":
            position = plan.ruleset.dump(plan.ruleset.load(secret["position"]))  # the journal sorts its keys
        elif entry.kind == "set":
            position = {**position, "options": secret["options"]}
        elif plan.ruleset.rule is not None:
            position = plan.ruleset.dump(plan.ruleset.rule(plan.ruleset.load(position), secret["key"]))
    return before
