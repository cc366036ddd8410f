"""What a letter can bring is read in time that grows with its length, not with the square of it; and no cache keeps it."""

import gc
import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from email.message import EmailMessage
from functools import _lru_cache_wrapper, cache
from inspect import signature
from typing import Any

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mail_patterns import NOTICE_MAIL, PRESS_MAIL, with_words_told
from pbmd.archive.write.anonymous import Anonymiser
from pbmd.conformance.scenes import dice, random_lines
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.desk.letter.answer import Answer, gist
from pbmd.desk.letter.unread_orders import MAX_LINE_CHARS
from pbmd.post.addresses import folded
from pbmd.post.blank import Blanker
from pbmd.post.read.letter import read_letter
from pbmd.rules import Line, Mail, registry
from pbmd.rules.lines import LONGEST_LINE, USUAL_LINE
from pbmd.rules.names import fold, match_name
from pbmd.terms.days import parse_days
from pbmd.terms.times import TimeError, check_rule, named_zone, parse_duration, parse_moment
from tests.desk.world import World
from tests.doses import dose
from tests.rulesets.contract.scenes import some_scenes

UNITS = (
    *("a", "0", "0s", "1h ", " ", "\t", "\n", "a ", " \n", "> ", ">\n", "> a\n", "<", "<a", "<a ", "<svg ", "<style>", "<!--"),
    *("&", "&amp", "=", "=0", "a@", "@", "a.", "a@a.", ".", "-", "--\n", ",", "(", "[", '"', "'", "|", "|\n", "#", "#orders "),
    *("*", "_", "because ", "for a ", "1.", "é"),
)
"""What many a pattern has stumbled over, again and again."""
CHARS = 10_000


def mail(text: str, kind: str = "plain", **headers: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.test", "games@pbmd.test", "orders"
    message.set_content(text, subtype=kind)
    raw = message.as_bytes()
    for name, value in headers.items():
        flat = value.replace("\n", " ").encode()
        raw = b"%s: %s\n%s" % (name.encode(), flat, b"\n".join(line for line in raw.split(b"\n")))
    return raw


def with_page(text: str, page: str) -> bytes:
    """A report of ours with this text and this HTML."""
    message = EmailMessage()
    message["Message-ID"] = f"<report-t1s1.c1.{'a' * 16}@pbmd.test>"
    message.set_content(text)
    message.add_alternative(page, subtype="html")
    return message.as_bytes()


def commands(text: str) -> None:
    for language in (PLAYERS, MASTERS):
        for head in ("", "EXTEND ", "DEADLINE ", "OFFER ", "PRESS TO ", "ABSENT FROM "):
            language.read([Line(1, head + text)])
            language.nearest(head + text)


READERS: dict[str, Callable[[str], object]] = {
    "commands": commands,
    "a duration": parse_duration,
    "a moment": parse_moment,
    "days": parse_days,
    "a rule for deadlines": lambda text: check_rule(f"every {text}"),
    "a time zone": named_zone,
    "plain text": lambda text: read_letter(mail(text)),
    "html": lambda text: read_letter(mail(text, "html")),
    "an answer that may be the same again": lambda text: gist(text * 5, Answer()),
    "a subject": lambda text: read_letter(mail("x", Subject=text)),
    "a sender": lambda text: read_letter(mail("x", **{"Reply-To": text, "Sender": text})),
    "references": lambda text: read_letter(mail("x", References=text)),
    "a result of authentication": lambda text: read_letter(mail("x", **{"Authentication-Results": text})),
    "an address": folded,
    "a name": lambda text: (fold(text), match_name(text, ("Altair", "Borealis"))),
    "a token": lambda text: Blanker(["abcdefgh234567ab"], part=10).written(text),
    "an archive without names": lambda text: Anonymiser(["Ada Lovelace"], {}).text(text + "@"),
    "a name to be taken out": lambda text: Anonymiser([text[:CHARS]], {}),
    "a mail that somebody kept": lambda text: claims_of_mail(mail(text)),
    "a page that somebody kept": lambda text: claims_of_mail(with_page("x", text)),
    "a page and its text": lambda text: claims_of_mail(with_page(text, text[::-1])),
    "press that somebody kept": lambda text: PRESS_MAIL.match(f"Press in galaxy-7, turn 1\nFrom: A\nTo: B\n{text}"),
    "a notice that somebody kept": lambda text: NOTICE_MAIL.match(f"galaxy-7, turn 1: {text}"),
    "a word that somebody kept": lambda text: with_words_told(f"Word that goes into the dice with these orders:{text}"),
}


QUICK = 0.05
"""What takes so many seconds at most is not looked at more closely."""


def seconds(read: Callable[[str], object], text: str) -> float:
    """Of the processor, so that a busy machine does not matter."""
    began = time.process_time()
    with suppress(TimeError):
        read(text)
    return time.process_time() - began


def assert_even_growth(read: Callable[[str], object], pairs: Iterable[tuple[str, str]]) -> None:
    """Twice as much takes at most three times as long: of pairs that come to the same, on a machine busy with other work.

    The least counts of what each took: of the first two pairs, and of as many more as a busy machine needs.
    """
    once = twice = float("inf")
    for tries, (short, long) in enumerate(pairs, start=1):
        twice = min(twice, seconds(read, long))
        if twice <= QUICK:
            return
        once = min(once, seconds(read, short))
        if tries > 1 and twice < 3 * once + QUICK:
            return
    pytest.fail(f"{once:.3f} s, twice as much {twice:.3f} s")


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", READERS)
def test_twice_as_much_takes_twice_as_long(name: str) -> None:
    place = [*READERS].index(name)
    for unit in UNITS[dose(place % 2, 0) :: dose(2, 1)]:
        once, twice = unit * (CHARS // len(unit)), unit * (2 * CHARS // len(unit))
        assert_even_growth(READERS[name], [(once, twice)] * 6)


# Orders


@cache
def position_of(slug: str) -> Any:
    """One of a game of a ruleset, which is played for it."""
    return some_scenes(registry.get(slug), 1)[0].position


def letters_of(slug: str) -> Callable[[str], object]:
    """A reader of order lines of a ruleset: each line begins as one of a random player does and goes on as is given."""
    rules, position = registry.get(slug), position_of(slug)
    seat = rules.seats(position)[0]
    written = random_lines(rules, position, seat, dice(slug))
    heads = ["", *dict.fromkeys(line.text[: line.text.rstrip().rfind(" ") + 1] for line in written)][:6]

    def read(text: str) -> object:
        lines = tuple(Line(number, head + text) for number, head in enumerate(heads, start=1))
        return rules.receive(position, Mail(seat, lines, (1, 0)))

    return read


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("slug", registry.slugs())
def test_order_lines_of_twice_the_length_take_twice_as_long(slug: str) -> None:
    read = letters_of(slug)
    for unit in UNITS:
        for chars in (LONGEST_LINE - 100, MAX_LINE_CHARS):  # as long as most rules take, and as long as they are shown to any
            once, twice = (unit * (length // len(unit)) for length in (chars // 2, chars))
            assert_even_growth(read, [(once + end, twice + end) for end in "uvwxyz"])


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", registry.slugs())
def test_no_cache_keeps_long_lines(slug: str) -> None:
    read = letters_of(slug)
    for text in ("Zyqx", "Zyqx " * 80, "Zyqx" * 100, "Zyqx, " * 300, "Zyqx" * 100 + ": LFTLFT"):
        read(text)
        read(f"[b]{text}[/b]")  # in one of the games only that is read
    lengths = [(kept(cache, "Zyqx"), name) for name, cache in caches()]  # the readers of all grammars have one name
    assert max(lengths)[0] > 0  # short ones are kept: the look at the caches sees what is in them
    assert [each for each in lengths if each[0] > USUAL_LINE] == []


def test_press_with_many_blanks_is_no_riddle() -> None:
    lines = f"Press in galaxy-7, turn 1\nFrom: A\nTo: B\n{(' ' * 30 + chr(10)) * 30}!"
    assert seconds(PRESS_MAIL.match, lines) < 1


@pytest.mark.parametrize("text", ["0s" * 5000, "1h " * 50, "9" * 101, "x" * 100_000])
def test_a_length_of_time_has_a_hundred_characters_at_most(text: str) -> None:
    with pytest.raises(TimeError, match=r"is not a length of time|is too long") as problem:
        parse_duration(text)
    assert len(str(problem.value)) < 150


@pytest.mark.parametrize("text", ["x@y.z!foo@bar.com", "a@b.c@d.e", "<" + "a" * 70 + "@elsewhere.test>", "ada@players.test, b"])
def test_no_address_is_left_however_it_is_glued_to_another(text: str) -> None:
    clean = Anonymiser([], {}).text(text)
    assert set(clean) <= set("x@.!<>, b")
    assert len(clean) == len(text)


# Caches


OURS = ("pbmd", "rulesets")


@cache
def import_all() -> None:
    """Every module of ours, once a run: to look for them takes long."""
    for package in OURS:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if "migrations" not in found.name and "__main__" not in found.name:
                importlib.import_module(found.name)


def caches() -> Iterator[tuple[str, "_lru_cache_wrapper[object]"]]:
    """All that there are, also within functions: a grammar's, and those of `line_cache`."""
    import_all()
    gc.unfreeze()  # what a command that was run here has frozen is not among the objects
    found_here = gc.get_objects()
    gc.freeze()
    for each in found_here:
        if isinstance(each, _lru_cache_wrapper) and each.__wrapped__.__module__.split(".")[0] in OURS:
            yield f"{each.__wrapped__.__module__}.{each.__wrapped__.__qualname__}", each


def kept(cache: object, marked: str) -> int:
    """The characters of the longest text with that mark which a cache has among its keys."""
    seen, longest, left = set[int](), 0, [(each, 0) for each in gc.get_referents(cache) if isinstance(each, dict)]
    while left:
        each, depth = left.pop()
        if id(each) in seen or depth > 4:
            continue
        seen.add(id(each))
        if isinstance(each, str):
            longest = max(longest, len(each) if marked in each else 0)
        elif isinstance(each, bytes):
            longest = max(longest, len(each) if marked.encode() in each else 0)
        elif isinstance(each, dict):
            left += [(key, depth + 1) for key in each]
        elif isinstance(each, tuple | list):
            left += [(one, depth + 1) for one in each]
    return longest


def test_no_cache_keeps_what_a_letter_brings(running: World) -> None:
    """Lines of usual length are kept by some, as all mails quote each other; longer texts by none."""
    long = "Zyqx " * 2000
    for head in ("", "EXTEND ", "HELP ", "RULES ", "TIMEZONE ", "ABSENT FROM ", "ADDRESS ", "ORDERS FOR TURN "):
        running.send("Altair", f"{head}{long}\nAdd {long}")
    running.send("", f"JOIN galaxy-7 AS {long}", sender=f"{'Zyqx' * 20} <new@players.test>", to="games@pbmd.test")
    running.send("Altair", f"PRESS TO {long}\n{long}\nEND PRESS", subject=long)
    assert [(size, name) for name, cache in caches() if (size := kept(cache, "Zyqx")) > USUAL_LINE] == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", registry.slugs())
def test_no_cache_keeps_a_whole_sheet(slug: str) -> None:
    """Of lines that are right: only in those that are on file, and are resolved, many of one player come together."""
    rules = registry.get(slug)
    for name, each in caches():  # other tests may have read positions that have the same lines on file
        if name.startswith(f"rulesets.{slug}."):
            each.cache_clear()
    positions = [position for scene in some_scenes(rules, 1) for position in scene.played.positions]
    lines = max((set(sheet.lines) for position in positions for sheet in rules.sheets(position)), key=len)
    found = [(name, held) for name, cache in caches() if (held := most_together(cache, lines)) > 1]
    assert found == []


def most_together(cache: object, lines: set[str]) -> int:
    """How many of these lines a cache has in one of its keys."""
    keys = [key for each in gc.get_referents(cache) if isinstance(each, dict) for key in each]
    return max((len(lines.intersection(texts_in(key))) for key in keys), default=0)


def texts_in(key: object, depth: int = 0) -> Iterator[str]:
    """The texts in a key, also in tuples and data in it."""
    if isinstance(key, str):
        yield key
    elif isinstance(key, tuple | list) and depth < 5:
        for each in key:
            yield from texts_in(each, depth + 1)
    elif is_dataclass(key) and not isinstance(key, type) and depth < 5:
        for field in fields(key):
            yield from texts_in(getattr(key, field.name), depth + 1)


def test_every_cache_that_a_letter_could_fill_has_an_end() -> None:
    """What is kept without end is made once, or by the name of a ruleset or of a file of ours."""
    endless = {name: cache for name, cache in caches() if cache.cache_parameters()["maxsize"] is None}
    of_mail = ("pbmd.post", "pbmd.desk", "pbmd.terms", "rulesets.")
    with_keys = {name for name, cache in endless.items() if signature(cache.__wrapped__).parameters}
    assert {name for name in with_keys if name.startswith(of_mail)} <= OF_OUR_OWN


OF_OUR_OWN = {
    "pbmd.desk.mail.draft.environment",  # by the name of a ruleset
    "pbmd.desk.gm.commands.function_named",  # likewise
    "pbmd.desk.player.commands.act_named",  # by the names that rows of ours have
    "pbmd.desk.visitors.serve.visitor_act_named",
    "rulesets.galactic_overlord.resolution.battle._laser_power",  # by ranges and a word of the rules
    "rulesets.galactic_overlord.resolution.battle._queue",  # by one of the 90 orders of weapons
}
