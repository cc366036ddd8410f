"""What all rulesets do in the same way with sign-ups: a name, and perhaps set-up lines such as ``Capital: Annopolis``."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbmd.rules.checking import Fault, with_example
from pbmd.rules.info import RulesetInfo
from pbmd.rules.lines import cleaner
from pbmd.rules.names import fold
from pbmd.rules.options import Options
from pbmd.rules.protocol import Line, Refused, Signup, SignupForm, SignupLine, Status, Verdict
from pbmd.rules.words import counted, listing

NAMES = (
    "Altair",
    "Borealis",
    "Cygnus",
    "Deneb",
    "Elnath",
    "Fomalhaut",
    "Gienah",
    "Hamal",
    "Izar",
    "Kochab",
    "Lesath",
    "Mirach",
)
"""Names for those who have none: in random games, and as suggestions for newcomers."""


class SetupField(NamedTuple):
    """A set-up line that a sign-up can have, or must if it is `required`: what it begins with (or one of `also`), an example of
    what follows, and `read`, which gives the value as understood, or raises `Fault`; `about` tells a newcomer what it is, and
    what else is free."""

    key: str
    example: str
    read: Callable[[str], str]
    also: tuple[str, ...] = ()
    required: bool = False
    about: str = ""

    @property
    def right(self) -> str:
        """A correct line."""
        return f"{self.key}: {self.example}"


def seat_verdict(signup: Signup, problem: str, canonical: str = "") -> Verdict:
    """The verdict on the name of a newcomer; `problem` is what is wrong with it, without a full stop, or ""."""
    if problem:
        return Verdict(0, signup.seat, Status.ERROR, f'"{signup.seat:.60}": {problem}')
    return Verdict(0, signup.seat, Status.OK, canonical=canonical)


def name_given(signup: Signup, verdicts: Iterable[Verdict]) -> str:
    """The name that the seat of a sign-up gets, by the verdicts on it."""
    return next((verdict.canonical for verdict in verdicts if not verdict.line and verdict.canonical), signup.seat)


def name_taken(name: str, accepted: Iterable[Signup], seat_word: str) -> str:
    """What is wrong with a name that somebody else has, "" if nobody has it; the first to arrive keeps a name."""
    taken = any(fold(name) == fold(other.seat) for other in accepted)
    return f"another {seat_word} has this name already" if taken else ""


def no_room(accepted: Sequence[Signup], most: int, seat_word: str) -> str:
    """What is wrong if as many take part as can, "" if there is room; 0 means any number."""
    return f"the game is for {most} {seat_word} and full" if most and len(accepted) >= most else ""


def read_setup(
    lines: Iterable[Line], fields: Sequence[SetupField], *, colon: bool = True
) -> tuple[tuple[Verdict, ...], Mapping[str, str]]:
    """Verdicts on the set-up lines, each ``key: value`` and each key once, and the values as understood, by their keys. Where
    no `colon` is asked for, a blank does as well behind a key of one word."""
    by_name = {fold(name): field for field in fields for name in (field.key, *field.also)}
    values: dict[str, str] = {}
    verdicts: list[Verdict] = []
    for line in lines:
        if not line.text.strip():
            continue
        head, _, text = line.text.partition(":")
        if not colon and fold(head) not in by_name:
            head, _, text = line.text.strip().partition(" ")
        field = by_name.get(fold(head))
        try:
            if field is None:
                raise Fault(_lines_there_are(fields))
            if field.key in values:
                verdicts.append(Verdict(line.number, line.text, Status.ERROR, f"{field.key} is there twice."))
                continue
            values[field.key] = field.read(" ".join(text.split()))
        except Fault as fault:
            example = fault.example or next((each.right for each in (field, *fields) if each), "")
            message = with_example(fault.problem, example, other=True)
            verdicts.append(Verdict(line.number, line.text, Status.ERROR, message, code=fault.code))
        else:
            verdicts.append(Verdict(line.number, line.text, Status.OK, canonical=f"{field.key}: {values[field.key]}"))
    return tuple(verdicts), values


def lines_to_copy(asked: Signup, fields: Iterable[SetupField], *, colon: bool = True) -> tuple[SignupLine, ...]:
    """All set-up lines of a sign-up: as they were written where that was correct, else with an example."""
    fields = tuple(fields)
    _, values = read_setup(asked.lines, fields, colon=colon)
    return tuple(SignupLine(f"{field.key}: {values.get(field.key, field.example)}", field.about) for field in fields)


def as_signup(form: SignupForm) -> Signup:
    """What a newcomer sends who copies the form."""
    return Signup(form.seat, tuple(Line(number, line.text) for number, line in enumerate(form.lines, start=1)))


def with_free_name(form: SignupForm, names: Iterable[str], check: Callable[[Signup], Iterable[Verdict]]) -> SignupForm:
    """The form with the first of the names that is taken with its lines; as it is if none is."""
    for name in names:
        signup = replace(as_signup(form), seat=name)
        if name and all(verdict.line or verdict.status is not Status.ERROR for verdict in check(signup)):
            return replace(form, seat=name)
    return form


def form_by_name(
    info: RulesetInfo,
    check: Callable[[Signup, Sequence[Signup], Options], tuple[Verdict, ...]],
    fields: Sequence[SetupField] = (),
) -> Callable[[Signup, Sequence[Signup], Options], SignupForm]:
    """The `signup_form` of games that want a name, and perhaps set-up lines."""

    def form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
        about = f"The name of your {info.seat_word}, as others will read it."
        numbered = (f"{name} {number}" for number in range(2, len(accepted) // len(NAMES) + 3) for name in NAMES)
        names = (asked.seat, *NAMES, *numbered)
        empty = SignupForm(NAMES[0], about, lines_to_copy(asked, fields))
        return with_free_name(empty, names, lambda signup: check(signup, accepted, options))

    return form


def lines_missing(lines: Iterable[Line], fields: Iterable[SetupField]) -> str:
    """What is wrong with a sign-up that has not all lines that are required, right or wrong; "" if it has."""
    said = {fold(line.text.partition(":")[0]) for line in lines}
    missing = [field.right for field in fields if field.required and not said & set(map(fold, (field.key, *field.also)))]
    return f"a sign-up needs {counted(len(missing), 'more line')}, like {'; '.join(missing)}" if missing else ""


def _lines_there_are(fields: Sequence[SetupField]) -> str:
    if not fields:
        return "a sign-up has no lines in this game"
    each = " each" if len(fields) > 1 else ""
    return f"a sign-up can have one line{each} for {listing(field.key for field in fields)}"


def check_by_name(
    info: RulesetInfo, fields: Sequence[SetupField] = ()
) -> Callable[[Signup, Sequence[Signup], Options], tuple[Verdict, ...]]:
    """The `check_signup` of games that want a name, and perhaps set-up lines: a name that is free, as long as there is room,
    and that is read in an order line as it is written. It is kept with plain quotes, hyphens and blanks, as order lines are."""

    def check(signup: Signup, accepted: Sequence[Signup], _options: Options) -> tuple[Verdict, ...]:
        name = _plain(signup.seat)
        problem = (
            no_room(accepted, info.max_seats, f"{info.seat_word}s")
            or name_taken(name, accepted, info.seat_word)
            or _name_problem(name)
            or lines_missing(signup.lines, fields)
        )
        return (seat_verdict(signup, problem, name), *read_setup(signup.lines, fields)[0])

    return check


_plain = cleaner(bullet="", ends="", ignored="")
_as_order = cleaner()


def _name_problem(name: str) -> str:
    """Whether it could be taken for another, or for everybody, pbmd itself checks."""
    if not name.isprintable():
        return "the name has a character that cannot be shown"
    if not name or not name[0].isalnum() or not (name[-1].isalnum() or unicodedata.category(name[-1])[0] == "M"):
        return "a name begins and ends with a letter or a digit"
    read = _as_order(name)
    return "" if read == name else f'in an order it would be read as "{read}"'


def must_be_sound(
    info: RulesetInfo,
    check: Callable[[Signup, Sequence[Signup], Options], tuple[Verdict, ...]],
    signups: Sequence[Signup],
    options: Options,
) -> None:
    """There are enough sign-ups, and each is checked once more, with those before it. Raises `Refused` with the first thing
    that is wrong."""
    if len(signups) < info.min_seats:
        raise Refused(f"{info.title} needs at least {info.min_seats} players, not {len(signups)}")
    for place, signup in enumerate(signups):
        for verdict in check(signup, signups[:place], options):
            if verdict.status is Status.ERROR:
                raise Refused(f"{signup.seat}: {verdict.message}")
