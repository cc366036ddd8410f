"""Non-interference over every channel of the desk: what one seat orders in secret changes no byte that others get.

Two desks play the same game, letter by letter and second by second, and differ only in what Altair orders. The seal of the
journal is replaced by its ideal (random bytes that do not depend on the secret): that salted SHA-256 comes close to it is
an assumption of cryptography, not something to test here.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlmodel import col

from pbmd.archive.format.audience import audience_of
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.book.chapters import book_of
from pbmd.book.epub import epub_of
from pbmd.book.from_archive import read_story
from pbmd.book.running import game_words, public_turn
from pbmd.book.web import page_of
from pbmd.book.zine import zine_of, zine_text
from pbmd.cli.status import State, ledger_words, read_state
from pbmd.cli.tidy import document, words
from pbmd.desk.books.attendance import digest_of_player
from pbmd.desk.books.checkpoints import signer_of
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.deadline_changes import extend
from pbmd.desk.changes.gm import abandon, send_gm_token
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import _note_reading
from pbmd.desk.mail.alarms import watch
from pbmd.desk.mail.tags import gm_tag
from pbmd.desk.publish.dashboard import news_after
from pbmd.desk.sending.outbox import MailState, mails
from pbmd.desk.upkeep.backups import make_backup
from pbmd.desk.upkeep.sizes import in_megabytes, sizes
from pbmd.desk.upkeep.tidying import Tidied, tidy
from pbmd.ledger.log_file import format_line, write_new_lines
from pbmd.ledger.tables import JournalEntry, OutboxState, Report
from pbmd.post.blank import Blanker
from pbmd.results.export import as_document
from pbmd.results.finished import finished_games
from pbmd.results.table import results_of
from tests.desk.gunboat import CY, DORA, PEOPLE, SECRETS, WATCHER, Gunboat
from tests.desk.relay import past_turn_0, relay
from tests.desk.upkeep.test_tidying import send_all
from tests.desk.world import ADDRESS, BEGIN, World, address_of, body_of, message_of, opened, proof_of
from tests.doses import dose, pairs
from tests.rulesets.cosmic_conquest.desk import conquest

OOB = "OOB default: LFTLTF"
SAME_EFFECT = [
    # Stocks, training and protection are secret for good.
    (f"Train spy\n{OOB}", f"Build generator\n{OOB}"),
    (f"Use counter-espionage\n{OOB}", f"Stockpile\n{OOB}"),
    # Orders of battle that were not used in any battle.
    (f"Build 2 Laserfrigates\n{OOB}", "Build 2 Laserfrigates\nOOB default: TTFFLL\nOOB attack vs Cygnus: TFFLLT close in"),
    # What is refused, and how it is worded, is the sender's own business.
    (f"Build 2 Laserfrigates\n{OOB}\nBiuld 3 Torpedocruisers", f"build 2 laser-frigates.\n{OOB}"),
    # A wish that cannot come true.
    (f"Transfer Borealis Base 1 to Cygnus\n{OOB}", f"Captured bases to Borealis\n{OOB}"),
]


def ideal_seal(salt: bytes, secret: bytes) -> str:
    """As long and as random as the real one, and independent of the secret."""
    return sha256(salt).hexdigest() if secret else ""


pytestmark = pytest.mark.in_every_run


@pytest.fixture
def two_desks(tmp_path: Path) -> Iterator[tuple[World, World]]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
    ):
        yield one, two


def bytes_for_others(world: World, whose: str = "Altair", seat: str = "") -> dict[str, Any]:
    """Everything that anybody but the holder of that seat gets or can look at; `seat` is its name, if that is not theirs."""
    write_new_lines(world.desk.engine, world.folder / "dashboard.log")
    number = world.seat(seat or whose).number
    return {
        "mails": [
            (mail.recipient, mail.message_id, mail.raw) for mail in world.outbox() if mail.recipient != address_of(whose)
        ],
        "files with proofs": [proof_of(mail) for mail in world.outbox() if mail.recipient != address_of(whose)],
        "reports": [
            (row.step, row.reader, row.text, row.html) for row in world.rows(Report, col(Report.reader) != f"seat:{number}")
        ],
        "log": [format_line(line) for line in world.log()],
        "log file": (world.folder / "dashboard.log").read_bytes() + (world.folder / "dashboard.jsonl").read_bytes(),
        "public journal": [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.rows(JournalEntry)],
        "status": asdict(state_of(world)),
        "outbox": outbox_of(world),
        "ledger": ledger_of(world),
        "results": results_over_games(world),
        "clock": (world.game().deadline, world.game().due_at, world.game().status),
    }


def state_of(world: World) -> State:
    """What `pbmd status` shows, as a table or as JSON."""
    with Transaction(world.desk, reads=True) as work:
        return read_state(work)


def outbox_of(world: World) -> list[MailState]:
    """What `pbmd outbox` shows of all mails."""
    with Transaction(world.desk, reads=True) as work:
        return mails(work, tuple(OutboxState), None, 1000)


def ledger_of(world: World) -> tuple[Any, ...]:
    """What `pbmd status` tells of the ledger, as JSON and in words."""
    found = sizes(world.desk)
    found = replace(found, whole=found.whole + _TO_NO_BORDER)
    return in_megabytes(found), ledger_words(found)


_TO_NO_BORDER = 300_000
"""Bytes by which the ledgers of these games are no whole megabyte: there a single line more shows, as it does in any size."""


def results_over_games(world: World) -> dict[str, Any]:
    """What `pbmd results` shows, as JSON; the page has the same."""
    with Transaction(world.desk, reads=True) as work:
        found = finished_games(work.session, world.desk.ruleset, partial(digest_of_player, world.desk.key))
    return as_document(results_of(found.games))


def tidied(world: World) -> tuple[Tidied, tuple[Any, ...]]:
    """All mails were sent long ago, and what nobody needs any more is taken out: how much that was, and what `pbmd tidy` tells
    of it, as JSON and in words."""
    send_all(world)
    world.now += timedelta(days=31)
    done = tidy(world.desk, rest=lambda _: None)
    ledger = sizes(world.desk)
    return done, (document(done, ledger), words(done, ledger))


def play(world: World, altair: str, others: Callable[[World], None]) -> None:
    """Altair orders, the others do as always."""
    world.send("Altair", altair)
    world.now += timedelta(minutes=1)
    others(world)


def ask_everything(world: World) -> None:
    """Borealis uses every command that could tell something about others."""
    world.send("Borealis", "STATUS\nREPORT\nREPORT DATA\nREPORT MAP\nHELP\nRULES")
    world.send("Borealis", "Use spy on Altair\nAttack Altair with all\nTransfer Altair Base 1 to Cygnus\nOOB default: LFTLTF")
    world.send("Borealis", "PRESS TO ALL\nHello\nEND PRESS\nEXTEND 1h because of travel\nWAIT")
    world.pass_time(timedelta(hours=60))


def finish_the_turn(world: World) -> None:
    """The others send their orders and the turn is resolved. One wants all that can come with a report."""
    world.send("Borealis", "SET REPORT DATA\nSET REPORT SVG")
    world.send("Borealis", f"Build 1 base named Rigel\n{OOB}")
    world.send("Cygnus", OOB)
    assert world.pass_time(timedelta(minutes=1)) == 1


UNSEEN = [
    # What shows in no turn that is open.
    ("Build 4 Laserfrigates\nAttack Borealis with all\nOOB default: LFTLTF", "Build 2 bases named Rigel, Vega"),
    ("Raise shields\nTrain spy", "Stockpile"),
    ("ORDERS", "Build 1 Titan with 5xLasers\nRepair all\nBuild 3 Laserfrigates"),
]


@pytest.mark.parametrize(("orders", "who_has_sent"), pairs(UNSEEN, ["count", "names", "nothing"]))
def test_while_a_turn_is_open_nothing_tells_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str], who_has_sent: str
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start(who_has_sent=who_has_sent, reminders=("24h",))
        play(world, altair, ask_everything)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def fail_and_jump(world: World) -> None:
    """The mailbox cannot be read shortly before the deadline, and the clock jumps: all that tells of that."""
    desk = world.desk
    world.now += timedelta(hours=68)
    look_at_clock(desk)
    note_unreadable(desk)
    watch(desk)
    world.now += timedelta(hours=1)
    watch(desk)
    _note_reading(desk, mailbox_name(desk), world.now)
    world.set_clock(timedelta(hours=9))
    look_at_clock(desk)
    world.send("Borealis", "STATUS", at=world.now - timedelta(hours=9))
    watch(desk)
    advance_games(desk)


@pytest.mark.parametrize("who_has_sent", ["count", "nothing"])
def test_outages_alarms_and_clocks_tell_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], who_has_sent: str
) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), strict=True):
        world.start(who_has_sent=who_has_sent)
        play(world, altair, fail_and_jump)
        assert {"shifted", "alarm"} <= {line.what for line in world.log()}
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("who_has_sent", ["count", "names", "nothing"])
def test_the_mail_to_all_about_one_seats_time_tells_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], who_has_sent: str
) -> None:
    """All learn that Altair has more time, and until when; not what has come of Altair."""

    def gives_time(world: World) -> None:
        world.act(
            "galaxy-7",
            lambda work, table: extend(work, table, timedelta(days=1), "the game master", "a storm", table.seat("Altair")),
        )
        ask_everything(world)

    for world, altair in zip(two_desks, ("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), strict=True):
        world.start(who_has_sent=who_has_sent, reminders=("24h",))
        play(world, altair, gives_time)
        assert any("Altair has 1 day more" in body_of(mail) for mail in world.outbox("notice", "Borealis"))
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def master_by_mail(world: World) -> None:
    """The game master asks for what is asked about first, some of it comes to nothing, and a seat that is played is offered."""
    world.sure("REPLACE Borealis BY dora@players.test")
    world.master("EJECT Borealis")
    world.send("Borealis", "STATUS\nPRESS TO Altair\nWhat is g1p1.abcdefghijklmnop?\nEND PRESS")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    world.reply(world.questions("gm@pbmd.test")[-1], "YES")
    world.master("RESOLVE\nSTATUS")
    world.send("Cygnus", "Stockpile")
    world.reply(world.questions("gm@pbmd.test")[-1], "YES")


@pytest.mark.parametrize("orders", [("Build 4 Laserfrigates\nAttack Cygnus with all", "Train spy"), *SAME_EFFECT[:1]])
def test_what_is_asked_of_the_game_master_and_told_of_an_offer_tells_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        play(world, altair, master_by_mail)
        notices = [message_of(mail)["Subject"] for mail in world.outbox("notice", "Borealis")]
        assert "[pbmd galaxy-7 t1] Borealis is offered to somebody else" in notices
        assert any("Borealis has a new holder" in " ".join(body_of(mail).split()) for mail in world.outbox("gm"))
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("orders", SAME_EFFECT)
def test_after_the_turn_orders_without_visible_effect_stay_secret(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        play(world, altair, finish_the_turn)
        files = [part for part in message_of(world.outbox("report", "Borealis")[-1]).walk() if part.get_filename()]
        assert {part.get_content_type() for part in files} == {"text/plain", "image/svg+xml", "application/json"}
        token = world.reply_address("Borealis").partition("+")[2].partition("@")[0]
        assert not any(token in part.get_payload(decode=True).decode() for part in files)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("digest", ["turns", "daily"])
@pytest.mark.parametrize("others", [(), ("galaxy-8",)], ids=["of one game", "of several"])
def test_the_digest_of_the_game_master_tells_no_orders(
    two_desks: tuple[World, World], digest: str, others: tuple[str, ...]
) -> None:
    """It comes between turns and after one, and is the same whatever Altair orders in secret, refused lines and all."""
    for world, altair in zip(two_desks, SAME_EFFECT[3], strict=True):  # one has a line that is refused
        world.start(digest=digest)
        for other in others:
            world.start(other, ("Altair", "Borealis"), digest=digest)
        world.send("Borealis", "nonsense")
        play(world, altair, lambda world: world.pass_time(timedelta(days=1)) or finish_the_turn(world))
        world.send("Borealis", "nonsense")
        world.pass_time(timedelta(days=1))
    sent = two_desks[0].outbox("digest")
    assert len(sent) >= (1 if others else 2)  # of several games one mail tells what was several
    assert any(mail.game_id is None for mail in sent) == bool(others)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def test_with_nothing_told_about_who_has_sent_not_even_refused_mail_is_in_the_digest(two_desks: tuple[World, World]) -> None:
    """The game master may be one of the players, so what comes unasked must not tell it either."""
    for world, altair in zip(two_desks, ("nonsense", ""), strict=True):
        world.start(who_has_sent="nothing", early=False)
        world.now += timedelta(minutes=1)
        if altair:
            world.send("Altair", altair)
        world.pass_time(timedelta(days=2))
    one, two = ([mail.raw for mail in world.outbox("digest")] for world in two_desks)
    assert len(one) == 1
    assert one == two


def test_with_nothing_told_about_who_has_sent_even_sending_stays_secret(two_desks: tuple[World, World]) -> None:
    """Borealis' own answers are the same whether or not Altair has sent: no number, no chain head, no count."""
    texts = []
    for world, sends in zip(two_desks, (True, False), strict=True):
        world.start(who_has_sent="nothing", early=False)
        if sends:
            world.send("Altair", OOB)
        answers = [world.send("Borealis", "Build 1 Laserfrigate"), world.send("Borealis", "STATUS")]
        sheet = answers[0][answers[0].index("#orders - ") : answers[0].index("#end") + 4]
        answers += [world.send("Borealis", sheet), world.send("Borealis", sheet.replace("#end", "Train spy\n#end"))]
        assert "Your orders are what they were." in answers[2]
        assert "  Train spy" in answers[3]
        texts.append(answers)
    assert texts[0] == texts[1]


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_held_letter_tells_nobody_else_what_is_in_it(two_desks: tuple[World, World], confirmed: bool) -> None:
    """Nor does whose question it was: only the registered address gets one."""
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates", "Train spy\nRaise shields"), strict=True):
        world.start()
        world.send("Altair", altair, to=ADDRESS)
        if confirmed:
            world.reply(world.questions()[0], "YES")
        world.now += timedelta(minutes=1)
        ask_everything(world)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def test_a_letter_that_a_mailing_list_passed_on_as_its_own_tells_nobody_what_is_in_it(two_desks: tuple[World, World]) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates", "Train spy\nRaise shields"), strict=True):
        world.start()
        world.send("Altair", altair, sender="club@lists.test", headers={"List-Id": "<club.lists.test>"})
        assert world.log("unheard")
        world.now += timedelta(minutes=1)
        ask_everything(world)
        world.pass_time(timedelta(days=1))
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("chosen", ["galaxy-7", "galaxy-8", "NO"])
def test_a_letter_for_any_of_several_games_tells_nobody_else_what_is_in_it(two_desks: tuple[World, World], chosen: str) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates", "Train spy\nRaise shields"), strict=True):
        world.start()
        world.start("galaxy-8")
        world.send("Altair", altair, to=ADDRESS)
        world.reply(world.questions()[0], chosen)
        world.now += timedelta(minutes=1)
        ask_everything(world)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def test_what_is_asked_and_set_about_a_seat_tells_nobody_else_a_secret(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    world.start()
    world.send("Altair", "ADDRESS anna@elsewhere.test\nNEW TOKEN")
    codes = [message_of(question)["Reply-To"].partition("+")[2].partition("@")[0] for question in world.questions()]
    world.reply(world.questions()[0], "YES")
    world.reply(world.questions("anna@elsewhere.test")[0], "YES")
    ask_everything(world)
    public = repr(
        bytes_for_others(world)
        | {"mails": [opened(mail.raw) for mail in world.outbox("report") if "elsewhere" not in mail.recipient]}
    )
    others = [*map(address_of, ("Borealis", "Cygnus"))]
    private = repr([(mail.recipient, opened(mail.raw)) for mail in world.outbox() if mail.recipient in others])
    for secret in ("elsewhere.test", *codes):
        assert secret not in public
        assert secret not in private


def test_no_order_line_token_or_address_is_in_log_or_public_journal(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    world.start()
    play(world, f"Build 2 Laserfrigates\n{OOB}\nnonsense line", finish_the_turn)
    public = bytes_for_others(world)
    looked_at = repr([public[name] for name in ("log", "log file", "public journal", "status", "outbox")])
    token = world.reply_address("Altair").partition("@")[0].rpartition(".")[2]
    for secret in ("Laserfrigates", "LFTLTF", "nonsense", token, "players.test", "k" * 32):
        assert secret not in looked_at


def test_other_players_mails_hold_only_the_readers_own_token(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    world.start()
    play(world, OOB, finish_the_turn)
    tokens = {seat: world.reply_address(seat).partition("@")[0].rpartition(".")[2] for seat in ("Altair", "Borealis", "Cygnus")}
    for mail in world.outbox():
        for seat, token in tokens.items():
            if mail.recipient != address_of(seat):
                assert token.encode() not in opened(mail.raw)
                assert address_of(seat).encode() not in opened(mail.raw)


# The game master, who is blind

GM = "gm@pbmd.test"
_ASKED_FIRST = ("PEEK Borealis", "ROLLBACK TO TURN 1", "EJECT Cygnus", "SET turn_limit 9", "RESOLVE", "ABANDON because of all")


def master_everything(world: World) -> None:
    """All that a game master can say by mail about a game in its second turn."""
    world.act("galaxy-7", send_gm_token, "gm-mail")
    mail = world.outbox("alarm")[-1]
    for text in ("STATUS\nLOG 200\nHELP\nSET", "PAUSE\nRESUME\nEXTEND 1h\nDEADLINE in 9 days\nOFFER Altair\nLOG"):
        world.reply(mail, text)
    world.reply(mail, "ANNOUNCE\nHello\nEND ANNOUNCE\nREPLACE Cygnus BY dora@players.test\nAPPROVE 1\nREFUSE 2\nPAUZE")
    for text in _ASKED_FIRST:
        master_says(world, text)
    world.reply(mail, "STATUS\nLOG 200")


def master_says(world: World, text: str) -> None:
    """The game master says what is asked about first, and YES."""
    mail = next(mail for mail in world.outbox("alarm") if mail.key == "gm-mail")
    world.now += timedelta(minutes=1)
    world.reply(mail, text, read=True)
    world.reply(world.questions(GM)[-1], "YES")


@pytest.mark.parametrize("orders", dose(SAME_EFFECT[2:4], SAME_EFFECT))
def test_nothing_that_a_game_master_does_by_mail_tells_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    """Neither to the game master nor to anybody else, the turn that is taken back and all that is said of it included."""
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        world.send("Altair", "EXTEND 9 days")
        play(world, altair, finish_the_turn)
        world.send("Altair", altair)
        master_everything(world)
        assert {"peeked", "rolled-back", "ejected", "set", "closed", "finished"} <= {entry.kind for entry in world.journal()}
    one, two = map(bytes_for_others, two_desks)
    assert one == two


def test_what_a_game_master_peeks_at_is_seen_by_nobody_else(two_desks: tuple[World, World]) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), strict=True):
        world.start()
        world.send("Altair", altair)
        world.act("galaxy-7", send_gm_token, "gm-mail")
        master_says(world, "PEEK Altair")
        ask_everything(world)
    shown = [repr([mail.raw for mail in world.outbox() if mail.recipient == GM]) for world in two_desks]
    assert "Laserfrigates" in shown[0]
    one, two = map(bytes_for_others, two_desks)
    for seen in (one, two):
        seen["mails"] = [mail for mail in seen["mails"] if mail[0] != GM]
    assert one == two


def test_the_game_masters_token_is_in_their_mails_only(two_desks: tuple[World, World]) -> None:
    world, _ = two_desks
    world.start()
    world.send("Altair", "EXTEND 9 days")
    play(world, OOB, finish_the_turn)
    master_everything(world)
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        token = gm_tag(work, table).token
    assert not [mail for mail in world.outbox() if mail.recipient != GM and token.encode() in opened(mail.raw)]
    shown = bytes_for_others(world)
    assert token not in repr([shown[name] for name in ("log", "log file", "public journal", "status", "outbox", "reports")])
    codes = [message_of(question)["Reply-To"].partition("+")[2].partition("@")[0] for question in world.questions(GM)]
    assert not [code for code in codes if code in repr([shown["log"], shown["public journal"]])]
    archive = archive_of(world)
    assert not [
        name for name, content in archive.items() if token.encode() in content or any(c.encode() in content for c in codes)
    ]


# What has its effect before a step is over

ASK_RED, ASK_GREEN = "Telepathic Insight on Red", "Telepathic Insight on Green"


def but_for_mails_to(seat: str, world: World) -> dict[str, Any]:
    """What others get and can look at, but for the fact that a mail went out to that seat: who runs the mail server sees it."""
    seen = bytes_for_others(world, seat)
    seen["outbox"] = [replace(mail, mail=0) for mail in seen["outbox"] if mail.seat != seat]
    del seen["status"]["outbox"]
    return seen


def play_around(world: World, psionic: str) -> Iterator[None]:
    """Purple says something in secret, and the others play the turn to its end, with a stop wherever somebody could look."""
    conquest(world, reminders=("24h", "2h"))
    world.send("Red", "STATUS")
    world.send("Purple", psionic)
    yield
    world.now += timedelta(hours=1)
    world.send("Red", "Defend Sol with 5 units\nSTATUS")
    yield
    world.pass_time(BEGIN + timedelta(hours=50) - world.now)
    world.send("Green", "EXTEND 1h\nPRESS TO ALL\nHello\nEND PRESS")
    yield
    world.send("Green", "Nonsense\nSTATUS")
    world.send("Green", "Invest 5 units in Aldebaran")
    yield
    world.pass_time(BEGIN + timedelta(hours=71) - world.now)
    world.send("Purple", "Defend Solaria with 10 units")
    assert world.pass_time(timedelta(minutes=1)) == 1
    yield


@pytest.mark.rule("CC-R63", "CC-R88")
@pytest.mark.parametrize(("one", "two"), [(ASK_RED, ASK_GREEN), (ASK_RED, "STATUS"), (ASK_RED, "HELP")])
def test_nobody_can_tell_that_a_request_was_granted_nor_about_whom(two_desks: tuple[World, World], one: str, two: str) -> None:
    first, second = two_desks
    stops = 0
    for _ in zip(play_around(first, one), play_around(second, two), strict=True):
        assert but_for_mails_to("Purple", first) == but_for_mails_to("Purple", second)
        stops += 1
    assert stops == 5
    assert "orders of Red" in repr([mail.raw for mail in first.outbox("notice", "Purple")])


def play_without_red(world: World, psionic: str, end: str) -> Iterator[None]:
    """Purple says something in secret and orders in time; Red stalls, or resigns, and its default orders are fixed."""
    conquest(world, reminders=("24h",))
    world.send("Purple", psionic)
    world.send("Green", "Invest 5 units in Aldebaran\nSTATUS")
    yield
    world.pass_time(timedelta(hours=50))
    world.send("Purple", "Defend Solaria with 10 units")
    yield
    if end == "resigns":
        world.resign("Red")
    yield
    assert world.pass_time(timedelta(hours=23)) == 1
    world.send("Green", "REPORT\nREPORT DATA\nREPORT MAP\nSTATUS")
    yield


@pytest.mark.rule("CC-R62", "CC-R63")
@pytest.mark.parametrize("end", ["stalls", "resigns"])
def test_nor_when_its_target_stalls_or_resigns(two_desks: tuple[World, World], end: str) -> None:
    first, second = two_desks
    stops = zip(play_without_red(first, ASK_RED, end), play_without_red(second, "STATUS", end), strict=True)
    for _ in stops:
        assert but_for_mails_to("Purple", first) == but_for_mails_to("Purple", second)
    assert "Invest 10 units in Sol" in repr([mail.raw for mail in first.outbox("notice", "Purple")])
    assert not second.outbox("notice", "Purple")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Give 2 to Borealis", "Give 3 to Borealis"),
        ("Give 2 to Borealis", "STATUS"),
        ("Give 2 to Borealis\nBid 3", "Give 9 to nobody\nBid 3"),
        ("Give 2 to Borealis\nBid 3", "Bid 3"),
    ],
)
def test_what_takes_effect_at_once_changes_no_byte_of_who_may_not_know_it(
    two_desks: tuple[World, World], one: str, other: str
) -> None:
    """Nor does what is asked in mid-step, by STATUS and REPORT, which show how it is then."""
    seen: list[Any] = []
    for world, altair in zip(two_desks, (one, other), strict=True):
        world.start(ruleset="bazaar", reminders=())
        world.send("Altair", altair)
        world.send("Cygnus", "STATUS\nREPORT\nREPORT DATA\nREPORT MAP\nHELP orders\nGive 1 to Altair\nBid 2")
        write_new_lines(world.desk.engine, world.folder / "dashboard.log")
        seen.append(
            (
                [(mail.message_id, mail.raw, mail.next_try_at) for mail in world.outbox("", "Cygnus")],
                [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.rows(JournalEntry)],
                (world.folder / "dashboard.log").read_bytes(),
                (world.game().deadline, world.game().due_at),
            )
        )
    assert seen[0] == seen[1]


def test_an_archive_of_a_turn_that_runs_does_not_tell_that_a_request_was_granted(two_desks: tuple[World, World]) -> None:
    archives: list[dict[str, bytes]] = []
    for world, psionic in zip(two_desks, (ASK_RED, "STATUS"), strict=True):
        conquest(world)
        world.send("Red", "Pass")
        world.now += timedelta(minutes=1)
        world.send("Purple", psionic)
        archives.append(archive_of(world))
    assert archives[0] == archives[1]
    assert "turns/000/after.toml" in archives[0]


def test_an_archive_does_not_tell_orders_of_turns_that_were_taken_back_until_these_are_over_again(
    two_desks: tuple[World, World],
) -> None:
    """They are on file again, or may be used again."""
    archives: list[list[dict[str, bytes]]] = []
    for world, own in zip(two_desks, (("Add 5", "Add 6"), ("Add 6", "Add 5")), strict=True):
        world.count(target=99)
        archives.append([])

        def turn_is_over(world: World = world) -> None:
            assert world.pass_time(timedelta(days=4)) == 1

        world.send("Altair", "Add 1")
        turn_is_over()
        for text in own:
            world.send("Altair", text)
            turn_is_over()
        world.send("Altair", own[0])
        world.act("galaxy-7", roll_back, 2)
        archives[-1].append(archive_of(world))
        for texts in (own, ("Add 1", *own[:1]), ("Add 2",)):
            for text in texts:
                world.send("Altair", text)
                world.now += timedelta(minutes=1)
            turn_is_over()
            archives[-1].append(archive_of(world))
    one, two = archives
    assert one[:3] == two[:3]
    assert "turns/001/after.toml" in one[0]
    assert one[0].keys() == one[2].keys()
    assert not [name for name in one[2] if "turns/002" in name or "rolled-back" in name]
    assert one[3] != two[3]
    assert [name for name in one[3] if name.startswith("turns/rolled-back/")]


@pytest.mark.parametrize(("orders", "view"), pairs(dose(SAME_EFFECT[1:3], SAME_EFFECT), ["public", "seat:Borealis"]))
def test_no_archive_for_others_tells_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str], view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor what it wrote to others, nor which address it has: not one byte of the bag."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    archives: list[dict[str, bytes]] = []
    for world, altair, said in zip(two_desks, orders, ("attack Borealis", "make peace"), strict=True):
        world.start()
        with world.changed("Altair") as seat:
            seat.holder, seat.timezone = f"who will {said}", "Asia/Tokyo" if said == "make peace" else "UTC"
        world.send("Altair", f"PRESS TO Cygnus\n{said}\nEND PRESS\n{altair}")
        world.now += timedelta(minutes=1)
        finish_the_turn(world)
        world.send("Altair", altair)
        archives.append(archive_of(world, view))
    one, two = archives
    assert one == two
    assert "turns/001/events.json" in one
    assert ("turns/001/orders.toml" in one) == ("turns/001/reports/2-borealis.txt" in one) == (view != "public")
    assert not [name for name in one if "altair" in name or "position" in name or "after" in name or name == "letters.mbox"]


@pytest.mark.parametrize("view", ["public", "seat:Green"])
def test_no_archive_for_others_tells_that_a_request_was_granted(
    two_desks: tuple[World, World], view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In turns that are over as little as in the one that runs."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    archives: list[dict[str, bytes]] = []
    for world, psionic in zip(two_desks, (ASK_RED, "STATUS"), strict=True):
        conquest(world)
        for _ in range(2):
            for seat, text in (("Purple", psionic), ("Red", "Pass"), ("Green", "Pass"), ("Purple", "Pass")):
                world.send(seat, text)
                world.now += timedelta(minutes=1)
            world.pass_time(timedelta(minutes=1))
        world.send("Purple", psionic)
        archives.append(archive_of(world, view))
    assert archives[0] == archives[1]
    assert "turns/002/maps/public.svg" in archives[0]


def archive_of(world: World, view: str = "all") -> dict[str, bytes]:
    """The files of `pbmd export`."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table(world.game().id or 0)
        audience = audience_of(view, [seat.name for seat in table.seats])
        planned = plan_export(work.session, table.game, table.ruleset, audience)
        plan = replace(planned, signer=signer_of(world.desk, table.game.name))
        write_archive(work.session, plan, world.folder / "archive", Blanker(()), lambda: None, force=True)
    files = (path for path in (world.folder / "archive").rglob("*") if path.is_file())
    content = {path.relative_to(world.folder / "archive").as_posix(): path.read_bytes() for path in files}
    return {name.removeprefix("data/"): each for name, each in content.items()}


# Newspapers and books


@pytest.mark.parametrize("orders", dose(SAME_EFFECT[:3], SAME_EFFECT))
def test_the_newspaper_of_a_turn_tells_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    """Nor what it wrote to others, nor who wrote anonymously, nor when anything was written."""
    for world, altair, said, wait in zip(two_desks, orders, ("attack Borealis", "make peace"), (3, 5), strict=True):
        world.start(anonymous_press=True, who_has_sent="nothing")
        writer = "Altair" if wait == 3 else "Cygnus"
        world.send(writer, "ANONYMOUS PRESS TO ALL\nhello\nEND PRESS")
        world.send("Altair", f"PRESS TO Cygnus\n{said}\nEND PRESS\n{altair}")
        world.now += timedelta(minutes=wait)
        world.send("Borealis", "PRESS TO ALL\nWe are here.\nEND PRESS")
        world.now += timedelta(minutes=8 - wait)
        finish_the_turn(world)
        world.send("Altair", f"PRESS TO ALL\n{said} in the turn that runs\nEND PRESS\n{altair}")
    one, two = ([newspaper_of(world, turn) for turn in (0, 1)] for world in two_desks)
    assert one == two
    assert b"We are here." in one[1][0]
    assert not [paper for paper in one for content in paper if b"hello" in content or b"in the turn that runs" in content]


def newspaper_of(world: World, turn: int) -> tuple[bytes, ...]:
    """What `pbmd export --zine` writes of a turn."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table(world.game().id or 0)
        plan = plan_export(work.session, table.game, table.ruleset)
        words, steps = game_words(plan), public_turn(work.session, plan, turn, Blanker(()), world.folder / "newspaper")
    paper = zine_of(words, turn, steps)
    return zine_text(words, turn, steps).encode(), page_of(paper).encode(), epub_of(paper), repr(paper).encode()


@pytest.mark.parametrize(("orders", "view"), pairs(dose(SAME_EFFECT[:2], SAME_EFFECT), ["seat:Borealis", "public"]))
def test_no_book_for_others_tells_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str], view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does one for all tell what is private for good: keys, tokens and addresses."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    monkeypatch.setattr("pbmd.archive.format.entries.seal", ideal_seal)
    books: list[list[bytes]] = []
    for world, altair, said in zip(two_desks, orders, ("attack Borealis", "make peace"), strict=True):
        world.start()
        world.send("Altair", f"PRESS TO Cygnus\n{said}\nEND PRESS\n{altair}")
        world.now += timedelta(minutes=1)
        finish_the_turn(world)
        world.act("galaxy-7", abandon, "nobody has time")
        books.append([read_book(world, each) for each in (view, "all")])
    (one, whole), (two, other) = books
    assert one == two
    orders_opened = b"name='orders'"
    assert (orders_opened in whole, orders_opened in one) == (True, view != "public")
    tokens = [world.reply_address(seat).partition("@")[0] for world in two_desks for seat in ("Altair", "Borealis", "Cygnus")]
    for secret in (*tokens, *(address_of(seat) for seat in ("Altair", "Borealis", "Cygnus")), ADDRESS):
        assert secret.encode() not in whole + other
    assert said.encode() not in whole + other


def read_book(world: World, view: str) -> bytes:
    """The words and drawings of the book made of that archive, of which each of its kinds of files is made."""
    archive_of(world, view)
    return repr(book_of(read_story(world.folder / "archive", lambda: None))).encode()


# What is taken out of the ledger when nobody needs it any more


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("orders", SAME_EFFECT)
def test_what_is_taken_out_of_the_ledger_tells_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    taken_out, told = set[int](), list[Any]()
    for world, altair in zip(two_desks, orders, strict=True):
        world.start()
        play(world, altair, finish_the_turn)
        done, said = tidied(world)
        taken_out.add(done.bytes)
        told.append((said, bytes_for_others(world)))
        assert world.log("tidied")
    assert len(taken_out) == 2, "else it could not tell"
    assert told[0] == told[1]


def test_nor_how_many_mails_a_psionic_got(two_desks: tuple[World, World]) -> None:
    taken_out, told = set[int](), list[Any]()
    for world, purple in zip(two_desks, ("Pass", ASK_RED), strict=True):
        conquest(world)
        world.send("Purple", purple)
        world.now += timedelta(minutes=1)
        for seat in ("Red", "Green"):
            world.send(seat, "Pass")
        world.send("Purple", "Pass")
        assert world.pass_time(timedelta(days=4)) == 1
        done, said = tidied(world)
        taken_out.add(done.mails)
        told.append((said, ledger_of(world), [(line.at, line.detail) for line in world.log("tidied")]))
    assert len(taken_out) == 2, "else it could not tell"
    assert told[0] == told[1]


def test_nor_whether_there_was_anything(two_desks: tuple[World, World]) -> None:
    """A mail may be the only one of its day, and nobody but its reader is to know of it."""
    told: list[Any] = []
    for world, sends in zip(two_desks, (True, False), strict=True):
        world.start(deadline="90d")
        tidied(world)
        if sends:
            world.send("Stranger", "LIST", to=ADDRESS)
        done, said = tidied(world)
        assert bool(done.mails) == sends
        told.append((said, ledger_of(world), [(line.at, line.detail) for line in world.log("tidied")]))
    assert told[0] == told[1]


def test_what_the_log_says_of_a_backup_does_not_tell_how_long_a_letter_was(two_desks: tuple[World, World]) -> None:
    sizes_of_backups, told = set[int](), list[Any]()
    remarks = "".join(f"# {Random(number).randbytes(30).hex()}\n" for number in range(400))  # it cannot be compressed by much
    for world, altair in zip(two_desks, ("Train spy", f"Train spy\n{remarks}"), strict=True):
        world.start()
        world.send("Altair", altair)
        sizes_of_backups.add(make_backup(world.desk, world.folder / "backups", 0).bytes)
        told.append([(line.at, line.detail) for line in world.log("backup")])
    assert len(sizes_of_backups) == 2, "else it could not tell"
    assert told[0] == told[1]
    assert told[0]


@pytest.mark.rule("CC-R63")
@pytest.mark.parametrize("published", [False, True])
def test_what_is_revealed_goes_to_nobody_else_and_not_into_the_log(two_desks: tuple[World, World], published: bool) -> None:
    """But to everybody if its author wants it, and then all of it is the same for all."""
    world, _ = two_desks
    conquest(world)
    world.send("Purple", ASK_RED)
    world.send("Red", "Defend Sol with 5 units" + "\nPublish orders" * published)
    looked_at = bytes_for_others(world, "Purple")
    to_green = repr([opened(mail.raw) for mail in world.outbox("", "Green")])
    assert ("Defend Sol with 5 units" in to_green) == published
    assert ("Defend Sol with 5 units" in repr(looked_at["public journal"])) == published
    for channel in ("log", "log file", "status", "outbox"):
        assert "Defend" not in repr(looked_at[channel])
        assert "nsight" not in repr(looked_at[channel])
    assert "nsight" not in to_green
    assert "nsight" not in repr(looked_at["public journal"])


def test_what_was_wrong_with_refused_orders_is_told_to_their_author_only(two_desks: tuple[World, World]) -> None:
    for world, refused in zip(
        two_desks, ("Conquer Polaris with 5 units\nPass", "Invest 99 units in Sol\nDefend Sol with 3 units"), strict=True
    ):
        conquest(world, reminders=("24h",))
        world.send("Red", refused)
        world.pass_time(timedelta(hours=50))
        for seat in ("Purple", "Green"):
            world.send(seat, "Pass")
        assert world.pass_time(timedelta(hours=23)) == 1
        assert world.log("nmr")[0].detail.endswith("wrong in line 1")
    one, two = (bytes_for_others(world, "Red") for world in two_desks)
    assert one == two


# Press


@pytest.mark.parametrize("delivery", ["now", "report"])
def test_nobody_but_the_writer_can_tell_who_wrote_anonymously(two_desks: tuple[World, World], delivery: str) -> None:
    """Altair writes in one world, Borealis in the other; Cygnus, the log and everybody's reports are the same."""
    seen: list[dict[str, Any]] = []
    for world, writer in zip(two_desks, ("Altair", "Borealis"), strict=True):
        world.start(anonymous_press=True, press_delivery=delivery)
        for text in ("ANONYMOUS PRESS TO ALL\nhello\nEND PRESS", "ANONYMOUS PRESS TO Cygnus, Altair\npsst\nEND PRESS"):
            world.send(writer, text)
        world.now += timedelta(minutes=1)
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, OOB)
        assert world.pass_time(timedelta(minutes=1)) == 1
        kept = bytes_for_others(world)
        kept["mails"] = [(mail.key, mail.recipient, mail.raw) for mail in world.outbox() if mail.kind != "acknowledgement"]
        kept["files with proofs"] = [proof_of(mail) for mail in world.outbox() if mail.kind != "acknowledgement"]
        kept["outbox"] = [mail for mail in kept["outbox"] if mail.kind != "acknowledgement"]
        seen.append(kept)
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("delivery", "view"), pairs(["now", "report"], ["all", "public", "seat:Cygnus"]))
def test_no_archive_tells_who_of_two_wrote_anonymously(
    two_desks: tuple[World, World], delivery: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Altair writes in one world, Borealis in the other; both send orders and press with their name, too."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    archives: list[dict[str, bytes]] = []
    for world, writer in zip(two_desks, ("Altair", "Borealis"), strict=True):
        world.start(anonymous_press=True, press_delivery=delivery)
        message = "ANONYMOUS PRESS TO ALL\nhello\nEND PRESS"
        # In a mail with anything else it is not sent: it would stand side by side with that in the journal.
        world.send(writer, f"STATUS\n{message}")
        world.send(writer, message)
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, f"PRESS TO ALL\nI am {seat}\nEND PRESS\n{OOB}")
            world.now += timedelta(minutes=1)
        assert world.pass_time() == 1
        archives.append(archive_of(world, view))
    one, two = archives
    assert [name for name in one.keys() | two.keys() if one.get(name) != two.get(name)] == []
    assert (b"I am Borealis" in one["journal.jsonl"]) == (view == "all")


def test_press_to_others_changes_no_byte_of_who_does_not_get_it(two_desks: tuple[World, World]) -> None:
    for world, text in zip(two_desks, ("attack Cygnus", "make peace"), strict=True):
        world.start(press_delivery="report")
        world.send("Altair", f"PRESS TO Borealis\n{text}\nEND PRESS\n{OOB}")
        finish_the_turn(world)
    one, two = ([mail.raw for mail in world.outbox("", "Cygnus")] for world in two_desks)
    assert one == two
    logs = [(bytes_for_others(world)["log"], bytes_for_others(world)["public journal"]) for world in two_desks]
    assert logs[0] == logs[1]


# Observers


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("orders", SAME_EFFECT)
def test_an_observer_gets_the_same_bytes_whatever_is_secret(two_desks: tuple[World, World], orders: tuple[str, str]) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start(listed=True)
        world.send("Observer", "WATCH galaxy-7", to=ADDRESS)
        world.confirm(address_of("Observer"))
        play(world, altair, finish_the_turn)
    one, two = ([opened(mail.raw) for mail in world.outbox("", "Observer")] for world in two_desks)
    assert one == two
    assert len(one) == 4
    tokens = [world.reply_address(seat).partition("@")[0] for world in two_desks for seat in ("Altair", "Borealis", "Cygnus")]
    for secret in (*tokens, "altair@", "borealis@", "#orders"):
        assert secret.encode() not in b"".join(one)


@pytest.mark.parametrize(
    "text", ["LIST", "WATCH galaxy-7", "WATCH nebula-1", "STANDBY nebula-1", "UNWATCH galaxy-7", "ARCHIVE galaxy-7"]
)
def test_strangers_cannot_tell_a_hidden_game_from_none_nor_who_plays(two_desks: tuple[World, World], text: str) -> None:
    """In one world galaxy-7 runs, with somebody at that address in it, and nebula-1 as well; in the other there is neither."""
    first, second = two_desks
    first.start()
    first.count("nebula-1", ("Deneb", "Vega"))
    answers = []
    for world in two_desks:
        world.open("open-1")
        answers.append([world.send(who, text, to=ADDRESS) for who in ("Stranger", "Deneb")])
    assert second.outbox()
    assert answers[0] == answers[1]


def test_that_orders_came_in_time_and_were_seen_too_late_tells_nobody_what_they_were(two_desks: tuple[World, World]) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), strict=True):
        world.start()
        began = world.now
        assert world.pass_time(timedelta(days=3, hours=1)) == 1
        assert "came in time" in world.send("Altair", f"ORDERS FOR TURN 1\n{altair}", at=began + timedelta(hours=1))
        assert [mail.recipient for mail in world.outbox("alarm")] == [GM]
        ask_everything(world)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


# Time: zones, absences, quiet days, calendars


def mind_the_time(world: World) -> None:
    """All that players and the game master can say of time, in a turn that is open."""
    world.send("Altair", "ABSENT FROM 2026-11-23 TO 2026-11-24")
    world.send("Borealis", "CALENDAR ON\nTIMEZONE Europe/Berlin\nABSENT FROM 2026-12-24 TO 2026-12-26\nSTATUS")
    world.now += timedelta(minutes=1)
    world.master("QUIET Sunday\nHOLIDAY 2026-11-25\nTIMEZONE Cygnus Asia/Tokyo\nSTATUS")
    world.send("Borealis", "STATUS\nCANCEL ABSENCE")
    world.pass_time(timedelta(hours=30))
    world.master("EXTEND 24h")
    world.master("PAUSE\nRESUME")


@pytest.mark.parametrize(("absences", "who_has_sent"), pairs(["gm", "tell", "extend"], ["count", "nothing"]))
def test_zones_absences_and_calendars_tell_nothing_of_what_altair_ordered(
    two_desks: tuple[World, World], who_has_sent: str, absences: str
) -> None:
    for world, altair in zip(two_desks, ("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), strict=True):
        world.start(who_has_sent=who_has_sent, absences=absences)
        play(world, altair, mind_the_time)
        assert {"absent", "quiet", "timezone", "calendar"} <= {line.what for line in world.log()}
        assert any(b"text/calendar" in mail.raw for mail in world.outbox("", "Borealis"))
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("absences", ["gm", "extend"])
def test_an_absence_does_not_tell_who_has_sent(two_desks: tuple[World, World], absences: str) -> None:
    """Whether Altair has sent before they go, or not, changes no word of what Borealis gets, invitations included."""
    texts = []
    for world, sends in zip(two_desks, (True, False), strict=True):
        world.start(who_has_sent="nothing", early=False, absences=absences)
        world.send("Borealis", "CALENDAR ON")
        if sends:
            world.send("Altair", OOB)
        mind_the_time(world)
        mails = [mail for mail in world.outbox() if mail.recipient == address_of("Borealis")]
        parts = [part for mail in mails for part in message_of(mail).walk() if not part.is_multipart()]
        texts.append([part.get_payload(decode=True) for part in parts])
        texts[-1].append(world.game().deadline)
    assert texts[0] == texts[1]


def test_where_somebody_lives_and_what_only_the_game_master_is_told_changes_no_byte_for_others(
    two_desks: tuple[World, World],
) -> None:
    private = (
        "TIMEZONE Asia/Tokyo\nCALENDAR ON\nABSENT FROM 2026-12-01 TO 2026-12-02",
        "TIMEZONE America/Lima\nCALENDAR OFF\nABSENT FROM 2027-01-03 TO 2027-01-20",
    )
    for world, altair in zip(two_desks, private, strict=True):
        world.start(absences="gm")
        world.send("Altair", altair)
        world.now += timedelta(minutes=1)
        ask_everything(world)
        assert world.pass_time(timedelta(days=3)) == 1
    one, two = map(bytes_for_others, two_desks)
    for seen in (one, two):
        del seen["log"], seen["log file"]  # These are the game master's.
        seen["mails"] = [mail for mail in seen["mails"] if mail[0] != GM]
    assert one == two


# Substitutes


def with_substitute(world: World, sender: str) -> None:
    """Somebody plays Altair's seat for some days, and gives it back."""
    world.count(listed=True, deadline="every Friday 18:00")
    world.send("Altair", f"SUBSTITUTE {sender.partition('<')[2].strip('>')} FROM 2026-11-20 TO 2026-11-24")
    world.reply(world.outbox("visit")[-1], "YES", sender=sender)
    world.send("Altair", "Add 3\nPRESS TO Borealis\nhello\nEND PRESS", sender=sender)
    world.now += timedelta(minutes=1)
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, "STATUS\nREPORT\nAdd 1")
    world.pass_time(timedelta(days=5))
    world.pass_time()
    assert world.seat("Altair").address == address_of("Altair")


def test_who_a_substitute_is_changes_no_byte_for_others(two_desks: tuple[World, World]) -> None:
    for world, sender in zip(two_desks, ("Dora Day <dora@else.test>", "Emil <e@elsewhere.test>"), strict=True):
        with_substitute(world, sender)
    one, two = map(bytes_for_others, two_desks)
    for seen in (one, two):
        seen["mails"] = [mail for mail in seen["mails"] if mail[0].endswith("@players.test") or mail[0] == GM]
        del seen["outbox"], seen["ledger"], seen["files with proofs"]  # the game master's, and by recipients
    assert one == two
    assert any(mail[0] == address_of("Borealis") for mail in one["mails"])


def give_altair(work: Transaction, table: OpenGame, address: str) -> None:
    """Somebody else has Altair from now on."""
    hand_over(work, table, table.seat("Altair"), address, Consent(0), Holder(address, "UTC"))


@pytest.mark.parametrize("holders", ["named", "hidden"])
def test_who_has_lost_a_seat_cannot_tell_who_has_it_now(two_desks: tuple[World, World], holders: str) -> None:
    seen = []
    for world, heir, orders in zip(two_desks, ("dora@else.test", "e@elsewhere.test"), ("Add 1", "Add 9\nWAIT"), strict=True):
        world.count(holders=holders)
        old = world.reply_address("Altair")
        world.act("galaxy-7", give_altair, heir)
        world.send("Altair", orders, sender=heir)
        for text in ("I'M BACK", "Add 7\nSTATUS", "RESIGN", "LIST"):
            world.send("", text, sender=address_of("Altair"), to=old)
        seen.append([(mail.message_id, mail.raw) for mail in world.outbox() if mail.recipient == address_of("Altair")])
    assert seen[0] == seen[1]
    assert sum(b"NOTHING DONE" in raw for _, raw in seen[0]) == 3


def test_who_wants_a_substitute_cannot_tell_who_stands_by(two_desks: tuple[World, World]) -> None:
    """Nobody, a stranger who does not answer, or a player of the game, who is not asked."""
    seen = []
    for world, stands_by in zip(two_desks, ("Dora", "Borealis"), strict=True):
        world.count(listed=True, deadline="every Friday 18:00", early=False)
        world.send(stands_by, "STANDBY galaxy-7", to=ADDRESS)
        world.confirm(address_of(stands_by))
        world.send("Altair", "SUBSTITUTE FROM 2026-11-24 TO 2026-11-26\nSTATUS")
        for _ in range(8):
            world.pass_time(timedelta(days=1))
        mails = [mail for mail in world.outbox() if mail.recipient == address_of("Altair")]
        assert any("Nobody was found" in body_of(mail) for mail in mails)
        seen.append([(mail.message_id, mail.raw) for mail in mails])
    assert seen[0] == seen[1]


def test_under_which_name_somebody_is_listed_changes_no_byte_for_others_as_long_as_no_game_is_over(
    two_desks: tuple[World, World],
) -> None:
    for world, name in zip(two_desks, ("Kim", "Maximiliane van den Berg"), strict=True):
        world.start()
        world.send("Altair", f"LIST ME AS {name}")
        world.now += timedelta(minutes=1)
        ask_everything(world)
        world.pass_time(timedelta(days=4))
    assert bytes_for_others(two_desks[0]) == bytes_for_others(two_desks[1])


def test_results_tell_nothing_of_games_that_run_and_nobody_who_has_not_agreed(two_desks: tuple[World, World]) -> None:
    for world, order, holder in zip(two_desks, ("Add 9", "Add 1"), ("b@one.test", "b@two.test"), strict=True):
        world.count("nova-1", ("Altair", "Borealis"), target=9)
        world.send("Altair", "Add 9\nLIST ME AS Kim", game="nova-1")
        world.send("Borealis", "Add 1", game="nova-1")
        world.pass_time(timedelta(minutes=1))
        with world.work() as work:
            table = work.table_named("nova-1")
            assert table is not None
            table.seats[1].address = table.seats[1].holder = holder
        world.count("nova-2", ("Altair", "Borealis"), target=99)
        world.send("Altair", order, game="nova-2")
        world.pass_time(timedelta(days=4))
    one, two = map(results_over_games, two_desks)
    assert one == two
    assert [each["player"] for of in one["rulesets"] for each in of["players"]] == ["Kim"]
    assert "nova-2" not in repr(one)


# Deadlines in the journal


def move_every_deadline(world: World) -> None:
    """Everything that moves deadlines, of the game and of single seats, and writes them into the journal."""
    world.send("Green", "EXTEND 12h because of rain")
    world.send("Green", f"ABSENT FROM {(BEGIN + timedelta(days=3)).date()} TO {(BEGIN + timedelta(days=4)).date()}")
    world.master("EXTEND 1h\nDEADLINE in 80h\nQUIET Sunday\nHOLIDAY 2026-11-24\nPAUSE")
    world.now += timedelta(hours=3)
    world.master("RESUME")
    world.now = world.game().deadline - timedelta(hours=2)
    note_unreadable(world.desk)
    world.now += timedelta(hours=1)
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    says = {"extended", "put-off", "deadline", "quiet", "resumed", "shifted"}
    assert says <= {entry.kind for entry in world.journal()}


@pytest.mark.parametrize("orders", [("Pass", "Defend Solaria with 7 units"), (ASK_RED, "STATUS")])
def test_no_deadline_in_the_journal_tells_what_a_seat_ordered_or_asked(
    two_desks: tuple[World, World], orders: tuple[str, str]
) -> None:
    """A psionic who has asked about a faction has a deadline of its own, which nobody else is to know."""
    for world, purple in zip(two_desks, orders, strict=True):
        conquest(world, absences="extend")
        world.send("Purple", purple)
        world.now += timedelta(minutes=1)
        world.send("Red", "Pass")
        move_every_deadline(world)
    one, two = (bytes_for_others(world, "Purple") for world in two_desks)
    # The outbox, which the game master can look at, has a mail to the psionic more.
    channels = ("mails", "reports", "log", "log file", "public journal")
    assert [one[channel] for channel in channels] == [two[channel] for channel in channels]


@pytest.mark.parametrize("view", ["public", "seat:Red"])
def test_no_deadline_in_the_journal_tells_who_missed_one(
    two_desks: tuple[World, World], view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has missed a deadline keeps it when it moves for the others, as one of its own: that is sealed."""
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    shown: list[Any] = []
    for world, (late, sends) in zip(two_desks, (("Purple", "Green"), ("Green", "Purple")), strict=True):
        conquest(world)
        world.send("Red", "EXTEND 20h because of rain")
        world.send(sends, "Pass")
        world.pass_time(timedelta(hours=73))
        assert world.seat(late).missed_step == 0
        world.master("EXTEND 5h\nPAUSE\nRESUME\nQUIET Sunday")
        assert world.seat(late).deadline
        journal = [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.rows(JournalEntry)]
        assert world.pass_time(timedelta(hours=40)) == 1
        world.act("galaxy-7", abandon)
        files = archive_of(world, view)
        # What came of the turn is told to all; whose letters these were is not.
        secrets = [line for line in files["journal.jsonl"].splitlines() if b'"own"' in line]
        shown.append((journal, secrets))
    assert shown[0] == shown[1]
    assert shown[0][1] == []


def sleep_and_wake(world: World, altair: str) -> None:
    """Altair misses a turn, sleeps, is offered to somebody who stands by, and comes back with orders."""
    world.send("", "STANDBY ALL", sender="dora@players.test", to=ADDRESS)
    world.confirm("dora@players.test")
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, OOB)
    assert world.pass_time(timedelta(hours=73)) == 1
    assert world.seat("Altair").is_asleep
    world.send("Altair", altair)
    world.send("Borealis", "STATUS\nREPORT")
    world.master("STATUS")
    assert not world.seat("Altair").is_asleep
    assert any("is not free after all" in message_of(mail)["Subject"] for mail in world.outbox("notice"))


@pytest.mark.parametrize(
    ("who_has_sent", "orders"),
    pairs(["count", "names", "nothing"], [("Build 4 Laserfrigates\nAttack Borealis with all", "Train spy"), *SAME_EFFECT[:1]]),
)
def test_who_wakes_up_with_orders_tells_nobody_what_these_are(
    two_desks: tuple[World, World], orders: tuple[str, str], who_has_sent: str
) -> None:
    for world, altair in zip(two_desks, orders, strict=True):
        world.start(who_has_sent=who_has_sent, missed_in_a_row=1, sleeper="offer", reminders=())
        sleep_and_wake(world, altair)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("who_has_sent", ["count", "nothing"])
def test_what_is_told_of_a_sleeper_does_not_tell_who_that_is(two_desks: tuple[World, World], who_has_sent: str) -> None:
    """Their address, what they are called, where they live."""
    shown: list[Any] = []
    for world, (address, holder, zone) in zip(
        two_desks, (("eve@one.test", "Eve", "UTC"), ("frank@two.test", "Frank", "Asia/Tokyo")), strict=True
    ):
        world.start(who_has_sent=who_has_sent, missed_in_a_row=1, sleeper="offer", reminders=())
        with world.changed("Altair") as seat:
            seat.address, seat.holder, seat.timezone = address, holder, zone
        world.send("", "STANDBY ALL", sender="dora@players.test", to=ADDRESS)
        world.confirm("dora@players.test")
        for other in ("Borealis", "Cygnus"):
            world.send(other, OOB)
        world.pass_time(timedelta(hours=73))
        assert world.seat("Altair").is_asleep
        world.send("Altair", "I'M BACK", sender=address)
        world.pass_time(timedelta(hours=73))
        told = bytes_for_others(world)
        told["mails"] = [mail for mail in told["mails"] if mail[0] != address]
        # Those to the sleeper have their times in another zone.
        told["files with proofs"] = [proof_of(mail) for mail in world.outbox() if mail.recipient != address]
        shown.append({channel: told[channel] for channel in told if channel not in ("outbox", "ledger")})
    assert shown[0] == shown[1]


def test_how_a_game_stands_after_a_rollback_tells_nobody_else_a_move_that_waited(two_desks: tuple[World, World]) -> None:
    for world, ahead in zip(two_desks, ("Add 5", "Add 6"), strict=True):
        past_turn_0(relay(world))
        for seat, text in (("Altair", "Add 2"), ("Borealis", "Add 2"), ("Altair", "Add 7"), ("Cygnus", "Add 3")):
            world.send(seat, text)
        world.send("Cygnus", ahead)
        assert world.sheet("Cygnus") == [ahead], "it is not the turn of Cygnus"
        world.act("galaxy-7", roll_back, 2)
        assert "HOW THE GAME STANDS" in body_of(world.outbox("notice", "Borealis")[-1])
    one, two = (bytes_for_others(world, "Cygnus") for world in two_desks)
    assert one == two


# Anonymous games, in which the secret is who plays


def play_gunboat(world: World, *, swapped: bool, **more: Any) -> Gunboat:
    """Two turns of a game, with all that a player can do about their person; Cygnus and observers get what anybody gets."""
    game = Gunboat(world, swapped=swapped, **more)
    game.join()
    game.play_another()
    game.chatter()
    game.turn({"Altair": "Add 1", "Cygnus": "Add 3"})
    game.move()
    game.replace()
    game.turn({"Bellatrix": "Add 3", "Cygnus": "Add 1"})
    return game


def seen_by_others(world: World) -> dict[str, Any]:
    """All that anybody gets or can look at but the two and the game master, and what the log says."""
    two = {GM, *(address for _, address, _ in PEOPLE), "anna@moved.test", "bert@moved.test"}
    write_new_lines(world.desk.engine, world.folder / "dashboard.log")
    return {
        "mails": [(mail.recipient, mail.message_id, opened(mail.raw)) for mail in world.outbox() if mail.recipient not in two],
        "reports": [
            (row.step, row.reader, row.text, row.html) for row in world.rows(Report) if row.reader in ("public", "seat:3")
        ],
        "log": [format_line(line) for line in world.log()],
        "public journal": [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.rows(JournalEntry)],
        "news": [(news.title, news.detail) for news in news_after(world.desk, "galaxy-7", 0)],
        "clock": (world.game().deadline, world.game().due_at, world.game().status),
        "archives": [archive_of(world, view) for view in ("public", "seat:Cygnus")],
        "books": [read_book(world, "public")] if world.game().status == "finished" else [],
        "newspaper": newspaper_of(world, 1),
    }


@pytest.fixture
def ideal_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pbmd.archive.write.journal_file", "pbmd.archive.format.entries"):
        monkeypatch.setattr(f"{module}.seal", ideal_seal)


@pytest.mark.usefixtures("ideal_seals")
@pytest.mark.parametrize("slug", ["count", "local_cluster"])
def test_nothing_tells_who_plays_which_seat_of_an_anonymous_game(two_desks: tuple[World, World], slug: str) -> None:
    for world, swapped in zip(two_desks, (False, True), strict=True):
        play_gunboat(world, swapped=swapped, slug=slug)
    one, two = map(seen_by_others, two_desks)
    for channel, seen in one.items():
        assert seen == two[channel], channel
        said = repr(seen)
        assert not [word for word in SECRETS if word in said], channel
    assert {mail[0] for mail in one["mails"]} == {CY, DORA, WATCHER}


@pytest.mark.usefixtures("ideal_seals")
@pytest.mark.parametrize("slug", ["local_cluster", "count"])
def test_where_players_are_named_something_does(two_desks: tuple[World, World], slug: str) -> None:
    """So the comparison would notice: reports of some rules have names, and deadlines move by the clock of whoever is away."""
    for world, swapped in zip(two_desks, (False, True), strict=True):
        play_gunboat(world, swapped=swapped, slug=slug, holders="named")
    one, two = map(seen_by_others, two_desks)
    differ = {channel for channel in one if one[channel] != two[channel]}
    assert {"mails", "archives", "reports" if slug == "local_cluster" else "log"} <= differ


def results_for_all(world: World) -> object:
    """What the page of results shows."""
    with Transaction(world.desk, reads=True) as work:
        games = finished_games(work.session, world.desk.ruleset, partial(digest_of_player, world.desk.key)).games
    return as_document(results_of(games))


@pytest.mark.usefixtures("ideal_seals")
@pytest.mark.parametrize("ballots", ["open", "secret"])
def test_neither_do_votes_sleep_substitutes_nor_that_the_two_are_listed(two_desks: tuple[World, World], ballots: str) -> None:
    for world, swapped in zip(two_desks, (False, True), strict=True):
        terms = {"who_has_sent": "names", "missed_in_a_row": 1, "sleeper": "offer", "vote_time": "720h"}
        game = Gunboat(world, swapped=swapped, votes="all", vote_ballots=ballots, **terms)
        game.join()
        for seat in ("Altair", "Bellatrix"):
            assert "are listed under the name" in game.say(seat, "LIST ME")
            game.say(seat, f"TIMEZONE {game.people[seat][2]}")
        assert "has begun" in game.say("Altair", "PROPOSE PAUSE UNTIL 2026-12-24 18:00")
        assert "You have voted yes" in game.say("Bellatrix", "VOTE YES")
        assert "You want a substitute" in game.say("Bellatrix", "SUBSTITUTE eve@else.test FROM 2026-11-20 TO 2026-12-20")
        game.turn({"Cygnus": "Add 3", "Bellatrix": "Add 1"})
        assert world.seat("Altair").is_asleep
        assert "Your vote counts as soon as you are awake" in game.say("Altair", "VOTE YES")
        game.say("Altair", "STATUS\nI'M BACK")
        game.say("Cygnus", "STATUS\nVOTE NO\nREPORT")
        assert "has begun" in game.say("Altair", "PROPOSE REPLACE Bellatrix")
        game.say("Cygnus", "STATUS\nVOTE YES\nREPORT")
    one, two = map(seen_by_others, two_desks)
    for channel, seen in one.items():
        assert seen == two[channel], channel
        said = repr(seen)
        assert not [word for word in SECRETS if word in said], channel
    assert results_for_all(two_desks[0]) == results_for_all(two_desks[1])


@pytest.mark.usefixtures("ideal_seals")
@pytest.mark.parametrize("end", ["by its rules", "abandoned"])
def test_when_it_is_over_all_learn_who_played_and_nobody_an_address(two_desks: tuple[World, World], end: str) -> None:
    """Those, too, who gave their seats up."""
    for world, swapped in zip(two_desks, (False, True), strict=True):
        game = play_gunboat(world, swapped=swapped)
        if end == "abandoned":
            world.act("galaxy-7", abandon, "nobody has time")
        else:
            game.turn({"Altair": "Add 9", "Bellatrix": "Add 9", "Cygnus": "Add 9"})
        assert world.game().status == "finished"
    one, two = map(seen_by_others, two_desks)
    for seen, (first, second) in ((one, ("Anna Lindqvist", "Bert Obermaier")), (two, ("Bert Obermaier", "Anna Lindqvist"))):
        for reader in (CY, WATCHER):
            mails = [mail[2].decode() for mail in seen["mails"] if mail[0] == reader]
            last = " ".join([mail for mail in mails if "[pbmd galaxy-7" in mail][-1].split())
            assert f"Altair: {first}" in last
            assert f"Bellatrix: {second} until turn 2, then Dora D." in last
            assert "Cygnus: Cy Ray" in last
        for channel in ("public journal", "archives", "books"):
            assert first in repr(seen[channel]), channel
        for channel in ("mails", "reports", "log", "public journal", "archives", "books", "news"):
            others = repr([mail for mail in seen[channel] if mail[0] != DORA] if channel == "mails" else seen[channel])
            assert not [word for word in SECRETS[4:] if word in others], channel
