"""How the game stood before each step: after the step before it, and after what the game master did to the position between."""

import json
from collections.abc import Generator

from sqlmodel import Session, col, select

from pbmd.archive.format.plan import Plan
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.kinds import KINDS, read
from pbmd.ledger.entries.master_entries import ChangedOptions, RuledEntry, RulingKey, SetEntry
from pbmd.ledger.entries.parts import OneSeat
from pbmd.ledger.entries.sleep_entries import DISORDER, AsleepEntry, AwakeEntry
from pbmd.ledger.entries.step_entries import ResolvedEntry, RestoredPosition, RolledBackEntry
from pbmd.ledger.tables import JournalEntry, StepRecord

_KINDS = tuple(kind for kind, of in KINDS.items() if of.moves_position)


def positions_before(session: Session, plan: Plan) -> Generator[tuple[int, Document]]:
    """The number of each resolved step and the position document before it, without the orders of that step."""
    entries = select(JournalEntry.kind, JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == plan.game.id, col(JournalEntry.kind).in_(_KINDS)
    )
    position = plan.setup.position
    in_order = entries.order_by(col(JournalEntry.number)).execution_options(yield_per=20)
    with session.exec(in_order) as found:
        for kind, public_part, secret_part in found:
            # What comes of a step is read from its record, so the sealed part of its entry is not needed.
            secret = None if kind == ResolvedEntry.kind else json.loads(secret_part or "{}")
            match read(kind, json.loads(public_part), secret):
                case ResolvedEntry(step=step):
                    yield step, position
                    after = select(StepRecord.after).where(StepRecord.game_id == plan.game.id, StepRecord.step == step)
                    position = json.loads(session.exec(after).one())
                case RolledBackEntry(sealed=RestoredPosition(position=restored)):
                    position = plan.ruleset.dump(plan.ruleset.load(restored))  # the journal sorts its keys
                case SetEntry(sealed=ChangedOptions(options=options)):
                    position = plan.ruleset.dump(plan.ruleset.load({**position, "options": options}))
                case RuledEntry(sealed=RulingKey(key=key)) if plan.ruleset.rule is not None:
                    position = plan.ruleset.dump(plan.ruleset.rule(plan.ruleset.load(position), key))
                case AsleepEntry(sealed=OneSeat(seat=seat)) | AwakeEntry(sealed=OneSeat(seat=seat)) as entry:
                    disorder = plan.ruleset.disorder if entry.sleeper == DISORDER else None
                    if disorder is not None:
                        stands = disorder(plan.ruleset.load(position), seat, isinstance(entry, AsleepEntry))
                        position = plan.ruleset.dump(stands)
                case _:
                    pass
