"""The link to a seat's own pages: in its own reports alone, dead with the seat's token, kept and passed on nowhere."""

import base64
import re
from datetime import timedelta

import pytest
from pydantic import ValidationError

from pbmd.archive.format.audience import ALL
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tags import page_link, seat_tag
from pbmd.desk.mail.tokens_of_game import tokens_about
from pbmd.ledger.tables import Report
from pbmd.post.blank import Blanker
from pbmd.post.tags import make_page_token, make_token
from pbmd.settings import Pages
from tests.desk.test_secrecy import OOB
from tests.desk.world import World, body_of, message_of

HOME = "https://games.example.org"


def link_of(world: World, seat: str = "Altair") -> str:
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        return page_link(work, table.seat(seat))


def secret_of(link: str) -> str:
    return link.rstrip("/").rpartition(".")[2]


@pytest.fixture
def paged(world: World) -> World:
    world.settle(pages={"public_url": HOME})
    world.start()
    return world


def report_to(world: World, seat: str = "Altair"):
    return world.outbox("report", seat)[-1]


def test_as_pbmd_comes_no_mail_has_a_link(world: World) -> None:
    world.start()
    assert link_of(world) == ""
    for mail in world.outbox():
        message = message_of(mail)
        assert all("http" not in part.get_content() for part in message.walk() if part.get_content_type() == "text/plain")


def test_each_report_has_the_link_of_its_own_seat_in_text_and_html(paged: World) -> None:
    links = {seat: link_of(paged, seat) for seat in ("Altair", "Borealis", "Cygnus")}
    assert len({*links.values()}) == 3
    for seat, link in links.items():
        assert re.fullmatch(re.escape(HOME) + r"/s/g\d+p\d+\.[a-z2-7]{16}/", link)
        mail = report_to(paged, seat)
        assert f"\n{link}\n" in body_of(mail)
        html = message_of(mail).get_body(("html",))
        assert html is not None
        assert f'href="{link}"' in html.get_content()
        others = [secret_of(other) for name, other in links.items() if name != seat]
        assert not any(other.encode() in mail.raw for other in others)


def test_no_line_of_a_report_gets_wider_than_72_columns(paged: World) -> None:
    text = body_of(report_to(paged))
    part = text[text.index("Your pages") :]
    assert max(map(len, part.splitlines())) <= 72


def test_it_proves_nothing_in_a_letter(paged: World) -> None:
    secret = secret_of(link_of(paged))
    tag = paged.reply_address("Altair").replace(paged.reply_address("Altair").partition("@")[0].rpartition(".")[2], secret)
    paged.send("Altair", "Build 2 Laserfrigates", to=tag)
    assert not paged.outbox("acknowledgement")


@pytest.mark.parametrize("how", ["a new token", "given up"])
def test_a_new_token_and_a_seat_given_up_end_it(paged: World, how: str) -> None:
    before = link_of(paged)
    if how == "a new token":
        paged.send("Altair", "NEW TOKEN")
    else:
        paged.resign("Altair")
    assert link_of(paged) != before


def test_it_comes_from_the_key_and_is_no_token_of_the_seat() -> None:
    of = (b"k" * 32, 1, 2, 3)
    assert make_page_token(*of) == make_page_token(*of)
    differing = {make_page_token(*of), make_token(*of), make_page_token(b"l" * 32, 1, 2, 3), make_page_token(of[0], 1, 2, 4)}
    assert len({*differing, make_page_token(of[0], 1, 3, 3), make_page_token(of[0], 2, 2, 3)}) == 6


def test_it_is_kept_in_no_report_log_or_journal(paged: World) -> None:
    secret = secret_of(link_of(paged))
    kept = [(report.text, report.html) for report in paged.rows(Report)]
    noted = [(entry.public, entry.secret) for entry in paged.journal()]
    logged = [(line.detail, line.cause) for line in paged.log()]
    assert kept
    assert noted
    assert logged
    assert secret not in repr((kept, noted, logged))


@pytest.mark.parametrize("shape", ["{}", "look at {} please", "the end of it is {secret}", "in base64: {base64}"])
def test_who_writes_it_into_press_passes_it_on_to_nobody(paged: World, shape: str) -> None:
    link = link_of(paged)
    written = shape.format(link, secret=secret_of(link), base64=base64.b64encode(secret_of(link).encode()).decode())
    answer = paged.send("Altair", f"PRESS TO Borealis\n{written}\nEND PRESS")
    assert "secret token" in answer
    [press] = paged.outbox("press", "Borealis")
    assert secret_of(link) not in body_of(press)
    assert base64.b64encode(secret_of(link).encode()) not in press.raw


def test_an_archive_has_none_of_them_nor_those_that_ended(paged: World) -> None:
    old = link_of(paged)
    paged.send("Altair", "NEW TOKEN")
    links = [old, link_of(paged)]
    quoted = "".join(f"\n> {link}" for link in links)
    for seat in ("Altair", "Borealis", "Cygnus"):
        paged.send(seat, f"{OOB}\n{quoted if seat == 'Altair' else ''}")
    paged.pass_time(timedelta(days=4))
    with Transaction(paged.desk, reads=True) as work:
        table = work.table(paged.game().id or 0)
        blanker = Blanker(tokens_about(work, table), tags=False)
        plan = plan_export(work.session, table.game, table.ruleset, ALL)
        write_archive(work.session, plan, paged.folder / "archive", blanker, lambda: None, force=True)
    found = b"".join(path.read_bytes() for path in (paged.folder / "archive").rglob("*") if path.is_file())
    assert HOME.encode() in found  # the letter is there
    assert not any(secret_of(link).encode() in found for link in links)


def test_the_seat_tag_is_another(paged: World) -> None:
    with Transaction(paged.desk, reads=True) as work:
        table = work.table(paged.game().id or 0)
        assert seat_tag(work, table.seat("Altair")).token != secret_of(link_of(paged))


@pytest.mark.parametrize(
    "url",
    [
        "games.example.org",
        "https://games.example.org/?x=1",
        "https://a b",
        "javascript:alert(1)",
        "https://x/#y",
        "https://x/a\nb",
    ],
)
def test_what_is_no_address_of_pages_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="must be an address like"):
        Pages(public_url=url)  # pyright: ignore[reportCallIssue]


def test_a_slash_at_its_end_does_not_matter() -> None:
    assert Pages(public_url="https://games.example.org/pbmd/").public_url == "https://games.example.org/pbmd"  # pyright: ignore[reportCallIssue]
