"""What is typed is read, told or asked about: in each game, above and below whatever mail programs that nobody has written
make of a reply, in languages that nobody speaks, with greetings, signatures and slips of the pen."""

import email.policy
import json
import textwrap
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache, partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.desk.changes import new_game
from pbmd.desk.language.order_words import TALK
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox, Seat
from pbmd.post.lines.text import key, normal, without_bullet
from pbmd.rules.forms import offered
from pbmd.rules.options import complete
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of
from tests.doses import dose
from tests.golden.plays import GAME, OPTIONS, PLAYERS
from tests.processor_time import takes_at_most

_FINAL = ("Proclaim", "End move")
"""What ends a game, or a move: the letter would be about another."""
_FLOOD = 5
"""Seconds of the processor, above what one takes (at most 2 s) and far below the 17 s that one took once."""
_TERMS: Mapping[str, Any] = {"second_thought": "0m"}
_SHOWN = 50
"""How much of a line an answer shows at least."""


# The games


@contextmanager
def game(slug: str) -> Generator[World]:
    """A game in which nobody has sent orders yet."""
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        rules, options = world.desk.ruleset(slug), OPTIONS.get(slug, {})

        def play() -> None:
            with changing_games(world.desk) as work:
                table = new_game.create_game(work, GAME, slug, Terms(**_TERMS), options)
                for number, signup in enumerate(signups(rules, PLAYERS[slug], complete(rules.info.options, options))):
                    new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(f"p{number}"), f"P{number}"))
                new_game.start_game(work, table)

        world.as_ever(f"what is typed in {slug}", play, slug)
        try:
            yield world
        finally:
            world.close()


@dataclass(frozen=True)
class Setting:
    """A mail to a seat, and the orders that it offers to be sent together."""

    slug: str
    mail: Outbox
    orders: tuple[str, ...]

    @property
    def name(self) -> str:
        """Who the mail is from, without the address."""
        return str(message_of(self.mail)["From"]).replace('"', "").partition(" <")[0]

    @property
    def header(self) -> tuple[str, str]:
        """To whom it is, and about what."""
        return self.mail.recipient, str(message_of(self.mail)["Subject"])


@cache
def setting(slug: str) -> Setting:
    with game(slug) as world:
        rules = world.desk.ruleset(slug)
        mail = next(mail for mail in world.mails() if mail.recipient == address_of("p0") and mail.kind == "report")
        seat = next(seat.name for seat in world.rows(Seat) if seat.address == mail.recipient)
        lines = offered(rules.order_form(rules.load(world.position(GAME)), seat)).together
        return Setting(slug, mail, tuple(line for line in lines if not line.startswith(_FINAL)))


@dataclass(frozen=True)
class Outcome:
    """What was filed of a letter, as (state, orders), and the text of all mails that came of it."""

    filed: tuple[tuple[str, tuple[str, ...]], ...]
    answer: str


def outcome(slug: str, letter: EmailMessage) -> Outcome:
    mail = setting(slug).mail
    with game(slug) as world:
        before = {each.key for each in world.outbox()}
        letter["From"], letter["To"] = mail.recipient, str(message_of(mail)["Reply-To"])
        letter["Subject"], letter["Message-ID"] = "Re: orders", "<typed@players.test>"
        letter["In-Reply-To"] = mail.message_id
        world.arrive(letter.as_bytes(policy=email.policy.SMTP))
        process_letters(world.desk)
        filed = tuple((str(each.state.value), tuple(json.loads(each.orders))) for each in world.submissions())
        answers = [each for each in world.outbox() if each.key not in before and each.recipient == mail.recipient]
        return Outcome(filed, "\n".join(map(body_of, answers)))


@cache
def plainly(slug: str, orders: tuple[str, ...]) -> Outcome:
    """What becomes of orders that are all there is in a letter."""
    letter = EmailMessage()
    letter.set_content("\n".join(orders))
    return outcome(slug, letter)


# Mail programs that nobody has written

made_up = st.text("qxzjvwk", min_size=1, max_size=3).map(lambda word: f"{word}uq") | st.sampled_from(
    ["Zqix", "журчит", "曰く", "Üxxö"]
)
dates = st.sampled_from([
    "26/08/2026 14:05", "26 xuq 2026 14.05", "2026-08-26", "8/26/26, 2:05 PM", "2026年8月26日 14:05", "۲۶ zuq ۲۰۲۶",
    "Wed, 26 Aug 2026 14:05:00 +0200",
])  # fmt: skip


@st.composite
def introductions(draw: st.DrawFn, of: Setting) -> list[str]:
    """Our name or address, or both, a date, and words in any order, broken where a program breaks lines."""
    who = draw(st.sampled_from([
        f"{of.name} <{ADDRESS}>", f'"{of.name}" <{ADDRESS}>', f"{of.name} ({ADDRESS})", f"<{ADDRESS}>", ADDRESS, of.name,
    ]))  # fmt: skip
    when = [draw(dates)] if of.name == who or draw(st.booleans()) else []
    pieces = draw(st.permutations([who, *when, *draw(st.lists(made_up, max_size=2))]))
    line = draw(st.sampled_from([" ", ", "])).join(pieces) + draw(st.sampled_from([":", " :", "：", ":"]))
    width = draw(st.sampled_from([998, 78, 64, 50]))
    lines = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    if len(lines) == 1 and draw(st.booleans()):
        lines = line.replace(f"{ADDRESS}>", f"{ADDRESS}\n>").split("\n")
    above = draw(
        st.sampled_from([[], [], ["-------- Zqix Xuq --------"], ["_" * 32], [f"Hello {ADDRESS.partition('@')[0]},", ""]])
    )
    return above + lines


@st.composite
def headers(draw: st.DrawFn, of: Setting) -> list[str]:
    """The header of the original with labels in a language that nobody speaks."""
    recipient, subject = of.header
    said = [f"{of.name} <{ADDRESS}>", draw(dates), recipient, f"Re: {subject}"]
    between = draw(st.sampled_from([": ", ":\t", " : ", "："]))
    lines = [f"{draw(made_up)}{between}{each}" for each in draw(st.permutations(said))]
    return draw(st.sampled_from([[], ["_" * 32], ["----- Xuq Zqix -----"]])) + lines


def quotes(of: Setting) -> st.SearchStrategy[list[str]]:
    """The mail that is answered, as programs quote it."""
    body = body_of(of.mail).rstrip().split("\n")
    marks = st.sampled_from(["> ", ">", "> > ", "\t", ""])
    return marks.map(lambda mark: [(mark + line).rstrip(" ") for line in body])


@st.composite
def greetings(draw: st.DrawFn) -> list[str]:
    return draw(st.sampled_from([[], [], ["Xuqix,", ""], ["Zuq wuq kuq, vuq!"], ["Zuq juq kuq.", "", "Wuq zuq:", ""]]))


@st.composite
def farewells(draw: st.DrawFn) -> list[str]:
    """Names, telephones, firms and what telephones write below a mail."""
    lines = st.sampled_from([
        "Kuq vuq", "Kuq vuq,", "Xaver Zuqović", "Tel. +49 30 1234567", "0424 000 000", "Zuqix GmbH, Wuqstr. 12",
        "12345 Zuqstadt", "https://zuq.test/xuq?vuq=1", "zuq@xuq.test", "Xuq vuq wuq Zuqphone", "✌️", "* * *", "張三",
        "Vuq (Xuq) / Zuq",
    ])  # fmt: skip
    block = draw(st.lists(lines, min_size=1, max_size=4))
    return draw(st.sampled_from([[], ["", *block], ["", "", *block], ["-- ", *block]]))


MARKS: list[Callable[[str], str]] = [
    lambda order: order, lambda order: order, lambda order: f"- {order}", lambda order: f"* {order}",
    lambda order: f"1. {order}", lambda order: f"   {order}", lambda order: f"{order}  ", lambda order: f"• {order}",
]  # fmt: skip


@dataclass(frozen=True)
class Typed:
    """A letter: its lines, those of them that are orders, how the mail is made, and the order that has a slip in it."""

    lines: tuple[str, ...]
    orders: tuple[str, ...]
    talk: tuple[str, ...]
    dress: str
    slip: str = ""


@st.composite
def letters(draw: st.DrawFn, of: Setting, *, with_slip: bool) -> Typed:
    chosen = draw(st.lists(st.sampled_from(of.orders), min_size=1, max_size=4, unique=True))
    orders = [order for order in of.orders if order in chosen]
    slip = ""
    if with_slip:
        at = draw(st.integers(0, len(orders) - 1))
        slip = orders[at] = draw(slips(orders[at]))
    mark = draw(st.sampled_from(MARKS))
    written = [mark(order) for order in orders]
    if draw(st.booleans()):
        written = [line for order in written for line in (order, "")]
    greeting, farewell = draw(greetings()), draw(farewells())
    own = [*greeting, *written, *farewell]
    spare = [order for order in of.orders if order not in chosen][:1]
    quote = draw(quotes(of))
    if quote[0][:1] == ">":
        # In what is quoted of an earlier mail of theirs stand orders that are not given any more.
        quote = [*quote, *(f"> > {order}" for order in spare)]
    is_quoted = quote[0][:1] in (">", "\t")
    heading = draw(introductions(of) | headers(of)) if quote[0][:1] != "\t" else draw(introductions(of))
    gap = draw(st.sampled_from([[], [""]]))
    place = draw(st.sampled_from(["above", "above", "between", "below", "alone"]))
    lines = {
        "above": [*own, "", *heading, *gap, *quote],
        "between": [*heading, "", *own, "", *quote],
        "below": [*heading, *gap, *quote, "", *own] if is_quoted else [*own, "", *heading, "", *quote],
        "alone": own,
    }[place]
    dress = draw(st.sampled_from(["7bit", "quoted-printable", "base64", "flowed", "alternative", "html"]))
    return Typed(tuple(lines), tuple(orders), tuple(line for line in (*greeting, *farewell) if key(line)), dress, slip)


def slips(order: str) -> st.SearchStrategy[str]:
    """The order with one letter or digit of it changed to another."""
    places = [place for place, sign in enumerate(order) if sign.isalnum()]
    made = st.tuples(st.sampled_from(places), st.sampled_from("aeinrstzkX47"))
    return made.map(partial(_changed, order)).filter(partial(_differs, order))


def _changed(order: str, slip: tuple[int, str]) -> str:
    at, sign = slip
    return f"{order[:at]}{sign}{order[at + 1 :]}"


def _differs(order: str, line: str) -> bool:
    return line.casefold() != order.casefold()


def dressed(typed: Typed) -> EmailMessage:
    """The mail as a program sends it."""
    letter = EmailMessage()
    text = "\n".join(typed.lines) + "\n"
    page = f"<html><body>{_page(typed.lines)}</body></html>"
    if typed.dress == "html":
        letter.set_content(page, subtype="html")
        return letter
    letter.set_content(text, cte=typed.dress if typed.dress in ("quoted-printable", "base64") else None)
    if typed.dress == "flowed":
        letter.set_param("format", "flowed")
    if typed.dress == "alternative":
        letter.add_alternative(page, subtype="html")
    return letter


def _page(lines: Sequence[str]) -> str:
    """The lines as HTML, with what is quoted in a block of its own."""
    page, is_inside = "", False
    for line in lines:
        if (line[:1] == ">" and (is_inside or line.strip() != ">")) != is_inside:
            is_inside = not is_inside
            page += "<blockquote>" if is_inside else "</blockquote>"
        page += f"<div>{escape(line.lstrip('> ') if is_inside else line) or '<br>'}</div>"
    return page + ("</blockquote>" if is_inside else "")


# What holds


def untold(typed: Typed, answer: str) -> list[str]:
    """The lines that were typed and of which the answer has no word."""
    shown = key(answer)
    written = [without_bullet(normal(line)) for line in (*typed.orders, *typed.talk)]
    return [line for line in written if key(line)[:_SHOWN] not in shown]


def talk_in(answer: str) -> str:
    """What an answer lists as no order."""
    _, _, below = answer.partition(f"{TALK[0].upper()}{TALK[1:]}:")
    indented = []
    for line in below.split("\n")[1:]:
        if not line.startswith("    "):
            break
        indented.append(line)
    return key("\n".join(indented))


_QUICK = settings(
    max_examples=dose(8, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.in_turn(3)
@pytest.mark.fuzz
@pytest.mark.parametrize("slug", PLAYERS)
@given(data=st.data())
@_QUICK
def test_orders_among_what_programs_and_people_write_are_as_good_as_alone(slug: str, data: st.DataObject) -> None:
    typed = data.draw(letters(setting(slug), with_slip=False))
    found = outcome(slug, dressed(typed))
    assert found.filed == plainly(slug, typed.orders).filed, found.answer
    assert untold(typed, found.answer) == [], found.answer


@pytest.mark.in_turn(3)
@pytest.mark.fuzz
@pytest.mark.parametrize("slug", PLAYERS)
@given(data=st.data())
@_QUICK
def test_an_order_with_a_slip_of_the_pen_is_never_talk(slug: str, data: st.DataObject) -> None:
    typed = data.draw(letters(setting(slug), with_slip=True))
    found = outcome(slug, dressed(typed))
    assert key(typed.slip) not in talk_in(found.answer), found.answer
    assert untold(typed, found.answer) == [], found.answer
    assert found.filed == plainly(slug, typed.orders).filed, found.answer


FLOODS = {
    "lines that each name us": "".join(f"galaxy-7 (pbmd) {ADDRESS} 14:{n}\n" for n in range(10_000)),
    "headers that each name us": "".join(f"x: {ADDRESS}\nx: p0@players.test\nx: 14:{n}\n\n" for n in range(2_500)),
    "as many lines of talk as orders may be": "".join(f"zuq wuqix {n}\n\n" for n in range(499)),
    "far more lines of talk": "".join(f"zuq wuqix {n}\n" for n in range(10_000)),
    "long lines of talk": (("zuqix " * 300) + "\n") * 400,
}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_no_flood_of_lines_takes_long(flood: str) -> None:
    letter = EmailMessage()
    letter.set_content(flood)
    setting("diplomacy")
    with takes_at_most(_FLOOD):
        assert outcome("diplomacy", letter).answer
