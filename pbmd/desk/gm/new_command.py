"""NEW: a game that players join by mail, made by mail."""

import difflib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_origin

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.changes.openings import standing_games
from pbmd.desk.deadlines.forecast import outlook
from pbmd.desk.deadlines.phase_kinds import must_be_kinds_of_rules
from pbmd.rules.info import RulesetInfo
from pbmd.rules.options import OptionError, OptionValue, from_text
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import UnknownRuleset
from pbmd.terms.phases import YES, TermProblem, with_changes
from pbmd.terms.terms import PHASE_TERMS, Terms

_MOST_LINES, _MOST_CHARS, _WIDTH = 60, 300, 68


def make(work: Transaction, like: OpenGame, name: str, text: str) -> str:
    """Create the game that the lines of a mail describe, one ``key: value`` a line: its ruleset, that of the game `like` it if
    they name none; options of the rules; terms, those of the settings where the lines say nothing; and whether it is a standing
    game. Returns the answer to the game master. Raises `Refused`."""
    lines = _lines(text)
    must_be_kinds_of_rules(work.desk)
    slug = lines.pop("ruleset", [like.game.ruleset])[-1].lower().replace("-", "_")
    stands = _yes(lines.pop("standing", ["no"])[-1], "standing")
    try:
        info = work.desk.ruleset(slug).info
        terms, options = _terms_and_options(work.desk.settings.game, info, lines)
        if stands and not terms.seats:
            raise Refused("a game that stands needs a number of seats, or it is never full; write it like: seats: 5")
        called = standing_games.first_name(name) if stands else name
        table = new_game.create_game(work, called, slug, terms, options)
    except (OptionError, UnknownRuleset) as problem:
        raise Refused(str(problem).rstrip(".")) from None
    if stands:
        standing_games.stand(work, table)
    send_gm_token(work, table, f"gm-mail {table.id}")
    return "\n\n".join(_told(work, table))


def _told(work: Transaction, table: OpenGame) -> Iterator[str]:
    seats = table.terms.seats
    begins = f"when {seats} seats are filled" if seats else "when you say START in reply to the mail about it"
    follows = " Then the next game takes sign-ups." if table.game.standing else ""
    words = (
        f"{table.game.name} ({table.title}) takes sign-ups, and LIST shows it. It begins {begins}.{follows} Another mail is on "
        "its way, by replying to which you master it; it has the words to send to your friends."
    )
    yield textwrap.fill(words, _WIDTH)
    if table.changed_options:
        yield f"Options: {table.changed_options}"
    yield outlook(table, work.now, work.desk.settings.server.timezone)


def _lines(text: str) -> dict[str, list[str]]:
    """What the lines say, by their keys: several values only of a term that may be given for each kind of phases. Raises
    `Refused` for a line without a key, and for one that says the same again."""
    said: dict[str, list[str]] = {}
    written = [line.strip() for line in text.splitlines() if line.strip()]
    if len(written) > _MOST_LINES:
        raise Refused(f"NEW has at most {_MOST_LINES} lines, yours has {len(written)}")
    for line in written:
        key, colon, value = (part.strip() for part in line.partition(":"))
        key = key.lower().replace("-", "_").replace(" ", "_")
        if not colon or not value or len(line) > _MOST_CHARS:
            raise Refused(f'"{line[:60]}" is not read; write each as KEY: VALUE, like "seats: 5", and END NEW below them')
        if key in said and key not in PHASE_TERMS:
            raise Refused(f'"{key}" stands there twice')
        said.setdefault(key, []).append(value)
    return said


def _terms_and_options(
    usual: Terms, info: RulesetInfo, lines: Mapping[str, Sequence[str]]
) -> tuple[Terms, dict[str, OptionValue]]:
    """Raises `Refused` and `OptionError`."""
    given: dict[str, Any] = {}
    options: dict[str, OptionValue] = {}
    terms = [term for term in Terms.model_fields if term != "phases"]
    for key, values in lines.items():
        if key in info.options:
            options[key] = from_text(info.options[key], values[-1])
        elif key in terms:
            given[key] = _term(key, values)
        else:
            near = difflib.get_close_matches(key, ["ruleset", "standing", *terms, *info.options], n=1)
            hint = f'; did you mean "{near[0]}"?' if near else f"; pbmd rules {info.slug} --options lists the options"
            raise Refused(f'"{key}" is neither a term of a game nor an option of {info.title}{hint}')
    try:
        return with_changes(usual, given, info.phases), options
    except TermProblem as problem:
        kind = f" of {problem.kind}" if problem.kind else ""
        raise Refused(f"{problem.term}{kind}: {problem}") from None


def _term(key: str, values: Sequence[str]) -> Any:
    kind = Terms.model_fields[key].annotation
    if get_origin(kind) is tuple:
        return tuple(each for value in values for each in _listed(value))
    if key in PHASE_TERMS:
        return tuple(values)
    return _yes(values[-1], key) if kind is bool else values[-1]


def _listed(value: str) -> Iterator[str]:
    """The parts of a list; what is said for a kind of phases is said of all that follow: ``retreats=12h, 2h``."""
    kind, equals, parts = value.rpartition("=")
    yield from (f"{kind}{equals}{part.strip()}" for part in parts.split(",") if part.strip().lower() not in ("", "none"))


def _yes(value: str, key: str) -> bool:
    if value.lower() not in YES:
        raise Refused(f'{key} is yes or no, not "{value[:40]}"')
    return YES[value.lower()]
