"""What will happen in a game by its terms, in words: with dates for whoever makes it, in general for whoever begins to play."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.deadlines.next_deadline import deadline_after, first_deadline
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.vote_words import terms_words
from pbmd.rules.words import listing
from pbmd.terms.phases import phase_rows
from pbmd.terms.seating import seating_words
from pbmd.terms.sleepers import sleeper_rule, step_of
from pbmd.terms.substitutes import substitute_rule
from pbmd.terms.terms import BY_RULES, Terms
from pbmd.terms.times import describe_duration, describe_time, parse_duration, zone_remark

_LABEL, _WIDTH = 16, 68
"""With a mark in front of each line it fits into 72 columns."""
_BY_RULES = "The time for each step is what the rules recommend, and its report names the deadline."
_NEXT_BY_RULES = "what the rules recommend for the step that comes then"
_TOGETHER = re.compile(r"(?<=\d) (?=(?:days?|h|min|s|%)\b|%)|(?<=[a-z]{3} \d) (?=[A-Z])|(?<=[a-z]{3} \d\d) (?=[A-Z])")
"""Blanks between a number and what it counts, or its month: no line ends there."""
_UNBROKEN = "\N{NO-BREAK SPACE}"
_MOVES = "A move counts as soon as it is there, and the next player's time begins."
_NOT_EARLY = "A turn is resolved at its deadline, and not before, even if all orders are in."


@dataclass(frozen=True, slots=True)
class _Begun:
    """When a game began, or would begin, the first deadline, and the zone in which times are told. `begins` tells whether that
    is only supposed."""

    table: OpenGame
    at: datetime
    deadline: datetime
    zone: str
    begins: bool

    def told(self, at: datetime) -> str:
        """An instant as it is written."""
        return describe_time(at, self.zone)

    def following(self, ended: datetime) -> str:
        """The deadline after a turn that ended then; no date where the rules may want another time for the next step. Where
        phases have terms of their own, one for each kind that may come."""
        if self.table.terms.phases:
            kinds = self.table.ruleset.info.phases
            return listing(f"{self._of_phase(ended, kind)} for {kind}" for kind in kinds)
        if self.table.step_terms.deadline == BY_RULES:
            return _NEXT_BY_RULES
        return self.told(deadline_after(self.table, ended, self.deadline))

    def _of_phase(self, ended: datetime, kind: str) -> str:
        rule = self.table.terms.of_phase(kind).deadline
        return (
            "what the rules recommend"
            if rule == BY_RULES
            else self.told(deadline_after(self.table, ended, self.deadline, rule))
        )


def outlook(table: OpenGame, now: datetime, zone: str = "UTC") -> str:
    """The first deadline, what becomes of a turn for which all orders are in, reminders, a miss, and the next deadline; as if
    it began now if a game takes sign-ups. Lines of at most 68 columns, ended."""
    rows = [*_seating(table), *_rows(table, now, zone), *_limits(table)]
    return f"{labelled(rows, _LABEL)}\n"


def labelled(rows: Iterable[tuple[str, str]], column: int) -> str:
    """Labels, and from that column on what belongs to each: lines of at most 68 columns, without an end."""
    ahead = " " * column
    return "\n".join(
        textwrap.fill(
            _TOGETHER.sub(_UNBROKEN, words),
            _WIDTH,
            initial_indent=f"{label:<{column}}",
            subsequent_indent=ahead,
            break_on_hyphens=False,
        ).replace(_UNBROKEN, " ")
        for label, words in rows
    )


def all_in_words(terms: Terms) -> str:
    """What becomes of a turn for which all orders are in before its deadline."""
    if not terms.early:
        return _NOT_EARLY
    pause = terms.second_thought_time
    when = f"{describe_duration(pause)} after the last have come" if pause else "at once"
    least = parse_duration(terms.minimum_time)
    not_before = f", but not in its first {describe_duration(least)}" if least else ""
    return f"If all orders are in earlier, the turn is resolved {when}{not_before}, and the time for the next one begins."


def kept_open_words(terms: Terms) -> str:
    """What keeps a turn open though all orders are in; empty if nothing needs to."""
    if not any(each.early for each in (terms, *(terms.of_phase(kind) for kind in terms.phases))):
        return ""
    return "WAIT on a line of its own keeps a turn open until its deadline (EXTEND: see HELP)."


def limit_words(terms: Terms) -> str:
    """Who gets a seat, by the turns that they have met so far; empty if anybody does."""
    if not terms.min_met:
        return ""
    return (
        f"Seats are for addresses that have met at least {terms.min_met} % of their turns here so far; those with fewer than "
        f"{terms.min_met_after} turns are welcome, too."
    )


def holders_words(terms: Terms) -> str:
    """That nobody learns who plays; empty in other games."""
    if not terms.hides_holders:
        return ""
    return (
        "An anonymous game (gunboat): nobody learns who plays which seat until the game is over; the game master knows. Then "
        "the last report names everybody who played, as they are called in their mails, and never an address."
    )


def _limits(table: OpenGame) -> Iterator[tuple[str, str]]:
    if words := holders_words(table.terms):
        yield "Who plays", words
    if words := sleeper_rule(table.terms, step_of(table.ruleset.info.timing)):
        yield "Sleepers", words
    if words := substitute_rule(table.terms):
        yield "Substitutes", words
    if words := limit_words(table.terms):
        yield "Who may join", words
    if words := terms_words(table.terms, table.ruleset.info.votes):
        yield "Votes", words


def _seating(table: OpenGame) -> Iterator[tuple[str, str]]:
    if table.game.status is GameStatus.SIGNUP and (words := seating_words(table.terms, table.ruleset.info.seat_word)):
        yield "Seats", words


def _rows(table: OpenGame, now: datetime, zone: str) -> Iterator[tuple[str, str]]:
    game, terms = table.game, table.step_terms
    yield from phase_rows(table.terms, table.ruleset.info.phases)
    rules = [each.deadline for each in (table.terms, *map(table.terms.of_phase, table.terms.phases))]
    yield from (("Time zone", words) for words in dict.fromkeys(map(zone_remark, rules)) if words)
    if terms.deadline == BY_RULES and table.position is None:
        yield "Deadlines", _BY_RULES
        yield "All orders in", f"{all_in_words(terms)} {kept_open_words(terms)}".strip()
        yield "Reminders", _reminders_in_general(terms)
        return
    running = game.status is not GameStatus.SIGNUP and game.opened_at is not None and game.deadline is not None
    opened, deadline = (game.opened_at, game.deadline) if running else (now, first_deadline(table, now))
    assert opened is not None
    assert deadline is not None
    begun = _Begun(table, opened, deadline, zone, not running)
    yield "First deadline", begun.told(deadline) + (", if it began now" if begun.begins else "")
    yield "Reminders", _reminders(begun)
    yield "All orders in", _all_in(begun)
    yield "A miss", _miss(begun)
    end = deadline + terms.grace_time
    first = "first move" if table.ruleset.sequential else "first turn"
    yield "Next deadline", f"{begun.following(end)}, if the {first} ends at its deadline"


def _reminders_in_general(terms: Terms) -> str:
    times = " and ".join(describe_duration(ahead) for ahead in terms.reminder_times)
    return f"{times} before a deadline, to players without usable orders" if times else "none"


def _reminders(begun: _Begun) -> str:
    times = [at for ahead in begun.table.step_terms.reminder_times if (at := begun.deadline - ahead) > begun.at]
    if not times:
        return "none in a turn as short as that" if begun.table.step_terms.reminder_times else "none"
    return f"{' and '.join(map(begun.told, times))}, to players without usable orders by then"


def _all_in(begun: _Begun) -> str:
    """The rule, and an example half-way."""
    table, terms = begun.table, begun.table.step_terms
    if table.ruleset.sequential:
        return _MOVES
    if not terms.early:
        return _NOT_EARLY
    last = (begun.at + (begun.deadline - begun.at) / 2).replace(second=0, microsecond=0)
    ended = min(_early_end(begun, last), begun.deadline + terms.grace_time)
    example = (
        f"For example: the last come {begun.told(last)}, the turn ends {begun.told(ended)}, and the next deadline is "
        f"{begun.following(ended)}."
    )
    return f"{all_in_words(terms)} {example} It ends with its deadline at the latest. {kept_open_words(terms)}"


def _early_end(begun: _Begun, last: datetime) -> datetime:
    terms = begun.table.step_terms
    return max(last + terms.second_thought_time, begun.at + parse_duration(terms.minimum_time))


def _miss(begun: _Begun) -> str:
    terms, what = begun.table.terms, "move" if begun.table.ruleset.sequential else "turn"
    until = begun.told(begun.deadline + terms.grace_time)
    counts = f"Orders count until {until}" + (", with the grace" if terms.grace_time > timedelta(0) else "")
    goes_on = "and the next one is to move" if begun.table.ruleset.sequential else "which is resolved without them"
    return (
        f"{counts}. Players without usable orders by then miss the {what}, {goes_on}; the rules act for their side. "
        "STATUS and the log name them to the game master."
    )
