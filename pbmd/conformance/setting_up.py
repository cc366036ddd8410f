"""How games begin: sign-ups, names, numbers of seats, and options to the ends of their limits."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbmd.conformance.documents import values_of
from pbmd.conformance.findings import Wrong
from pbmd.conformance.hostile_texts import NAMES, ODD
from pbmd.conformance.scenes import Opening, Scene, dice, first_opening
from pbmd.conformance.trial_seats import players
from pbmd.desk.language.likeness import name_problem
from pbmd.rules import Line, Options, Refused, Ruleset, Signup, Status, Verdict
from pbmd.rules.options import OptionValue, complete
from pbmd.rules.signups import as_signup, name_given

_MOST_SEATS = 30
"""The number of players tried in a game that takes any number."""


def usual_options(rules: Ruleset[Any]) -> Options:
    """The options if nobody chooses any."""
    return complete(rules.info.options, {})


# --- Sign-ups ---------------------------------------------------------------------------------------------------------------


def sign_ups_are_answered(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """Valid ones, those with a name that another has, and those with odd names or lines; those found valid make a game."""
    options = usual_options(rules)
    *others, right = players(rules, rules.info.min_seats, options)
    yield from _well_answered(rules, right, others, options)
    said = {verdict.line for verdict in rules.check_signup(right, others, options)}
    for line in right.lines:
        if line.number not in said:
            words = f"nothing is said of the set-up line {line.text!r:.60}, which sample_signup gives"
            yield Wrong("signup.verdicts", words, "check_signup")
    for other in others:
        if not _error(rules.check_signup(replace(right, seat=other.seat), others, options)):
            yield Wrong("signup.taken", f'"{other.seat}" can sign up, though there is one of that name', "check_signup")
    for odd in (*ODD, *NAMES):
        for signup in odd_sign_ups(right, odd):
            rules.names(signup)
            yield from _well_answered(rules, signup, others, options)
            verdicts = rules.check_signup(signup, others, options)
            if not _error(verdicts):
                rules.setup((*others, replace(signup, seat=name_given(signup, verdicts))), options, dice("odd"))


def _well_answered(rules: Ruleset[Any], signup: Signup, others: Sequence[Signup], options: Options) -> Iterator[Wrong]:
    verdicts = rules.check_signup(signup, others, options)
    numbers = [verdict.line for verdict in verdicts]
    if strangers := {*numbers} - {0, *(line.number for line in signup.lines)}:
        words = f"there is a verdict on line {min(strangers)} of a sign-up, and no such line in it"
        yield Wrong("signup.verdicts", words, "check_signup")
    for verdict in verdicts:
        if verdict.status is Status.ERROR and not verdict.message.strip():
            yield Wrong("signup.verdicts", f"line {verdict.line} of a sign-up is refused without a word why", "check_signup")


def sign_up_forms_are_taken(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """As they stand; and with what was valid in somebody's requests."""
    if rules.signup_form is None:
        return
    options = usual_options(rules)
    signups = players(rules, rules.info.min_seats, options)
    for place, right in enumerate(signups):
        for asked in (Signup(""), right, *(each for odd in ODD for each in odd_sign_ups(right, odd))):
            copied = as_signup(rules.signup_form(asked, signups[:place], options))
            verdicts = rules.check_signup(copied, signups[:place], options)
            if problem := _error(verdicts):
                yield Wrong("signup.form", f"the form for {place + 1} is refused as it stands: {problem}", "signup_form")
                return
        kept = {verdict.canonical for verdict in rules.check_signup(right, signups[:place], options) if verdict.line}
        form = as_signup(rules.signup_form(right, signups[:place], options))
        if missing := kept - {verdict.canonical for verdict in rules.check_signup(form, signups[:place], options)}:
            yield Wrong("signup.form", f"the form has lost {sorted(missing)[0]!r:.60}, which was right", "signup_form")


def odd_sign_ups(right: Signup, odd: str) -> Iterator[Signup]:
    """With something odd as its name, as an extra line, as its sender's name, or as the value in a line."""
    yield replace(right, seat=odd)
    yield replace(right, lines=(*right.lines, Line(99, odd)), holder=odd)
    for place, line in enumerate(right.lines):
        twisted = replace(line, text=f"{line.text.partition(':')[0]}: {odd}")
        yield replace(right, lines=(*right.lines[:place], twisted, *right.lines[place + 1 :]))


def _error(verdicts: Sequence[Verdict]) -> str:
    return next((verdict.message or "no reason" for verdict in verdicts if verdict.status is Status.ERROR), "")


# --- Numbers of seats -------------------------------------------------------------------------------------------------------


def any_number_of_seats_makes_a_game(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """From the fewest to the most, or it says why not; they sit in the order of sign-up, under the names that they were
    given."""
    options, made = usual_options(rules), 0
    for many in range(rules.info.min_seats, (rules.room(options) or max(rules.info.min_seats, _MOST_SEATS)) + 1):
        try:
            signups = players(rules, many, options)
            position = rules.setup(signups, options, dice("seats", many))
        except Refused as problem:
            if not str(problem).strip():
                yield Wrong("setup.refused", f"{many} players are refused without a word why", "setup")
            continue
        made += 1
        yield from _begins(rules, signups, options, position)
    if not made:
        yield Wrong("setup.usual", "with the options as they are no number of players makes a game", "setup")
    yield from _too_few(rules, options)
    if rules.most_seats:
        yield from _too_many(rules, options)


def fixed_seats_can_be_given(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """Each of the seats that are said to be there is taken with its name alone, under that name, and there is room for all."""
    if rules.fixed_seats is None:
        return
    options = usual_options(rules)
    seats = tuple(rules.fixed_seats(options))
    for place, seat in enumerate(seats):
        verdicts = rules.check_signup(Signup(seat), [Signup(each) for each in seats[:place]], options)
        if any(verdict.status is Status.ERROR for verdict in verdicts):
            yield Wrong("setup.seats", f"{seat} is one of fixed_seats, and is refused", "fixed_seats")
        elif (name := name_given(Signup(seat), verdicts)) != seat:
            yield Wrong("setup.seats", f"{seat} is one of fixed_seats, and becomes {name}", "fixed_seats")
    if not 0 < (room := rules.room(options)) <= len(seats):
        words = f"there is room for {room or 'any number'}, and fixed_seats has {len(seats)}"
        yield Wrong("setup.seats", words, "fixed_seats")


def _too_few(rules: Ruleset[Any], options: Options) -> Iterator[Wrong]:
    """One player fewer than ruleset.toml says makes no game."""
    few = rules.info.min_seats - 1
    try:
        rules.setup(players(rules, few, options), options, dice("seats", few))
    except Refused as problem:
        if not str(problem).strip():
            yield Wrong("setup.refused", f"{few} players are refused without a word why", "setup")
    else:
        words = f"{few} can begin a game, and by min_seats of ruleset.toml it takes {few + 1}"
        yield Wrong("setup.refused", words, "setup")


def _too_many(rules: Ruleset[Any], options: Options) -> Iterator[Wrong]:
    """One player more than most_seats says makes no game, and it says no more than ruleset.toml."""
    room, most = rules.room(options), rules.info.max_seats
    if most and not 0 < room <= most:
        yield Wrong(
            "setup.refused", f"there is room for {room or 'any number'}, and max_seats of ruleset.toml is {most}", "most_seats"
        )
    elif room:
        try:
            rules.setup(players(rules, room + 1, options), options, dice("seats", room + 1))
        except Refused:
            return
        yield Wrong("setup.refused", f"{room + 1} can begin a game, and by most_seats there is room for {room}", "most_seats")


def _begins(rules: Ruleset[Any], signups: Sequence[Signup], options: Options, position: Any) -> Iterator[Wrong]:
    names = [name_given(each, rules.check_signup(each, signups[:place], options)) for place, each in enumerate(signups)]
    if list(rules.seats(position)) != names:
        words = f"{', '.join(names)} have signed up, and the seats are {', '.join(rules.seats(position)) or 'none'}"
        yield Wrong("setup.seats", words, "setup")
    if rules.outcome(position) is not None:
        yield Wrong("setup.usual", "the game is over before it has begun", "outcome")
    elif not rules.awaiting(position):
        yield Wrong("step.awaits", "the game begins, and nobody is awaited", "awaiting")
    if rules.ready is not None and rules.ready(position):
        yield Wrong("miss.ready", "the game begins, and something is due already", "ready")
    if rules.sheets(position):
        yield Wrong("setup.seats", "the game begins, and there are orders on file", "setup")


# --- Options ----------------------------------------------------------------------------------------------------------------


def extremes(rules: Ruleset[Any]) -> Iterator[tuple[str, OptionValue]]:
    """The values at which options are tried, one at a time: all possible values, for a number the ends of its limits."""
    for key, spec in rules.info.options.items():
        yield from ((key, value) for value in values_of(spec) if value != spec.default)


def opening_with(rules: Ruleset[Any], words: str, key: str, value: OptionValue) -> Opening | None:
    """A game with the fewest players and that option; None if that makes none."""
    options = complete(rules.info.options, {key: value})
    opening = Opening((), options, f"{words} with {key} = {value}")
    try:
        opening = replace(opening, signups=players(rules, rules.info.min_seats, options))
        rules.setup(opening.signups, options, dice(opening.dice, "set-up"))
    except Refused:
        return None
    return opening


def options_at_their_limits_make_a_game(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """One that is not over before anybody has written; or they are refused."""
    for key, value in extremes(rules):
        if (opening := opening_with(rules, "limits", key, value)) is not None:
            position = rules.setup(opening.signups, opening.options, dice(opening.dice, "set-up"))
            if rules.outcome(position) is not None:
                words = f"with {key} = {value}, which ruleset.toml allows, the game is over before it has begun"
                yield Wrong("setup.limits", words, "setup")


def options_are_as_chosen(scene: Scene) -> Iterator[Wrong]:
    """In all positions of a step."""
    rules, opening = scene.rules, scene.opening
    for position in (scene.position, *scene.played.positions[-2:]) if opening else ():
        written = rules.dump(position).get("options")
        if opening is None or not isinstance(written, dict):
            continue  # another check covers the document
        options = complete(rules.info.options, written)
        if key := next((key for key, value in opening.options.items() if options[key] != value), ""):
            words = f"a game made with {key} = {opening.options[key]!r} has it as {options[key]!r}"
            yield Wrong("options.kept", words, "setup" if position is scene.position else "resolve")


# --- Hostile names ----------------------------------------------------------------------------------------------------------


def odd_names(rules: Ruleset[Any]) -> Iterator[Sequence[str]]:
    """Names for the fewest players, different ones in each game."""
    many = rules.info.min_seats
    yield from (NAMES[place : place + many] for place in range(0, len(NAMES), many))


def opening_with_names(rules: Ruleset[Any], words: str, names: Sequence[str]) -> Opening | None:
    """A game of people with these names, as far as pbmd and the rules allow them; None if nobody gets one."""
    usual = first_opening(rules, words)
    accepted: list[Signup] = []
    for place, signup in enumerate(usual.signups[: rules.info.min_seats]):
        odd = replace(signup, seat=names[place] if place < len(names) else signup.seat)
        taken = [each.seat for each in accepted]
        verdicts = rules.check_signup(odd, accepted, usual.options)
        refused = name_problem(odd.seat, taken) or _error(verdicts)
        accepted.append(signup if refused else replace(odd, seat=name_given(odd, verdicts)))
    if {each.seat for each in accepted} == {each.seat for each in usual.signups[: len(accepted)]}:
        return None
    return replace(usual, signups=tuple(accepted))
