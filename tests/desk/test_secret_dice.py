"""What the dice come from tells nobody more than they may know: the salts of others, the set-up, moves that never were."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.replay import story
from pbmd.desk.step import resolve
from pbmd.ledger.tables import Game, Seat, StepRecord
from pbmd.rules import HmacDice, seat_reader
from pbmd.rules.salts import digest_of_all, salts_of
from tests.desk.relay import past_turn_0, relay
from tests.desk.restored import restored
from tests.desk.test_secrecy import OOB, archive_of, bytes_for_others, ideal_seal, two_desks
from tests.desk.world import NAMES, World, proof_of
from tests.rulesets.cosmic_conquest.desk import conquest

MINUTE = timedelta(minutes=1)
VIEWS = ("public", "seat:Borealis")

__all__ = ["two_desks"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield world


@pytest.fixture
def ideal_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rolls that do not depend on what they are bound to, as long as nobody can compute it: that an HMAC over it comes close to
    that is an assumption of cryptography, and that nobody can is tested in `tests.desk.test_guesses`."""
    for place in (resolve, story):
        monkeypatch.setattr(place, "HmacDice", lambda secret, _context: HmacDice(secret, b"ideal"))
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)


def attacked(world: World, altair: str) -> None:
    """Borealis, without an order of battle, is attacked by Altair, whose other orders are secret; then another turn goes by."""
    for seat in NAMES:
        world.send(seat, f"Build 2 Laserfrigates\n{OOB}" if seat != "Borealis" else "Build 2 Laserfrigates")
    world.pass_time(MINUTE)
    world.send("Altair", f"Attack Borealis with all\n{OOB}\n{altair}")
    world.send("Borealis", "Stockpile")
    world.send("Cygnus", OOB)
    world.pass_time(MINUTE)
    for seat in NAMES:
        world.send(seat, "Stockpile")
    world.pass_time(MINUTE)


@pytest.mark.usefixtures("ideal_dice")
@pytest.mark.parametrize(
    ("one", "other"), [("Train spy", "Build generator"), ("Use counter-espionage", "OOB attack vs Cygnus: TFFLLT close in")]
)
def test_where_dice_are_rolled_orders_without_visible_effect_stay_secret(
    two_desks: tuple[World, World], one: str, other: str
) -> None:
    """To the byte, in all that others get once the secret of the dice is told, and to the end."""
    seen: list[Any] = []
    for world, altair in zip(two_desks, (one, other), strict=True):
        world.start()
        attacked(world, altair)
        assert [json.loads(record.dice) for record in world.rows(StepRecord)][1] != [], "something was rolled"
        assert world.rows(StepRecord)[1].secret.hex() in proof_of(world.outbox("report", "Borealis")[2])
        seen.append((bytes_for_others(world), [archive_of(world, view) for view in VIEWS]))
    assert seen[0] == seen[1]


def salts_so_far(world: World, seat: str) -> list[str]:
    """The salts of a seat in all steps that were opened, oldest first."""
    secrets = [*(record.salts for record in world.rows(StepRecord)), world.rows(Game)[0].salts]
    return [dict(salts_of(secret, enumerate(NAMES, start=1)))[seat].hex() for secret in secrets]


def test_a_salt_is_told_to_its_seat_alone_and_what_it_comes_from_to_nobody(world: World) -> None:
    world.start()
    attacked(world, "Train spy")
    salts = salts_so_far(world, "Altair")
    mails = "".join(proof_of(mail) for mail in world.outbox("report", "Altair"))
    assert [salt for salt in salts if salt in mails] == salts
    looked_at = repr((bytes_for_others(world), [archive_of(world, view) for view in VIEWS]))
    secrets = [record.salts.hex() for record in world.rows(StepRecord)] + [world.game().salts.hex()]
    assert [secret for secret in (*salts, *secrets) if secret in looked_at] == []


def test_no_archive_of_a_game_that_runs_has_the_salts_of_the_turn_that_is_open(world: World) -> None:
    """Else whoever has it could try guesses at orders that are still to come."""
    world.start()
    attacked(world, "Train spy")
    everything = repr(archive_of(world))
    opened = [record.salts.hex() for record in world.rows(StepRecord)]
    assert [secret for secret in opened if secret in everything] == opened, "those of turns that are over"
    now = [salts_so_far(world, seat)[-1] for seat in NAMES]
    assert [secret for secret in (world.game().salts.hex(), *now) if secret in everything] == []


def test_a_rollback_opens_no_salts_to_players(world: World) -> None:
    from pbmd.desk.changes.rollback import roll_back

    world.start()
    attacked(world, "Train spy")
    before = world.game().salts.hex()
    world.act("galaxy-7", roll_back, 2)
    (mail,) = [mail for mail in world.outbox("notice", "Borealis") if mail.key.startswith("rolled-back")]
    own, others = salts_so_far(world, "Borealis")[-1], salts_so_far(world, "Altair")
    assert f"known to you alone:\n  {own}\n" in proof_of(mail)
    (entry,) = world.journal("rolled-back")
    assert (before in entry.secret, before in entry.public) == (True, False)
    looked_at = repr(bytes_for_others(world))
    assert [secret for secret in (*others, before) if secret in looked_at] == []


@pytest.mark.usefixtures("ideal_dice")
@pytest.mark.parametrize("view", VIEWS)
def test_what_is_promised_anew_for_a_restored_backup_tells_nobody_orders_on_file(
    two_desks: tuple[World, World], view: str
) -> None:
    """Nor which salts others have, or had: to the byte, in all that others get, then and once the turn is over."""
    seen: list[Any] = []
    for world, altair in zip(two_desks, ("Train spy", "Build generator"), strict=True):
        world.start()
        attacked(world, "Use counter-espionage")
        world.send("Altair", f"{altair}\n{OOB}")
        before = world.game().salts.hex(), salts_so_far(world, "Altair")[-1]
        restored(world)
        world.send("Borealis", "STATUS\nREPORT")
        first = bytes_for_others(world)
        assert len([mail for mail in world.outbox("notice", "Borealis") if mail.key.startswith("restored")]) == 1
        world.send("Borealis", "Stockpile")
        world.send("Cygnus", OOB)
        world.pass_time(MINUTE)
        assert [entry.kind for entry in world.journal()][-1] == "resolved"
        last = bytes_for_others(world), archive_of(world, view)
        hidden = *before, world.rows(StepRecord)[-1].salts.hex(), salts_so_far(world, "Altair")[-2]
        assert [secret for secret in hidden if secret in repr(last)] == []
        seen.append((first, last))
    assert seen[0] == seen[1]


def test_nobody_can_set_the_game_up_again_who_may_not_know_all_of_it(world: World) -> None:
    """With the secret of the set-up's dice one can: of rivals, whose admirals are nobody's business here."""
    conquest(world, {"public_factions": False})
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        views = [table.ruleset.view(table.position, (), seat_reader(seat)).data for seat in ("Red", "Green")]
        strengths = [faction.admiral.cv for faction in table.position.factions]
    rivals = [{faction["colour"]: faction for faction in view["factions"]}["Purple"] for view in views]
    assert all("cv" not in rival.get("admiral", {}) for rival in rivals)
    sealed = json.loads(world.journal("started")[0].secret)
    secret, seats = sealed["secret"], [(seat.number, seat.name) for seat in world.rows(Seat)]
    lines = {seat.name: [text for _, text in json.loads(seat.signup)] for seat in world.rows(Seat)}
    dice = HmacDice(bytes.fromhex(secret), digest_of_all(salts_of(bytes.fromhex(sealed["salts"]), seats), lines))
    assert [dice.roll(3) + 4 for _ in strengths] == strengths
    for seat in ("Red", "Green", "Purple"):
        world.send(seat, "Pass")
    world.pass_time(MINUTE)
    views_of_others = [archive_of(world, view) for view in ("public", "seat:Red")]
    assert secret not in repr((bytes_for_others(world, "Purple"), views_of_others))
    assert secret in repr(archive_of(world))


@pytest.mark.usefixtures("ideal_dice")
def test_no_seal_tells_that_a_move_waited_when_the_game_ended(two_desks: tuple[World, World]) -> None:
    seen: list[Any] = []
    for world, borealis in zip(two_desks, ("Add 5", "STATUS"), strict=True):
        past_turn_0(relay(world, "Altair", "Borealis", "Cygnus", target=9), "Altair", "Borealis", "Cygnus")
        world.send("Borealis", borealis)
        world.now += MINUTE
        world.send("Altair", "Add 9")
        assert world.game().status == "finished"
        assert ("Add 5" in world.journal("finished")[0].secret) == (borealis == "Add 5")
        entries = [(entry.number, entry.kind, entry.public, entry.hash) for entry in world.journal()]
        seen.append((entries, archive_of(world, "public"), archive_of(world, "seat:Cygnus")))
    assert seen[0] == seen[1]
