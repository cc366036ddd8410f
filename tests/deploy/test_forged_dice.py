"""deploy/verify.py against hosts who change what has been rolled: it may say that it cannot tell, but never that all is
well. And against genuine games that look odd: it must not call them forged."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.format.entries import read_entries
from pbmd.desk.changes.gm import abandon
from pbmd.desk.imports.game import go_on
from pbmd.desk.mailroom import process_letters
from pbmd.rules import HmacDice, canonical_json
from pbmd.rules.salts import digest_of_all
from tests.archive.made import export, kept
from tests.deploy.test_verify_dice import DAYS, relinked, unproved, verify
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World

Entries = list[dict[str, Any]]
ALL_WELL = ": all as they must be\n"
MOVED = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    yield world
    world.close()


def exported(world: World, folder: Path) -> Path:
    return export(world, folder) / "data"


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Of two turns; the first has three orders."""

    def make() -> Path:
        world: World = request.getfixturevalue("world")
        two_turns(world)
        return exported(world, tmp_path / "made").parent

    return kept("two turns for deploy/verify.py", make, tmp_path / "archive") / "data"


def two_turns(world: World) -> None:
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    for turn in range(2):
        for seat in NAMES:
            world.send(seat, f"Add {turn + 2}")
        world.pass_time(DAYS)


def entries_of(archive: Path) -> Entries:
    return [json.loads(line) for line in (archive / "journal.jsonl").read_text().splitlines()]


def put(archive: Path, entries: Entries) -> None:
    (archive / "journal.jsonl").write_bytes(b"".join(canonical_json(entry) + b"\n" for entry in entries))


def resolved(entries: Entries, step: int) -> dict[str, Any]:
    return next(entry for entry in entries if entry["kind"] == "resolved" and entry["public"]["step"] == step)


def rolled(archive: Path, turn: str, secret: bytes, seats: Any = None) -> list[list[int]]:
    """Put into dice.json what follows from another secret, or from other orders; gives the rolls."""
    path = archive / "turns" / turn / "dice.json"
    document = json.loads(path.read_text())
    document["seats"] = seats or document["seats"]
    salts = [(seat["seat"], bytes.fromhex(seat["salt"])) for seat in document["seats"]]
    orders = {seat["seat"]: seat["lines"] for seat in document["seats"] if seat["lines"] is not None}
    context = digest_of_all(salts, orders)
    dice = HmacDice(secret, context)
    rolls = [[sides, dice.roll(sides)] for sides, _ in document["rolls"]]
    document |= {"secret": secret.hex(), "context": context.hex(), "rolls": rolls}
    path.write_text(json.dumps(document))
    return rolls


def wished(archive: Path) -> None:
    """Other orders, so long until all rolls of turn 1 are sixes; secret and chain are the real ones."""
    document = json.loads((archive / "turns" / "001" / "dice.json").read_text())
    seats, number = document["seats"], 0
    lines = list(seats[0]["lines"])
    while {roll for _, roll in rolled(archive, "001", bytes.fromhex(document["secret"]), seats)} != {6}:
        number += 1
        seats[0]["lines"] = [*lines, f"Note {number}"]


class TestRollsThatTheJournalDoesNotHold:
    def test_are_wrong_if_it_has_others(self, archive: Path) -> None:
        wished(archive)
        code, told = verify(archive)
        assert (code, "dice.json has other orders, or another word, of Altair" in told) == (1, True), told

    @pytest.mark.parametrize("shown", [None, "without its salt"])
    def test_are_not_said_to_be_right(self, shown: str | None, archive: Path) -> None:
        wished(archive)
        entries = entries_of(archive)
        head, entry = entries[-1]["hash"], resolved(entries, 0)
        del entry["salt"], entry["secret"]
        if shown:
            rolls = json.loads((archive / "turns" / "001" / "dice.json").read_text())["rolls"]
            entry["secret"] = {"dice": rolls}
        put(archive, entries)
        code, told = verify(archive, head)
        assert (code, ALL_WELL in told, unproved(1) in told) == (3, False, True), told
        assert "rolled d6:6 d6:6 d6:6; orders, words or rolls not held by the journal\n" in told

    def test_are_no_word_for_what_was_ordered(self, archive: Path) -> None:
        wished(archive)
        entries = entries_of(archive)
        entry = resolved(entries, 0)
        del entry["salt"], entry["secret"]
        put(archive, entries)
        sheet = json.loads((archive / "turns" / "001" / "dice.json").read_text())["seats"][0]
        digest = hashlib.sha256(canonical_json([[sheet["seat"], sheet["lines"]]])).hexdigest()
        code, told = verify(archive, digest)
        assert (code, told.splitlines()[-1].startswith(f"WRONG: {digest}: this archive has no such ")) == (1, True), told

    def test_cannot_be_brought_in_by_a_second_file(self, archive: Path) -> None:
        (archive / "turns" / "001" / "more").mkdir()
        (archive / "turns" / "001" / "more" / "dice.json").write_bytes((archive / "turns" / "001" / "dice.json").read_bytes())
        wished(archive)
        assert verify(archive)[0] == 1


class TestASecret:
    @pytest.mark.parametrize("step", [0, 1])
    def test_is_not_empty(self, step: int, archive: Path) -> None:
        rolls = rolled(archive, f"{step + 1:03d}", b"")

        def change(entries: Entries) -> None:
            entry = resolved(entries, step)
            entry["public"]["secret"], entry["secret"]["dice"] = "", rolls

        relinked(archive, change)
        code, told = verify(archive)
        assert (code, "the secret is not the one that was promised" in told) == (1, True), told

    def test_is_not_that_of_the_set_up(self, archive: Path) -> None:
        def change(entries: Entries) -> None:
            started = next(entry for entry in entries if entry["kind"] == "started")
            entry = resolved(entries, 0)
            entry["at"] = started["at"]
            secret = started["secret"]["secret"]
            entry["public"] |= {"secret": secret, "commitment": started["public"]["commitment"]}
            entries[:] = [one for one in entries if one["kind"] != "orders" and one["number"] <= entry["number"]]
            nothing = [{**seat, "lines": None} for seat in json.loads((archive / "turns/001/dice.json").read_text())["seats"]]
            entry["secret"]["dice"] = rolled(archive, "001", bytes.fromhex(secret), nothing)

        renumbered(archive, change)
        code, told = verify(archive)
        assert (code, "the secret is not the one that was promised" in told) == (1, True), told

    def test_that_is_said_to_be_withheld_proves_nothing(self, archive: Path) -> None:
        """The parts of an entry that is withheld are not looked at: its hash is made of nothing."""
        entries = entries_of(archive)
        entry = resolved(entries, 1)
        entry["withheld"] = True
        entry["public"]["secret"] = "ab" * 32
        put(archive, entries)
        code, told = verify(archive, entries[-1]["hash"])
        assert (code, "abab" in told, ALL_WELL in told) == (3, False, False), told


def renumbered(archive: Path, change: Callable[[Entries], None]) -> None:
    """Entries put in or left out, with all numbers, also those of receipts; letters whose entry is gone are gone, too."""
    moved: dict[int, int] = {}

    def change_all(entries: Entries) -> None:
        change(entries)
        for number, entry in enumerate(entries, 1):
            moved[entry.get("number", 0)] = entry["number"] = number

    relinked(archive, change_all)
    for path in archive.glob("turns/**/sheets.json"):
        sheets = [sheet for sheet in json.loads(path.read_text()) if sheet["receipt"] in moved]
        path.write_text(json.dumps([sheet | {"receipt": moved[sheet["receipt"]]} for sheet in sheets]))


class TestAGameThatGoesOnElsewhere:
    @pytest.fixture
    def gone_on(self, archive: Path, tmp_path: Path) -> Iterator[World]:
        """One turn was played at the new host, then it was abandoned."""
        (tmp_path / "elsewhere").mkdir()
        other = World(tmp_path / "elsewhere")
        with other.work() as work:
            go_on(work, partial(read_entries, archive / "journal.jsonl"), 2)
        for seat in NAMES:
            other.send(seat, "Add 4")
        other.pass_time(DAYS)
        other.act("galaxy-7", abandon, "enough")
        yield other
        other.close()

    @pytest.fixture
    def second(self, gone_on: World, tmp_path: Path) -> Path:
        return exported(gone_on, tmp_path / "second")

    def test_has_a_commitment_and_a_last_secret_that_players_can_ask_for(self, second: Path) -> None:
        entries = entries_of(second)
        imported = next(entry for entry in entries if entry["kind"] == "imported")["public"]["commitment"]
        last = entries[-1]["public"]["secret"]
        code, told = verify(second, imported, last)
        assert (code, ALL_WELL in told) == (0, True), told
        assert f"{imported}: commitment in entry " in told
        assert f"{last}: dice secret of entry {entries[-1]['number']}, finished\n" in told
        assert ", resolved, step 0 (turn 2): the secret is the one that was promised; rolled d6:" in told

    def test_has_no_first_secret_that_was_promised_to_nobody(self, second: Path) -> None:
        rolls = rolled(second, "002", b"\xab" * 32)

        def change(entries: Entries) -> None:
            entry = resolved(entries, 0)
            entry["public"]["secret"], entry["secret"]["dice"] = "ab" * 32, rolls

        relinked(second, change)
        assert verify(second)[0] == 1

    def test_has_no_last_secret_that_was_promised_to_nobody(self, second: Path) -> None:
        relinked(second, lambda entries: entries[-1]["public"].update(secret="ab" * 32))
        code, told = verify(second)
        assert (code, "finished: the secret is not the one that was promised" in told) == (1, True), told


class TestStepsWithOneSecret:
    @pytest.fixture
    def together(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        """Altair's move, and with it that of Borealis, which was sent ahead."""

        def make() -> Path:
            world: World = request.getfixturevalue("world")
            past_turn_0(relay(world, die=True))
            world.send("Borealis", "Add 3")
            world.now += MOVED
            world.send("Altair", "Add 2")
            world.act(GAME, abandon, "enough")
            return exported(world, tmp_path / "made").parent

        return kept("two moves with one secret", make, tmp_path / "together") / "data"

    def test_are_carried_out_together(self, together: Path) -> None:
        code, told = verify(together)
        assert (code, told.count("carried out together with the step before")) == (0, 1), told

    @pytest.mark.parametrize("kind", ["set", "ruled"])
    def test_have_no_deed_of_the_host_between_them(self, kind: str, together: Path) -> None:
        def change(entries: Entries) -> None:
            place = entries.index(resolved(entries, 4))
            entries.insert(place, {"at": entries[place]["at"], "kind": kind, "public": {}, "secret": {}, "sealed": ""})

        renumbered(together, change)
        code, told = verify(together)
        assert (code, "step 4 (turn 1): the secret is not the one that was promised" in told) == (1, True), told

    def test_are_not_a_month_apart(self, together: Path) -> None:
        def change(entries: Entries) -> None:
            for entry in entries[entries.index(resolved(entries, 4)) :]:
                entry["at"] = "2026-12-24T12:00:00.000000Z"

        relinked(together, change)
        assert verify(together)[0] == 1

    def test_promise_one_next_secret(self, together: Path) -> None:
        relinked(together, lambda entries: resolved(entries, 4)["public"].update(commitment="ab" * 32))
        assert verify(together)[0] == 1

    def test_are_not_those_of_letters_that_were_read_at_once(self, world: World, tmp_path: Path) -> None:
        """Each letter has a report and a secret of its own."""
        past_turn_0(relay(world, die=True))

        def clock() -> Any:
            world.now += timedelta(milliseconds=3)
            return world.now

        world.desk = replace(world.desk, now=clock)
        for seat in ("Altair", "Borealis"):
            world.now += MOVED
            world.arrive(world.letter(seat, "Add 2"))
        process_letters(world.desk)
        world.act(GAME, abandon, "enough")
        archive = exported(world, tmp_path / "batch")
        kinds = [entry["kind"] for entry in entries_of(archive)]
        assert kinds[-5:] == ["orders", "resolved", "orders", "resolved", "finished"]
        code, told = verify(archive)
        assert (code, told.count("carried out together with the step before")) == (0, 0), told

    def test_may_end_the_game(self, world: World, tmp_path: Path) -> None:
        """Then no further secret is promised, though the step before has promised one."""
        past_turn_0(relay(world, target=9))
        world.send("Borealis", "Add 9")
        world.send("Altair", "Add 1")
        assert world.game(GAME).status.value == "finished"
        code, told = verify(exported(world, tmp_path / "over"))
        assert (code, told.count("carried out together with the step before")) == (0, 1), told


@pytest.mark.parametrize("kind", ["started", "resolved"])
def test_a_genuine_game_of_which_an_entry_is_withheld_is_not_called_forged(kind: str, archive: Path) -> None:
    entries = entries_of(archive)
    place = next(place for place, entry in enumerate(entries) if entry["kind"] == kind)
    entries[place] = {key: entries[place][key] for key in ("number", "at", "kind", "hash")} | {"withheld": True}
    put(archive, entries)
    code, told = verify(archive)
    assert (code, ALL_WELL in told) == (3, False), told
