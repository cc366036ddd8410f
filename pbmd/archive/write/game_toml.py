"""``game.toml``: which game it is, by which rules, and for whom the archive was made."""

import json
from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, select

from pbmd import __version__
from pbmd.archive.format.findings import FORMAT
from pbmd.archive.format.plan import Plan
from pbmd.archive.write.journal_file import NOT_TYPED
from pbmd.edition import ruleset_digest, ruleset_version
from pbmd.ledger.entries.codec import written_part
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import ABANDONED, FinishedEntry
from pbmd.ledger.tables import GameStatus, JournalEntry, Seat
from pbmd.terms.terms import OF_GM


def head_document(session: Session, plan: Plan, head: str, changed: Sequence[str]) -> dict[str, Any]:
    """The content of game.toml. `head` is the hash of the last entry of the journal, empty if it is not shown; `changed` are
    the folders of turns that something was taken out of."""
    game, version = plan.game, ruleset_version(plan.ruleset)
    return {
        "format": FORMAT,
        "pbmd": __version__,
        "view": str(plan.audience),
        "anonymised": plan.anonymised,
        "name": game.name,
        "ruleset": game.ruleset,
        **({"ruleset_version": version} if version else {}),
        "ruleset_digest": ruleset_digest(plan.ruleset),
        "title": plan.ruleset.info.title,
        "status": game.status.value,
        "created_at": game.created_at,
        "resolved_steps": len(plan.steps) - 1,
        "journal": {"entries": plan.last_entry, "head": head},
        **({"changed": list(changed)} if plan.anonymised else {}),
        "options": json.loads(game.options),
        "terms": {name: value for name, value in json.loads(game.terms).items() if name not in OF_GM},
        **_outcome(session, plan),
        "seats": [_seat(plan, seat) for seat in plan.seats],
    }


def last_day(session: Session, plan: Plan) -> str:
    """The day of the last entry of the journal that the archive has, in ISO 8601."""
    last = select(JournalEntry.at).where(JournalEntry.game_id == plan.game.id, JournalEntry.number == plan.last_entry)
    return session.exec(last).one().date().isoformat()


def _seat(plan: Plan, seat: Seat) -> dict[str, Any]:
    told: dict[str, Any] = {"number": seat.number, "name": seat.name, "state": seat.state.value}
    if not plan.audience.sees_seat(seat.name):
        return told
    # A seat's new holder need not know who held it before, and some sign-ups say so.
    known = plan.audience.everything or not plan.taken_over
    setup = {"setup": [text for _, text in json.loads(seat.signup)]} if known else {}
    return told | setup if plan.anonymised else told | {"holder": seat.holder, "timezone": seat.timezone} | setup


def _outcome(session: Session, plan: Plan) -> dict[str, Any]:
    if plan.game.status is not GameStatus.FINISHED:
        return {}
    last = next(entries_of(session, plan.game.id, FinishedEntry, newest_first=True), None)
    if last is None:
        return {}
    by_a_person = plan.anonymised and last.entry.abandoned and last.entry.reason not in NOT_TYPED
    outcome = dict(sorted(written_part(last.entry).items()))  # as the journal sorts its keys
    return {"outcome": outcome | ({"reason": ABANDONED} if by_a_person else {})}
