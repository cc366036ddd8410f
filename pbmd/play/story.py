"""A story: a played scene as a text, of letters and of what their answers and the reports say. It is documentation that can be
tried (`pbmd.play.telling`), and `pbmd play --record` writes one.

Lines that begin at the margin are prose, or one of these; what is indented below belongs to it.

```text
seats: Austria, Italy
options: last_year = 1905
dice: 3 5

Austria writes
    A VIE - TYR
Austria is answered
    A VIE - TYR
    not: refused
the step ends
Italy reads
    A VEN … dislodged
```
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple


class StoryError(ValueError):
    """A story that cannot be read. The message says where, and why."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class Words(NamedTuple):
    """Words that must stand in a mail, in one of its lines, or must not stand in it; and their line in the story."""

    text: str
    line: int
    absent: bool = False


@dataclass(frozen=True, slots=True)
class SignUp:
    """A seat signs up with these lines."""

    seat: str
    lines: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Rolls:
    """The dice of what comes next: of the set-up, or of a step."""

    rolls: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A seat writes."""

    seat: str
    lines: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What the answers to the last letter of a seat say."""

    seat: str
    words: tuple[Words, ...]
    line: int


@dataclass(frozen=True, slots=True)
class StepEnd:
    """The deadline passes."""

    line: int


@dataclass(frozen=True, slots=True)
class Report:
    """What the mails say that a seat has got, answers among them, since it read any before."""

    seat: str
    words: tuple[Words, ...]
    line: int


Act = SignUp | Rolls | Letter | Answer | StepEnd | Report


@dataclass(frozen=True, slots=True)
class Story:
    """`title` is its first line; `seats` are those that take part, none if it does not say. `position` is the file, beside the
    story, of the position that it begins with; empty if it begins with the set-up."""

    title: str
    seats: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    position: str = ""
    acts: tuple[Act, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who signs up."""
        signed = (act.seat for act in self.acts if isinstance(act, SignUp))
        return tuple(dict.fromkeys((*self.seats, *signed)))


class _Block(NamedTuple):
    """A line at the margin, and the lines that are indented below it, each with its number."""

    line: int
    head: str
    body: tuple[tuple[int, str], ...]


def read_story(text: str) -> Story:
    """Raises `StoryError`."""
    blocks = [*_blocks(text)]
    if not blocks:
        raise StoryError(1, "a story begins with its title")
    story = Story(blocks[0].head.lstrip("# "))
    for block in blocks[1:]:
        story = _with(story, block)
    if not any(isinstance(act, Letter | StepEnd) for act in story.acts):
        raise StoryError(blocks[-1].line, 'nothing happens in it: nobody writes, and no "the step ends"')
    return story


def _blocks(text: str) -> Iterator[_Block]:
    head: _Block | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if line[0].isspace():
            if head is None:
                raise StoryError(number, "it is indented, but there is nothing above that it belongs to")
            head = head._replace(body=(*head.body, (number, line.strip())))
            continue
        if head:
            yield head
        head = _Block(number, line.strip(), ())
    if head:
        yield head


def _with(story: Story, block: _Block) -> Story:
    for pattern, add in _LINES:
        if found := pattern.fullmatch(block.head):
            return add(story, block, found.groupdict())
    if block.body:
        raise StoryError(block.body[0][0], f'"{block.head}" is prose, and nothing can belong to it; {_KNOWN}')
    return story


def _act(story: Story, act: Act) -> Story:
    return replace(story, acts=(*story.acts, act))


def _lines(block: _Block) -> tuple[str, ...]:
    return tuple(text for _, text in block.body)


def _words(block: _Block) -> tuple[Words, ...]:
    found = tuple(
        Words(text.removeprefix("not:").strip(), number, absent=text.startswith("not:")) for number, text in block.body
    )
    if not found:
        raise StoryError(block.line, "no words are expected; indent them below")
    return found


def _rolls(block: _Block, text: str) -> tuple[int, ...]:
    rolls = text.replace(",", " ").split()
    if not all(roll.isascii() and roll.isdigit() for roll in rolls):
        raise StoryError(block.line, f'dice are whole numbers, like "dice: 3 5", not "{text}"')
    return tuple(map(int, rolls))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


_Add = Callable[[Story, _Block, Mapping[str, str]], Story]
_LINES: tuple[tuple[re.Pattern[str], _Add], ...] = (
    (re.compile(r"seats: *(?P<rest>.+)", re.I), lambda story, _, found: replace(story, seats=_names(found["rest"]))),
    (re.compile(r"options: *(?P<rest>.+)", re.I), lambda story, _, found: replace(story, options=_names(found["rest"]))),
    (re.compile(r"position: *(?P<rest>.+)", re.I), lambda story, _, found: replace(story, position=found["rest"])),
    (re.compile(r"dice: *(?P<rest>.+)", re.I), lambda story, at, found: _act(story, Rolls(_rolls(at, found["rest"]), at.line))),
    (re.compile(r"the step ends\.?", re.I), lambda story, at, _: _act(story, StepEnd(at.line))),
    (
        re.compile(r"(?P<seat>.+) signs up(?: with)?:?", re.I),
        lambda story, at, found: _act(story, SignUp(found["seat"], _lines(at), at.line)),
    ),
    (
        re.compile(r"(?P<seat>.+) writes:?", re.I),
        lambda story, at, found: _act(story, Letter(found["seat"], _lines(at), at.line)),
    ),
    (
        re.compile(r"(?P<seat>.+) is answered:?", re.I),
        lambda story, at, found: _act(story, Answer(found["seat"], _words(at), at.line)),
    ),
    (
        re.compile(r"(?P<seat>.+) reads:?", re.I),
        lambda story, at, found: _act(story, Report(found["seat"], _words(at), at.line)),
    ),
)
_KNOWN = 'what stands at the margin is "NAME writes", "NAME is answered", "NAME reads", "the step ends" or prose'


# --- Words in mails ---------------------------------------------------------------------------------------------------------


def stands_in(words: str, text: str) -> bool:
    """Whether the words stand in a line of the text, or run on into the next, however many blanks are between them; "…" is for
    anything in a line."""
    pieces = [r"\s+".join(map(re.escape, piece.split())) for piece in re.split(r"…|\.\.\.", words)]
    return re.search(r"[^\n]*".join(pieces), text) is not None


# --- Writing ----------------------------------------------------------------------------------------------------------------


def written(story: Story) -> str:
    """The text of a story."""
    heads = [story.title, ""]
    heads += [f"seats: {', '.join(story.seats)}"] if story.seats else []
    heads += [f"options: {', '.join(story.options)}"] if story.options else []
    return "\n".join([*heads, *_written(story.acts)]).replace("\n\n\n", "\n\n") + "\n"


def _written(acts: Iterable[Act]) -> Iterator[str]:
    for act in acts:
        match act:
            case SignUp():
                yield from ("", f"{act.seat} signs up", *_indented(act.lines))
            case Rolls():
                yield from ("", f"dice: {' '.join(map(str, act.rolls))}")
            case Letter():
                yield from ("", f"{act.seat} writes", *_indented(act.lines))
            case Answer():
                yield from (f"{act.seat} is answered", *_indented(each.text for each in act.words))
            case StepEnd():
                yield from ("", "the step ends")
            case Report():
                yield from ("", f"{act.seat} reads", *_indented(each.text for each in act.words))


def _indented(lines: Iterable[str]) -> Sequence[str]:
    return [f"    {line}" for line in lines]
