"""What words around orders do to them, in the language of the orders: make them depend on something, take them back, or put
them off."""

import re
from typing import NamedTuple

from pbmd.rules.unsure import UNSURE as UNSURE_WORDS

from ..world.state import Phase
from .reading import Heading, Section

CONDITION = re.compile(
    r"\b(?:if|unless|when(?:ever)?|otherwise|else|until|instead|in case|provided|providing|assuming|supposing|depending|"
    r"(?:as|so) long as|alternatively)\b|^\W*should\b",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:ignore[ds]?|disregard|undo|cancel(?:l?ed|s)?|scrap(?:ped)?|forget|correction|corrected|rather|retract(?:ed)?|revoked?|"
    r"delete[ds]?|replaced?|(?:strike|scratch) (?:it|that|this|the|them|those)|swap|changed?|take (?:it|that|this|them|back)|"
    r"never ?mind|(?:i|we) (?:mean|meant)|not (?:this|that|these|those)|second thoughts?)\b"
    r"|^(?:\w+ )?make (?:it|that|this)\b|^(?:no\W+)?(?:no|nope|wait|stop|hold on)(?:$|\s*[:,.!-]+\s*(?=\w))",
    re.IGNORECASE,
)
"""What people write who take back, or change, what they have written."""
SLIP = re.compile(r"\b(?:oops|nope|typo|mistaken?|wrong)\b", re.IGNORECASE)
"""The same behind an order; before all orders they speak of other things."""
UNSURE = re.compile(
    rf"\W*(?:{UNSURE_WORDS})\W*",
    re.IGNORECASE,
)
"""What is said alone behind an order that is not surely meant."""
APOLOGY = re.compile(r"\b(?:sorry|apolog(?:y|ies|i[sz]e)|pardon|excuse)\b", re.IGNORECASE)
"""The same between two orders; elsewhere people are sorry for other things."""

_SEASONS = {"spring": "spring", "summer": "summer", "fall": "autumn", "autumn": "autumn", "winter": "winter"}
_SEASON = re.compile(rf"\b(?:{'|'.join(_SEASONS)})\b", re.IGNORECASE | re.ASCII)
_CODES = {"s": "spring", "f": "autumn", "w": "winter"}
CODE = re.compile(r"\b(?P<season>[sfw])(?P<year>\d{4}|\d\d)[mra]?\b", re.IGNORECASE | re.ASCII)
"""A season and year in short: S1901, F01; with moves, retreats or adjustments: S1901M."""
_TURN = re.compile(r"\bturn (\d{1,3})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b\d{4}\b")
_NEAR = 20
"""A number is a year of the game if it is no farther from the running one; else it is a date of real life."""
OTHER_TURN = re.compile(
    r"\b(?:next|last|previous|later|coming)\s+(?:turn|move|phase|round|season|year|time|spring|summer|fall|autumn|winter|order)s?\b",
    re.IGNORECASE,
)


def may_name_a_time(text: str) -> bool:
    """Whether words name a season, a turn, or a year of any calendar."""
    return any(each.search(text) for each in (_YEAR, _SEASON, CODE, _TURN))


class Times(NamedTuple):
    """The phase that orders are for, its year, and the number of its turn."""

    phase: Phase
    year: int
    turn: int

    def are_named(self, text: str) -> bool:
        """Whether words name a season, a year of the game, or the number of a turn."""
        is_year = any(abs(int(found[0]) - self.year) <= _NEAR for found in _YEAR.finditer(text))
        return is_year or any(each.search(text) for each in (_SEASON, CODE, _TURN))

    def section_of(self, text: str) -> Section:
        """For what orders are that are said to be for this time. Those of summer are retreats; builds are taken from autumn
        on."""
        named = {_SEASONS[found[0].casefold()] for found in _SEASON.finditer(text)}
        named |= {_CODES[found["season"].casefold()] for found in CODE.finditer(text)}
        running, names_year = self.phase.partition(" ")[0], _YEAR.search(text) or CODE.search(text)
        if not self._is_other_year(text):
            if named == {"winter"} and running != "spring":
                return "winter"
            if named == {"summer"} and running == "spring":
                return "retreats"
            # Builds are of autumn to many; and who counts seasons as turns means the season.
            if names_year and (running in named or (named and running == "winter")):
                return ""
        return "later" if self.is_other(text) else ""

    def section_below(self, heading: Heading, text: str) -> Section:
        """The section of a heading of orders, in a text that may have a year."""
        is_of_season = heading.section in ("moves", "retreats")
        is_later = self._is_other_year(text) or (is_of_season and self.is_other(text))
        return "later" if is_later else heading.section

    def without_years(self, text: str) -> str:
        """The words without the years of the game."""
        return _YEAR.sub("", text)

    def _is_other_year(self, text: str) -> bool:
        years = {found[0] for found in _YEAR.finditer(text)} | {found["year"] for found in CODE.finditer(text)}
        return bool(years) and years.isdisjoint((str(self.year), f"{self.year % 100:02}"))

    def is_other(self, text: str) -> bool:
        """Whether words speak of another time than this."""
        running = self.phase.partition(" ")[0]
        is_season = any(_SEASONS[found[0].casefold()] != running for found in _SEASON.finditer(text))
        is_year = any(0 < abs(int(found[0]) - self.year) <= _NEAR for found in _YEAR.finditer(text))
        is_turn = any(int(found[1]) != self.turn for found in _TURN.finditer(text))
        return is_season or is_year or is_turn or self._is_other_code(text) or OTHER_TURN.search(text) is not None

    def _is_other_code(self, text: str) -> bool:
        here = {(self.phase.partition(" ")[0], year) for year in (str(self.year), f"{self.year % 100:02}")}
        return any((_CODES[found["season"].casefold()], found["year"]) not in here for found in CODE.finditer(text))

    def without(self, text: str) -> str:
        """The words without those that speak of a time."""
        return _SEASON.sub("", OTHER_TURN.sub("", text))
