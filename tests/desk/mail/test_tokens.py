"""What people write is passed on without the tokens in it, whichever way it goes and whatever a token looks like."""

import base64
import json
import quopri
import re
from datetime import timedelta
from functools import lru_cache

import pytest

from pbmd.archive.format.audience import ALL
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.mail.tags import gm_tag, seat_tag
from pbmd.desk.mail.tokens import tokens_at_hand
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import Confirmation, Request, Seat
from pbmd.pages.site import update
from pbmd.post.blank import Blanker, readings
from pbmd.post.tags import message_id, plus_address, write_tag
from pbmd.rules.protocol import Line, Refused, Signup
from tests.desk.gm.test_commands import Desk, confirmed
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

DAY = timedelta(days=1)
GM = "gm@pbmd.test"
SHAPES = {
    "mark line": lambda tag: f"#orders {write_tag(tag)}",
    "quoted mark line": lambda tag: f"> #orders {write_tag(tag)}",
    "plus address": lambda tag: f"write to {plus_address(ADDRESS, tag)}",
    "Message-ID": lambda tag: message_id("report-t1s1", tag, "abcdefghijklmnop", "pbmd.test"),
    "bare": lambda tag: f"my token is {tag.token}",
    "upper case": lambda tag: f"#ORDERS {write_tag(tag).upper()}",
    "over two lines": lambda tag: f"games+g{tag.game}p{tag.seat}.{tag.token[:11]}\n> {tag.token[11:]}@pbmd.test",
    "one a line": lambda tag: "\n".join(tag.token),
    "with characters that nobody sees": lambda tag: "\u200b".join(tag.token[:8]) + "\u00ad" + "\ufeff".join(tag.token[8:]),
    "soft line break": lambda tag: f"g{tag.game}p{tag.seat}.{tag.token[:5]}=\n{tag.token[5:]}",
    "quoted-printable": lambda tag: f"g{tag.game}p{tag.seat}=2E=" + f"{ord(tag.token[0]):02X}" + tag.token[1:],
    "quoted-printable around what nobody sees": lambda tag: f"{tag.token[:4]}=E2=80=8B{tag.token[4:]}",
    "of a URL": lambda tag: f"mailto:games%2Bg{tag.game}p{tag.seat}%2E%{ord(tag.token[0]):02x}{tag.token[1:]}%40pbmd.test",
    "HTML": lambda tag: f"{tag.token[:3]}&shy;&#{ord(tag.token[3])};{tag.token[4:]}",
    "wide letters": lambda tag: "".join(chr(ord(sign) + 0xFEE0) for sign in tag.token),
    "base64": lambda tag: in_base64(tag),
    "base64, indented": lambda tag: "   " + in_base64(tag).replace("\n", "\n   "),
    "base64 behind marks": lambda tag: "| " + in_base64(tag).replace("\n", "\n| "),
    "base64 behind words": lambda tag: f"look at {base64.b64encode(tag.token.encode()).decode()}",
}


def in_base64(tag) -> str:
    return base64.encodebytes(f"To reply write to {plus_address(ADDRESS, tag)}".encode()).decode().rstrip()


@lru_cache(maxsize=256)
def squeezed(text: str) -> str:
    """All that somebody could read out of a text: each way to read it, what stands in base64 too. Most of a page is the same in
    every test."""
    read = [*readings(text), *readings(quopri.decodestring(text.encode()).decode("utf-8", "replace"))]
    for block in re.findall(r"[A-Za-z0-9+/\n]{20,}={0,2}", re.sub(r"^\W+", "", text, flags=re.MULTILINE)):
        digits = re.sub(r"[^A-Za-z0-9+/]", "", block)
        read += readings(base64.b64decode(digits[: len(digits) // 4 * 4]).decode("latin-1"))
    return "\n".join(read)


def tag_of(world: World, seat: str = "Altair", game: str = "galaxy-7"):
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(game)
        assert table is not None
        return seat_tag(work, table.seat(seat)) if seat else gm_tag(work, table)


def owner_of(world: World, tag) -> str:
    """Whose mails have that token, so that replies show it."""
    seats = [seat for seat in world.rows(Seat) if (seat.game_id, seat.number) == (tag.game, tag.seat)]
    return seats[0].address if seats else GM


def mails_of_others(world: World, owner: str) -> dict[str, str]:
    """The mails that anybody but the owner of a token gets."""
    return {
        f"mail {mail.key}": body_of(mail) + str(message_of(mail).items()) for mail in world.outbox() if mail.recipient != owner
    }


def seen_by_all(world: World) -> dict[str, str]:
    """All that anybody can look at, whatever they own: log, journal, pages of either audience, archive."""
    write_new_lines(world.desk.engine, world.folder / "dashboard.log")
    seen = dict[str, str]()
    seen["log"] = (world.folder / "dashboard.log").read_text() + (world.folder / "dashboard.jsonl").read_text()
    seen["journal"] = "\n".join(entry.public + entry.secret for entry in world.journal())
    seen["requests"] = "\n".join(request.words for request in world.rows(Request))
    for audience in ("gm", "public"):
        world.settle(dashboard={"audience": audience})
        update(dashboard_source(world.desk))
        files = (world.folder / "dashboard").rglob("*.*")
        seen |= {f"{audience} page {path.name}": path.read_text() for path in files if path.is_file()}
    if world.game().step:
        with Transaction(world.desk, reads=True) as work:
            table = work.table(world.game().id or 0)
            plan = plan_export(work.session, table.game, table.ruleset, ALL)
            write_archive(work.session, plan, world.folder / "archive", Blanker((), tags=False), lambda: None, force=True)
        # Letters and reports are in an archive as they came and went, but for its own blanking, which the export is tested for.
        files = (path for path in (world.folder / "archive").rglob("*") if path.is_file())
        files = (path for path in files if path.name != "letters.mbox" and path.parent.name != "reports")
        seen |= {f"archive {path.name}": path.read_bytes().decode("utf-8", "replace") for path in files}
    return seen


def assert_hidden(world: World, *tags) -> None:
    looked_at = seen_by_all(world)
    for tag in tags:
        seen = looked_at | mails_of_others(world, owner_of(world, tag))
        assert [name for name, text in seen.items() if tag.token in squeezed(text)] == []


def played(world: World) -> None:
    """The turn is resolved, so that there is something to export."""
    assert world.pass_time(4 * DAY) == 1


def test_press_is_passed_on_without_a_token_in_any_shape(running):
    running.settle(limits={"answers_per_hour": 1000, "press_per_hour": 1000})
    tag = tag_of(running)
    for name, shape in SHAPES.items():
        answer = running.send("Altair", f"PRESS TO ALL\nLook:\n{shape(tag)}\nWhat is this ({name})?\nEND PRESS")
        # A quoted mark line is from our own mail, so that it is no part of the message.
        assert ("There was a secret token in your words" in " ".join(answer.split())) is (name != "quoted mark line"), name
        for mail in running.outbox("press")[-2:]:
            assert "| Look:" in body_of(mail)
            assert f"| What is this ({name})?" in body_of(mail)
            assert tag.token not in squeezed(body_of(mail)), name
    assert len(running.outbox("press")) == 2 * len(SHAPES)
    played(running)
    assert_hidden(running, tag)


def test_whoever_reads_the_press_can_take_no_orders_for_its_writer(running):
    running.send(
        "Altair",
        f"PRESS TO Borealis\n#orders {write_tag(tag_of(running))}\n{plus_address(ADDRESS, tag_of(running))}\nEND PRESS",
    )
    leaked = body_of(running.outbox("press")[0])
    form = re.search(r"#orders \S+", leaked)[0]
    to = re.search(r"games\+\S+@pbmd\.test", leaked)[0]
    for address in (to, ADDRESS):
        running.send(
            "Altair", f"{form}\nAdd 9\n#end", to=address, headers={"References": f"<report.{form.split()[1]}.abc@pbmd.test>"}
        )
    assert running.submissions() == []
    assert running.sheet("Altair") is None


@pytest.mark.parametrize("terms", [{"press_delivery": "report"}, {"anonymous_press": True}], ids=str)
def test_press_of_every_kind_is(world, terms):
    world.count(**terms)
    tag = tag_of(world)
    head = "ANONYMOUS PRESS" if "anonymous_press" in terms else "PRESS"
    assert "secret token" in world.send("Altair", f"{head} TO ALL\n#orders {write_tag(tag)}\nEND PRESS")
    played(world)
    world.send("Borealis", "REPORT 2")
    assert_hidden(world, tag)


@pytest.mark.parametrize("length", ["1h", "9 days"])
def test_a_reason_for_more_time_is_given_without_a_token(running, length):
    tag = tag_of(running)
    for shape in ("plus address", "over two lines", "upper case"):
        answer = running.send("Altair", f"EXTEND {length} because {' '.join(SHAPES[shape](tag).split())}")
        assert "secret token" in answer
    played(running)
    assert_hidden(running, tag)


def test_orders_with_a_token_of_any_game_are_not_read(running):
    running.count("nova", ("Altair", "Deneb"))
    for tag in (tag_of(running), tag_of(running, game="nova"), tag_of(running, "Borealis")):
        answer = running.send("Altair", f"Add 3\nAdd {tag.token}\nAdd {write_tag(tag)}")
        assert "We did not read 2 order lines" in " ".join(answer.split())
        assert running.sheet("Altair") == ["Add 3"]


def test_the_token_of_another_game_of_the_writers_and_of_another_player_are_no_better(running):
    running.count("nova", ("Altair", "Deneb"))
    for tag in (
        tag_of(running, game="nova"),
        tag_of(running, "Borealis"),
        tag_of(running, "Deneb", "nova"),
        tag_of(running, ""),
    ):
        named = f"g{tag.game}p{tag.seat} has {'-'.join(tag.token)}"
        running.send("Altair", f"PRESS TO Cygnus\n{named}\nEND PRESS")
        assert_hidden(running, tag)


def test_nor_is_the_code_of_a_question(running):
    running.send("Altair", "RESIGN")
    (question,) = running.questions()
    code = message_of(question)["Reply-To"].partition("+")[2].partition("@")[0]
    secret = code.partition(".")[2]
    answer = running.send("Altair", f"PRESS TO ALL\n{message_of(question)['Subject']}\nor {secret[:6]} {secret[6:]}\nEND PRESS")
    assert "secret token" in answer
    assert all(secret not in squeezed(body_of(mail)) for mail in running.outbox("press"))


def test_what_only_looks_like_a_token_stays(running):
    text = "Our responsibilities: incomprehensible2 prcnnjn76sno3vgs g1p1 and c3."
    answer = running.send("Altair", f"PRESS TO ALL\n{text}\nEND PRESS")
    assert f"| {text}" in body_of(running.outbox("press")[0])
    assert "secret token" not in answer


def test_a_part_of_a_token_is_no_better_than_the_whole(running):
    tag = tag_of(running)
    for place, part in enumerate((tag.token[:12], tag.token[6:], tag.token[3:13])):
        assert "secret token" in running.send("Altair", f"PRESS TO ALL\nNo. {place} is {part}...\nEND PRESS")
        assert f"No. {place} is {'x' * len(part)}..." in body_of(running.outbox("press")[-1])


def test_an_order_form_that_is_filled_in_by_reply_is_no_reason_for_a_remark(running):
    report = running.outbox("report", "Altair")[0]
    quoted = "\n".join(f"> {line}" for line in body_of(report).splitlines())
    answer = running.reply(report, f"Add 3\nPRESS TO ALL\nHello\nEND PRESS\n\n{quoted}")
    assert running.sheet("Altair") == ["Add 3"]
    assert "secret token" not in answer


class TestNames:
    def test_a_sign_up_with_a_token_is_refused(self, running):
        running.open("nebula-1")
        tag = tag_of(running)
        for text in (f"JOIN nebula-1 AS {tag.token}", f"JOIN nebula-1 AS Vega\nMotto: {write_tag(tag)}"):
            answer = running.send("Altair", text, to=ADDRESS)
            assert "there is a secret token in it" in " ".join(answer.split())
        assert running.rows(Confirmation) == []
        assert_hidden(running, tag)

    def test_a_name_of_the_writer_with_one_counts_as_none(self, running):
        running.open("nebula-1")
        tag = tag_of(running)
        sender = f'"{write_tag(tag)}" <{address_of("Altair")}>'
        running.send("Altair", "JOIN nebula-1 AS Vega", to=ADDRESS, sender=sender)
        running.confirm(address_of("Altair"))
        assert running.seat("Vega").holder == ""
        assert_hidden(running, tag)

    def test_the_game_master_gives_no_such_name_either(self, running):
        tag = tag_of(running, "")
        with running.work() as work, pytest.raises(Refused, match="secret token"):
            new_game.create_game(work, f"g-{tag.token}", "count", new_game.Terms(second_thought="0m"), {})
        running.open("nebula-1")
        for signup, holder in (
            (Signup(tag.token), "Dora"),
            (Signup("Vega"), write_tag(tag)),
            (Signup("Vega", (Line(1, f"Motto: {tag.token}"),)), "Dora"),
        ):
            with pytest.raises(Refused, match="secret token"):
                running.act("nebula-1", new_game.add_seat, signup, new_game.Newcomer("dora@players.test", holder))
        assert running.journal("joined")[3:] == []


REASONS = (
    "PAUSE because {}", "EXTEND 5h because {}", "EXTEND 5h FOR Altair because {}", "DEADLINE in 9 days because {}",
    "DEADLINE in 2 days because {}", "QUIET Sunday because {}", "HOLIDAY 2026-12-24 because {}", "EJECT Cygnus because {}",
    "SET target 50 because {}", "PEEK Cygnus because {}", "REFUSE 1 because {}", "ANNOUNCE\nSee {}\nEND ANNOUNCE",
    "ABANDON because {}",
)  # fmt: skip


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("text", REASONS)
def test_the_game_masters_words_reach_players_without_a_token(running, text):
    gm = Desk(running)
    played(running)
    if text.startswith("REFUSE"):
        running.send("Altair", "EXTEND 9 days")
    tags = [tag_of(running, ""), tag_of(running)]
    words = " and ".join([write_tag(tags[0]), tags[1].token, gm_address(gm)])
    before = len(running.outbox("notice"))
    answer = gm.says(text.format(words))
    if gm.mails("question"):
        answer += gm.yes()
    assert len(running.outbox("notice")) > before
    assert "There was a secret token in your words" in answer
    assert_hidden(running, *tags)


def gm_address(gm: Desk) -> str:
    return message_of(gm.mail)["Reply-To"]


def test_an_announcement_does_in_any_shape(running):
    gm = Desk(running)
    tag = tag_of(running, "")
    for shape in SHAPES.values():
        assert "went to 3 players" in gm.says(f"ANNOUNCE\nPlease note\n{shape(tag)}\nEND ANNOUNCE")
        running.now += timedelta(hours=1)
    played(running)
    assert_hidden(running, tag)


def test_a_rollback_does(running):
    gm = Desk(running)
    played(running)
    gm.sure(f"ROLLBACK TO TURN 1 because {gm_address(gm)}")
    assert json.loads(running.journal("rolled-back")[0].public)["reason"].startswith("games+g1p0.xxxx")
    played(running)
    assert_hidden(running, tag_of(running, ""))


def test_a_token_of_another_game_is_no_better_in_the_game_masters_words(running):
    running.count("nova", ("Deneb", "Vega"))
    tag = tag_of(running, "", "nova")
    Desk(running).says(f"PAUSE because {tag.token}")
    assert_hidden(running, tag)


def test_of_very_many_games_those_count_that_are_new_or_named(running):
    """Else each word of the game master's takes longer for every game there ever was."""
    with running.work() as work:
        for number in range(250):
            new_game.create_game(work, f"n-{number:03}", "count", new_game.Terms(second_thought="0m"), {})
    with Transaction(running.desk, reads=True) as work:
        at_hand = {*tokens_at_hand(work, None, GM)}
    own, named, newest = tag_of(running, ""), tag_of(running, "", "n-003"), tag_of(running, "", "n-249")
    assert newest.token in at_hand
    assert len(at_hand) <= 200 + 1, "those of the games, and the code of the address"
    gm = Desk(running)
    gm.says(f"EXTEND 5h because {own.token}")
    gm.says(f"PAUSE because {newest.token} and {write_tag(named)}")
    reasons = [entry.public for kind in ("extended", "paused") for entry in running.journal(kind)]
    assert "xxxx" in reasons[0]
    assert reasons[1].count("xxxx") == 2 * 4
    assert not any(tag.token in reason for tag in (own, named, newest) for reason in reasons)


def test_somebody_who_stands_by_gets_no_name_with_a_token(running):
    tag = tag_of(running)
    sender = f'"{tag.token}" <{address_of("Altair")}>'
    running.send("Altair", "STANDBY ALL", to=ADDRESS, sender=sender)
    assert_hidden(running, tag)
    confirmed(running, "Dora", "STANDBY ALL")
