"""The terms of a game: its clock, its secrecy about who has sent, and how senders are trusted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from pbmd.terms.days import parse_days
from pbmd.terms.times import SHARE, check_rule, parse_duration, weekday, zone

BY_RULES = "rules"
"""Each step has the deadline that the rules recommend for it."""
BY_PACE = "pace"
"""The pause after the last orders depends on the time between deadlines; once a game is created, it has a fixed length
instead."""
UNSAID = "72h"
"""The deadline of each step where neither the game master nor the rules say anything."""
Seating = Literal["asked", "preference", "lot"]
"""How seats are given."""
ASKED: Seating = "asked"
BY_PREFERENCE: Seating = "preference"
VOTES = ("pause", "extension", "replace", "draw", "cancel")
"""What players can vote on."""
QUIET = ("quiet_days", "holidays", "quiet_zone")
"""The terms of days on which no deadline falls: an entry of the journal that changes any of them has all."""


ASLEEP_BY_DEFAULT = "default"
"""A seat that sleeps is played by what the rules do for orders that are missing, and by nothing else."""
OF_GM = ("digest",)
"""Terms that concern only the game master: no journal and no archive has them."""


def _checked_rule(rule: str) -> str:
    return BY_RULES if rule.strip().lower() == BY_RULES else check_rule(rule)


def _checked_duration(text: str) -> str:
    parse_duration(text)
    return text


def _checked_pause(text: str) -> str:
    return BY_PACE if text.strip().lower() == BY_PACE else _checked_duration(text)


def _without_sign(value: object) -> object:
    return value.strip().removesuffix("%").rstrip() if isinstance(value, str) else value


def _checked_days(text: str) -> str:
    parse_days(text)
    return text


def _checked_zone(name: str) -> str:
    return zone(name).key if name else ""


def _all_or_some(value: object) -> object:
    """The votes that `all` or `none` stands for, by itself or as the only one of a list."""
    words = (value,) if isinstance(value, str) else value
    if isinstance(words, list | tuple):
        said = [str(word).strip().lower() for word in cast("Sequence[object]", words)]
        return VOTES if said == ["all"] else () if said in (["none"], [""]) else tuple(dict.fromkeys(said))
    return value


def _as_share(value: object) -> object:
    return 100 if isinstance(value, str) and value.strip().lower() == "all" else _without_sign(value)


_MOST_WEEKDAYS = 6
MOST_SUBSTITUTE_DAYS = 31
ARCHIVE_KILOBYTES = 5000
"""Most mail servers take mails of ten megabytes, and what is attached grows by a third."""
MOST_HOLIDAYS = 100
"""A game may have this many holidays; each may last several days."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a help text calls a value of a certain form."""

    word: str


Weekday = Annotated[str, AfterValidator(weekday), Written("DAY")]
Holiday = Annotated[str, AfterValidator(_checked_days), Written("DATE")]
Zone = Annotated[str, AfterValidator(_checked_zone), Written("ZONE")]
Duration = Annotated[str, AfterValidator(_checked_duration), Written("LENGTH")]
Pause = Annotated[str, AfterValidator(_checked_pause), Written("LENGTH")]
Percent = Annotated[int, BeforeValidator(_without_sign), Field(ge=0, le=100), Written("PERCENT")]
Share = Annotated[int, BeforeValidator(_as_share), Field(ge=1, le=100), Written("PERCENT")]
VoteKind = Annotated[Literal["pause", "extension", "replace", "draw", "cancel"], Written("KIND")]
DeadlineRule = Annotated[str, AfterValidator(_checked_rule), Written("RULE")]


def _is_unsaid(value: object) -> bool:
    return value is None


def _is(usual: object) -> Callable[[object], bool]:
    """A test for the default of a term that older journals do not have."""
    return lambda value: value == usual


class PhaseTerms(BaseModel):
    """What the terms say otherwise for phases of one kind; None: as for all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    deadline: DeadlineRule | None = Field(None, exclude_if=_is_unsaid)
    early: bool | None = Field(None, exclude_if=_is_unsaid)
    second_thought: Pause | None = Field(None, exclude_if=_is_unsaid)
    reminders: tuple[Duration, ...] | None = Field(None, exclude_if=_is_unsaid)

    @property
    def said(self) -> Mapping[str, Any]:
        """The terms that differ."""
        return {term: value for term in PHASE_TERMS if (value := getattr(self, term)) is not None}


PHASE_TERMS = tuple(PhaseTerms.model_fields)
"""The terms that can be given for phases of one kind."""


class Terms(BaseModel):
    """What a GM decides for a game; the defaults are the settings' `[game]` table."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: int = Field(0, ge=0, description="start when so many seats are taken by mail; 0: when the GM says so")
    seating: Seating = Field(
        ASKED,
        exclude_if=lambda seating: seating == ASKED,
        description="who gets which seat, where the rules say which there are; asked: who asks for it first; preference: when "
        "the game begins, by the lists that players have sent; lot: then, by lot",
    )
    deadline: DeadlineRule = Field(
        UNSAID, description="72h after the last report, or e.g. every Friday 20:00 Europe/Berlin; rules: as they recommend"
    )
    promised_share: Percent = Field(
        SHARE, description="percent of the time between two deadlines of a calendar rule that a report leaves at least"
    )
    grace: Duration = Field("0h", description="how long after the deadline orders still count")
    early: bool = Field(True, description="resolve as soon as nobody is awaited any more")
    minimum_time: Duration = Field("0h", description="earliest resolution after the turn began, even if all have sent")
    second_thought: Pause = Field(
        BY_PACE,
        description="pause after the last orders before an early resolution; pace: a 24th of the time between deadlines, 6h at "
        "most",
    )
    reminders: tuple[Duration, ...] = Field(("24h",), description="how long before the deadline to remind who has not sent")
    who_has_sent: Literal["count", "names", "nothing"] = Field("count", description="what players learn of who has sent")
    trust: Literal["token", "open", "strict"] = Field(
        "token",
        description="what proves a sender; open: the sender's address alone is enough; strict: the mail server must vouch for "
        "it, too",
    )
    outage_window: Duration = Field(
        "6h", description="time of so long before a deadline in which the mailbox could not be read is given back; 0h: never"
    )
    quiet_days: tuple[Weekday, ...] = Field(
        (), description="weekdays on which no deadline falls; it moves to the next other day, at the same hour"
    )
    holidays: tuple[Holiday, ...] = Field(
        (), max_length=MOST_HOLIDAYS, description="dates on which no deadline falls: 2026-12-25, or 2026-12-24 to 2027-01-02"
    )
    quiet_zone: Zone = Field(
        "", description="where these days begin and end; if none is given, as the deadline rule says, or else the GM's"
    )
    extension_budget: Duration = Field("24h", description="extensions a seat may take without asking the GM, in all")
    absences: Literal["none", "gm", "tell", "extend"] = Field(
        "tell", description="who is told of ABSENT: nobody (it is refused), the GM, all; extend: all, and deadlines move"
    )
    absence_days: int = Field(14, ge=0, description="by so many days in all the absences of a seat may move deadlines")
    substitute_days: int = Field(
        MOST_SUBSTITUTE_DAYS,
        ge=0,
        le=92,
        exclude_if=lambda days: days == MOST_SUBSTITUTE_DAYS,
        description="for so many days at a time a player may have a substitute (SUBSTITUTE); 0: never",
    )
    missed_in_a_row: int = Field(
        0,
        ge=0,
        exclude_if=lambda steps: not steps,
        description="whoever misses so many turns in a row is asleep: nobody waits for them; 0: never",
    )
    missed_in_all: int = Field(
        0, ge=0, exclude_if=lambda steps: not steps, description="the same of so many turns in all; 0: never"
    )
    sleeper: Literal["default", "offer", "disorder"] = Field(
        ASLEEP_BY_DEFAULT,
        exclude_if=lambda word: word == ASLEEP_BY_DEFAULT,
        description="what becomes of the seat meanwhile: the rules' default acts for it; offer: those who stand by are asked "
        "to take it over, too; disorder: it is in civil disorder, where the rules have that",
    )
    press: bool = Field(True, description="players may write to each other through the game")
    spectators: bool = Field(
        False,
        exclude_if=_is(False),
        description="those who watch the game may write to each other; players read that only if the rules say so",
    )
    anonymous_press: bool = Field(False, description="players may write without the name of their seat")
    holders: Literal["named", "hidden"] = Field(
        "named",
        exclude_if=lambda holders: holders == "named",
        description="who learns which seat is whose; named: whoever the rules tell; hidden, for an anonymous game (gunboat): "
        "nobody but the GM before it is over, and then everybody, by the last report",
    )
    press_delivery: Literal["now", "report"] = Field("now", description="press goes out at once or with the next report")
    press_archive: Literal["all", "public", "none"] = Field(
        "all", description="which press an archive has, unless it is anonymous; public: what went to all"
    )
    votes: tuple[VoteKind, ...] = Field(
        (),
        exclude_if=_is(()),
        description="what players may vote on among themselves: pause, extension, replace, draw, cancel; all or none of them",
    )
    vote_ballots: Literal["secret", "open"] = Field(
        "secret", exclude_if=_is("secret"), description="whether players learn who has proposed a vote, and who votes how"
    )
    vote_quorum: Share = Field(
        100, exclude_if=_is(100), description="percent of the players who may vote that must say yes; all: every one of them"
    )
    vote_time: Duration = Field(
        "72h", exclude_if=_is("72h"), description="how long a vote is open, if it is not decided before"
    )
    failed_votes: Literal["told", "untold"] = Field(
        "told", exclude_if=_is("told"), description="whether players get a mail when a vote has failed"
    )
    digest: Literal["turns", "daily", "off"] = Field(
        "turns",
        description="a mail to the GM with what happened and what waits: after each turn, and daily if there is news; or only "
        "daily; or never",
    )
    min_met: Percent = Field(
        0, description="percent of the turns so far at this host that an address must have met to join by mail; 0: any"
    )
    min_met_after: int = Field(10, ge=1, description="addresses with fewer turns than that so far are newcomers, who may join")
    listed: bool = Field(
        False, description="the game is in LIST while it runs, anybody may WATCH it, and it has a STANDBY list of its own"
    )
    archive_kilobytes: int = Field(
        ARCHIVE_KILOBYTES,
        ge=0,
        le=20_000,
        exclude_if=_is(ARCHIVE_KILOBYTES),
        description="how large a mail with the archive of a game that is over may be (ARCHIVE); a larger one comes in parts; "
        "0: none is mailed, nor on the pages of seats",
    )
    phases: Mapping[str, PhaseTerms] = Field(
        {},
        exclude_if=lambda phases: not phases,
        description="what deadline, early, second_thought and reminders are for phases of one kind, where the rules have kinds",
    )

    @field_validator("votes", mode="before")
    @classmethod
    def _as_kinds(cls, written: object) -> object:
        return _all_or_some(written)

    @field_validator("quiet_days")
    @classmethod
    def _leave_a_day(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(names)) > _MOST_WEEKDAYS:
            raise ValueError("a week needs a day on which a deadline may fall")
        return tuple(dict.fromkeys(names))

    @property
    def hides_holders(self) -> bool:
        """Whether nobody may learn who plays which seat before the game is over."""
        return self.holders == "hidden"

    def clock_of(self, timezone: str) -> str:
        """The zone by which a player's days begin and end, who lives in that one: that of the game where others could tell
        from them who the player is."""
        return (self.quiet_zone or "UTC") if self.hides_holders else timezone

    @field_validator("missed_in_all")
    @classmethod
    def _be_more_than_in_a_row(cls, steps: int, info: ValidationInfo) -> int:
        in_a_row = info.data.get("missed_in_a_row", 0)
        if steps and steps <= in_a_row:
            raise ValueError(f"{in_a_row} in a row are as many in all, so it must be more than missed_in_a_row, or 0")
        return steps

    @field_validator("sleeper")
    @classmethod
    def _have_sleepers(cls, word: str, info: ValidationInfo) -> str:
        if word != ASLEEP_BY_DEFAULT and not (info.data.get("missed_in_a_row") or info.data.get("missed_in_all")):
            raise ValueError(f'"{word}" is for seats that have missed too many turns: say how many, like missed_in_a_row 3')
        return word

    def of_phase(self, kind: str) -> "Terms":
        """The terms as they are in phases of that kind."""
        other = self.phases.get(kind)
        return self.model_copy(update=dict(other.said)) if other else self

    @property
    def have_sleepers(self) -> bool:
        """Whether a seat that misses too much falls asleep."""
        return bool(self.missed_in_a_row or self.missed_in_all)

    @property
    def vote_length(self) -> timedelta:
        """How long a vote is open."""
        return parse_duration(self.vote_time)

    @property
    def grace_time(self) -> timedelta:
        """How long orders still count after the deadline."""
        return parse_duration(self.grace)

    @property
    def second_thought_time(self) -> timedelta:
        """How long a turn stays open after the last orders; zero until a game has made a fixed length of it."""
        return timedelta(0) if self.second_thought == BY_PACE else parse_duration(self.second_thought)

    @property
    def reminder_times(self) -> tuple[timedelta, ...]:
        """How long before the deadline reminders go out, longest first."""
        return tuple(sorted((parse_duration(text) for text in self.reminders), reverse=True))
