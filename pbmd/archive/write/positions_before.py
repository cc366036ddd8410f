"""How the game stood before each step: after the step before it, and after what the game master did to the position between."""

import json
from collections.abc import Generator, Mapping
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.format.plan import Plan
from pbmd.ledger.entries.kinds import KINDS
from pbmd.ledger.tables import JournalEntry, StepRecord

_KINDS = tuple(kind for kind, of in KINDS.items() if of.moves_position)


def positions_before(session: Session, plan: Plan) -> Generator[tuple[int, Mapping[str, Any]]]:
    """The number of each resolved step and the position document before it, without the orders of that step."""
    entries = select(JournalEntry.kind, JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == plan.game.id, col(JournalEntry.kind).in_(_KINDS)
    )
    position = plan.setup.position
    in_order = entries.order_by(col(JournalEntry.number)).execution_options(yield_per=20)
    with session.exec(in_order) as found:
        for kind, public_part, secret_part in found:
            public, secret = json.loads(public_part), json.loads(secret_part or "{}")
            if kind == "resolved":
                yield public["step"], position
                after = select(StepRecord.after).where(StepRecord.game_id == plan.game.id, StepRecord.step == public["step"])
                position = json.loads(session.exec(after).one())
            elif kind == "rolled-back":
                position = plan.ruleset.dump(plan.ruleset.load(secret["position"]))  # the journal sorts its keys
            elif kind == "set":
                position = plan.ruleset.dump(plan.ruleset.load({**position, "options": secret["options"]}))
            elif plan.ruleset.rule is not None:
                position = plan.ruleset.dump(plan.ruleset.rule(plan.ruleset.load(position), secret["key"]))
