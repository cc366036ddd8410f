"""In games of all rulesets that roll in secret turns, the dice confirm no guess at a sheet that fits a report by the rules."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.outline import Stage, outline
from pbmd.archive.replay.story import play
from pbmd.rendering.render import report_text
from pbmd.rules import HmacDice, Roll, Sheet, seat_reader
from pbmd.rules.registry import get
from pbmd.rules.salts import digest_of_all, salt_of, salts_of
from pbmd.rules.sheets import bound, digest, to_be_used
from tests.archive.samples import FOLDER, unpack
from tests.desk.spy import Lines, Spy, unsalted, variants, whatever_is_held

SLUGS = ("cosmic_conquest", "galactic_overlord", "local_cluster", "starship_squadrons")
"""Societies rolls when it is set up, and never again."""
MOST_CASES, MOST_TRIES = 4, 3000


@dataclass(frozen=True)
class Case:
    """A spy, the true sheet, others that fit the spy's report with the rolls that there were, and what these were bound to."""

    spy: Spy
    true: Lines
    others: tuple[Lines, ...]
    rolls: tuple[Roll, ...]
    context: bytes


@cache
def cases(slug: str) -> tuple[Case, ...]:
    """The first cases of the sample of a ruleset."""
    with TemporaryDirectory() as folder:
        payload = unpack(FOLDER / f"{slug}.tar.xz", Path(folder)) / "data"
        found: list[Case] = []
        for case in _cases(slug, payload):
            found.append(case)
            if len(found) == MOST_CASES:
                break
        return tuple(found)


def _cases(slug: str, payload: Path) -> Iterator[Case]:
    rules, path = get(slug), payload / "journal.jsonl"
    overview = outline(read_entries(path))
    seats = sorted(overview.seats.items())
    context = b""
    for stage in play(rules, read_entries(path), overview):
        record = stage.record
        if record is None:
            continue
        # What a later step of one go is bound to nobody knows who does not know that of the one before.
        alone, context = record.secret != context, record.secret
        used = to_be_used(rules, rules.load(json.loads(record.before)))
        if not alone or stage.told is None or not json.loads(record.dice):
            continue
        rolls = tuple((sides, value) for sides, value in json.loads(record.dice))
        held = "\n".join(json.dumps(entry.public) for entry in read_entries(path))
        for target in used:
            number, name = next(seat for seat in seats if seat[1] != target.seat)
            salt = salt_of(record.salts or b"", number)
            spy = Spy(
                rules, stage.begins, used, [one for _, one in seats], name, target.seat, told_to(stage, name, slug),
                record.secret, salt, held,
            )  # fmt: skip
            if spy.fits(target.lines, rolls):
                others = tuple(guess for guess in variants(target.lines)[:40] if spy.fits(guess, rolls))
                if others:
                    words = json.loads(record.words)
                    yield Case(spy, target.lines, others, rolls, bound(used, salts_of(record.salts, seats), words=words))


def told_to(stage: Stage, seat: str, slug: str) -> str:
    rules = get(slug)
    return report_text(rules, rules.view(stage.position, stage.events, seat_reader(seat)))


@pytest.mark.parametrize("slug", SLUGS[:3])
def test_bound_to_a_plain_digest_the_dice_would_tell_a_true_sheet(slug: str) -> None:
    """In some case at least: of many rolls a spy sees next to nothing, and of those of a random fleet nothing at all."""
    told = 0
    for case in cases(slug):
        dice = HmacDice(case.spy.secret, digest(case.spy.sheets_with(case.true)))
        as_it_was = replace(case.spy, report=case.spy.told(case.true, dice) or "")
        told += as_it_was.found([case.true, *case.others], unsalted) == [case.true]
    assert told, f"{len(cases(slug))} cases"


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_that_a_player_holds_gives_what_they_are_bound_to(slug: str) -> None:
    for case in cases(slug):
        dice = HmacDice(case.spy.secret, case.context)
        assert [(sides, dice.roll(sides)) for sides, _ in case.rolls] == list(case.rolls), "that is what they are bound to"
        for guess in (case.true, *case.others):
            assert case.context not in whatever_is_held(case.spy, guess)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_sheet_that_fits_the_report_fits_the_dice(slug: str) -> None:
    """As far as one can try salts in a test."""
    for case in cases(slug):
        tries, known = 1, list[Roll]()
        for sides, value in case.rolls:
            if (tries := tries * sides) > MOST_TRIES:
                break
            known.append((sides, value))
        assert known
        for guess in case.others:
            salt = case.spy.salt_that_fits(guess, known)
            orders = {sheet.seat: sheet.lines for sheet in case.spy.sheets_with(guess)}
            dice = HmacDice(case.spy.secret, digest_of_all(case.spy.salts_with(salt), orders))
            assert [(sides, dice.roll(sides)) for sides, _ in known] == known


def test_the_spy_would_not_overlook_a_salt_that_it_holds() -> None:
    """Were the others' salts something that stands in a mail, or comes of it, the spy would find them."""
    case = cases("cosmic_conquest")[0]
    value = b"\xab" * 32
    sheets: tuple[Sheet, ...] = case.spy.sheets_with(case.true)
    salts = salts_of(value, enumerate(case.spy.seats, start=1))
    known = [(seat, case.spy.salt if seat == case.spy.seat else salt) for seat, salt in salts]
    spy = replace(case.spy, held=f"Commitment: {value.hex()}")
    assert bound(sheets, known) in whatever_is_held(spy, case.true)
