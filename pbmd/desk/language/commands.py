"""Commands in a letter, one a line, read by a table of their forms: that of the players' commands or the game master's."""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypedDict, TypeVar

from pbmd.desk.language.marks import has_aside, insides, is_plain, without_politeness
from pbmd.rules.names import fold
from pbmd.rules.protocol import Line

MOST_OF_A_KIND = 10
"""Of commands that each count, like messages, so many of one kind are carried out: a letter must not be a flood of them."""
_ONLY_THE_LAST = "Of several commands of one kind in a mail only the last counts"
_END = re.compile(r"end(?:\s+(?:of\s+)?(?:(?:my|our|the)\s+)?(?:orders?|list))?[.!]?", re.IGNORECASE)
_LONGEST_END = 40
_BEGINS_AS_END, _E = "en", "eE"


@dataclass(frozen=True, slots=True)
class Form:
    """How a command is written, what it does (for HELP), and how it is recognised. `closed_by`: lines follow that belong to it,
    up to one like this; `takes_lines`: so do all lines after it that are no command.

    `called`: other words that people have for it, in small letters. A line with one of them is no command, but is told of this
    one where it is refused.

    Of several in a letter only the last counts of those that agree in the words named by `once_per` (``()``: of all of them;
    None: each counts, up to `MOST_OF_A_KIND`). `alike` is the kind among which it is then counted, its own unless another is
    given. `asks`: it only asks to see something, so that it can have a question mark behind it.
    """

    kind: str
    usage: str
    help: str
    pattern: re.Pattern[str]
    closed_by: re.Pattern[str] | None = None
    takes_lines: bool = False
    once_per: tuple[str, ...] | None = ()
    alike: str = ""
    asks: bool = False
    called: tuple[str, ...] = ()


class FormColumns(TypedDict, total=False):
    """The columns that few forms have."""

    takes_lines: bool
    once_per: tuple[str, ...] | None
    alike: str
    asks: bool
    called: tuple[str, ...]


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a form, compiled; it matches in any case of letters."""
    return re.compile(pattern, re.IGNORECASE)


def addressed(word: str) -> str:
    """The pattern of an address as mail programs write it, with the name of its holder before it or without; the address alone
    is that `word` of the command."""
    return rf'{HOLDER}[<"]?(?P<{word}>[^\s<>@"]+@[^\s<>@"]+)[>"]?'


HOLDER = r'(?:(?:"[^"<>@]{1,60}"|(?!(?:from|for|by|with)\b)[^\s\d"<>@][^\d"<>@]{0,60}?) ?(?=<))?'
"""The pattern of a name before an address in angle brackets."""


_OPTIONAL = re.compile(r"\(\?(?::|P<\w+>)((?:[^()]|\([^()]*\))*)\)\?")
_INNERMOST = re.compile(r"\([^()]*\)")
_TWO_LETTERS = re.compile(r"[a-z][a-z' ](?![?*+{])")
_EITHER = re.compile(r"\(\?:([^()]*)\)(?![?*+{])")


def beginnings(pattern: str) -> frozenset[str]:
    """The first two letters of whatever a pattern takes, the second of which may be an apostrophe or a blank. Raises
    `ValueError` for one that does not show them, so that no command can be overlooked: it begins with two letters, perhaps with
    words before them that may be left out, or with one of several words."""
    if words := _OPTIONAL.match(pattern):
        return beginnings(words[1]) | beginnings(pattern[words.end() :])
    if words := _EITHER.match(pattern):
        return frozenset[str]().union(*map(beginnings, words[1].split("|")))
    begins, outside = _TWO_LETTERS.match(pattern), pattern
    while _INNERMOST.search(outside):
        outside = _INNERMOST.sub("", outside)
    if begins is None or "|" in outside:
        raise ValueError(f"a command must begin with two letters of its own: {pattern}")
    return frozenset([begins[0]])


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its words, and the lines that belong to it. `open` marks one whose lines nothing closes."""

    kind: str
    line: Line
    words: dict[str, str]
    body: tuple[Line, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class Unopened:
    """A line that closes something, like END PRESS, and that nothing above it opens: who mistypes PRESS TO does not want its
    lines read as orders. `body` are the lines that may belong to it, `usage` is how it would have been opened. If no line above
    `seems_opening`, nobody knows where it begins, and what else the letter has is not read either."""

    end: Line
    usage: str
    body: tuple[Line, ...]
    seems_opening: bool

    @property
    def closes_nothing(self) -> str:
        """What is wrong, without full stop."""
        opens = self.usage.partition(" …")[0]
        return f"{' '.join(self.end.text.split()).rstrip('.!').upper()} closes nothing here: no line above it is {opens}"


@dataclass(frozen=True, slots=True)
class Script:
    """The lines of a letter, sorted out. `orders` are those that are no command, `unread` those after END."""

    commands: tuple[Command, ...] = ()
    orders: tuple[Line, ...] = ()
    unread: tuple[Line, ...] = ()
    unopened: tuple[Unopened, ...] = ()

    @property
    def left(self) -> tuple[Line, ...]:
        """The lines that are no command."""
        return (*self.orders, *self.unread, *(line for each in self.unopened for line in (*each.body, each.end)))


AForm = TypeVar("AForm", bound=Form, covariant=True)


@dataclass(frozen=True, eq=False)
class Language(Generic[AForm]):
    """A table of commands, and what follows from it. `head`: how a line that was meant as one begins; `likeness`: how alike
    its first word must be, from 0 to 1."""

    forms: tuple[AForm, ...]
    head: Callable[[Form], str]
    likeness: float
    closed_elsewhere: tuple[Form, ...] = ()
    """Commands of other people that have an end."""

    @cached_property
    def heads(self) -> Mapping[str, str]:
        """How a line may have been meant to begin, and the usage of that command."""
        return {self.head(each): each.usage for each in self.forms}

    @cached_property
    def starts(self) -> frozenset[str]:
        """How the commands and END begin, two letters each: where nearly every line is an order, one look is enough to see that
        it is no command."""
        return frozenset([_BEGINS_AS_END]).union(*(beginnings(each.pattern.pattern) for each in self.forms))

    @cached_property
    def by_kind(self) -> Mapping[str, AForm]:
        """The row of each command."""
        return {each.kind: each for each in self.forms}

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(re.sub(r"\?P<\w+>", "?:", each.pattern.pattern) for each in self.forms), re.IGNORECASE)

    def read(self, lines: Iterable[Line]) -> Script:
        """Sort the lines of a letter. Blank ones and those that begin with # are skipped; END on a line alone, or END OF
        ORDERS, stops the reading."""
        piles = _Piles()
        rest = iter(lines)
        while (line := next(rest, None)) is not None:
            text = line.text.strip()
            if not says_something(text):
                continue
            if _ends(text):
                break
            if again := self._sort(piles, line, text, rest):
                rest = iter(again)
        return self._script(piles, tuple(line for line in rest if line.text.strip()))

    def _sort(self, piles: "_Piles", line: Line, text: str, rest: Iterator[Line]) -> tuple[Line, ...]:
        """Put a line where it belongs, with those of the `rest` that belong to it; the rest, if it was looked at in vain."""
        commands = piles.commands
        if text[0] in _E and (ended := self._ended_by(text)) and (found := self._unopened(line, ended, piles)):
            begins = found.body[0].number
            piles.commands = [each for each in commands if each.line.number < begins]
            piles.others = [each for each in piles.others if each.number < begins]
            piles.unopened.append(found)
        elif (command := self._command_in(line.number, text)) is not None:
            return self._put_command(piles, command, rest)
        elif commands and self.by_kind[commands[-1].kind].takes_lines:
            commands[-1] = replace(commands[-1], body=(*commands[-1].body, line))
        else:
            piles.others.append(line)
        return ()

    def _put_command(self, piles: "_Piles", command: Command, rest: Iterator[Line]) -> tuple[Line, ...]:
        """Put a command with its lines among the others. A sentence that could be one, and that nothing closes, is none: the
        lines that would belong to it are given back."""
        closed_by = self.by_kind[command.kind].closed_by
        may_be_prose = closed_by is not None and _is_prose(command)
        whole = None if may_be_prose and command.kind in piles.unclosed else _with_text(command, closed_by, rest)
        if whole and not (may_be_prose and whole.open):
            piles.commands.append(whole)
            return ()
        piles.unclosed.add(command.kind)
        piles.others.append(command.line)
        return whole.body if whole else ()

    def _script(self, piles: "_Piles", unread: tuple[Line, ...]) -> Script:
        commands, others, unopened = tuple(piles.commands), tuple(piles.others), tuple(piles.unopened)
        if all(each.seems_opening for each in unopened):
            return Script(commands, others, unread, unopened)
        kept = tuple(each for each in commands if self._has_end(each))
        open_lines = (line for each in commands if not self._has_end(each) for line in (each.line, *each.body))
        last = replace(unopened[-1], body=_in_order((*unopened[-1].body, *others, *open_lines)))
        return Script(kept, (), unread, (*unopened[:-1], last))

    def _ended_by(self, text: str) -> Form | None:
        """The command that such a line closes."""
        if text[:2].lower() != _BEGINS_AS_END:
            return None
        closing = (each for each in (*self.forms, *self.closed_elsewhere) if each.closed_by and each.closed_by.fullmatch(text))
        return max(closing, key=lambda form: form.kind == text.split()[-1].rstrip(".!").casefold(), default=None)

    def _unopened(self, end: Line, form: Form, piles: "_Piles") -> Unopened | None:
        """The lines that may belong to one that closes nothing: from the first that seems to open it, or else all, in both
        cases only below what was closed; None if there are none."""
        commands = piles.commands
        closed = [each.body[-1] if each.body else each.line for each in commands if self._has_end(each)]
        begins = max(line.number for line in (*closed[-1:], *(each.end for each in piles.unopened[-1:]), Line(0, "")))
        of_commands = (line for each in commands for line in (each.line, *each.body))
        body = _in_order(line for line in (*piles.others, *of_commands) if line.number > begins)
        opening = next((place for place, line in enumerate(body) if self._seems_to_open(form, line.text)), None)
        return Unopened(end, form.usage, body[opening or 0 :], opening is not None) if body else None

    def _has_end(self, command: Command) -> bool:
        return self.by_kind[command.kind].closed_by is not None

    def _seems_to_open(self, form: Form, text: str) -> bool:
        word = form.usage.split()[0].casefold()
        return self.nearest(text) == form.usage or any(each.strip(".,:;!*") == word for each in text.casefold().split())

    def _command_in(self, number: int, text: str) -> Command | None:
        """The command that a line is, or that stands in it between marks that are none of it."""
        if self._may_be_command(text) and (command := self.command(Line(number, text))):
            return command
        if is_plain(text) or has_aside(text):  # plain, as nearly every line is
            return None
        tried = (self.command(Line(number, each)) for each in insides(text) if self._may_be_command(each))
        return next(filter(None, tried), None)

    def _may_be_command(self, text: str) -> bool:
        return text[:2].lower() in self.starts or not text.isascii()

    def command(self, line: Line) -> Command | None:
        """The command that a line is, None if it is none."""
        plain = " ".join(line.text.split()).rstrip(".!;").rstrip()
        found = self._asked(plain) or self._found(plain)
        # A reason stays as it is written.
        if found is None or any(_is_polite(said) for key, said in found[1].items() if key != "reason"):
            found = self._found(without_politeness(plain)) or found
        return None if found is None else Command(found[0], line, found[1])

    def _asked(self, plain: str) -> tuple[str, dict[str, str]] | None:
        """What `_found` finds before a question mark, if that only asks to see something: before all else it is a doubt."""
        if not plain.endswith("?"):
            return None
        found = self._found(without_politeness(plain.rstrip("?!. ")))
        return found if found and self.by_kind[found[0]].asks else None

    def _found(self, plain: str) -> tuple[str, dict[str, str]] | None:
        """The kind of command that a line is, and the words in it."""
        if not self._any.fullmatch(plain):
            return None
        found = ((each.kind, each.pattern.fullmatch(plain)) for each in self.forms)
        kind, words = next((kind, match.groupdict()) for kind, match in found if match)
        return kind, {key: value for key, value in words.items() if value}

    def once_each(self, commands: Sequence[Command]) -> tuple[tuple[Command, ...], tuple[str, ...]]:
        """The commands of a letter that count, in their order, and a sentence for each that counts in place of others that
        said something else. Whoever writes the same thing again and again has written it once."""
        last = {self._place(command, number): command for number, command in enumerate(commands)}
        counting = frozenset(command.line for command in last.values())
        differing = {
            self._place(each, number): None
            for number, each in enumerate(commands)
            if _said(each) != _said(last[self._place(each, number)])
        }
        sentences = [f'{_ONLY_THE_LAST}: "{last[place].line.text.strip()}".' for place in differing]
        few, too_many = self._few_of_each([command for command in commands if command.line in counting])
        return few, (*sentences, *too_many)

    def _few_of_each(self, commands: Sequence[Command]) -> tuple[tuple[Command, ...], tuple[str, ...]]:
        """The first of those that each count, and a sentence for each kind of which there are more."""
        few: list[Command] = []
        many: Counter[str] = Counter()
        for command in commands:
            many[command.kind] += self.by_kind[command.kind].once_per is None
            if many[command.kind] <= MOST_OF_A_KIND:
                few.append(command)
        too_many = ((kind, count) for kind, count in many.items() if count > MOST_OF_A_KIND)
        told = (f"Of your {count} {kind.upper()} commands only the first {MOST_OF_A_KIND} count." for kind, count in too_many)
        return tuple(few), tuple(told)

    def _place(self, command: Command, number: int) -> tuple[str, ...]:
        """What only one command of a letter can have; `number` is its own."""
        form = self.by_kind[command.kind]
        if form.once_per is None:
            return command.kind, str(number)
        # One word may have several names, since it can stand in several places.
        return form.alike or command.kind, *(said.casefold() for word in form.once_per if (said := command.words.get(word)))

    def most_words(self, kind: str) -> int:
        """How many words a command of a kind has by its usage, not counting lines that follow it."""
        return len(self.by_kind[kind].usage.split())

    def nearest(self, text: str) -> str:
        """The usage of the command that a line looks like, empty if it looks like none."""
        text = without_politeness(text)
        words = [word.rstrip(",.:;!?") for word in text.casefold().split()]
        if not words:
            return ""
        called = self._other_words.search(text)
        if called is not None and (not called.start() or words[0] not in self.heads):
            return self._called[fold(called[0]).replace("’", "'")]
        near = difflib.get_close_matches(words[0], self.heads, n=1, cutoff=self.likeness)
        return self.heads[near[0]] if near and may_be_slip(words[0], near[0]) else ""

    @cached_property
    def _called(self) -> Mapping[str, str]:
        """The usage of each command by the other words for it."""
        return {words: each.usage for each in self.forms for words in each.called}

    @cached_property
    def _other_words(self) -> re.Pattern[str]:
        longest_first = sorted(self._called, key=len, reverse=True)
        either = "|".join(re.escape(words).replace("'", "['’]") for words in longest_first)
        return compiled(rf"(?<![\w'’-])(?:{either})(?![\w-])" if either else r"(?!)")

    def hinted(self, message: str, text: str) -> str:
        """Why a line was refused, with the command that it may have meant."""
        usage = self.nearest(text)
        return f"{message.rstrip('.')}. If you meant a command: {usage}" if usage else message


_BRIEF = 4
"""Letters of a word that becomes many others if one letter is another."""


def may_be_slip(word: str, head: str) -> bool:
    """Whether a word that is like the head of a command may be that with a slip. A brief word with another beginning that lacks
    several letters is another word (Sent, and not ABSENT)."""
    lacks_several = len(word) <= _BRIEF and len(head) - len(word) > 1 and word[:1] != head[:1]
    return not lacks_several and not has_other_letter(word, head)


def has_other_letter(word: str, brief: str) -> bool:
    """Whether a word is as long as a brief one, and not of its letters. It is hardly that one with a slip: too many names and
    greetings are like it (John, Lisa, Walt, Moin)."""
    return len(word) == len(brief) <= _BRIEF and sorted(word.casefold()) != sorted(brief.casefold())


def _is_polite(words: str) -> bool:
    """Whether words of a command have a "please" before or behind them, or are only that."""
    return without_politeness(words) != words or without_politeness(f"… {words}") != f"… {words}"


def _said(command: Command) -> tuple[str, ...]:
    return command.kind, *(word.casefold() for word in command.words.values())


def _ends(text: str) -> bool:
    """Whether a line, without the blanks around it, ends what is read of a letter; marks may stand around it."""
    if text[0].isalnum():
        return text[0] in _E and _END.fullmatch(text) is not None
    return len(text) <= _LONGEST_END and any(map(_END.fullmatch, insides(text)))


def says_something(text: str) -> bool:
    """Whether a line, without the blanks around it, is neither empty nor a comment."""
    return bool(text) and text[0] != "#"


@dataclass(slots=True)
class _Piles:
    """The lines of a letter while they are sorted."""

    commands: list[Command] = field(default_factory=list[Command])
    others: list[Line] = field(default_factory=list[Line])
    unopened: list[Unopened] = field(default_factory=list[Unopened])
    unclosed: set[str] = field(default_factory=set[str])
    """The kinds of commands of which there is no end."""


def _in_order(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: line.number))


def _is_prose(command: Command) -> bool:
    """Whether a command that may have an end is a sentence if it has none, as "Announce the results soon." is."""
    text = command.line.text.strip()
    return "first" in command.words and text.endswith(_SENTENCE_ENDS) and not text.split()[0].isupper()


_SENTENCE_ENDS = (".", "!", "?", "…")


def _with_text(command: Command, closed_by: re.Pattern[str] | None, rest: Iterator[Line]) -> Command:
    """The command with the lines up to the one that closes it, if it is of a kind that has such lines."""
    if closed_by is None:
        return command
    body: list[Line] = []
    for line in rest:
        if closed_by.fullmatch(line.text.strip()):
            return replace(command, body=tuple(body))
        body.append(line)
    return replace(command, body=tuple(body), open=True)
