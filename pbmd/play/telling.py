"""Telling a story: a game at a local desk in which its letters are written, its dice fall, and its words are looked for."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pbmd.play.game import Delivered, Plan, PlayedGame, begin
from pbmd.play.local_desk import LocalDesk, text_of
from pbmd.play.story import Act, Answer, Letter, Report, Rolls, SignUp, StepEnd, Story, StoryError, Words, read_story, stands_in
from pbmd.rules import (
    Dice,
    DiceError,
    Document,
    Line,
    Options,
    PositionError,
    Refused,
    Resolution,
    Ruleset,
    ScriptedDice,
    Signup,
    Verdict,
)
from pbmd.rules.options import OptionError, OptionValue, complete, from_text
from pbmd.rules.toml import parse_toml
from pbmd.rules.troubles import BrokenGame, in_a_line
from pbmd.simulate import signups


class Mismatch(NamedTuple):
    """What is not as the story tells it, and in which of its lines."""

    line: int
    problem: str


class Script:
    """The dice of a story: given rolls for what comes next, or else those of the desk.

    The desk may make a step twice, if maps are to be drawn in between. So what is rolled hangs on the position alone.
    """

    def __init__(self) -> None:
        self.rolls: tuple[int, ...] = ()
        self._begins: dict[str, int] = {}
        self.used = 0

    def set(self, rolls: Sequence[int]) -> None:
        """Give the rolls for what comes next."""
        self.rolls, self.used, self._begins = tuple(rolls), 0, {}

    def dice(self, dice: Dice, for_what: object) -> Dice:
        """The dice for a position, or for the set-up."""
        if not self.rolls:
            return dice
        key = json.dumps(for_what, sort_keys=True, default=str)
        begins = self._begins.setdefault(key, self.used)
        return _Counted(self.rolls[begins:], self, begins)

    def unused(self) -> tuple[int, ...]:
        """The rolls that nothing has asked for."""
        return self.rolls[self.used :]


class _Counted(ScriptedDice):
    """Given rolls; the script is told how many were drawn."""

    def __init__(self, rolls: Sequence[int], script: Script, begins: int) -> None:
        super().__init__(rolls)
        self._of, self._begins = script, begins

    def roll(self, sides: int) -> int:
        """See `Dice`."""
        value = super().roll(sides)
        self._of.used = max(self._of.used, self._begins + len(self.drawn))
        return value


def scripted(rules: Ruleset[Any], script: Script, begins_with: Document | None = None) -> Ruleset[Any]:
    """The rules with dice from a script, and perhaps with a beginning in mid-game, which has what was signed up with in it."""

    def setup(signed: Sequence[Signup], options: Options, dice: Dice) -> Any:
        if begins_with is not None:
            return rules.load(begins_with)
        return rules.setup(signed, options, script.dice(dice, "set-up"))

    def resolve(position: Any, dice: Dice) -> Resolution[Any]:
        return rules.resolve(position, script.dice(dice, rules.dump(position)))

    acting = replace(rules, setup=setup, resolve=resolve)
    # Who sits in a position that is given needs no sign-up for it.
    return acting if begins_with is None else replace(acting, check_signup=_always_right, names=_nameless)


def _always_right(_signup: Signup, _accepted: Sequence[Signup], _options: Options) -> tuple[Verdict, ...]:
    return ()


def _nameless(_signup: Signup) -> Mapping[str, str]:
    return {}


def tell(file: Path, rules: Ruleset[Any]) -> list[Mismatch]:
    """Where a story is not what happens; nothing if it is told as it happens. Raises `OSError`."""
    try:
        story = read_story(file.read_text(encoding="utf-8"))
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbmd-story-")))
            return [*_told(stack, folder, story, file, rules)]
    except StoryError as problem:
        return [Mismatch(problem.line, str(problem).partition(": ")[2])]
    except UnicodeDecodeError:
        return [Mismatch(1, "this is not UTF-8 text")]


def _told(stack: ExitStack, folder: Path, story: Story, file: Path, rules: Ruleset[Any]) -> Iterator[Mismatch]:
    script = Script()
    position = _position(file.parent / story.position) if story.position else None
    acting = scripted(rules, script, position)
    desk = LocalDesk(folder, {rules.info.slug: acting}, seed=1)
    stack.callback(desk.close)
    of_setup = _of_setup(story)
    if of_setup:
        script.set(of_setup.rolls)
    game = _begun(desk, story, acting, position)
    told = _Telling(game, script)
    if of_setup:
        yield from told.check_dice(of_setup)
    for act in story.acts:
        if act is not of_setup:
            yield from told.play(act)


def _of_setup(story: Story) -> Rolls | None:
    """The dice that stand first are for the set-up. A position needs none, so there they are for the first step."""
    first = next((act for act in story.acts if not isinstance(act, SignUp)), None)
    return first if isinstance(first, Rolls) and not story.position else None


def _position(file: Path) -> Document:
    try:
        return parse_toml(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise StoryError(1, f"its position: {problem}") from problem


def _begun(desk: LocalDesk, story: Story, rules: Ruleset[Any], position: Document | None) -> PlayedGame:
    slug = rules.info.slug
    try:
        options = _options(story, rules)
        signed = _signed(story, rules, options, position)
        names = tuple(signup.seat for signup in signed)
        return begin(desk, Plan(slug, slug, rules, options, signed, names, 1))
    except (Refused, OptionError, DiceError, PositionError, BrokenGame) as problem:
        cause = problem.__cause__ if isinstance(problem, BrokenGame) and problem.__cause__ else problem
        raise StoryError(1, f"the game cannot begin: {_said_by(cause)}") from problem


def _said_by(problem: BaseException) -> str:
    """What is wrong, in the words of who noticed; of an exception that nobody has raised on purpose its kind, too."""
    return str(problem) if isinstance(problem, Refused | OptionError | DiceError) else in_a_line(problem)


def _options(story: Story, rules: Ruleset[Any]) -> Mapping[str, OptionValue]:
    values: dict[str, OptionValue] = {}
    for text in story.options:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or key not in rules.info.options:
            raise OptionError(f'"{text}" is no option; there are {", ".join(rules.info.options)}')
        values[key] = from_text(rules.info.options[key], value)
    return values


def _signed(
    story: Story, rules: Ruleset[Any], options: Mapping[str, OptionValue], position: Document | None
) -> tuple[Signup, ...]:
    with_lines = {act.seat: act.lines for act in story.acts if isinstance(act, SignUp)}
    names = story.names or (rules.seats(rules.load(position)) if position is not None else ())
    if not names:
        return signups(rules, rules.info.min_seats, complete(rules.info.options, options))
    return tuple(
        Signup(name, tuple(Line(number, text) for number, text in enumerate(with_lines.get(name, ()), start=1)))
        for name in names
    )


class _Telling:
    """A game that goes as its story says, and which mails each seat has got."""

    def __init__(self, game: PlayedGame, script: Script) -> None:
        self.game, self.script = game, script
        self.answers: dict[str, str] = {}
        self.reports = _texts(game.begun())
        self._read: set[str] = set()
        self._given: Rolls | None = None

    def play(self, act: Act) -> Iterator[Mismatch]:
        """Do what happens next, or look for what is to be read."""
        try:
            yield from self._play(act)
        except (DiceError, BrokenGame) as problem:
            raise StoryError(act.line, _said_by(problem)) from problem

    def check_dice(self, rolls: Rolls) -> Iterator[Mismatch]:
        """Whether all of the rolls were asked for."""
        if unused := self.script.unused():
            yield Mismatch(rolls.line, f"these dice were not rolled: {' '.join(map(str, unused))}")
        self.script.set(())

    def _play(self, act: Act) -> Iterator[Mismatch]:
        match act:
            case SignUp():
                return
            case Rolls():
                self.script.set(act.rolls)
                self._given = act
            case Letter():
                self._must_be_seat(act.seat, act.line)
                self._put_away()
                self._note(self.game.write(act.seat, "\n".join(act.lines)), answers=act.seat)
                yield from self._after_dice(act)
            case StepEnd():
                self._put_away()
                self._note(self.game.end_step())
                yield from self._after_dice(act)
            case Answer():
                yield from self._look(act.seat, act.words, self.answers.get(act.seat, ""), "the answer")
            case Report():
                self._must_be_seat(act.seat, act.line)
                self._read.add(act.seat)
                yield from self._look(act.seat, act.words, self.reports.get(act.seat, ""), "the mail")

    def _after_dice(self, act: Letter | StepEnd) -> Iterator[Mismatch]:
        """Rolls are for the step that ends next; a letter that ends none leaves them."""
        if self.game.desk.troubles:
            raise StoryError(act.line, f"the game stops: {in_a_line(self.game.desk.troubles[-1])}")
        if self._given and (isinstance(act, StepEnd) or self.script.used):
            yield from self.check_dice(self._given)
            self._given = None

    def _put_away(self) -> None:
        """Mails that were read before are not looked at again."""
        for seat in self._read:
            self.reports.pop(seat, None)
        self._read.clear()

    def _note(self, mails: Sequence[Delivered], answers: str = "") -> None:
        if answers:
            self.answers[answers] = ""
        for seat, text in _texts(mails).items():
            self.reports[seat] = f"{self.reports.get(seat, '')}\n{text}"
            if seat == answers:
                self.answers[seat] = text

    def _must_be_seat(self, seat: str, line: int) -> None:
        if seat not in self.game.seats:
            raise StoryError(line, f'there is no seat "{seat}"; there are {", ".join(self.game.seats)}')

    def _look(self, seat: str, expected: Sequence[Words], text: str, what: str) -> Iterator[Mismatch]:
        for words in expected:
            found = stands_in(words.text, text)
            if found and words.absent:
                yield Mismatch(words.line, f'"{words.text}" stands in {what} to {seat}, and should not')
            if not found and not words.absent:
                yield Mismatch(
                    words.line, f'"{words.text}" does not stand in {what} to {seat}:\n{text.strip() or "there is none"}'
                )


def _texts(mails: Sequence[Delivered]) -> dict[str, str]:
    """The texts for each seat, with their subjects."""
    found: dict[str, str] = {}
    for seat, mail, _ in mails:
        found[seat] = "\n".join(part for part in (found.get(seat, ""), str(mail["Subject"]), text_of(mail)) if part)
    return found
