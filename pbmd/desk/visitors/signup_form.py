"""A complete sign-up to copy into a mail: filled in with what is free, and with what was right in the one that was sent."""

import difflib
import json
import textwrap

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.changes.new_game import signups
from pbmd.desk.changes.openings.places import example, gives_later, list_in
from pbmd.desk.confirming.known_words import words_of, words_of_handbook
from pbmd.rules.names import fold
from pbmd.rules.options import complete
from pbmd.rules.preferences import written
from pbmd.rules.protocol import Line, Refused, Signup, SignupForm, Status, Verdict
from pbmd.rules.signups import as_signup, form_by_name
from pbmd.terms.terms import BY_PREFERENCE

_WIDTH = 70
_LIKENESS = 0.75
_NOTHING = Signup("")


def most_seats(table: OpenGame) -> int:
    """How many seats a game has; 0 if any number."""
    return table.terms.seats or table.ruleset.room(complete(table.ruleset.info.options, json.loads(table.game.options)))


def has_no_room(table: OpenGame) -> bool:
    """Whether all seats of a game are taken."""
    return 0 < most_seats(table) <= len(table.seats)


def form_of(table: OpenGame, asked: Signup = _NOTHING) -> SignupForm:
    """A sign-up that the game would accept, with what is right in the one that was sent."""
    rules = table.ruleset
    if gives_later(table):
        return _form_of_list(table, asked)
    form = rules.signup_form or form_by_name(rules.info, rules.check_signup)
    return form(asked, signups(table), complete(rules.info.options, json.loads(table.game.options)))


def _form_of_list(table: OpenGame, asked: Signup) -> SignupForm:
    """The list that was asked for, or else an example; none where seats are drawn by lot."""
    if table.terms.seating != BY_PREFERENCE:
        return SignupForm("")
    word = table.ruleset.info.seat_word
    about = (
        f"Each {word} that you would like, best first; in brackets those that you like equally. Those that you do not name "
        f"come last. For any {word}: ANY."
    )
    try:
        return SignupForm(written(list_in(table, asked.seat)) or example(table), about)
    except Refused:
        return SignupForm(example(table), about)


def form_for_anybody(table: OpenGame, asked: Signup) -> SignupForm:
    """The same without the sender's words that the game does not have, as the mail may go to a victim of theirs: with those, a
    line is left as it is in an empty form."""
    empty, filled = form_of(table), form_of(table, asked)
    if gives_later(table):
        return filled
    theirs = words_of("\n".join((asked.seat, *(line.text for line in asked.lines))))
    known = words_of_handbook(table.ruleset.info.handbook) | words_of(
        "\n".join((empty.seat, *(line.text for line in empty.lines)))
    )
    as_it_is = {_key(line.text): line for line in empty.lines}

    def is_fine(text: str) -> bool:
        return not (words_of(text) & theirs) - known

    lines = (line if is_fine(line.text) else as_it_is.get(_key(line.text)) for line in filled.lines)
    seat = filled.seat if is_fine(filled.seat) else empty.seat
    shown = SignupForm(seat, empty.about, tuple(line for line in lines if line is not None))
    return empty if any(verdict.status is Status.ERROR for verdict in _checked(table, as_signup(shown))) else shown


def to_copy(table: OpenGame, form: SignupForm) -> str:
    """The lines to send, each below an explanation in lines that are not read."""
    word = "PREFER" if gives_later(table) else "AS"
    join = f"JOIN {table.game.name} {word} {form.seat}" if form.seat else f"JOIN {table.game.name}"
    told = [(form.about, join), *((line.about, line.text) for line in form.lines)]
    return "\n".join(text for about, line in told for text in (*_about(about), line))


def without_greetings(table: OpenGame, asked: Signup) -> tuple[Signup, tuple[Line, ...]]:
    """The sign-up without the lines that were never meant to be in it, and these lines: what the rules refuse, and that neither
    begins like a line of the form nor stands among such lines with a colon in it."""
    if gives_later(table):
        return Signup(asked.seat, (), asked.holder), asked.lines
    wrong = {verdict.line for verdict in _checked(table, asked) if verdict.status is Status.ERROR}
    keys = [_key(line.text) for line in form_of(table).lines]
    kept, left, inside = list[Line](), list[Line](), bool(keys)
    for line in asked.lines:
        belongs = line.number not in wrong or _begins_like(line.text, keys)
        inside = belongs or (inside and ":" in line.text)
        (kept if inside else left).append(line)
    return Signup(asked.seat, tuple(kept), asked.holder), tuple(left)


def _checked(table: OpenGame, signup: Signup) -> tuple[Verdict, ...]:
    options = complete(table.ruleset.info.options, json.loads(table.game.options))
    return table.ruleset.check_signup(signup, signups(table), options)


def _begins_like(text: str, keys: list[str]) -> bool:
    return bool(difflib.get_close_matches(_key(text), keys, n=1, cutoff=_LIKENESS))


def _key(text: str) -> str:
    """What a line begins with: up to its colon, or its first word."""
    head, colon, _ = text.partition(":")
    return fold(head) if colon else fold(text).partition(" ")[0]


def _about(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
