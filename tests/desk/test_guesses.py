"""The dice, whose secret everybody is told, confirm no guess at orders that somebody may keep secret.

A spy who has seen a report tries every sheet that fits it by the rules on the dice. Bound to a plain digest of the sheets they
told which is the true one; bound to salted ones they fit all of them alike.
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from sqlmodel import col

from pbmd.archive.format.audience import audience_of
from pbmd.ledger.tables import Report, StepRecord
from pbmd.rules import HmacDice, Roll
from pbmd.rules.salts import digest_of_all, salts_of
from pbmd.rules.sheets import bound, digest
from tests.archive.made import export
from tests.desk.spy import Lines, Spy, understood, unsalted, whatever_is_held
from tests.desk.world import NAMES, World, body_of, proof_of
from tests.desk.world import opened as files_open
from tests.rulesets.cosmic_conquest.desk import GAME, conquest
from tests.rulesets.starship_squadrons.test_by_mail import GAME as BORDER
from tests.rulesets.starship_squadrons.test_by_mail import opened, send, step

MINUTE = timedelta(minutes=1)
OOB = "OOB default: LFTLTF"


@dataclass(frozen=True)
class Case:
    """What a spy knows; the sheets of the target that fit its report, each with the rolls with which it does; the true one; and
    what the dice were bound to."""

    spy: Spy
    guesses: Mapping[Lines, tuple[Roll, ...]]
    true: Lines
    context: bytes


def galactic_overlord(world: World) -> Case:
    """Altair, attacked without an order of battle, is told what was rolled for one; what else Borealis did is secret."""
    world.start()
    for seat in NAMES:
        world.send(seat, f"Build 2 Laserfrigates\n{OOB}")
    world.pass_time(MINUTE)
    before = world.position()
    world.send("Altair", "Stockpile")
    world.send("Borealis", f"Attack Altair with all\n{OOB}\nTrain spy")
    world.send("Cygnus", "ORDERS")
    world.pass_time(MINUTE)
    specials = ((), ("Train spy",))
    others = (
        (),
        ("Use counter-espionage",),
        *((f"OOB attack vs Cygnus: TFFLLT {tactic}",) for tactic in ("close in", "bunch")),
    )
    sheets = [("Attack Altair with all", *one, *other, OOB) for one, other in product(specials, others)]
    return case_of(world, before, "Altair", "Borealis", dict.fromkeys(sheets, list))


def cosmic_conquest(world: World) -> Case:
    """Red fights for three systems of Purple's and is told its own dice and Purple's totals, but not of how many units."""
    conquest(world)
    systems, sent, units = ("Alpha Centauri", "Groombridge", "Sirius"), (4, 3, 3), (8, 7, 6)
    before = world.position()
    for system in before["systems"]:
        if system["name"] in systems:
            system["owner"] = "Purple"
    with world.work() as work:
        table = work.table_named(GAME)
        assert table is not None
        work.move(table, table.ruleset.load(before))
    world.send("Red", lines_of("Conquer", systems, sent))
    world.send("Purple", lines_of("Defend", systems, units))
    world.send("Green", "Pass")
    world.pass_time(MINUTE)

    def needs(guess: tuple[int, ...]) -> Callable[[list[Roll]], list[Roll]]:
        """Fewer units and higher dice come to the same."""

        def rolls(were: list[Roll]) -> list[Roll]:
            by = [difference for one, other in zip(units, guess, strict=True) for difference in (0, one - other)]
            return [(sides, value + more) for (sides, value), more in zip(were, by, strict=True)]

        return rolls

    guesses = {
        tuple(lines_of("Defend", systems, guess).splitlines()): needs(guess)
        for guess in product(*([many + by for by in (-2, -1, 0, 1, 2)] for many in units))
    }
    return case_of(world, before, "Red", "Purple", guesses)


def starship_squadrons(world: World) -> Case:
    """Ben's ships under one "?" are fired at, and he is told which were hit; what else Anna ordered for her guns is secret."""
    world.close()
    world = opened(world.folder / "squadrons")
    send(world, "anna", "\n".join(f"SQUADRON Gun {number}: M1 A5 R7 D3 AT 0508" for number in range(1, 5)))
    ships = [f"Ship {number}" for number in range(1, 6)]
    squadrons = "\n".join(f"SQUADRON {ship}: M5 D3 AT 1508" for ship in ships)
    send(world, "ben", f"{squadrons}\nBUY ? 1\nPLACE Q1 ON Ship 1")
    step(world)
    before = world.position(BORDER)
    fire = "FIRE 2 Gun 1, Gun 2, Gun 3, Gun 4 AT ?"
    send(world, "anna", f"{fire}\nHOLD FIRE 1 Gun 2")
    send(world, "ben", f"MOVE 2 Q1, {', '.join(ships)} TO 1108\nHOLD FIRE")
    step(world)
    others = [(f"HOLD FIRE 1 Gun {number}", "") for number in range(1, 5)]
    sheets = [tuple(line for line in (fire, *more) if line) for more in product(*others)]
    case = case_of(world, before, "ben", "anna", dict.fromkeys(sheets, list), BORDER)
    world.close()
    return case


def lines_of(order: str, systems: tuple[str, ...], units: tuple[int, ...]) -> str:
    return "\n".join(f"{order} {system} with {many} units" for system, many in zip(systems, units, strict=True))


def case_of(
    world: World,
    before: Any,
    spy: str,
    target: str,
    guesses: Mapping[Lines, Callable[[list[Roll]], list[Roll]]],
    game: str = GAME,
) -> Case:
    """The case of the turn that was resolved last; `before` is the position in which it began. Each guess says which rolls it
    needs, given those that there were; what the rules refuse, or what gives another report, is none."""
    record: StepRecord = world.rows(StepRecord)[-1]
    with world.work() as work:
        table = work.table_named(game)
        assert table is not None
        rules, seats = table.ruleset, [(seat.number, seat.name) for seat in table.seats]
    used = rules.sheets(rules.load(json.loads(record.before)))
    number = world.seat(spy).number
    before_it, resolved = world.outbox("report", spy)[-2:]
    (salt,) = re.findall(r"known to you alone:\n  (\w{32})\n", proof_of(before_it))
    kept: Report = world.rows(Report, col(Report.reader) == f"seat:{number}")[-1]
    mailed = iter(body_of(resolved).splitlines())
    assert all(line in mailed for line in kept.text.strip().splitlines()), "what is told of all else stands between its lines"
    names = [name for _, name in seats]
    held = held_by(world, spy, game)
    assert record.secret.hex() in held
    one = Spy(rules, before, used, names, spy, target, kept.text, record.secret, bytes.fromhex(salt), held)
    were = [(sides, value) for sides, value in json.loads(record.dice)]
    needed = {understood(rules, before, target, *guess): tuple(rolls(were)) for guess, rolls in guesses.items()}
    possible = {guess: rolls for guess, rolls in needed.items() if all(1 <= value <= sides for sides, value in rolls)}
    fitting = {guess: rolls for guess, rolls in possible.items() if one.fits(guess, rolls)}
    true = next(sheet.lines for sheet in used if sheet.seat == target)
    return Case(one, fitting, true, bound(used, salts_of(record.salts, seats), words=json.loads(record.words)))


def held_by(world: World, seat: str, game: str) -> str:
    """All that a player has been sent, all that anybody may read of the journal, and all that an archive for them, or for
    everybody, tells now, if there may be one."""
    texts = [files_open(mail.raw).decode() for mail in world.outbox("", seat)] + [entry.public for entry in world.journal()]
    for view in () if json.loads(world.game(game).terms)["who_has_sent"] == "nothing" else (f"seat:{seat}", "public"):
        folder = export(world, world.folder / view.partition(":")[0], audience=audience_of(view, [seat]))
        texts += [path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file()]
    return "\n".join(texts)


@pytest.fixture(scope="module", params=[galactic_overlord, cosmic_conquest, starship_squadrons], ids=lambda play: play.__name__)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    with closing(World(tmp_path_factory.mktemp("home"))) as world:
        return request.param(world)


@pytest.mark.in_turn(3)
def test_bound_to_a_plain_digest_the_dice_would_tell_which_guess_is_true(case: Case) -> None:
    """So the spy can spy: as it was before there were salts, its attack finds the true sheet, and hardly any other."""
    spy = case.spy
    dice = HmacDice(spy.secret, digest(spy.sheets_with(case.true)))
    as_it_was = replace(spy, report=spy.told(case.true, dice) or "")
    found = as_it_was.found(case.guesses, unsalted)
    assert (case.true in found, len(found) * 4 <= len(case.guesses)) == (True, True), (found, len(case.guesses))


def test_what_a_player_holds_gives_nothing_that_the_dice_are_bound_to(case: Case) -> None:
    dice = HmacDice(case.spy.secret, case.context)
    assert case.spy.told(case.true, dice) == case.spy.report, "that is what they are bound to"
    assert case.true not in case.spy.found(case.guesses, unsalted)
    tried = [context for guess in case.guesses for context in whatever_is_held(case.spy, guess)]
    assert len(tried) > 20 * len(case.guesses)
    assert case.context not in tried
    assert case.context.hex() not in case.spy.held


def test_every_guess_that_fits_the_report_fits_the_dice_as_well(case: Case) -> None:
    """There is a salt of the target with which they fall as the guess needs them; nobody else knows that it has another."""
    for guess, rolls in case.guesses.items():
        known = rolls[:3]
        salt = case.spy.salt_that_fits(guess, known)
        context = digest_of_all(case.spy.salts_with(salt), {one.seat: one.lines for one in case.spy.sheets_with(guess)})
        dice = HmacDice(case.spy.secret, context)
        assert tuple((sides, dice.roll(sides)) for sides, _ in known) == known
