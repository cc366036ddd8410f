"""What a host does who cheats, each with all keys and so consistently as it can be done. A function is given the played game
and gives the evidence that is left: the archive, and the mails that the players have.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from pbmd.desk.changes.deadline_changes import set_deadline
from pbmd.desk.changes.openings import places
from pbmd.ledger.journal import FIRST_HASH, chained
from pbmd.ledger.tables import StepRecord
from pbmd.rules import Dice, HmacDice, Resolution, canonical_json
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MINUTE,
    MOVES,
    OWN_WORD,
    SEATS,
    Evidence,
    Mails,
    Move,
    Played,
    deadline,
    fills,
    go_on,
    joined,
    late,
    mails_of,
    passes,
    sends,
)
from tests.archive.made import derive_again, export, fitted, forge, seal_again
from tests.desk.restored import restored
from tests.desk.world import ADDRESS, World, address_of
from tests.rules import count

Host = Callable[[Played], Evidence]
Entries = list[dict[str, Any]]
_TRIES = range(5)


# Tools of cheats


def then(*moves: Move) -> Move:
    def move(world: World) -> None:
        for each in moves:
            each(world)

    return move


def update(statement: str, **values: Any) -> Move:
    """What somebody does to the ledger who has it, and who takes the digests away by which pbmd would notice."""

    def move(world: World) -> None:
        with world.desk.engine.begin() as connection:
            connection.execute(text(statement), values)
            connection.execute(text("UPDATE game SET digests = '{}'"))

    return move


def _deadline_in(length: timedelta) -> Move:
    """The ledger has another deadline, and nothing tells of it."""

    def move(world: World) -> None:
        at = (world.now + length).replace(tzinfo=None).isoformat(" ", "microseconds")
        update("UPDATE game SET deadline = :at, due_at = :at", at=at)(world)

    return move


def _copy(played: Played) -> Path:
    return Path(shutil.copytree(played.archive, played.room() / "archive"))


def forged(played: Played, change: Callable[[Entries], Any], of: Evidence | None = None) -> Evidence:
    """A journal with other entries, whose hashes, pages and checksums fit; of the game as it was played, or of another."""
    evidence = of or Evidence(_copy(played), played.mails)
    old = _hashes(evidence.archive)
    forge(evidence.archive, lambda entries: change(entries) and None)
    now = dict(zip(old, _hashes(evidence.archive), strict=False))
    for page in (evidence.archive / "data" / "turns").rglob("*.html"):
        page.write_text(re.sub("[0-9a-f]{64}", lambda found: now.get(found[0], found[0]), page.read_text()))
    derive_again(evidence.archive)
    return evidence


def _hashes(archive: Path) -> list[str]:
    return [json.loads(line)["hash"] for line in (archive / "data" / "journal.jsonl").read_text().splitlines()]


def _orders(entries: Entries, seat: str, turn: int) -> dict[str, Any]:
    return next(
        entry
        for entry in entries
        if entry["kind"] == "orders" and entry["secret"]["seat"] == seat and entry["public"]["turn"] == turn
    )


def _entry(entries: Entries, kind: str, turn: int) -> dict[str, Any]:
    return next(entry for entry in entries if entry["kind"] == kind and entry["public"].get("turn") == turn)


def first_mail(mails: Mails, subject: str, seat: str = CHEATED) -> bytes:
    """The first mail of a seat with these words in its subject."""
    return next(raw for raw in mails[seat] if subject in re.sub(r"\r?\n ", " ", raw.decode()).partition("\r\nDate:")[0])


def _without(mails: Mails, *lost: bytes) -> Mails:
    return {seat: tuple(raw for raw in kept if raw not in lost) for seat, kept in mails.items()}


def instead(mails: Mails, old: bytes, new: bytes) -> Mails:
    assert old != new
    return {seat: tuple(new if raw == old else raw for raw in kept) for seat, kept in mails.items()}


def _value(raw: bytes, label: str) -> bytes:
    """What stands behind words in a mail."""
    found = re.search(rf"{label}\s+(\S+)".encode(), raw)
    assert found is not None
    return found[1]


# Letters


def drops_before_intake(played: Played) -> Evidence:
    return played.again("b2", b2=None)


def drops_after_receipt(played: Played) -> Evidence:
    gone_on = played.again("b2", b2=None)
    return replace(gone_on, mails=joined(played.until("a2"), gone_on.mails))


def strikes_out(played: Played) -> Evidence:
    return forged(played, lambda entries: entries.remove(_orders(entries, CHEATED, 2)))


def alters_before_intake(played: Played) -> Evidence:
    return played.again("b2", b2=fills(CHEATED, "Add 1", word=OWN_WORD))


def alters_after_receipt(played: Played) -> Evidence:
    gone_on = alters_before_intake(played)
    return replace(gone_on, mails=joined(played.until("a2"), gone_on.mails))


def acknowledges_what_was_sent(played: Played) -> Evidence:
    gone_on, subject = alters_before_intake(played), "t2] Borealis: orders in"
    answer, true = first_mail(gone_on.mails, subject), first_mail(played.mails, subject)
    forged = answer.replace(b"Add 1", b"Add 6").replace(_value(answer, "Digest"), _value(true, "Digest"))
    return replace(gone_on, mails=instead(gone_on.mails, answer, forged))


def writes_in_a_name(played: Played) -> Evidence:
    gone_on = played.again("c2", c2=then(sends(CHEATED, "Add 1"), late))
    answers = [raw for raw in gone_on.mails[CHEATED] if b"Digest" in raw and raw not in played.mails[CHEATED]]
    return replace(gone_on, mails=_without(gone_on.mails, answers[0]))


def takes_the_seat(played: Played) -> Evidence:
    elsewhere = "friend@players.test"
    move = update("UPDATE seat SET address = :to WHERE name = :name", to=elsewhere, name=CHEATED)
    return played.again("c2", c2=then(move, late), b3=sends(CHEATED, "Add 1", sender=elsewhere))


def drops_a_ballot(played: Played) -> Evidence:
    gone_on = played.again("vote b", vote_b=None)
    return replace(gone_on, mails=joined(played.until("vote c"), gone_on.mails))


def strikes_out_a_ballot(played: Played) -> Evidence:
    return forged(played, lambda entries: entries.remove(_ballot(entries, CHEATED)))


def turns_a_ballot_round(played: Played) -> Evidence:
    return forged(played, lambda entries: _ballot(entries, CHEATED)["secret"].update(answer="no"))


def calls_a_vote_failed(played: Played) -> Evidence:
    def change(entries: Entries) -> None:
        next(entry for entry in entries if entry["kind"] == "voted")["public"]["result"] = "failed"
        entries.remove(next(entry for entry in entries if entry["kind"] == "extended"))

    return forged(played, change)


def does_not_do_what_was_voted_for(played: Played) -> Evidence:
    return forged(played, lambda entries: entries.remove(next(entry for entry in entries if entry["kind"] == "extended")))


def _ballot(entries: Entries, seat: str) -> dict[str, Any]:
    return next(entry for entry in entries if entry["kind"] == "ballot" and entry["secret"]["seat"] == seat)


# When letters came


def backdates(played: Played) -> Evidence:
    def in_time(world: World) -> None:
        world.now = deadline(world) + 10 * MINUTE
        world.send(FRIEND, "Add 9", at=deadline(world) - MINUTE)

    return played.again("c2", c2=in_time)


def postdates(played: Played) -> Evidence:
    def too_late(world: World) -> None:
        late(world)
        world.send(CHEATED, "Add 6", at=deadline(world) + 5 * MINUTE)

    return played.again("b2", b2=None, c2=too_late)


def holds_back(played: Played) -> Evidence:
    def seen_late(world: World) -> None:
        before = deadline(world) - DAY
        world.pass_time(10 * MINUTE)
        world.send(CHEATED, "Add 6", at=before)

    return played.again("b2", b2=None, turn_2=seen_late)


def calls_late(played: Played) -> Evidence:
    return forged(played, lambda entries: _orders(entries, CHEATED, 2)["secret"].update(state="late"))


def takes_late_orders(played: Played) -> Evidence:
    def as_it_came(entries: Entries) -> None:
        _orders(entries, FRIEND, 2)["secret"]["arrival"][0] += 11 * 60 * 1_000_000

    return forged(played, as_it_came, backdates(played))


def reorders_before_intake(played: Played) -> Evidence:
    return played.again("b2", b2=MOVES["a2"], a2=MOVES["b2"])


def reorders_after_receipts(played: Played) -> Evidence:
    return replace(reorders_before_intake(played), mails=played.mails)


def swaps_orders(played: Played) -> Evidence:
    swapped = played.again("b2", b2=fills(CHEATED, "Add 2", word=OWN_WORD), a2=fills(LOOKS_ON, "Add 6"))
    return replace(swapped, mails=played.mails)


def alters_receipt(played: Played) -> Evidence:
    answer = first_mail(played.mails, "t2] Borealis: orders in")
    return Evidence(played.archive, instead(played.mails, answer, answer.replace(b"20 Nov 2026 12:45", b"20 Nov 2026 18:45")))


# Time


def misses_too_early(played: Played) -> Evidence:
    soon = then(_deadline_in(MINUTE), passes())
    return played.again("b2", b2=None, c2=sends(FRIEND, "Add 9"), turn_2=soon)


def resolves_early(played: Played) -> Evidence:
    def earlier(entries: Entries) -> None:
        for entry in (_entry(entries, "missed", 2), _entry(entries, "resolved", 2)):
            entry["at"] = entry["at"].replace("2026-11-23", "2026-11-22")

    return forged(played, earlier)


def opens_with_less(played: Played) -> Evidence:
    def less(entries: Entries) -> None:
        public = _entry(entries, "resolved", 1)["public"]
        public["deadline"] = public["deadline"].replace("2026-11-23", "2026-11-22")

    return forged(played, less)


def cuts_terms(played: Played) -> Evidence:
    return replace(played.again("begins", begins=_begins(deadline="48h")), mails=played.mails)


def _begins(target: int = 60, **terms: Any) -> Move:
    return lambda world: world.start(GAME, SEATS, {"target": target}, ruleset="count", reminders=(), **terms)


def cuts_by_word(played: Played) -> Evidence:
    def word(world: World) -> None:
        world.act(GAME, set_deadline, world.now + 5 * MINUTE)

    gone_on = played.again("b2", b2=None, c2=then(sends(FRIEND, "Add 9"), word))
    return replace(gone_on, mails=_untold(gone_on.mails))


def extends_by_word(played: Played) -> Evidence:
    def word(world: World) -> None:
        world.act(GAME, set_deadline, deadline(world) + DAY)
        world.now = deadline(world) - DAY + 10 * MINUTE
        world.send(FRIEND, "Add 9")

    gone_on = played.again("c2", c2=word)
    return replace(gone_on, mails=_untold(gone_on.mails))


def _untold(mails: Mails) -> Mails:
    """Without what tells of another deadline."""
    return {seat: tuple(raw for raw in kept if b"new deadline" not in raw) for seat, kept in mails.items()}


def extends_silently(played: Played) -> Evidence:
    def word(world: World) -> None:
        late_at = deadline(world) + 10 * MINUTE
        _deadline_in(deadline(world) + DAY - world.now)(world)
        world.now = late_at
        world.send(FRIEND, "Add 9")

    return played.again("c2", c2=word)


def promises_more(played: Played) -> Evidence:
    report = first_mail(played.mails, "Turn 1: what happened")
    later = re.sub(rb"Mon( |%20)23( |%20)Nov", rb"Tue\g<1>24\g<2>Nov", report)
    return Evidence(played.archive, instead(played.mails, report, fitted(later)))


# Dice


def exchanges_secret(played: Played) -> Evidence:
    return forged(played, lambda entries: _entry(entries, "resolved", 2)["public"].update(secret="00" * 32))


def exchanges_salts(played: Played) -> Evidence:
    return forged(played, lambda entries: _entry(entries, "resolved", 2)["secret"].update(salts="00" * 32))


def promises_anew(played: Played) -> Evidence:
    return replace(played.again("turn 1", luck=1), mails=played.mails)


def restores_until_it_pleases(played: Played) -> Evidence:
    """All have sent their orders but Altair, who will win whatever is rolled."""
    return luckiest(played, "a3", [(luck, {"a3": then(restored, MOVES["a3"])}) for luck in _TRIES])


def restores_and_says_nothing(played: Played) -> Evidence:
    evidence = played.again("a3", luck=1, a3=then(restored, MOVES["a3"]))
    told = b"In place of the commitment"
    return replace(
        evidence, mails={seat: tuple(raw for raw in mails if told not in raw) for seat, mails in evidence.mails.items()}
    )


def mails_another_secret(played: Played) -> Evidence:
    report = first_mail(played.mails, "Turn 2: what happened")
    secret = _value(report, "now revealed:")
    return Evidence(played.archive, instead(played.mails, report, report.replace(secret, b"00" * 32)))


def mails_another_salt(played: Played) -> Evidence:
    report = first_mail(played.mails, "Turn 1: what happened")
    salt = _value(report, "to you alone:")
    return Evidence(played.archive, instead(played.mails, report, report.replace(salt, b"00" * 16)))


def luckiest(played: Played, name: str, tries: Iterable[tuple[int, Mapping[str, Move | None]]]) -> Evidence:
    """The one of several ways to go on in which the friend rolls best in turn 3."""

    outcomes: list[tuple[int, Evidence]] = []
    for luck, others in tries:
        with played.gone_back(name, luck) as world:
            go_on(world, name, others)
            last = world.rows(StepRecord)[-1]
            used = [sheet["seat"] for sheet in json.loads(last.before)["sheets"]]
            rolled = json.loads(last.dice)[used.index(FRIEND)][1]
            outcomes.append((rolled, Evidence(export(world, played.room() / "archive"), mails_of(world))))
    best = max(outcomes, key=lambda each: each[0])
    assert best[0] > min(rolled for rolled, _ in outcomes), "there was something to choose from"
    return best[1]


def grinds_secrets(played: Played) -> Evidence:
    return luckiest(played, "turn 2", ((luck, {}) for luck in _TRIES))


def grinds_last_orders(played: Played) -> Evidence:
    def last(number: int) -> Mapping[str, Move | None]:
        return {"c2": passes(4 * DAY), "c3": None, "a3": then(MOVES["a3"], sends(FRIEND, f"Add {number}"))}

    return luckiest(played, "c2", ((0, last(number)) for number in (1, 2, 5)))


def grinds_arrivals(played: Played) -> Evidence:
    first, second, third = (MOVES[name] for name in ("c3", "b3", "a3"))
    orders: Sequence[Sequence[Move]] = ((first, second, third), (second, first, third), (second, third, first))
    return luckiest(played, "c3", ((0, dict(zip(("c3", "b3", "a3"), order, strict=True))) for order in orders))


def sets_up_again(played: Played) -> Evidence:
    return played.again("begins", luck=1)


def swaps_seats(played: Played) -> Evidence:
    """Another game, in which seats are given by lists."""
    honest = places.seats_given

    def given(lists: Mapping[str, Sequence[str]], *of: Any) -> tuple[Mapping[str, str], HmacDice]:
        seats, dice = honest(lists, *of)
        one, other, *_ = seats
        return {**seats, one: seats[other], other: seats[one]}, dice

    with closing(World(played.room())) as world, pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "seats_given", given)
        world.open(GAME, ruleset="diplomacy", options={"map": "hundred"}, seating="preference", seats=len(SEATS), reminders=())
        for seat in SEATS:
            world.send(seat, f"JOIN {GAME} PREFER France, Burgundy", to=ADDRESS)
            world.confirm(address_of(seat))
        return Evidence(export(world, played.room() / "archive"), mails_of(world))


def rolls_again(played: Played) -> Evidence:
    gone_on = played.again("c2", c2=sends(FRIEND, "Add 9"))
    return replace(gone_on, mails=joined(played.until("c3"), gone_on.mails))


def reads_the_ledger(played: Played) -> Evidence:
    with played.gone_back("b3") as world:
        assert world.sheet(FRIEND) == ["Add 3"]
        assert len(world.game().secret) > 0
    return Evidence(played.archive, played.mails)


# Reports


def alters_report(played: Played) -> Evidence:
    report = first_mail(played.mails, "Turn 2: what happened")
    return Evidence(played.archive, instead(played.mails, report, fitted(_other_total(report))))


def _other_total(report: bytes) -> bytes:
    return re.sub(rb"(added Borealis|Borealis:) \d+", rb"\1 1", report)


def alters_page(played: Played) -> Evidence:
    report = first_mail(played.mails, "Turn 2: what happened")
    plain, mark, page = report.partition(b"Content-Type: text/html")
    return Evidence(played.archive, instead(played.mails, report, plain + mark + _other_total(page)))


def alters_report_and_archive(played: Played) -> Evidence:
    archive, seat = _copy(played), f"2-{CHEATED.lower()}"
    for file in (archive / "data" / "turns" / "002" / "reports").glob(f"{seat}.*"):
        file.write_bytes(_other_total(file.read_bytes()))
    derive_again(archive)
    return replace(alters_report(played), archive=archive)


def withholds_report(played: Played) -> Evidence:
    return Evidence(played.archive, _without(played.mails, first_mail(played.mails, "Turn 2: what happened")))


def other_rules(played: Played) -> Evidence:
    def resolve(position: Any, dice: Dice) -> Resolution[Any]:
        came = count.ruleset.resolve(position, dice)
        scores = {**came.position.scores, FRIEND: came.position.scores[FRIEND] + 3}
        return replace(came, position=replace(came.position, scores=scores))

    return played.again("a1", rules=replace(count.ruleset, resolve=resolve))


# Press


def keeps_press_back(played: Played) -> Evidence:
    return Evidence(played.archive, _without(played.mails, first_mail(played.mails, "press")))


def alters_mailed_press(played: Played) -> Evidence:
    press = first_mail(played.mails, "press")
    return Evidence(played.archive, instead(played.mails, press, press.replace(b"Beware of the third", b"Beware of neither")))


def alters_kept_press(played: Played) -> Evidence:
    other = sends(LOOKS_ON, f"PRESS TO {CHEATED}\nTrust the third of us.\nEND PRESS")
    return replace(played.again("press", press=other), mails=played.mails)


def strikes_press(played: Played) -> Evidence:
    return replace(played.again("press", press=None), mails=played.mails)


# The whole


def forks(played: Played) -> Evidence:
    other = played.again("a2", a2=fills(LOOKS_ON, "Add 9"))
    return Evidence(played.archive, {**played.mails, CHEATED: other.mails[CHEATED]})


def forks_with_archives(played: Played) -> Evidence:
    other = played.again("a2", a2=fills(LOOKS_ON, "Add 9"))
    return Evidence(played.archive, {**played.mails, CHEATED: other.mails[CHEATED]}, {CHEATED: other.archive})


def forks_out_of_step(played: Played) -> Evidence:
    """Cygnus writes so much in the other history that no entry there has the number of one here; what Message-IDs say of steps
    is left out."""
    much = then(*[sends(FRIEND, f"Add {number}") for number in (3, 4) * 5])
    other = played.again("a2", luck=5, a2=then(much, fills(LOOKS_ON, "Add 9")))
    apart = tuple(re.sub(rb"(?m)^(Message-ID: <[a-z]+-t\d+)s\d+", rb"\1", raw) for raw in other.mails[CHEATED])
    return Evidence(played.archive, {**played.mails, CHEATED: apart})


def rewrites(played: Played) -> Evidence:
    again = played.again("turn 1", luck=2, b2=fills(CHEATED, "Add 1", word=OWN_WORD), c2=sends(FRIEND, "Add 9"))
    return replace(again, mails=played.mails)


def truncates(played: Played) -> Evidence:
    with played.gone_back("c3") as world:
        return Evidence(export(world, played.room() / "archive"), played.mails)


def leaves_out_an_entry(played: Played) -> Evidence:
    archive = _copy(played)
    path = archive / "data" / "journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"kind":"press"' not in line))
    seal_again(archive)
    return Evidence(archive, played.mails)


def calls_withheld(played: Played) -> Evidence:
    """Other orders, and hashes that fit up to an entry that is said to be withheld, from which on they are the true ones."""
    archive = _copy(played)
    path = archive / "data" / "journal.jsonl"
    entries: Entries = [json.loads(line) for line in path.read_text().splitlines()]
    place = entries.index(_entry(entries, "press", 2))
    entries[0]["public"]["terms"]["deadline"] = "24h"
    head = FIRST_HASH
    for entry in entries[:place]:
        at = datetime.fromisoformat(entry["at"])
        head = entry["hash"] = chained(
            head, entry["number"], at, entry["kind"], canonical_json(entry["public"]), entry["sealed"]
        )
    entries[place] = {key: entries[place][key] for key in ("number", "at", "kind", "hash")} | {"withheld": True}
    path.write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))
    derive_again(archive)
    return Evidence(archive, played.mails)


def changes_option(played: Played) -> Evidence:
    change = update("UPDATE game SET position = replace(position, :old, :new)", old='"target":60', new='"target":40')
    return played.again("c2", c2=then(change, late))


def changes_first_options(played: Played) -> Evidence:
    return replace(played.again("begins", begins=_begins(59)), mails=played.mails)


def changes_sheets(played: Played) -> Evidence:
    archive = _copy(played)
    path = archive / "data" / "turns" / "002" / "sheets.json"
    path.write_text(path.read_text().replace('"state": "used"', '"state": "late"', 1))
    derive_again(archive)
    return Evidence(archive, played.mails)


def changes_winner(played: Played) -> Evidence:
    archive = _copy(played)
    path = archive / "data" / "game.toml"
    path.write_text(re.sub(r'winners = \[\s*"Altair",?\s*\]', 'winners = ["Cygnus"]', path.read_text()))
    derive_again(archive)
    return Evidence(archive, played.mails)


def changes_letters(played: Played) -> Evidence:
    archive = _copy(played)
    path = archive / "data" / "letters.mbox"
    path.write_bytes(path.read_bytes().replace(b"Add 6", b"Add 1"))
    seal_again(archive)
    return Evidence(archive, played.mails)


def changes_holder(played: Played) -> Evidence:
    archive = _copy(played)
    path = archive / "data" / "game.toml"
    path.write_text(path.read_text().replace("Borealis's player", "Somebody else"))
    derive_again(archive)
    return Evidence(archive, played.mails)
