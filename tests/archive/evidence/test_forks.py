"""Two histories are found by two mailboxes, whatever the host writes into Message-IDs and however entries are numbered; and no
honest host is accused where mails say less, as behind a relay that writes Message-IDs of its own."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from pbmd.archive.evidence.agreement import Agreement, hold_together
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.cross_claims import MailClaims
from pbmd.desk.changes.rollback import roll_back
from tests.desk.relay import past_turn_0, relay
from tests.desk.restored import restored
from tests.desk.world import NAMES, World, opened

GAME = "galaxy-7"
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
Rewrite = Callable[[bytes], bytes]
_NUMBERS = count()


def turn(world: World, number: int = 1, letters: int = 1) -> None:
    """All send orders, Cygnus so many letters before the others, and the turn is over."""
    for seat in reversed(NAMES):
        for extra in range(letters if seat == "Cygnus" else 1):
            world.now += MINUTE
            world.send(seat, f"Add {number + extra % 2}")
    world.pass_time(4 * DAY)


def begun(world: World) -> World:
    world.start(GAME, NAMES, {"target": 1000}, ruleset="count", reminders=())
    return world


def without_steps(raw: bytes) -> bytes:
    return re.sub(rb"(?m)^(Message-ID: <[a-z]+-t\d+)s\d+", rb"\1", raw)


def with_other_steps(raw: bytes) -> bytes:
    return re.sub(rb"(?m)^(Message-ID: <[a-z]+-t\d+s)(\d+)", rb"\g<1>9\2", raw)


def from_a_relay(raw: bytes) -> bytes:
    """As some mail servers pass mails on: the Message-ID is their own."""
    return re.sub(rb"(?m)^Message-ID: \S+", b"Message-ID: <%d@relay.test>" % next(_NUMBERS), raw)


def as_it_came(raw: bytes) -> bytes:
    return raw


def box(world: World, seat: str, rewrite: Rewrite = as_it_came) -> list[bytes]:
    return [rewrite(opened(mail.raw)) for mail in world.outbox("", seat)]


def held(*boxes: Sequence[bytes]) -> Agreement:
    """Mailboxes held against each other."""
    return hold_together(
        [
            MailClaims(f"{name} {place}", claims_of_mail(raw), name)
            for name, mails in zip("abc", boxes, strict=False)
            for place, raw in enumerate(mails, 1)
        ]
    )


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield world


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, World]:
    """Two histories of one game from turn 2 on. In the other one Cygnus has written ten letters, so that no entry behind has
    the number of one here."""
    one, other = (begun(World(tmp_path_factory.mktemp("world"))) for _ in range(2))
    turn(one)
    turn(other)
    turn(one)
    turn(other, letters=10)
    other.desk.entropy.drawn += 1000  # pyright: ignore[reportFunctionMemberAccess, reportAttributeAccessIssue]
    for world in (one, other):
        turn(world)
        turn(world)
        world.close()
    numbers = [{said.number for said in world.journal() if said.kind == "resolved"} for world in (one, other)]
    assert len(numbers[0] & numbers[1]) == 1, "that of turn 1"
    return one, other


def of_another_name(raw: bytes) -> bytes:
    return without_steps(raw.replace(b"galaxy-7", b"galaxy-8"))


def in_other_words(raw: bytes) -> bytes:
    """Neither do reports begin as those of pbmd, nor do they call the turns so."""
    return re.sub(rb"\b[tT]urn (?=\d)", b"Round ", without_steps(raw).replace(b": what happened", b": what befell"))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "rewrite", [as_it_came, without_steps, with_other_steps, from_a_relay, of_another_name, in_other_words]
)
def test_a_fork_is_found_whatever_stands_in_message_ids(forked: tuple[World, World], rewrite: Rewrite) -> None:
    one, other = forked
    agreement = held(box(one, "Altair"), box(other, "Borealis", rewrite))
    found = {each.about.replace("round", "turn") for each in agreement.disagreements}
    assert {"chain head in the reports of turn 2", "commitment of turn 3"} <= found
    first = agreement.disagreements[0]
    assert {where[0] for where in first.mails} == {"a", "b"}, "a mail of each is named"


def test_one_that_hides_in_a_turn_that_is_said_to_be_played_again_is_found(forked: tuple[World, World]) -> None:
    """The names of these turns prove nothing then; the secrets do."""
    one, other = forked
    told = b"Subject: x\r\n\r\nThe game master has taken galaxy-7 back from turn 9 to the beginning of turn 1\r\n"
    agreement = held(box(one, "Altair"), [*box(other, "Borealis", without_steps), told])
    assert "chain head in the reports of turn 2" in {each.about for each in agreement.disagreements}


@pytest.mark.parametrize("rewrite", [without_steps, from_a_relay])
def test_a_secret_that_was_not_promised_is_found_by_what_the_turn_is_called(
    forked: tuple[World, World], rewrite: Rewrite
) -> None:
    one, _ = forked
    mails = box(one, "Altair", rewrite)
    (secret,) = re.findall(rb"Dice secret of turn 2, now revealed:\r\n  (\w+)", b"".join(mails))
    (found,) = held([raw.replace(secret, b"00" * 32) for raw in mails]).disagreements
    assert (found.about, "promised" in found.words) == ("dice secret of turn 2", True)


def test_a_game_that_is_called_otherwise_by_one_mail_is_a_finding(forked: tuple[World, World]) -> None:
    one, _ = forked
    agreement = held(box(one, "Altair"), box(one, "Borealis", of_another_name))
    assert {each.about.partition(" in the report")[0] for each in agreement.disagreements} == {
        "name of the game",
        *(f"words of the report of {step}" for step in ("the beginning", "turn 1", "turn 2", "turn 3", "turn 4")),
    }


def test_a_message_id_that_names_other_steps_is_a_finding(forked: tuple[World, World]) -> None:
    one, _ = forked
    agreement = held(box(one, "Altair"), box(one, "Borealis", with_other_steps))
    assert {each.about.partition(" of the report")[0] for each in agreement.disagreements} == {
        "number of steps in the Message-ID"
    }


REWRITES = [as_it_came, from_a_relay]


class TestHonestGames:
    @pytest.mark.parametrize("rewrite", REWRITES)
    def test_agree_and_as_much_is_compared_behind_a_relay(self, forked: tuple[World, World], rewrite: Rewrite) -> None:
        one, _ = forked
        agreement = held(box(one, "Altair"), box(one, "Borealis", rewrite))
        assert agreement.disagreements == ()
        assert agreement.between >= 3 * 5 - 2, "three or more things of each report"

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize("rewrite", REWRITES)
    @pytest.mark.parametrize("lost", range(3))
    def test_agree_after_turns_were_played_again(self, world: World, rewrite: Rewrite, lost: int) -> None:
        """Also if Altair has nothing of the first time, and Borealis nothing of the second."""
        begun(world)
        turn(world)
        turn(world)
        before = len(world.outbox("", "Altair")), len(world.outbox("", "Borealis"))
        world.act(GAME, roll_back, 1)
        for number in (2, 3, 1):
            turn(world, number)
        altair, borealis = box(world, "Altair", rewrite), box(world, "Borealis", rewrite)
        kept = [(altair, borealis), (altair[before[0] :], borealis), (altair[before[0] :], borealis[: before[1]])][lost]
        assert held(*kept).disagreements == ()

    @pytest.mark.parametrize("rewrite", REWRITES)
    def test_agree_after_backups(self, world: World, rewrite: Rewrite) -> None:
        begun(world)
        for times in (1, 2, 0):
            turn(world)
            for _ in range(times):
                restored(world)
        assert held(*(box(world, seat, rewrite) for seat in NAMES)).disagreements == ()

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize("rewrite", REWRITES)
    @pytest.mark.parametrize("parity", [0, 1])
    def test_agree_where_a_turn_has_several_steps_of_one_name(self, world: World, rewrite: Rewrite, parity: int) -> None:
        """Also if each player has lost what the other has kept."""
        past_turn_0(relay(world, die=True))
        for seat in ("Cygnus", "Altair", "Borealis", "Altair", "Cygnus", "Borealis"):
            world.now += MINUTE
            world.send(seat, "Add 2")
        altair, borealis = box(world, "Altair", rewrite), box(world, "Borealis", rewrite)
        assert held(altair, borealis).disagreements == ()
        assert held(altair[parity::2], borealis[1 - parity :: 2]).disagreements == ()
