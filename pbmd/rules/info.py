"""What a ruleset says about itself: its ``ruleset.toml``, read once when the ruleset is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pbmd.rules.declared import read_declared
from pbmd.rules.options import OptionSpec
from pbmd.rules.scenes import scenes

Timing = Literal["simultaneous", "sequential", "phased"]
Letters = Literal["replace", "amend"]


@dataclass(frozen=True, slots=True)
class SheetPolicy:
    """Common behaviour of order sheets, chosen in ``ruleset.toml``.

    `later` tells what a second letter of a seat in the same step does: it replaces the sheet, or the first is final.
    `errors` tells what a refused line does: only the line is dropped, or the whole mail is refused.
    """

    later: Literal["replace", "final"] = "replace"
    errors: Literal["drop_line", "refuse_mail"] = "drop_line"


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """Which options of the ruleset set the clock of a game, by their keys. All are numbers.

    `turn_hours` is how long a turn lasts (a move, in sequential games), where the game's options say so. `extension_hours` is
    how much more time a seat gets at once, for itself alone, if it got none in the `extension_gap` turns before; without them
    extensions are as in games without a clock of their own.
    """

    turn_hours: str
    extension_hours: str = ""
    extension_gap: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """How a player does nothing: `order` is the line that does it, "" where an empty sheet does; `words` are what players of
    this game say for it, besides the common words that all games understand (`pbmd.rules.nothing`). `missed` is what the rules
    do where no orders come in time, as the end of a sentence that begins with *If you send nothing,*: by the kinds of phases,
    of which "" stands for all others. It must be true whatever the options are."""

    order: str = ""
    words: tuple[str, ...] = ()
    missed: Mapping[str, str] = field(default_factory=dict[str, str])

    def missed_in(self, phase: str) -> str:
        """What the rules do where no orders come in time in a phase of that kind; empty if they do not say."""
        return self.missed.get(phase) or self.missed.get("", "")


class Secret(NamedTuple):
    """A secret of the position. `at` is its path in documents (``villagers[].role``); it is known to the seat whose entry it is
    in, and to those `known_to` leads to: a path to names of seats (``wolves``), or to a value that their own entry has
    (``villagers[].role = wolf``). `unless` leads to seats in the same way, or with ``not`` to all others: what is in the entry
    of one of these is no secret any more (``villagers[].alive = false``, ``not alive``)."""

    at: str
    known_to: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """The head of ``ruleset.toml``. `prefix` begins the rule ids; `seat_word` is what players call a seat ("faction").

    `max_seats` 0 means no upper limit. `tables` are the numbers of the game (prices, names), for the ruleset itself.
    `folder` holds the ruleset's files (``RULES.md``, perhaps ``templates/``). With `bold`, order lines of HTML mail have
    ``[b]…[/b]`` around what is bold in them; without, bold text is text like any other. With `map`, its views have a map.
    With `secret_arrival`, nobody learns whether and when others have sent orders, whatever the game's terms say.
    `letters` tells what becomes of the orders on file when another letter of the seat comes: it takes their place, or each
    order in it takes that of the one for the same (`Ruleset.order_keys`), and others stand.
    `clock` is None in games whose clock is wholly the game master's, and whose extensions are for everybody. `nothing` is how
    nothing is done. `phases` are the kinds of phases (`Ruleset.phase`), first that of a game's first step: the terms of a game
    can be others for each. `secret` is what nobody else may know of a position, `conserved` are sums of numbers in it that stay
    the same, as paths joined by ``+``: `pbmd try` tries both. `votes` are the orders that are votes on
    what players can vote on in any game (``draw``): what they propose there is such an order. `silenced` are promises whose
    findings `pbmd try` counts no more, each with the author's reason. `protocol` is the version of
    the ruleset protocol for which it is written.
    """

    slug: str
    title: str
    prefix: str
    summary: str
    source: str
    seat_word: str
    min_seats: int
    max_seats: int
    timing: Timing
    sheets: SheetPolicy
    options: Mapping[str, OptionSpec]
    tables: Mapping[str, Any]
    folder: Traversable
    bold: bool = False
    map: bool = False
    secret_arrival: bool = False
    letters: Letters = "replace"
    clock: ClockOptions | None = None
    nothing: Nothing = Nothing()
    phases: tuple[str, ...] = ()
    secret: tuple[Secret, ...] = ()
    conserved: tuple[str, ...] = ()
    votes: Mapping[str, str] = field(default_factory=dict[str, str])
    silenced: Mapping[str, str] = field(default_factory=dict[str, str])
    protocol: int = 1

    @property
    def own_extensions(self) -> ClockOptions | None:
        """The clock, if its rules say what extensions a seat gets for itself; None where they are for everybody."""
        return self.clock if self.clock and self.clock.extension_hours and self.clock.extension_gap else None

    @property
    def handbook(self) -> str:
        """The players' handbook, ``RULES.md``, as it is now: its author may be writing it."""
        file = self.folder / "RULES.md"
        if not isinstance(file, Path):
            return file.read_text(encoding="utf-8")
        now = file.stat()
        return _text_of(file, now.st_mtime_ns, now.st_size)

    @property
    def handbook_with_scenes(self) -> str:
        """The handbook as it is read, with a chapter for each of the ruleset's stories."""
        return self.handbook + scenes(self.folder)


@lru_cache(maxsize=16)
def _text_of(file: Path, _changed: int, _size: int) -> str:
    """The text of a file, read once as long as it stays the same: letters are compared with its words."""
    return file.read_text(encoding="utf-8")


def read_info(folder: Traversable) -> RulesetInfo:
    """Read ``ruleset.toml`` in `folder`. Raises `RulesetError` with file and line when something in it is missing or wrong, or
    unknown, or when it asks for a newer version of the ruleset protocol."""
    content = read_declared(folder)
    return RulesetInfo(
        slug=content["slug"],
        title=content["title"],
        prefix=content["prefix"],
        summary=content["summary"],
        source=content["source"],
        seat_word=content["seat_word"],
        min_seats=content["min_seats"],
        max_seats=content["max_seats"],
        timing=content["timing"],
        sheets=SheetPolicy(**content.get("sheets", {})),
        options=MappingProxyType({key: _option(key, entry) for key, entry in content.get("options", {}).items()}),
        tables=MappingProxyType(content.get("tables", {})),
        folder=folder,
        bold=content.get("bold", False),
        map=content.get("map", False),
        secret_arrival=content.get("secret_arrival", False),
        letters=content.get("letters", "replace"),
        clock=ClockOptions(**content["clock"]) if "clock" in content else None,
        nothing=_nothing(content.get("nothing", {})),
        phases=tuple(content.get("phases", ())),
        secret=tuple(_secret(entry) for entry in content.get("secret", ())),
        conserved=tuple(content.get("conserved", ())),
        silenced=MappingProxyType(content.get("silenced", {})),
        votes=MappingProxyType(content.get("votes", {})),
        protocol=content.get("protocol", 1),
    )


def _secret(entry: str | Mapping[str, str]) -> Secret:
    return Secret(entry) if isinstance(entry, str) else Secret(entry["at"], entry.get("known_to", ""), entry.get("unless", ""))


def _nothing(entry: Mapping[str, Any]) -> Nothing:
    missed = entry.get("missed", {})
    by_phase = {"": missed} if isinstance(missed, str) else missed
    return Nothing(entry.get("order", ""), tuple(entry.get("words", ())), MappingProxyType(by_phase))


def _option(key: str, entry: Mapping[str, Any]) -> OptionSpec:
    return OptionSpec(
        key=key,
        default=entry["default"],
        help=entry["help"],
        choices=tuple(entry.get("choices", ())),
        minimum=entry.get("minimum"),
        maximum=entry.get("maximum"),
        midgame=entry.get("midgame", False),
        file_limit=entry.get("file_limit", 0),
    )
