"""What stands around a line that would empty or cancel a sheet: people write about orders, too, and where a mail program breaks
their sentences a piece of one may be such a line. Words are in any language, so what tells is how lines end and begin, how long
they are, what stands beside them, and the names of who writes.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from pbmd.desk.language.own_name import is_signed
from pbmd.rules.protocol import Line

_CLOSING = " \"'”’»)]}*_"
_ENDS = ".!?…。！？"
_COMMAS = ",!，！、"
"""With one of these a greeting or a farewell ends."""
_GREETING_ENDS = f"{_COMMAS}:.：。"
_FEW = 3
"""So many words a greeting has at most."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The lines of a letter that say something, by number: those that are commands, and all `others`. `is_order` tells those of
    which the neighbours are no talk; `names` are those that a signature may have."""

    commands: Mapping[int, Line]
    others: Mapping[int, Line]
    is_order: Callable[[str], bool]
    names: Collection[str] = ()

    def has_in_sentence(self, line: Line) -> bool:
        """Whether a line seems to be a piece of a sentence: the line right above does not end one, or that right below begins
        in the middle of one."""
        return self.goes_on_from_above(line) or self._goes_on_below(line)

    def goes_on_from_above(self, line: Line) -> bool:
        """Whether a line seems to go on with a sentence that begins above it."""
        number = line.number
        above = self.others.get(number - 1)
        if above is None or _ends(above.text) or self.is_order(above.text):
            return False
        is_first = not any(each < above.number for each in (*self.others, *self.commands))
        begins = number - 2 not in self.others and (is_first or above.text.rstrip()[-1] in _GREETING_ENDS)
        return not (begins and _has_few_words(above.text))

    def _goes_on_below(self, line: Line) -> bool:
        below = self.others.get(line.number + 1)
        if below is None or _ends(line.text) or self.is_order(below.text):
            return False
        is_last = not any(each > below.number + 1 for each in (*self.others, *self.commands))
        is_farewell = is_last and _has_few_words(below.text) and not below.text.endswith("?")
        return below.text.lstrip(_CLOSING)[:1].islower() and not is_farewell and not is_signed(below.text, self.names)

    def talk(self) -> tuple[Line, ...]:
        """What is said besides the commands, but for a greeting and a signature."""
        lines = [self.others[number] for number in sorted(self.others)]
        if lines and self._is_greeting(lines[0]):
            del lines[0]
        return tuple(lines[: len(lines) - self._lines_of_signature(lines)])

    def _is_greeting(self, line: Line) -> bool:
        if any(number < line.number for number in self.commands):
            return False
        is_word_alone = len(line.text.split()) == 1 and line.number + 1 not in self.commands
        return is_word_alone or is_like_greeting(line.text)

    def _lines_of_signature(self, lines: Sequence[Line]) -> int:
        """How many of the lines, at their end, are a name, or a farewell and a name, or a farewell in one word."""
        if not lines:
            return 0
        last, above = lines[-1], lines[-2] if len(lines) > 1 else None
        farewell = above if above and above.number == last.number - 1 and self._is_apart(above) else None
        if is_signed(last.text, self.names):
            return 2 if farewell and _has_few_words(farewell.text) else 1
        if farewell and is_like_greeting(farewell.text) and _has_few_words(last.text):
            return 2
        return int(self._is_apart(last) and is_like_greeting(last.text) and len(last.text.split()) == 1)

    def _is_apart(self, line: Line) -> bool:
        """Whether a line does not stand right below a command."""
        return line.number - 1 not in self.commands


def _ends(text: str) -> bool:
    return text.rstrip(_CLOSING)[-1:] in _ENDS


def _has_few_words(text: str) -> bool:
    return len(text.split()) <= _FEW


def is_like_greeting(text: str) -> bool:
    """Whether a line can be a greeting or a farewell: it has few words, and ends with a comma or the like."""
    return _has_few_words(text) and text.rstrip()[-1:] in _COMMAS
