"""Real mail: all of it is read, bounces are known as such, and no line that a person wrote gets lost without a word."""

import pytest

from pbmd.desk.mailroom import process_letters
from pbmd.post.read.bounces import read_bounce
from pbmd.post.read.letter import read_letter
from pbmd.post.read.mime import fast_parts, simple_parts
from tests.desk.world import World
from tests.post.clerked import accounted
from tests.post.corpora import bounces, messages, needs_corpora, replies
from tests.post.read.test_letter_hostile import SECONDS, agrees, check
from tests.post.samples import from_player, mail, shape
from tests.processor_time import takes_at_most

pytestmark = needs_corpora

NOT_AUTOMATIC = {
    "arf-22.eml": "a complaint that a provider passed on; nothing in its header tells it from a person's mail",
    "arf-23.eml": "as arf-22",
    "arf-24.eml": "as arf-22",
    "lhost-sendmail-14.eml": "a person forwards a bounce",
}
"""Of the bounces and automatic mails: those that are taken for a person's, and why that is right or cannot be helped."""

NO_BOUNCE = {
    *(f"arf-{n:02}.eml" for n in (1, 2, 11, 12, *range(14, 27))),
    *(f"rfc3834-{n:02}.eml" for n in range(1, 7)),
    *(f"lhost-amazonses-{n}.eml" for n in (11, 12, 13)),  # a complaint and two successes, as JSON
    *("lhost-fml-02.eml", "lhost-fml-03.eml"),  # a list tells who is no member, and of a loop
    "rfc3464-28.eml",  # an address was tried, and is good
}
"""Complaints, vacation replies and news: automatic, but no mail came back."""


def test_every_message_is_read_within_its_time():
    for path in messages():
        raw = path.read_bytes()
        with takes_at_most(SECONDS):
            check(raw)


@pytest.mark.parametrize(("reader", "share"), [(fast_parts, 1 / 2), (simple_parts, 1 / 10)])
def test_the_readers_agree_on_every_message(reader, share):
    taken = [agrees(reader, path.read_bytes()) for path in messages() if path.suffix in (".eml", ".txt")]
    assert sum(taken) > len(taken) * share


def test_every_automatic_mail_is_known_by_its_header_but_for_a_few_that_are_named():
    unknown = {path.name for path in bounces() if not read_letter(path.read_bytes()).automatic}
    assert unknown == NOT_AUTOMATIC.keys()
    assert len(unknown) <= 0.015 * len(bounces())


def test_bounces_say_whom_they_are_about():
    found = {path.name: read_bounce(path.read_bytes()) for path in bounces()}
    assert {name for name, bounce in found.items() if bounce is None} == NO_BOUNCE
    told = [bounce for bounce in found.values() if bounce is not None]
    assert sum(bool(bounce.recipients) for bounce in told) >= 0.99 * len(told)
    assert sum(bool(bounce.status) for bounce in told) >= 0.9 * len(told)
    assert sum(bool(bounce.message_ids) for bounce in told) >= 0.85 * len(told)


def test_of_a_persons_reply_no_line_is_lost_without_a_word():
    assert len(replies()) == 64
    for path, expected in replies():
        letter = read_letter(mail(path.read_bytes().decode().replace("\r\n", "\n").replace("\r", "\n")))
        shown = {line.text for line in letter.lines}
        for piece in letter.left_out:
            assert piece.reason
            shown |= {shape(line) for line in piece.text.split("\n")}
        wanted = expected.read_text(encoding="utf-8").splitlines() if expected else []
        assert [line for line in wanted if line.strip("> \t") and shape(line) not in shown] == [], path.name


def test_every_line_of_every_message_is_read_or_counted_among_those_left_out():
    for path in messages():
        letter = read_letter(path.read_bytes())
        if letter.vacation or letter.problem:
            continue
        skipped = "\n".join(letter.body.skipped).split("\n")
        lines = [line for line in (*letter.body.lines, *skipped) if line.strip("> \t")]
        read = [line for line in letter.lines if line.original.strip("> \t")]
        assert len(read) + sum(piece.lines for piece in letter.left_out) == len(lines), path.name


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("part", range(4))
def test_every_message_goes_through_the_clerk_and_is_answered_or_the_log_says_why_not(tmp_path, part):
    """Each twice: as it is, and as if a player had sent it to the seat's own address."""
    world = World(tmp_path)
    world.count()
    address = world.reply_address("Altair")
    for path in messages()[part::4]:
        raw = path.read_bytes()
        world.arrive(raw)
        world.arrive(from_player(raw, "altair@players.test", address))
    process_letters(world.desk)
    accounted(world)
    world.close()
