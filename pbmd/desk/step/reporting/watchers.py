"""The observers of a game: who they are, and what they get."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, delete, select

from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.checkpoints import SignedHead
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, Proof, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.ledger.entries.rows import TurnEntry, turn_entry_of
from pbmd.ledger.tables import Report, StepRecord, Visitor, VisitorKind
from pbmd.notes.four_words import four_words
from pbmd.post.compose import mailto
from pbmd.post.proof_file import proof_name
from pbmd.post.tags import Code, make_visitor_code

_WATCHERS = (
    select(Visitor.address)
    .where(Visitor.kind == VisitorKind.WATCH, Visitor.game_id == bindparam("game"))
    .order_by(col(Visitor.id))
)


def watchers(work: Transaction, table: OpenGame) -> list[str]:
    """The addresses that get the public reports."""
    # Starting or ending to watch flushes, so nothing else needs to be written before.
    return list(work.session.connection().execute(_WATCHERS, {"game": table.id}).scalars())


def end_watching(work: Transaction, table: OpenGame, address: str, why: str) -> None:
    """Send an address no more reports of a game."""
    theirs = (col(Visitor.kind) == VisitorKind.WATCH, col(Visitor.game_id) == table.id, col(Visitor.address) == address)
    work.session.exec(delete(Visitor).where(*theirs))
    work.log("watch", table, detail=f"one observer less: {why}")


def leave_by_bounce(work: Transaction, address: str) -> None:
    """Mail to this address bounces: it no longer watches anything and is on no standby list."""
    work.write()
    rows = work.session.exec(select(Visitor).where(Visitor.address == address)).all()
    for row in rows:
        table = work.table(row.game_id) if row.game_id else None
        work.log(row.kind.value, table, detail="one less: mail comes back")
        work.session.delete(row)
    work.session.flush()


def send_public(work: Transaction, table: OpenGame, tick: Tick, text: str, head: SignedHead) -> None:
    """Mail the public report to those who watch."""
    for address in watchers(work, table):
        # A step that was rolled back is reported again.
        key = f"report {table.id} {tick.step} public {table.game.chain_number} {address}"
        outcome = tick.outcome.told(table.ruleset.seats(tick.position)) if tick.outcome else ""
        _send(work, table, address, _Public(key, tick.turn, text, tick.step < 0, outcome, tick.players, head))


def tell_watchers(work: Transaction, table: OpenGame, key: str, headline: str, text: str) -> None:
    """A notice to those who watch a game. It must contain nothing that not everybody may know."""
    for place, address in enumerate(watchers(work, table)):
        body = render("watchers_notice.txt", {"game": table.game, "text": text})
        draft = Draft("notice", f"{key} watch {place}", subject(table, headline), body, owed=True)
        mail_to(work, address, draft, table, code_for(work, table, address), unsubscribe=leave(work, table))


def code_for(work: Transaction, table: OpenGame, address: str) -> Code | None:
    """The code by which a reply is known to be from this address, where those who watch may write to each other."""
    return make_visitor_code(work.desk.key, address) if table.terms.spectators else None


def leave(work: Transaction, table: OpenGame) -> str:
    """A URL that ends such mail."""
    return mailto(work.desk.settings.server.address, f"UNWATCH {table.game.name}", f"UNWATCH {table.game.name}")


def send_last(work: Transaction, table: OpenGame, address: str, letter_id: int) -> None:
    """Send the last public report that stands at once, with its words, so that an observer has something to see, and to
    compare. They asked for it by the letter `letter_id`."""
    back = select(StepRecord.step).where(StepRecord.game_id == table.id, StepRecord.rolled_back != 0)
    kept = select(Report).where(Report.game_id == table.id, Report.reader == "public", col(Report.step).not_in(back))
    last = work.session.exec(kept.order_by(col(Report.step).desc()).limit(1)).first()
    if last is not None:
        key = f"report {table.id} {last.step} public letter {letter_id}"
        entry = turn_entry_of(work.session, table.id, last.step)
        _send(work, table, address, _Public(key, last.turn, last.text, first=last.step < 0, entry=entry))


@dataclass(frozen=True, slots=True)
class _Public:
    """A public report; `first` means the one of the beginning. `head` is the head of the journal when it was made, None if it
    is sent later: the current head would show how much has come since. `entry` is that of its turn then."""

    key: str
    turn: int
    text: str
    first: bool
    outcome: str = ""
    players: tuple[str, ...] = ()
    head: SignedHead | None = None
    entry: TurnEntry | None = None

    @property
    def made_of(self) -> dict[str, Any]:
        """The words of its turn, and what they are made of, signed if the head is."""
        if self.head is not None:
            head = self.head
            return {"checkpoint": head.note, "key": head.key, "words": head.words, "turn_entry": head.entry}
        return {"words": four_words(self.entry.hash), "turn_entry": self.entry} if self.entry else {}


def _send(work: Transaction, table: OpenGame, address: str, report: _Public) -> None:
    made_of = report.made_of
    values = {
        "game": table.game,
        "title": table.ruleset.info.title,
        "turn": report.turn,
        "first": report.first,
        "outcome": report.outcome,
        "players": report.players,
        "body": report.text,
        "checkpoint": report.head is not None,
        "words": made_of.get("words", ""),
        "spectators": table.terms.spectators and not report.outcome,
    }
    of = "the beginning" if report.first else f"turn {report.turn}"
    proved = {"game": table.game, "of": of, **made_of, "numbers_told": table.terms.who_has_sent != "nothing"}
    name = proof_name(table.game.name, None if report.first else report.turn)
    end = "the game is over" if report.outcome else "what happened"
    words = "the game begins" if report.first else f"Turn {report.turn}: {end}"
    text, proof = render("public_report.txt", values), Proof(name, "proof.txt", proved) if made_of else None
    draft = Draft("report", report.key, subject(table, words), text, proof=proof)
    mail_to(work, address, draft, table, code_for(work, table, address), unsubscribe=leave(work, table))
