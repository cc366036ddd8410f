"""What a line that was refused may have meant: the same with words spelt as the game has them, if the rules would take that."""

import difflib
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from pbmd.desk.letters.arrived import Arrived, Sender, arrival_of
from pbmd.desk.letters.unread import accepted
from pbmd.rules.protocol import Line, Status, Verdict

_WORD = re.compile(r"[^\W\d_]{4,30}")
_CODE = re.compile(r"`([^`\n]{1,80})`|^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LIKENESS = 0.75
_MOST_LINES, _MOST_CHARS, _MOST_WORDS = 10, 200, 3
"""Of a letter so many lines are looked at, and of a line so many words: each try takes the rules some time."""


def with_meant(sender: Sender, arrived: Arrived, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The verdicts; of refused lines some end with what they may have meant."""
    refused = [each for each in verdicts if each.line and each.status is Status.ERROR and not _asks(each)][:_MOST_LINES]
    if not refused:
        return verdicts
    known = _words_of(sender)
    return tuple(_with_meant(sender, arrived, each, known) if each in refused else each for each in verdicts)


def _asks(verdict: Verdict) -> bool:
    return "did you mean" in verdict.message or len(verdict.text) > _MOST_CHARS


def _with_meant(sender: Sender, arrived: Arrived, verdict: Verdict, known: Collection[str]) -> Verdict:
    for text in _respelt(verdict.text, known):
        if accepted(sender.table, sender.table.position, sender.seat.name, [Line(1, text)], arrival_of(arrived)):
            return verdict._replace(message=f'did you mean "{text}"? As it stands: {verdict.message}')
    return verdict


def _respelt(text: str, known: Collection[str]) -> Iterator[str]:
    """The line with all words that nobody knows as the most alike known ones, and with one of them alone."""
    low = {word.casefold() for word in known}
    unknown = [found for found in _WORD.finditer(text) if found[0].casefold() not in low][:_MOST_WORDS]
    near = {found: difflib.get_close_matches(found[0], known, n=1, cutoff=_LIKENESS) for found in unknown}
    fixed = [found for found in unknown if near[found]]
    if not fixed:
        return
    for several in [fixed] if len(fixed) == 1 else [fixed, *([each] for each in fixed)]:
        line = text
        for found in reversed(several):
            line = f"{line[: found.start()]}{near[found][0]}{line[found.end() :]}"
        yield line


def _words_of(sender: Sender) -> list[str]:
    """The words of orders: those of the handbook's examples, and of the seat's order form."""
    form = sender.table.ruleset.order_form(sender.table.position, sender.seat.name)
    return [*_words_in(sender.table.ruleset.info.handbook), *_WORD.findall(form)]


@lru_cache(maxsize=32)
def _words_in(handbook: str) -> tuple[str, ...]:
    spans = " ".join(found[1] or found[2] or "" for found in _CODE.finditer(handbook))
    return tuple(sorted(set(_WORD.findall(spans))))
