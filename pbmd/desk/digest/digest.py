"""The game master's digest, by mail: after each turn, and between turns once a day if there is news. The term `digest` says how
often. It contains only what the log and STATUS show them, and no orders."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, or_, select

from pbmd.desk.books.carried_out import START, Tick
from pbmd.desk.books.transaction import LoggedLines, OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.digest.joint import GameNews, is_one_of_several, is_told_by, next_morning
from pbmd.desk.digest.news import DAY, DigestsSent, NewsLine, may_know_who_has_sent, newest_lines, news_in, of_turns
from pbmd.desk.digest.waiting import Waits, what_waits
from pbmd.desk.language.columns import labelled
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.tables import GameStatus, Outbox, step_words
from pbmd.rules.words import counted, listing
from pbmd.terms.quiet_days import quiet_words
from pbmd.terms.times import describe_duration, describe_time

_SUBJECT_CHARS = 70
_LONGEST_WAIT = 2 * DAY
"""So old is the oldest news that a digest tells, at most: it has waited for its own hour, and then for the next morning."""


def tell_of_turn(work: Transaction, table: OpenGame, tick: Tick) -> None:
    """Mail the digest of a turn that is over, of the beginning of the game, or of its end; where there is nothing to do, and
    other games run, that comes in the morning."""
    if not _is_to_be_told(table, tick):
        return
    waits = what_waits(work, table)
    if tick.outcome is None and not waits and is_one_of_several(work, table):
        # What waits already keeps its hour, also one at which the host was off: so far back goes what is told.
        morning = next_morning(work)
        table.game.digest_at = min(table.game.digest_at or morning, morning)
        return
    newest = newest_lines(work, table)
    of_turn = of_turns(newest, -1 if tick.step == START else tick.began)
    news = news_in(work, table, of_turn)
    missed = sum(label == "missed" for label, _ in news)
    if table.game.digest_at:  # what was put off to the morning comes with it
        news = news_in(work, table, _since_last(work, table, newest))
    outcome = tick.outcome.told(table.ruleset.seats(tick.position)) if tick.outcome else ""
    key = f"digest {table.id} {tick.step} {table.game.chain_number}"
    _send(work, table, key, _Content(_headline(tick, missed), news, waits, outcome))


def _is_to_be_told(table: OpenGame, tick: Tick) -> bool:
    """Whether a tick gets a digest: the end of a turn does, not each phase or move."""
    if table.terms.digest != "turns":
        return table.terms.digest == "daily" and tick.outcome is not None
    return tick.step == START or tick.outcome is not None or table.game.turn > tick.began


def _headline(tick: Tick, missed: int) -> str:
    if tick.step == START:
        return "the game has begun"
    if tick.outcome is not None:
        return "the game is over"
    return f"{step_words(tick.turn, '')} was played" + (f", {missed} missed it" if missed else "")


def tell_of_day(work: Transaction, table: OpenGame, *, is_morning: bool) -> GameNews | None:
    """Mail the digest of what has happened since the first news that is in no digest yet. Where there is nothing to do, and
    other games run, it is only given, to be told with theirs; if it is not morning, it waits for the first after its hour."""
    at = table.game.digest_at or work.now
    lines = _since_last(work, table, newest_lines(work, table))
    news, waits = news_in(work, table, lines), what_waits(work, table)
    table.game.digest_at = None
    if not waits and is_one_of_several(work, table):
        if not is_morning and (morning := next_morning(work, at)) > work.now:
            table.game.digest_at = morning
            return None
        played = _played(lines)
        return GameNews(table.game.name, _sentence(table, played), _rows(work, table, news)) if played or news else None
    if not news and not waits:
        return None
    words = f"news of the day: {', '.join(dict.fromkeys(label for label, _ in news)) or 'nothing new'}"
    _send(work, table, f"digest {table.id} {(at - DAY).isoformat()}", _Content(words, news, waits))
    return None


def _since_last(work: Transaction, table: OpenGame, newest: Sequence[NewsLine]) -> Sequence[NewsLine]:
    """The lines that are in no digest yet, the oldest first."""
    since = (table.game.digest_at or work.now) - _LONGEST_WAIT
    return _untold(newest, since, _last_told(work, table, since))[::-1]


def _last_told(work: Transaction, table: OpenGame, since: datetime) -> datetime:
    """When the last digest that tells of this game was written, or `since` if none has been since then."""
    own, gm = col(Outbox.game_id), work.desk.settings.server.gm
    told = work.session.exec(
        select(Outbox.queued_at, own, Outbox.key).where(
            col(Outbox.recipient) == gm,
            col(Outbox.queued_at) > since,
            Outbox.kind == "digest",
            or_(own == table.id, own.is_(None)),
        )
    )
    return max((at for at, game, key in told if game or is_told_by(key, table.game.name)), default=since)


def _untold(lines: Sequence[NewsLine], since: datetime, told: datetime) -> Sequence[NewsLine]:
    """The lines since then that come after the digest of that time, newest first. Of those of its own time the ones after the
    end of the turn that it tells of: rather is a line told twice than never."""
    after = [line for line in lines if line.at >= told]
    ends = [place for place, line in enumerate(after) if since < line.at == told and line.what in _TOLD_AT_ONCE]
    return after[: ends[-1]] if ends else after


_TOLD_AT_ONCE = ("started", "resolved")
"""What the log says of that of which a digest comes at once."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What a digest says in a few `words`, what is new, what waits, and the outcome of a game that is over."""

    words: str
    news: list[tuple[str, str]]
    waits: list[Waits]
    outcome: str = ""


def _send(work: Transaction, table: OpenGame, key: str, content: _Content) -> None:
    waits, outcome = content.waits, content.outcome
    to_do = f"{counted(len(waits), 'thing')} to do; " if waits else "" if outcome else "nothing to do; "
    work.slot(DigestsSent).lines[table.id] = len(work.slot(LoggedLines).of(table.id))
    table.game.digest_at = None
    values = {
        "game": table.game,
        "headline": _sentence(table, content.words),
        "outcome": outcome,
        "rows": _rows(work, table, content.news),
        "waits": waits,
        "daily": table.terms.digest == "daily",
    }
    tell_gm(work, Draft("digest", key, _cut(subject(table, f"{to_do}{content.words}")), render("digest.txt", values)), table)


def _played(lines: Sequence[NewsLine]) -> str:
    """How far the game has come by these lines of the log; empty if it has not."""
    steps = sum(line.what == "resolved" for line in lines)
    begun = ["the game has begun"] if any(line.what == "started" for line in lines) else []
    return listing([*begun, *([f"{counted(steps, 'step')} {'was' if steps == 1 else 'were'} played"] if steps else [])])


def _sentence(table: OpenGame, words: str) -> str:
    return f"{table.game.name} ({table.title}){f': {words}' if words else ''}."


def _rows(work: Transaction, table: OpenGame, news: list[tuple[str, str]]) -> list[str]:
    return [labelled(label, text) for label, text in [*_standing(work, table), *news]]


def _cut(title: str) -> str:
    return title if len(title) <= _SUBJECT_CHARS else f"{title[: _SUBJECT_CHARS - 2].rstrip(' ,;:')} …"


def _standing(work: Transaction, table: OpenGame) -> list[tuple[str, str]]:
    """How the game stands, in a few lines."""
    game, quiet = table.game, quiet_words(table.terms)
    if game.status is GameStatus.FINISHED:
        return []
    rows = [("now", game.stands)]
    if game.status is GameStatus.SIGNUP:
        of = f" of {table.terms.seats}" if table.terms.seats else ""
        return [*rows, ("seats", f"{counted(len(table.seats), 'seat')}{of} taken")]
    if game.deadline and not game.paused_at:
        at = describe_time(game.deadline, work.desk.settings.server.timezone)
        left = game.deadline - work.now
        passed = "passed; the turn ends once the mailbox has been read"
        rows.append(("deadline", f"{at}, {f'in {describe_duration(left)}' if left > timedelta(0) else passed}"))
    rows += [("missing", words)] if (words := _awaited(table)) else []
    if asleep := [seat.name for seat in table.seats if seat.is_asleep]:
        rows.append(("asleep", f"{', '.join(asleep)}; WAKE and a name waits for its orders again"))
    return [*rows, ("quiet", f"no deadline on {quiet}")] if quiet else rows


def _awaited(table: OpenGame) -> str:
    """Who is awaited; nothing if that cannot be known, or would reveal who has sent in secret. STATUS shows it on request."""
    if table.trouble or not may_know_who_has_sent(table):
        return ""
    names = [seat.name for seat in awaited(table)]
    played = [seat.name for seat in table.seats if seat.is_awake]
    return "everybody" if len(names) > 1 and names == played else ", ".join(names) or "nobody"
