"""deploy/verify.py against hosts who let the dice be bound to other orders and words than those in the journal."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes.rollback import roll_back
from pbmd.rules import HmacDice
from pbmd.rules.salts import digest_of_all
from tests.archive.cheats import what_comes_back
from tests.archive.cheats.played import Played
from tests.deploy.test_forged_dice import ALL_WELL, entries_of, exported, put, resolved
from tests.deploy.test_verify_dice import DAYS, relinked, run, verify
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World

Seats = dict[str, dict[str, Any]]
Sheets = list[dict[str, Any]]
OTHERS = "dice.json has other orders, or another word, of {} than journal and sheets.json"
OWN = "to be or not to be"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        yield world


def form(*orders: str, word: str = "") -> str:
    return "\n".join(["#orders", *orders, *([f"#word {word}"] if word else []), "#end"])


def worded(world: World) -> None:
    """Two turns. In the first Altair sends twice, at last without a word; Borealis a word with a mail that is taken back."""
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    for seat, text in (
        ("Altair", form("Add 2", word=OWN)),
        ("Borealis", form("Add 3", word="one that was cancelled")),
        ("Borealis", "CANCEL ORDERS"),
        ("Borealis", form("Add 4")),
        ("Altair", form("Add 5")),
        ("Cygnus", form("Add 6", word="mine")),
    ):
        world.send(seat, text)
    world.pass_time(DAYS)
    for seat in NAMES:
        world.send(seat, form("Add 2", word=f"word of {seat}"))
    world.pass_time(DAYS)


@pytest.fixture
def archive(world: World, tmp_path: Path) -> Path:
    worded(world)
    return exported(world, tmp_path / "archive")


def bound_anew(archive: Path, change: Callable[[Seats], None]) -> None:
    """Other orders or words in dice.json of turn 1, and all that follows from them, in every place."""
    path = archive / "turns" / "001" / "dice.json"
    document = json.loads(path.read_text())
    change({seat["seat"]: seat for seat in document["seats"]})
    salts = [(seat["seat"], bytes.fromhex(seat["salt"])) for seat in document["seats"]]
    orders = {seat["seat"]: seat["lines"] for seat in document["seats"] if seat["lines"] is not None}
    words = {seat["seat"]: seat["word"] for seat in document["seats"] if "word" in seat}
    context = digest_of_all(salts, orders, words)
    dice = HmacDice(bytes.fromhex(document["secret"]), context)
    document |= {"context": context.hex(), "rolls": [[sides, dice.roll(sides)] for sides, _ in document["rolls"]]}
    path.write_text(json.dumps(document))
    relinked(archive, lambda entries: resolved(entries, 0)["secret"].update(dice=document["rolls"]))


def in_sheets(archive: Path, change: Callable[[Sheets], None]) -> None:
    path = archive / "turns" / "001" / "sheets.json"
    sheets = json.loads(path.read_text())
    change(sheets)
    path.write_text(json.dumps(sheets))


class TestWordsAndOrders:
    def test_that_were_sent_are_found_where_they_count(self, archive: Path) -> None:
        code, told = verify(archive)
        assert (code, ALL_WELL in told) == (0, True), told
        seats = {each["seat"]: each for each in json.loads((archive / "turns" / "001" / "dice.json").read_text())["seats"]}
        assert [seats[seat].get("word") for seat in NAMES] == [OWN, None, "mine"], "the game has all three kinds"

    @pytest.mark.parametrize(
        ("change", "seat"),
        [
            (lambda seats: seats["Altair"].update(word="chosen"), "Altair"),
            (lambda seats: seats["Altair"].pop("word"), "Altair"),
            (lambda seats: seats["Borealis"].update(word="one that was cancelled"), "Borealis"),
            (lambda seats: seats["Altair"].update(lines=["Add 2"]), "Altair"),
            (lambda seats: seats["Borealis"].update(lines=["Add 3"]), "Borealis"),
            (lambda seats: seats["Cygnus"].update(lines=["Add 9"]), "Cygnus"),
            (lambda seats: (seats["Cygnus"].update(lines=None), seats["Cygnus"].pop("word")), "Cygnus"),
        ],
        ids=["swapped", "dropped", "of cancelled orders", "replaced orders", "cancelled orders", "other orders", "no orders"],
    )
    def test_that_did_not_count_are_wrong(self, change: Callable[[Seats], None], seat: str, archive: Path) -> None:
        bound_anew(archive, change)
        code, told = verify(archive)
        assert (code, OTHERS.format(seat) in told) == (1, True), told

    @pytest.mark.in_turn(2)
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda sheets: sheets[0].update(word="chosen"), "that entry of the journal has no such letter"),
            (lambda sheets: sheets[0].pop("word"), "that entry of the journal has no such letter"),
            (lambda sheets: sheets[0].update(head="9 abcd"), "that entry of the journal has no such letter"),
            (lambda sheets: sheets[0].update(state="late"), "it is late, and was filed then"),
            (lambda sheets: sheets.pop(), OTHERS.format("Cygnus")),
            (lambda sheets: sheets[0].update(receipt=0), "there are receipts [0], and no such entries in the journal"),
            (lambda sheets: sheets[0].update(receipt=-1), "there are receipts [-1], and no such entries in the journal"),
            (lambda sheets: sheets[0].update(receipt=999), "there are receipts [999], and no such entries in the journal"),
        ],
    )
    def test_of_letters_that_the_journal_has_otherwise_are_wrong(
        self, change: Callable[[Sheets], None], words: str, archive: Path
    ) -> None:
        in_sheets(archive, change)
        code, told = verify(archive)
        assert (code, words in told) == (1, True), told

    def test_that_the_journal_does_not_show_are_not_said_to_be_right(self, archive: Path) -> None:
        entries = entries_of(archive)
        entry = next(entry for entry in entries if entry["kind"] == "orders")
        del entry["secret"], entry["salt"]
        put(archive, entries)
        code, told = verify(archive)
        assert (code, told.count("; orders, words or rolls not held by the journal\n")) == (3, 1), told


def test_a_word_exchanged_in_the_ledger_is_found(tmp_path: Path) -> None:
    with closing(Played(tmp_path)) as played:
        assert run(played.archive)[0] == 0
        code, told = run(what_comes_back.exchanges_a_word_in_the_ledger(played).archive)
    assert (code, "WRONG: receipt" in told, "another head or word" in told) == (1, True, True), told


def test_orders_that_are_filed_again_after_a_rollback_keep_their_own_word(world: World, tmp_path: Path) -> None:
    worded(world)
    world.act("galaxy-7", roll_back, 1, "")
    for _ in range(3):
        world.pass_time(DAYS)
    archive = exported(world, tmp_path / "archive")
    assert [entry for entry in entries_of(archive) if entry["kind"] == "orders" and "again" in entry["secret"]]
    assert verify(archive)[0] == 0


def test_a_move_that_waits_keeps_its_word(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    world.send("Borealis", form("Add 3", word="sent ahead"))
    world.send("Borealis", form("Add 4"))
    world.send("Altair", form("Add 2", word="now"))
    world.send("Cygnus", "Add 1")
    assert world.game(GAME).step > 5
    archive = exported(world, tmp_path / "archive")
    words = [
        seat["word"]
        for path in archive.glob("turns/*/dice.json")
        for seat in json.loads(path.read_text())["seats"]
        if "word" in seat
    ]
    assert sorted(words) == ["now", "sent ahead"]
    told = verify(archive)
    assert "WRONG" not in told[1], told
