"""Letters of people without a seat are read as order letters are: what programs put around a copy is no part of them."""

from datetime import timedelta

import pytest

from pbmd.ledger.tables import Seat
from tests.desk.visitors.test_getting_in import last, replies, writes
from tests.desk.world import World, body_of, message_of

QUOTES = {"> ": "> ", ">": ">", "a tab": "\t", "nothing": ""}
BEGIN = "Zq 26 xyz 2026 14:05:00 +0000, pbmd xyzzy:"
"""In a language that nobody speaks."""


def quoted(world: World, mark: str) -> str:
    return "".join(f"{mark}{line}\n" for line in body_of(last(world)).splitlines())


@pytest.mark.parametrize("mark", QUOTES.values(), ids=QUOTES)
def test_a_sign_up_above_a_copy_of_the_list_takes_a_seat(world: World, mark: str) -> None:
    world.open("nebula-1", ruleset="galactic_overlord")
    world.open("nebula-2", ruleset="diplomacy")
    writes(world, "LIST")
    answer = replies(
        world, f"JOIN nebula-1 AS Annaria\nBases: Annapolis, Annaberg, Anning\n\nAnn\n\n{BEGIN}\n\n{quoted(world, mark)}"
    )
    assert answer.startswith("Welcome to nebula-1"), answer
    assert [seat.name for seat in world.rows(Seat)] == ["Annaria"]


@pytest.mark.parametrize("mark", ["> ", ">"])
@pytest.mark.parametrize("hello", ["", "Hello\n\n"])
def test_so_does_one_between_the_introduction_and_the_quote(world: World, mark: str, hello: str) -> None:
    world.open("nebula-1", ruleset="galactic_overlord")
    writes(world, "LIST")
    text = f"{BEGIN}\n{hello}JOIN nebula-1 AS Annaria\nBases: Annapolis, Annaberg, Anning\n\n{quoted(world, mark)}"
    assert replies(world, text).startswith("Welcome to nebula-1")


ABOVE, BETWEEN = "{yes}\n\n{begin}\n{quote}", "{begin}\n{yes}\n\n{quote}"


# Nothing tells what stands between an introduction and a copy that is not marked as one.
@pytest.mark.parametrize(("above", "mark"), [(ABOVE, "> "), (ABOVE, "\t"), (BETWEEN, "> ")])
@pytest.mark.parametrize(
    "yes",
    ["YES", "yes please", "*YES*", '"Yes"', "Yes, it was mine.", "OK, thanks", "Confirmed", "👍", "👍🏽", "ok 👍", "Yes 😀",
     "Confirmed, P0\nTel 123", "Hi,\n\nYes.\n\nE."],
)  # fmt: skip
def test_a_yes_is_heard_as_people_write_it(world: World, yes: str, above: str, mark: str) -> None:
    world.open("nebula-1")
    writes(world, "STANDBY ALL")
    answer = replies(world, above.format(yes=yes, begin=BEGIN, quote=quoted(world, mark)))
    assert "could not be read" not in answer
    assert "standby list" in " ".join(answer.split())


@pytest.mark.parametrize("said", ["Yes, but not now", "Yes?", "yes no", "No virus found in this message.", "Not yet"])
def test_what_takes_back_a_yes_or_is_no_answer_is_asked_about_again(world: World, said: str) -> None:
    world.open("nebula-1")
    writes(world, "STANDBY ALL")
    assert "could not be read" in replies(world, said)


def test_the_same_is_answered_again_when_other_lines_were_not_read(running: World) -> None:
    """Silence would leave the second letter's writer without a word about what they wrote into the quote."""
    report = message_of(running.outbox("report", "Altair")[-1])
    copy = "".join(f"> {line}\n" for line in body_of(running.outbox("report", "Altair")[-1]).splitlines())
    headers = {"In-Reply-To": str(report["Message-ID"])}
    assert running.send("Altair", f"STATUS\n\n{copy}", headers=headers)
    running.now += timedelta(minutes=1)
    assert not running.send("Altair", f"STATUS\n\n{copy}", headers=headers)
    assert running.send("Altair", f"STATUS\n\n{copy.replace('> Add', '> Added')}> Add 7\n{copy}", headers=headers)
