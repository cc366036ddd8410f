"""A whole ruleset from the few functions in which small games differ.

They have in common: a seat is a name; a letter is a sheet on which one line of each group of choices stands; a wrong line is
left out; who sends nothing does nothing. What is unlike that replaces a function of the ruleset (`dataclasses.replace`), or
the game needs the kit itself.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from lark import Token, Transformer
from pydantic import Field

from pbmd.rules.checking import (
    Checked,
    Fault,
    Right,
    note_missed,
    one_by_one,
    receive_apart,
    receive_sheet,
    still_awaited,
    unknown,
    unmended,
    verdict,
)
from pbmd.rules.codec import Codec, Given, Names, Sheets, WrittenAs, codec
from pbmd.rules.dice import Dice
from pbmd.rules.documents import Positive
from pbmd.rules.grammar import order_reader
from pbmd.rules.info import RulesetInfo
from pbmd.rules.lines import cleaner
from pbmd.rules.names import match_name
from pbmd.rules.options import OptionError, Options, changed, complete
from pbmd.rules.protocol import (
    Event,
    Line,
    Mail,
    Outcome,
    PositionError,
    Reader,
    Receipt,
    Resolution,
    Ruleset,
    Sheet,
    Signup,
    Verdict,
    View,
    seen_by,
)
from pbmd.rules.randomly import one_in, pick
from pbmd.rules.sheets import in_arrival_order, withdrawn
from pbmd.rules.signups import check_by_name, must_be_sound
from pbmd.rules.sound import check_on_file, must_differ

_NOTHING_TO_DO = "you have nothing to order in this step"
_clean = cleaner()


def _pairs(options: Mapping[str, Any]) -> Given:
    return tuple(options.items())


@dataclass(frozen=True, kw_only=True)
class SmallPosition:
    """What the position of every small game has: the names of the seats, in the order of sign-up, the number of the turn, the
    options that are not as in ``ruleset.toml``, the sheets on file, and whose deadline has passed. A game's own position is a
    frozen dataclass that adds its fields; a mapping among them has an entry for each seat, by its name."""

    names: tuple[str, ...]
    turn: Positive = 1
    given: Annotated[Given, WrittenAs(dict[str, Any], _pairs, dict), Field(alias="options")] = ()
    sheets: Sheets = ()
    missed: Names = ()


P = TypeVar("P", bound=SmallPosition)


class Order(NamedTuple):
    """A line as ``orders.lark`` reads it: the name of the rule, and the words that stand in it for terminals with names."""

    kind: str
    words: tuple[str, ...] = ()


class AtOnce(NamedTuple):
    """What a line does in the middle of a step: the position after it, the line as understood, and what is told at once."""

    position: Any
    canonical: str
    events: tuple[Event, ...] = ()


class _Orders(Transformer[Token, Order]):
    """Makes an order of any rule."""

    def __default__(self, data: str, children: Sequence[Token], meta: object) -> Any:
        return Order(str(data), tuple(map(str, children)))


class _Bare(dict[str, Order]):
    """An order of any terminal that stands alone."""

    def __missing__(self, name: str) -> Order:
        return Order(name.lower())


def one_of(written: str, names: Iterable[str], what: str) -> str:
    """The one of the names that a player means by what is `written`; `what` is the kind of thing ("digger"). Raises `Fault`."""
    match = match_name(written, names)
    if match.found is None:
        raise unknown(match, written, what)
    return match.found


def number_of(option: str, info: RulesetInfo, position: SmallPosition) -> int:
    """An option of the game that is a number."""
    return int(complete(info.options, dict(position.given))[option])


def _everybody(position: SmallPosition) -> tuple[str, ...]:
    return position.names


@dataclass(frozen=True, kw_only=True)
class SmallGame(Generic[P]):
    """The functions of a small game; `ruleset` puts them together with what all have in common.

    `position` is the dataclass of the game; ``orders.lark`` stands beside its module. `begin` makes the first position of the
    names of the seats. `acting` are the seats that act in this step, all if it is not there; whose move it is, where moves are
    carried out one by one.
    `choices` are lines that a seat could send now, in groups. A sheet has one line of a group, which is known by the kinds
    of its orders. The order form has the first of each. `understood` gives the line as it is filed, or raises `Fault`.
    `step` carries out the orders, each with its seat, in the order in which their letters came; it need not take sheets away.
    `view` gives the data of a view, of events that its reader may know. `at_once` has the orders, by their kinds, that have
    their effect in the middle of a step, alone in a letter or beside lines of a sheet; each may raise `Fault`. They come first,
    and the sheet is judged in the position to which they have led.
    """

    info: RulesetInfo
    position: type[P]
    begin: Callable[[tuple[str, ...], Options, Dice], P]
    choices: Callable[[P, str], Sequence[Sequence[str]]]
    understood: Callable[[P, str, Order], str]
    step: Callable[[P, Sequence[tuple[str, Order]], Dice], Resolution[P]]
    view: Callable[[P, Sequence[Event], Reader], Mapping[str, Any]]
    outcome: Callable[[P], Outcome | None]
    acting: Callable[[P], tuple[str, ...]] = _everybody
    at_once: Mapping[str, Callable[[P, str, Order], AtOnce]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def ruleset(self) -> Ruleset[P]:
        """All functions of a ruleset. Raises `RulesetError` for a grammar that cannot be read."""
        self.reader("")  # an author is told at once what is wrong with it
        return Ruleset(
            info=self.info,
            check_signup=check_by_name(self.info),
            setup=self._setup,
            load=self._codec.load,
            dump=self._codec.dump,
            turn=lambda position: position.turn,
            seats=_everybody,
            awaiting=self._awaiting,
            sheets=lambda position: position.sheets,
            receive=self._receive,
            withdraw=self._withdraw,
            miss=lambda position, seat: note_missed(position, seat, self._awaiting(position)),
            resolve=self._resolve,
            view=lambda position, events, reader: View(
                reader, position.turn, self.view(position, seen_by(events, reader), reader)
            ),
            order_form=self._order_form,
            outcome=self.outcome,
            random_orders=self._random_orders,
            ready=self._ready if self._one_by_one else None,
        )

    # --- The position ------------------------------------------------------------------------------------------------------

    @property
    def _one_by_one(self) -> bool:
        return self.info.timing == "sequential"

    @cached_property
    def _codec(self) -> Codec[P]:
        return codec(self.position, self.info, self._sound)

    def _sound(self, position: P) -> P:
        try:
            given = changed(self.info.options, complete(self.info.options, dict(position.given)))
        except OptionError as problem:
            raise PositionError("options", str(problem)) from None
        position = replace(position, given=tuple(given.items()))
        must_differ("names", "", position.names)
        for each in fields(position):
            value = getattr(position, each.name)
            if isinstance(value, Mapping) and {*value} != {*position.names}:
                raise PositionError(each.name, "it has not an entry for each seat, and no other")
        return check_on_file(position, self._able(position), self._checked)

    def _setup(self, signups: Sequence[Signup], options: Options, dice: Dice) -> P:
        must_be_sound(self.info, check_by_name(self.info), signups, options)
        position = self.begin(tuple(signup.seat for signup in signups), options, dice)
        return replace(position, given=tuple(changed(self.info.options, options).items()))

    def _able(self, position: P) -> tuple[str, ...]:
        """The seats that can have orders on file: where moves are carried out one by one they can be sent ahead."""
        return position.names if self._one_by_one else self.acting(position)

    def _awaiting(self, position: P) -> tuple[str, ...]:
        if self._one_by_one:
            return () if position.missed else self.acting(position)
        return still_awaited(position, self.acting(position))

    def _due(self, position: P) -> tuple[Sheet, ...]:
        """The sheets that the next step carries out."""
        sheets = in_arrival_order(position.sheets)
        if not self._one_by_one:
            return sheets
        return () if position.missed else tuple(sheet for sheet in sheets if sheet.seat in self.acting(position))[:1]

    def _ready(self, position: P) -> bool:
        return bool(position.missed or self._due(position))

    def _resolve(self, position: P, dice: Dice) -> Resolution[P]:
        due = self._due(position)
        orders = [(sheet.seat, order) for sheet in due for order in map(self.reader, sheet.lines) if order]
        done = self.step(position, orders, dice)
        waiting = tuple(sheet for sheet in position.sheets if sheet not in due)
        return replace(done, position=replace(done.position, sheets=waiting, missed=()))

    # --- Letters -----------------------------------------------------------------------------------------------------------

    @cached_property
    def reader(self) -> Callable[[str], Order | None]:
        """What reads a clean line."""
        package = sys.modules[self.position.__module__].__package__
        return order_reader(package or self.position.__module__, _Orders(), bare=_Bare())

    @cached_property
    def _checked(self) -> Callable[[P, str, Iterable[Line]], Checked]:
        lines = one_by_one(_clean, self._canonical)

        def checked(position: P, seat: str, letter: Iterable[Line]) -> Checked:
            why_not = "" if seat in self._able(position) else _NOTHING_TO_DO
            return lines(position, seat, letter)._replace(why_not=why_not)

        return checked

    def _canonical(self, position: P, seat: str, text: str, before: tuple[str, ...]) -> str:
        if seat not in self._able(position):
            raise Fault(_NOTHING_TO_DO)
        order = self.reader(text)
        done = self._done(position, seat, before)
        try:
            if order is None:
                raise Fault("this is no order")
            if order.kind in self.at_once:
                raise Fault("that has its effect at once, and is not filed")
            if order.kind in done:
                raise Fault("you can do that only once, or one thing in place of another")
            return self.understood(position, seat, order)
        except Fault as fault:
            fault.example = fault.example or self._example(position, seat, order, done)
            raise

    def _done(self, position: P, seat: str, before: Sequence[str]) -> set[str]:
        """The kinds of orders of which none can be added to lines on a sheet: these, and those in their groups."""
        kinds = {found.kind for found in map(self.reader, before) if found}
        groups = [{found.kind for found in map(self.reader, group) if found} for group in self.choices(position, seat) if kinds]
        return kinds.union(*(group for group in groups if group & kinds))

    def _example(self, position: P, seat: str, order: Order | None, done: Iterable[str]) -> str:
        """A line that could stand in its place, of the same kind if there is one."""
        lines = [(found, line) for group in self.choices(position, seat) for line in group if (found := self.reader(line))]
        free = [(found.kind, line) for found, line in lines if found.kind not in done]
        same = [line for kind, line in free if order and kind == order.kind]
        return next(iter([*same, *(line for _, line in free)]), "")

    def _receive(self, position: P, mail: Mail) -> Receipt[P]:
        saying = tuple(line for line in mail.lines if _clean(line.text))
        if any(map(self._is_effect, saying)):
            mail = replace(mail, lines=saying)  # a dash below an effect is no sheet without orders
        return receive_apart(position, mail, self._is_effect, self._at_once, self._filed)

    def _is_effect(self, line: Line) -> bool:
        """Whether it asks for what happens in the middle of the step."""
        order = self.reader(_clean(line.text))
        return order is not None and order.kind in self.at_once

    def _filed(self, position: P, mail: Mail) -> Receipt[P]:
        return receive_sheet(position, mail, self.info.sheets, self._checked(position, mail.seat, mail.lines))

    def _at_once(self, position: P, mail: Mail) -> Receipt[P]:
        """What comes of lines that are effects, one after the other."""
        told: list[Verdict] = []
        events: tuple[Event, ...] = ()
        for line in mail.lines:
            order = self.reader(_clean(line.text))
            assert order is not None
            try:
                position, canonical, happened = self.at_once[order.kind](position, mail.seat, order)
            except Fault as fault:
                told.append(verdict(unmended(line, fault)))
            else:
                told.append(verdict(Right(line, canonical)))
                events += happened
        granted = any(each.canonical for each in told)
        return Receipt(position, tuple(told), filed=False, events=events, granted=granted)

    def _withdraw(self, position: P, seat: str) -> P:
        return replace(position, sheets=withdrawn(self.info.sheets, position.sheets, seat))

    # --- Forms -------------------------------------------------------------------------------------------------------------

    def _groups(self, position: P, seat: str) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
        """The choices for a sheet, and those that have their effect at once."""
        parts: tuple[list[Sequence[str]], list[Sequence[str]]] = ([], [])
        for group in self.choices(position, seat):
            found = self.reader(group[0]) if group else None
            if found:
                parts[found.kind in self.at_once].append(group)
        return parts

    def _order_form(self, position: P, seat: str) -> str:
        groups, effects = self._groups(position, seat)
        head = ["## Each of these once:" if len(groups) > 1 else "## For example:"] if groups else []
        lines = [f"# {group[0]}" for group in groups]
        return "\n".join([*head, *lines, *(f"## At once:\n# {group[0]}" for group in effects)])

    def _random_orders(self, position: P, seat: str, dice: Dice) -> str:
        groups, effects = self._groups(position, seat)
        asked = [pick(dice, pick(dice, effects))] if effects and (not groups or one_in(dice, 3)) else []
        if not groups or (asked and one_in(dice, 2)):
            return "\n".join(asked)
        first = pick(dice, groups)
        lines = [pick(dice, group) for group in groups if group is first or one_in(dice, 2)]
        return "\n".join([*asked, *lines, *([_misspelt(lines[0])] if one_in(dice, 12) else [])])


def _misspelt(line: str) -> str:
    return f"{line[:1]}{line[2:3]}{line[1:2]}{line[3:]}"
