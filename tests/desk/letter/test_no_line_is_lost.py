"""Whatever a letter is made of: each line of it that could be an order stands in the answer, as taken, refused or not read."""

import email.policy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Outbox
from pbmd.post.lines.text import is_comment, key, normal, without_bullet
from pbmd.post.read.html import BOLD, NOT_BOLD
from pbmd.rules.protocol import Line
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World, address_of, body_of, message_of
from tests.doses import dose
from tests.post.dresses import GERMAN, INTRODUCTION, OUTLOOK, WELSH

SEAT = "Altair"
MARKS = "> \t"
_SHOWN = 50
"""How much of a line the answer shows at least, in letters without blanks."""
_MOST_LINES = 35
"""So many lines besides the report a letter may have: an answer shows a hundred of one kind, and of more their number."""

ORDERS = [
    "Build 3 Laserfrigates", "Attack Cygnus with all", "Train spy", "Use counter-espionage", "Raise shields", "Build generator",
    "OOB default: LFTLTF close in, bunch", "Repair all", "Build 1 base named “Rigel”", "1. Build 2 Torpedocruisers",
    "- Use spy on Cygnus", "\tBuild 1 Laserfrigate", "Train spy   ",
]  # fmt: skip
WORDS = [
    "Hello,", "Dear game master:", "please build everything", "Regards", "Anna", "See attachment.", "Sold: 3 ships",
    "From: Borealis", "Altair wrote:", "-- ", "--", "___________________________________", "Sent from my iPhone", "* * *",
    "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----", "Hash: SHA256",
    "-----Original Message-----", "#end", "# Train spy", "## Train spy", "#orders", "#orders g9p9.aaaaaaaaaaaaaaaa", "#",
    "END", "PRESS TO ALL", "END PRESS", "PREVIEW", "ORDERS", "ORDERS FOR TURN 1", "ORDERS FOR TURN 7", "JOIN nebula AS Ann",
    "STATUS", "WAIT", "HELP press", "players mailing list", INTRODUCTION,
]  # fmt: skip
BLOCKS = [OUTLOOK, WELSH, GERMAN, ["", INTRODUCTION, ""], ["_" * 47, "players mailing list"]]


@dataclass(frozen=True)
class Piece:
    """A line of a letter, and whether its writer has written it."""

    text: str
    is_own: bool


@dataclass(frozen=True)
class Made:
    """A letter: its lines, those of a file sent along, and what it is made of."""

    lines: tuple[Piece, ...]
    file: tuple[Piece, ...]
    dress: Literal["plain", "flowed", "br", "p", "alternative"]
    is_reply: bool


_OURS = [BOLD, NOT_BOLD]
"""Characters that mean nothing in a mail, and are taken out of HTML (tests/post/read/test_letter_bold.py)."""


def written() -> st.SearchStrategy[list[Piece]]:
    """Lines that somebody writes, some behind quote marks."""
    text = st.sampled_from([*ORDERS, *WORDS]) | st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=_OURS), max_size=70
    )
    marked = st.builds("{}{}".format, st.sampled_from(["", "", "", "> ", ">", "> > ", "   "]), text)
    blocks = st.sampled_from(BLOCKS).map(lambda block: [Piece(line, is_own=False) for line in block])
    return st.lists(marked.map(lambda line: Piece(line, is_own=True)), max_size=4) | blocks


@st.composite
def copied(draw: st.DrawFn, report: list[str]) -> list[Piece]:
    """A part of the report, quoted or not, with lines enabled, changed, left out, doubled, broken and written into it."""
    begin = draw(st.sampled_from([0, 0, 0, draw(st.integers(0, len(report) - 1))]))
    end = draw(st.sampled_from([len(report), draw(st.integers(begin, len(report)))]))
    mark = draw(st.sampled_from(["", "> ", "> ", ">", "> > "]))
    deeds = draw(st.dictionaries(st.integers(begin, max(begin, end - 1)), st.sampled_from(list(DEEDS)), max_size=8))
    pieces: list[Piece] = []
    for i in range(begin, end):
        pieces += DEEDS[deeds[i]](report[i], draw) if i in deeds else [Piece(report[i], is_own=False)]
    bare = draw(st.booleans())
    return [piece if bare and piece.is_own else Piece(mark + piece.text, piece.is_own) for piece in pieces]


def _enabled(line: str, draw: st.DrawFn) -> list[Piece]:
    # A remark in the form is no order: what it says without its sign may be anything.
    blank = draw(st.sampled_from(["", " ", "  "]))
    return [Piece(blank + line.removeprefix("# "), is_own=line.startswith("# "))]


def _changed(line: str, draw: st.DrawFn) -> list[Piece]:
    new = "".join(str((int(sign) + 1) % 10) if sign.isdigit() and sign.isascii() else sign for sign in line)
    return [Piece(new.removeprefix("# ") if draw(st.booleans()) else new, is_own=new != line)]


def _broken(line: str, draw: st.DrawFn) -> list[Piece]:
    words = line.split(" ")
    at = draw(st.integers(1, max(1, len(words) - 1)))
    return [Piece(" ".join(words[:at]), is_own=False), Piece(" ".join(words[at:]), is_own=False)]


def _written_into(line: str, draw: st.DrawFn) -> list[Piece]:
    return [Piece(line, is_own=False), Piece(draw(st.sampled_from(ORDERS)), is_own=True)]


DEEDS = {
    "enable": _enabled,
    "change": _changed,
    "break": _broken,
    "write into": _written_into,
    "leave out": lambda _line, _draw: [],
    "double": lambda line, draw: [*_enabled(line, draw), *_enabled(line, draw)],
}


@st.composite
def letters(draw: st.DrawFn, report: list[str]) -> Made:
    parts = draw(st.lists(written() | copied(report) | written(), max_size=4))
    lines = tuple(piece for part in parts for piece in part)
    file = tuple(draw(st.sampled_from([[], [], draw(written()), draw(copied(report))])))
    return Made(lines, file, draw(st.sampled_from(["plain", "plain", "flowed", "br", "p", "alternative"])), draw(st.booleans()))


class Player:
    """Somebody with a report, and all that comes back for a letter of theirs."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        without_end = ["answers_per_hour", "answers_per_day", "press_per_hour", "press_per_day"]
        self.world.settle(limits=dict.fromkeys(without_end, 10**6))
        # The letters come an hour apart, and one after a deadline would wait for the clock.
        self.world.start(reminders=(), deadline="3650d")
        # The second report has orders of the turn before in it.
        self.world.send(SEAT, "Build 2 Laserfrigates\nUse counter-espionage\nOOB default: LFTLTF")
        for other in ("Borealis", "Cygnus"):
            self.world.send(other, "ORDERS")
        assert self.world.pass_time(timedelta(minutes=1)) == 1
        self.mail: Outbox = self.world.outbox("report", SEAT)[-1]
        self.report = body_of(self.mail).rstrip("\n").split("\n")
        self.count = 0

    def answers(self, made: Made) -> tuple[str, str]:
        """The subject of the answer to a letter, and the text of all mails that came of it."""
        before = {mail.key for mail in self.world.outbox()}
        self.count += 1
        letter = dressed(made)
        letter["From"], letter["To"] = address_of(SEAT), str(message_of(self.mail)["Reply-To"])
        letter["Message-ID"] = f"<lost{self.count}@players.test>"
        if made.is_reply:
            letter["In-Reply-To"] = self.mail.message_id
        self.world.now += timedelta(hours=1)
        self.world.arrive(letter.as_bytes(policy=email.policy.SMTP))
        process_letters(self.world.desk)
        new = [mail for mail in self.world.outbox() if mail.key not in before]
        subject = next((str(message_of(mail)["Subject"]) for mail in new if mail.kind == "acknowledgement"), "")
        return subject, "\n".join(body_of(mail) for mail in new)


def dressed(made: Made) -> EmailMessage:
    letter = EmailMessage()
    lines = [piece.text for piece in made.lines]
    text = "\n".join(lines) + "\n"
    ends = {"br": "<br>", "p": "</p><p>", "alternative": "<br>"}
    page = ends.get(made.dress, "").join(escape(line) for line in lines)
    if made.dress in ("br", "p"):
        letter.set_content(f"<html><body><p>{page}</p></body></html>", subtype="html")
    else:
        letter.set_content(text)
    if made.dress == "flowed":
        letter.set_param("format", "flowed")
    if made.dress == "alternative":
        letter.add_alternative(f"<html><body>{page}</body></html>", subtype="html")
    if made.file:
        data = "\n".join(piece.text for piece in made.file).encode()
        letter.add_attachment(data, maintype="application", subtype="octet-stream", filename="orders.txt")
    return letter


def could_be_an_order(text: str) -> bool:
    """Whether a line is neither blank, nor a comment, nor a command that is answered as such, nor a signing program's."""
    if "-----" in text or text.strip(MARKS).startswith("Hash:"):
        return False
    plain = without_bullet(normal(text.strip(MARKS)))
    script = PLAYERS.read([Line(1, plain)])
    return bool(key(plain)) and not is_comment(plain) and bool(script.orders)


def beside_cut_quotes(pieces: Sequence[Piece], report: list[str]) -> Iterator[Piece]:
    """All lines but the quotes that are the report with lines left out: nobody could tell what was written into those."""
    for is_quoted, run in groupby(pieces, lambda piece: piece.text.startswith(">")):
        block = list(run)
        rest = iter([line.strip() for line in report])
        is_cut = is_quoted and all(piece.text.strip(MARKS) in rest for piece in block if piece.text.strip(MARKS))
        yield from () if is_cut else block


def lost(made: Made, answer: str, report: list[str]) -> list[str]:
    """The lines of a letter that its writer has written, and of which the answer has no word."""
    told = key(answer)
    pieces = [*beside_cut_quotes(made.lines, report), *beside_cut_quotes(made.file, report)]
    own = [piece.text for piece in pieces if piece.is_own and could_be_an_order(piece.text)]
    return [text for text in own if key(without_bullet(normal(text.strip(MARKS))))[:_SHOWN] not in told]


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    with TemporaryDirectory() as folder:
        player = Player(Path(folder))
        yield player
        player.world.close()


@pytest.mark.fuzz
@given(st.data())
@settings(max_examples=dose(40, 550), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_each_line_that_could_be_an_order_stands_in_the_answer(player: Player, data: st.DataObject) -> None:
    made = data.draw(letters(player.report))
    if len(made.lines) > len(player.report) + _MOST_LINES:
        return
    _, answer = player.answers(made)
    assert lost(made, answer, player.report) == [], answer


def test_an_order_in_a_quote_with_lines_left_out_is_told(player: Player) -> None:
    player.answers(Made((Piece("CANCEL ORDERS", is_own=True),), (), "plain", is_reply=False))  # it may be on file
    quote = [Piece(f"> {line}", is_own=False) for line in player.report[:7]]
    made = Made((*quote, Piece("> Use counter-espionage", is_own=True)), (), "plain", is_reply=False)
    _, answer = player.answers(made)
    assert "1 line that is an order stands in a quote, where it is not read." in answer
    assert lost(made, answer, player.report) == []


PUT_IN = [["Use counter-espionage"], ["Build 2 Laserfrigates", "Use counter-espionage"]]


@pytest.mark.parametrize("in_file", [False, True], ids=["quoted", "quoted in a file"])
@pytest.mark.parametrize("beside", ["YOUR FACTION", "  Build 2 Laserfrigates", "  Use counter-espionage", "HELP"])
@pytest.mark.parametrize("place", [0, 1], ids=["above", "below"])
@pytest.mark.parametrize("orders", PUT_IN, ids=["one", "two"])
def test_lines_of_the_report_put_into_its_quote_again_are_told(
    player: Player, orders: list[str], place: int, beside: str, *, in_file: bool
) -> None:
    at = next(i for i, line in enumerate(player.report) if beside in line) + place
    lines = [Piece(f"> {line}", is_own=False) for line in player.report]
    made = (*lines[:at], *(Piece(f"> {order}", is_own=True) for order in orders), *lines[at:])
    _, answer = player.answers(Made((), made, "plain", is_reply=True) if in_file else Made(made, (), "plain", is_reply=True))
    # Not only under YOUR ORDERS, which has no quote marks.
    quoted = [line.replace(" ", "") for line in answer.splitlines() if line.startswith("    >")]
    assert {f">{order}".replace(" ", "") for order in orders} <= set(quoted), answer


TOLD = {
    "below END": ("Add 3\nEND\nAdd 4", "It stands below END: Add 4"),
    "below PRESS": ("Add 3\nPRESS TO Borealis\nhello\nAdd 4", "END PRESS is missing: hello Add 4"),
    "below PREVIEW": ("Add 3\nPREVIEW\nAdd 4", "END PREVIEW is missing: Add 4"),
    "below JOIN": ("Add 3\nJOIN galaxy-7 AS Altair\nAdd 4", "It stands below JOIN, as the lines of a sign-up do: Add 4"),
    "for another turn": ("ORDERS FOR TURN 9\nAdd 4", "Your lines: Add 4"),
    "too long": ("Add 3\n" + "Add 4" * 500, f"It is too long: {('Add 4' * 500)[:60]}"),
    "too many": ("Add 3\n" * 500 + "Add 4", "There were too many lines above it: Add 4"),
    "for two turns": ("ORDERS FOR TURN 1\nAdd 3\nORDERS FOR TURN 2\nAdd 4", 'only the first counts: "ORDERS FOR TURN 1".'),
    "a signature": ("Add 3\n-- \nAdd 4", "a signature (-- / Add 4)"),
}


@pytest.mark.parametrize(("text", "words"), TOLD.values(), ids=TOLD)
def test_what_is_not_read_is_told_with_the_reason(running: World, text: str, words: str) -> None:
    assert words in " ".join(running.send(SEAT, text).split())


def test_orders_that_are_late_are_listed(running: World) -> None:
    deadline = running.game().deadline
    assert deadline is not None
    running.send(SEAT, "ORDERS FOR TURN 1\nAdd 3\nAdd 4", at=deadline + timedelta(hours=1))
    running.pass_time(deadline + timedelta(hours=1) - running.now)
    answer = " ".join(body_of(running.outbox("acknowledgement", SEAT)[-1]).split())
    assert "your orders for turn 1 came 1 h after the deadline" in answer
    assert "Your lines: Add 3 Add 4" in answer


def test_what_holds_a_secret_is_listed_without_it(running: World) -> None:
    secret = running.reply_address(SEAT).partition("+")[2].partition("@")[0]
    answer = running.send(SEAT, f"Add 3\nAdd 4 {secret}")
    assert "A secret token is in it:\n    Add 4 g" in answer
    assert secret not in answer


def subject_of(world: World) -> str:
    return " ".join(str(message_of(world.outbox("acknowledgement")[-1])["Subject"]).split())


def quoted_report(world: World, *, written_into: str) -> str:
    lines = body_of(world.outbox("report", SEAT)[-1]).splitlines()
    return "\n".join(f"> {line}" for line in [*lines[:4], written_into, *lines[4:]])


def test_the_title_says_so_if_what_could_be_an_order_was_not_read(running: World) -> None:
    running.send(SEAT, "Add 3\n\n" + quoted_report(running, written_into="Add 4"))
    assert subject_of(running).endswith("orders in, lines not read")
    running.send(SEAT, "Add 3\n\n" + quoted_report(running, written_into="what a pity"))
    assert subject_of(running).endswith("orders in")
    running.send(SEAT, "Add 3\n-- \nAnna")
    assert subject_of(running).endswith("orders in")


def test_it_says_nothing_of_a_move_that_was_carried_out_but_its_answer_does(world: World) -> None:
    past_turn_0(relay(world))
    report = quoted_report(world, written_into="Add 4")
    world.send(SEAT, f"Add 5\n\n{report}")
    answer = body_of(world.outbox("report", SEAT)[-1])
    assert "Lines of your mail that could be orders were not read" in " ".join(answer.split())
    assert "> Add 4" in answer


def test_the_same_orders_are_answered_again_if_something_else_was_not_read(running: World) -> None:
    assert running.send(SEAT, "Add 3\n\n" + quoted_report(running, written_into="Add 4"))
    assert "> Add 5" in running.send(SEAT, "Add 3\n\n" + quoted_report(running, written_into="Add 5"))
    assert not running.send(SEAT, "Add 3\n\n" + quoted_report(running, written_into="Add 5"))


def test_the_game_master_is_told_of_a_line_written_into_the_quote(running: World) -> None:
    running.act("galaxy-7", send_gm_token, "gm-mail")
    mail = running.outbox("alarm")[-1]
    lines = [f"> {line}" for line in body_of(mail).splitlines()]
    answer = running.reply(mail, "\n".join(["STATUS", "", *lines[:2], "> PAUSE", *lines[2:]]))
    assert "LINES THAT WERE NOT READ" in answer
    assert "> PAUSE" in answer
    assert running.game().paused_at is None
