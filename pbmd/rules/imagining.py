"""What a player assumes of what is hidden from them, for a position that is made of their own view (`Ruleset.imagine`)."""

import re
from collections.abc import Iterable, Mapping, Sequence

from pbmd.rules.names import fold, match_name
from pbmd.rules.protocol import Line, Refused

_FACT = re.compile(r"(?P<key>[a-z][a-z _-]*?)\s*[=:]?\s*(?P<number>\d{1,6})", re.IGNORECASE)


def assumed(lines: Iterable[Line], seats: Sequence[str], own: str, most: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Lines like ``Borealis: spies 2, generators 1`` as seat → what → number. `most` has what can be assumed, and the largest
    number of it. Raises `Refused` for what cannot be; of the player's own seat nothing can, since they know it."""
    found: dict[str, dict[str, int]] = {}
    others = [seat for seat in seats if seat != own]
    for line in lines:
        name, colon, facts = line.text.partition(":")
        match = match_name(name, others)
        if not colon or match.found is None:
            raise Refused(f"line {line.number}: write ASSUME, one of {', '.join(others)}, a colon, and what you assume")
        for fact in facts.split(","):
            key, number = _fact(line, fact, most)
            found.setdefault(match.found, {})[key] = number
    return found


def _fact(line: Line, text: str, most: Mapping[str, int]) -> tuple[str, int]:
    written = _FACT.fullmatch(text.strip())
    key = fold(written["key"]).replace("-", "_").replace(" ", "_") if written else ""
    if written is None or key not in most:
        can_be = ", ".join(each.replace("_", " ") for each in most) or "nothing"
        raise Refused(f"line {line.number}: of others you can assume, each with a number: {can_be}")
    if int(written["number"]) > most[key]:
        raise Refused(f"line {line.number}: there can be {most[key]} of {key.replace('_', ' ')} at most")
    return key, int(written["number"])
