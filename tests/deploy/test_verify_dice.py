"""deploy/verify.py: a game's dice drawn again by a program that knows nothing of pbmd."""

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbmd.archive.format.findings import FORMAT
from pbmd.cli import app
from pbmd.desk.changes import new_game
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import StepRecord
from pbmd.rules import HmacDice, Sheet, Signup, canonical_json
from pbmd.rules.options import complete
from pbmd.rules.registry import slugs
from pbmd.rules.salts import digest_of_all, salt_of
from pbmd.rules.sheets import bound
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.archive.made import kept, seal_again, verified
from tests.archive.samples import unpack
from tests.desk.relay import relay
from tests.desk.world import NAMES, World, address_of, last_proof, proof_of
from tests.docs.pages import ROOT
from tests.schemas import Draft202012Validator

WITHOUT_DICE = {"diplomacy"}

SETTINGS = f"""\
rulesets = {[str(ROOT / "tests" / "rules" / slug) for slug in ("count", "relay", "tides")]}
server = {{ address = "games@pbmd.test", gm = "gm@pbmd.test", data = "." }}
imap = {{ host = "localhost", user = "games", password = "secret" }}
smtp = {{ host = "localhost" }}
"""
PROGRAM = ROOT / "deploy" / "verify.py"
CODE = compile(PROGRAM.read_bytes(), str(PROGRAM), "exec")
DAYS = timedelta(days=4)


def simultaneous(world: World) -> None:
    """With a missed deadline and a turn that is taken back."""
    world.start(ruleset="count", options={"target": 1000})
    for number in range(3):
        for seat in NAMES[number % 2 :]:
            world.send(seat, f"Add {number + 2}")
            world.now += timedelta(minutes=1)
        world.pass_time(DAYS)
    world.act("galaxy-7", roll_back, 2, "")
    for number in (9, 8, 7):
        world.send("Cygnus", f"Add {number}")
        world.pass_time(DAYS)


def sequential(world: World) -> None:
    """With moves that were sent ahead, so that one letter carries out several, and a skip."""
    relay(world, die=True)
    for seat, text in (
        ("Borealis", "Add 2"),
        ("Cygnus", "Add 4"),
        ("Altair", "Add 6"),
        ("Borealis", "Add 3"),
        ("Altair", "Add 5"),
    ):
        world.send(seat, text)
        world.now += timedelta(minutes=1)
    world.pass_time(DAYS)
    world.send("Altair", "Add 1")


def phased(world: World) -> None:
    """With a fight in the last phase."""
    world.start(ruleset="tides", reminders=())
    for seats, text in ((NAMES, "Base 5"), (("Altair", "Cygnus"), "March 3"), (("Borealis",), "March 9")):
        for seat in seats:
            world.send(seat, text)
        world.pass_time(timedelta(hours=1))
    world.send("Altair", "Fire Cygnus")
    world.pass_time(DAYS)


def with_a_set_up(world: World) -> None:
    """Whose set-up draws dice, too."""
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", "local_cluster", Terms(second_thought="0m"), {})
        options = complete(table.ruleset.info.options, {})
        for signup in signups(table.ruleset, 3, options):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), f"{signup.seat}'s player"))
        new_game.start_game(work, table)


def export(world: World, to: Path, *options: str) -> Path:
    """The folder with the game of an archive as game masters make it."""
    settings = ("--settings", str(world.folder / "pbmd.toml"))
    done = CliRunner().invoke(app, ["export", "galaxy-7", "--to", str(to), *settings, *options])
    assert done.exit_code == 0, (done.output, done.exception)
    return to / "data" if (to / "data").exists() else to


def verify(archive: Path, *values: str) -> tuple[int, str]:
    """What the program says of an archive after its first line, about the bag, and its exit code; of what is below `data/` with
    the checksums made to fit."""
    if archive.name == "data":
        seal_again(archive.parent)
    code, told = run(archive.parent if archive.name == "data" else archive, *values)
    return code, told.partition("\n")[2] if archive.name == "data" else told


def run(bag: Path, *values: str) -> tuple[int, str]:
    """What the program says, run in this process; see also `verify_alone`."""
    written, sys.argv[:], before = io.StringIO(), [str(PROGRAM), str(bag), *values], [*sys.argv]
    try:
        with redirect_stdout(written), pytest.raises(SystemExit) as ended:
            exec(CODE, {"__name__": "__main__", "__doc__": None})
    finally:
        sys.argv[:] = before
    assert isinstance(ended.value.code, int)
    return ended.value.code, written.getvalue()


def verify_alone(bag: Path, *values: str) -> tuple[int, str]:
    # -I and -S: neither pbmd nor any installed library can be imported.
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), str(bag), *values], capture_output=True, text=True, timeout=300
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    (world.folder / "pbmd.toml").write_text(SETTINGS)
    (world.folder / "server.key").write_bytes(world.desk.key)
    yield world
    world.close()


@pytest.fixture
def played(world: World) -> World:
    world.as_ever("a game of Count of which a turn is taken back", lambda: simultaneous(world))
    return world


@pytest.fixture
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    def make() -> Path:
        return export(request.getfixturevalue("played"), tmp_path / "made").parent

    return kept("a game of Count of which a turn is taken back", make, tmp_path / "archive") / "data"


@pytest.mark.parametrize("play", [simultaneous, sequential, phased])
def test_draws_every_roll_of_the_game_again(play: Callable[[World], None], world: World, tmp_path: Path) -> None:
    play(world)
    code, told = verify_alone(export(world, tmp_path / "archive").parent)
    assert code == 0, told
    records: list[StepRecord] = world.rows(StepRecord)
    rolled = [json.loads(record.dice) for record in records]
    lines = re.findall(r"resolved, step (\d+) .*; rolled (.*)$", told, re.MULTILINE)
    wanted = [
        (str(record.step), " ".join(f"d{a}:{b}" for a, b in rolls) or "nothing")
        for record, rolls in zip(records, rolled, strict=True)
    ]
    assert lines == wanted
    assert sum(map(len, rolled)) > 0
    assert f"{len(records)} steps and {sum(map(len, rolled))} rolls: all as they must be\n" in told


def positions_in(journal: Path) -> dict[int, str]:
    """The digest of the position after each step."""
    entries = map(json.loads, journal.read_text().splitlines())
    return {entry["public"]["step"]: entry["secret"]["position"] for entry in entries if entry["kind"] == "resolved"}


def after_step(bag: Path, step: int) -> dict[str, Any]:
    resolutions = bag.glob("data/turns/**/resolution.toml")
    (folder,) = [path.parent for path in resolutions if tomllib.loads(path.read_text())["step"] == step]
    return tomllib.loads((folder / "after.toml").read_text())


@pytest.mark.parametrize("slug", slugs())
def test_draws_the_rolls_of_a_real_game_of_each_ruleset_again(slug: str, tmp_path: Path) -> None:
    bag = unpack(ROOT / "data" / "samples" / "archives" / f"{slug}.tar.xz", tmp_path)
    code, told = verify_alone(bag)
    for step, digest in positions_in(bag / "data" / "journal.jsonl").items():
        assert hashlib.sha256(canonical_json(after_step(bag, step))).hexdigest() == digest, "as FORMAT.md says"
    rolls = re.search(r"steps and (\d+) rolls: all as they must be\n$", told)
    assert (code, rolls is not None and (int(rolls[1]) > 0) == (slug not in WITHOUT_DICE)) == (0, True), told


def test_tells_what_was_promised_and_what_not(archive: Path) -> None:
    told = verify(archive)[1].splitlines()
    assert [line.split(": ")[1].split(";")[0] for line in told if line.startswith("entry")][:2] == [
        "nothing was promised before it",
        "the secret is the one that was promised",
    ]
    assert [line for line in told if "rolled-back: the secret is the one that was promised" in line]


def test_moves_of_one_letter_are_bound_to_each_other(world: World, tmp_path: Path) -> None:
    sequential(world)
    told = verify(export(world, tmp_path / "archive"))[1]
    assert "carried out together with the step before, with the same secret; rolled d6:" in told


def test_draws_the_set_up_again(world: World, tmp_path: Path) -> None:
    with_a_set_up(world)
    code, told = verify(export(world, tmp_path / "archive"))
    assert (code, re.search(r"started: the secret is the one that was promised; rolled d\d+:\d+ d", told) is not None) == (
        0,
        True,
    ), told


def test_knows_what_players_have_in_their_mails(world: World, tmp_path: Path) -> None:
    world.start(ruleset="count", options={"target": 1000})
    begun = proof_of(world.outbox("report", "Altair")[0])
    world.send("Altair", "Add 7")
    acknowledged = last_proof(world, "Altair")
    world.pass_time(DAYS)
    reported = last_proof(world, "Altair", "report")
    mails = acknowledged + reported
    digest = re.findall(r"^Digest\n  (\w{64})$", acknowledged, re.MULTILINE)
    heads = re.findall(r"^Chain head +at entry \d+:\n +(\w{64})$", acknowledged, re.MULTILINE)
    fairness = re.findall(r"^  (\w{64})$", reported.partition("FAIRNESS")[2].partition("Digest")[0], re.MULTILINE)
    salts = re.findall(r"^Your salt for the dice of turn 1, known to you alone:\n  (\w{32})$", begun, re.MULTILINE)
    assert (len(digest), len(heads), len(fairness), len(salts)) == (1, 1, 3, 1), mails
    code, told = verify(export(world, tmp_path / "archive"), *digest, *heads, *salts, *fairness)
    assert f"{salts[0]}: salt of Altair in entry " in told
    assert code == 0, told
    assert re.search(f"{digest[0]}: orders of Altair, receipt \\d+, used\n", told)
    assert f"{heads[0]}: head of the journal at entry " in told
    assert [line.partition(": ")[2].split()[0] for line in told.splitlines()[-3:]] == ["dice", "commitment", "head"]


def anonymised(archive: Path) -> Path:
    """As an archive has the journal of which nobody may read the secret parts, nor why a turn was taken back."""
    path = archive / "journal.jsonl"
    shown: list[dict[str, Any]] = []
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if entry["kind"] == "rolled-back":
            entry = {key: entry[key] for key in ("number", "at", "kind", "hash")} | {"withheld": True}
        elif entry.get("secret"):
            sealed = hashlib.sha256(bytes.fromhex(entry["salt"]) + canonical_json(entry["secret"])).hexdigest()
            entry = {key: value for key, value in entry.items() if key not in ("secret", "salt")} | {"sealed": sealed}
        shown.append(entry)
    path.write_text("".join(canonical_json(entry).decode() + "\n" for entry in shown))
    return archive


def test_checks_what_an_anonymised_archive_has(archive: Path) -> None:
    code, told = verify(anonymised(archive))
    assert (code, told.count("what was promised is withheld here")) == (3, 1), told
    assert told.count("the secret is the one that was promised; rolled d6:") == 5
    steps = told.count(", resolved, step ")
    held = told.count("; orders, words or rolls not held by the journal\n")
    assert (held, told.splitlines()[-1]) == (steps + 1, f"{steps} steps and 0 rolls: {unproved(steps + 1, 1)}")


def unproved(steps: int, withheld: int = 0) -> str:
    return f"not all is proved: {steps} steps without orders, or rolls that the journal holds, {withheld} entries withheld"


def test_says_of_a_head_that_it_fixes_nothing_before_what_is_withheld(archive: Path) -> None:
    entries = [json.loads(line) for line in (anonymised(archive) / "journal.jsonl").read_text().splitlines()]
    number = next(entry["number"] for entry in entries if "withheld" in entry)
    code, told = verify(archive, entries[number - 2]["hash"], entries[-1]["hash"])
    before, after = told.splitlines()[-2:]
    assert (code, "fixes nothing" in before, f"it fixes nothing before entry {number}, withheld" in after) == (3, False, True)


def test_checks_what_can_be_checked_where_no_rolls_may_be_read(archive: Path) -> None:
    for path in archive.glob("turns/**/dice.json"):
        path.unlink()
    code, told = verify(anonymised(archive))
    assert (code, told.count("what was rolled is not in this archive")) == (3, 7), told
    assert told.count("the secret is the one that was promised") == 5


@pytest.mark.parametrize("view", ["public", "seat:Altair"])
def test_what_is_not_shown_is_neither_forged_nor_proved(view: str, played: World, tmp_path: Path) -> None:
    code, told = verify(export(played, tmp_path / "archive", "--view", view))
    assert (code, told.splitlines()[-1].partition(":")[2][:20]) == (3, " not all is proved: "), told


@pytest.mark.parametrize("view", ["public", "seat:Borealis"])
def test_orders_that_somebody_else_took_back_are_sealed_and_no_reason_not_to_read_the_rest(
    view: str, world: World, tmp_path: Path
) -> None:
    took_back(world)
    code, told = verify(export(world, tmp_path / "archive", "--view", view))
    assert (code, told.splitlines()[-1].partition(":")[2][:20]) == (3, " not all is proved: "), told


def took_back(world: World) -> None:
    """A turn in which orders were taken back."""
    world.start(ruleset="count", options={"target": 1000})
    for seat, text in (("Altair", "Add 3"), ("Altair", "CANCEL ORDERS"), ("Borealis", "Add 2")):
        world.send(seat, text)
        world.now += timedelta(minutes=1)
    world.pass_time(DAYS)


def test_what_is_shown_without_names_is_not_proved_since_orders_and_words_are_sealed(played: World, tmp_path: Path) -> None:
    code, told = verify(export(played, tmp_path / "archive", "--anonymise"))
    steps = told.count(", resolved, step ")
    assert (code, told.count("; orders, words or rolls not held by the journal\n")) == (3, steps), told
    assert told.splitlines()[-1] == f"{steps} steps and 0 rolls: {unproved(steps)}"


@pytest.fixture
def renamed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """See `play_with_names`."""

    def make() -> Path:
        world: World = request.getfixturevalue("world")
        play_with_names(world)
        return export(world, tmp_path / "made", "--anonymise").parent

    return kept("three turns of Galactic Overlord without names", make, tmp_path / "renamed") / "data"


def play_with_names(world: World) -> None:
    """Without names, of three turns; one seat has the name of its player and is attacked in the second, so that its name stands
    in orders. In the third, another is. Whoever is attacked has no order of battle, so that one is rolled."""
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", "galactic_overlord", Terms(second_thought="0m"), {})
        for seat in NAMES:
            holder = seat if seat == "Borealis" else f"{seat}'s player"
            new_game.add_seat(work, table, Signup(seat, ()), new_game.Newcomer(address_of(seat), holder))
        new_game.start_game(work, table)
    for altair in ("Build 4 Laserfrigates", "Attack Borealis with 2 Laserfrigates", "Attack Cygnus with all"):
        world.send("Altair", f"{altair}\nOOB default: LFTLTF")
        for seat in NAMES[1:]:
            world.send(seat, "Build 1 Laserfrigate" if altair.startswith("Build") else "Stockpile")
        world.pass_time(DAYS)


BEFORE, AFTER = "Attack Borealis with 2 Laserfrigates", "Attack Seat 2 with 2 Laserfrigates"


def test_a_step_whose_orders_were_anonymised_is_neither_forged_nor_proved(renamed: Path) -> None:
    assert AFTER in (renamed / "turns" / "002" / "dice.json").read_text()
    code, told = verify(renamed)
    assert (code, "WRONG" in told, told.splitlines()[-1]) == (3, False, f"3 steps and 0 rolls: {unproved(3, 2)}"), told
    assert len(re.findall(r"step 1 .*; rolled d90:\d+; orders anonymised\n", told)) == 1
    assert len(re.findall(r"step 2 .*; rolled d90:\d+; orders, words or rolls not held by the journal\n", told)) == 1
    findings = verified(renamed.parent)
    assert findings.ok, findings.problems
    schema = json.loads((renamed / "schemas" / "dice.schema.json").read_text())
    documents = [json.loads(path.read_text()) for path in sorted(renamed.glob("turns/*/dice.json"))]
    Draft202012Validator.check_schema(schema)
    for document in documents:
        Draft202012Validator(schema).validate(document)
    assert [document.get("anonymised") for document in documents if "seats" in document] == [None, None, True, None]


def test_nothing_confirms_a_guess_at_what_was_taken_out_of_orders(renamed: Path) -> None:
    """Neither a salt nor what it comes from, nor the digest of a position, be it in a file or in the journal."""
    document = dice_of(renamed, "002")[1]
    assert "salts" not in document
    assert [sorted(seat.keys() & {"salt", "digest"}) for seat in document["seats"]] == [["digest"], ["salt"], ["salt"]]
    entries = [json.loads(line) for line in (renamed / "journal.jsonl").read_text().splitlines()]
    assert [entry for entry in entries if entry["kind"] == "resolved" and "secret" in entry] == []
    before = dice_of(renamed, "001")[1]["seats"][1]
    assert f"{before['salt']}: salt of Seat 2 in entry " in verify(renamed, before["salt"])[1], (
        "nothing was taken out of that turn"
    )
    said = {sheet["seat"]: sheet["digest"] for sheet in json.loads((renamed / "turns" / "002" / "sheets.json").read_text())}
    assert [seat for seat, digest in said.items() if not digest] == ["Altair", "Seat 2"]


@pytest.mark.parametrize("line", [BEFORE, AFTER])
def test_anonymised_orders_have_no_known_digest(line: str, renamed: Path) -> None:
    lines = [line, "OOB default: LFTLTF"]
    assert [AFTER, lines[1]] in [seat["lines"] for seat in dice_of(renamed, "002")[1]["seats"]]
    digest = hashlib.sha256(canonical_json([["Altair", lines]])).hexdigest()
    code, told = verify(renamed, digest)
    assert (code, told.splitlines()[-1].startswith(f"WRONG: {digest}: this archive has no such")) == (1, True), told
    used = hashlib.sha256(canonical_json([["Altair", dice_of(renamed, "003")[1]["seats"][0]["lines"]]])).hexdigest()
    assert re.search(f"{used}: orders of Altair, receipt \\d+, used\n", verify(renamed, used)[1])


def test_rolls_that_do_not_follow_from_the_secret_are_wrong_in_anonymised_steps(renamed: Path) -> None:
    another_roll(renamed, "002")
    code, told = verify(renamed)
    assert (code, "other rolls are recorded than follow from it" in told) == (1, True), told


@pytest.mark.parametrize("turn", ["000", "003"])
def test_what_was_not_anonymised_may_not_say_so(turn: str, renamed: Path) -> None:
    path, dice = dice_of(renamed, turn)
    path.write_text(json.dumps(dice | {"anonymised": True}))
    game = renamed / "game.toml"
    game.write_text(game.read_text().replace('    "003",\n', ""))
    seal_again(renamed.parent)
    assert (f"data/turns/{turn}/dice.json", turn) in [
        (problem.file, problem.turn) for problem in verified(renamed.parent).problems
    ]


def test_that_orders_were_anonymised_is_only_a_forgers_word_where_all_is_shown(archive: Path) -> None:
    for forge in (lambda _: None, a_digest_in_place_of_the_salt):
        forge(archive)
        path, dice = dice_of(archive, "001")
        for seat in dice["seats"]:
            seat.pop("salt" if "digest" in seat else "", "")
        path.write_text(json.dumps(dice | {"anonymised": True}, ensure_ascii=False, indent=2) + "\n")
        seal_again(archive.parent)
        code, told = verify(archive)
        assert (code, told.splitlines()[-1].partition(": ")[2]) == (3, unproved(1)), told
        (problem,) = verified(archive.parent).problems
        assert (problem.file, problem.turn) == ("data/turns/001/dice.json", "001")


def test_does_not_know_what_never_was(archive: Path) -> None:
    code, told = verify(archive, "0" * 64)
    assert (code, told.splitlines()[-1][:5]) == (1, "WRONG")


def test_a_folder_without_checksums_is_not_passed_over(archive: Path) -> None:
    code, told = run(archive)
    assert (code, "manifest-sha256.txt" in told) == (2, True), told


# What somebody could have changed


def relinked(archive: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """The journal changed, and all its hashes made anew, as somebody with the whole ledger could."""
    path = archive / "journal.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    change(entries)
    head = "0" * 64
    for entry in entries:
        sealed = (
            hashlib.sha256(bytes.fromhex(entry["salt"]) + canonical_json(entry["secret"])).hexdigest()
            if entry.get("secret")
            else ""
        )
        frame = {key: entry[key] for key in ("at", "kind", "number", "public")} | {"previous": head, "secret": sealed}
        entry["hash"] = head = hashlib.sha256(canonical_json(frame)).hexdigest()
        if "sealed" in entry:
            entry["sealed"] = sealed
    path.write_text("".join(canonical_json(entry).decode() + "\n" for entry in entries))


def dice_of(archive: Path, turn: str) -> tuple[Path, Any]:
    path = archive / "turns" / turn / "dice.json"
    return path, json.loads(path.read_text())


def another_roll(archive: Path, turn: str = "001") -> None:
    path, dice = dice_of(archive, turn)
    dice["rolls"][0][1] = dice["rolls"][0][1] % 6 + 1
    path.write_text(json.dumps(dice))


def another_roll_everywhere(archive: Path) -> None:
    another_roll(archive)
    rolls = dice_of(archive, "001")[1]["rolls"]

    def change(entries: list[dict[str, Any]]) -> None:
        resolved = [entry for entry in entries if entry["kind"] == "resolved" and entry["public"]["turn"] == 1]
        resolved[-1]["secret"]["dice"] = rolls

    relinked(archive, change)


def fewer_rolls(archive: Path) -> None:
    path, dice = dice_of(archive, "002")
    dice["rolls"].pop()
    path.write_text(json.dumps(dice))


def other_orders(archive: Path) -> None:
    path, dice = dice_of(archive, "001")
    dice["seats"][0]["lines"] = ["Add 9"]
    path.write_text(json.dumps(dice))


def seats_in_another_order(archive: Path) -> None:
    path, dice = dice_of(archive, "001")
    dice["seats"].reverse()
    path.write_text(json.dumps(dice))


def a_seat_left_out(archive: Path) -> None:
    path, dice = dice_of(archive, "002")
    assert dice["seats"].pop(0)["lines"] is None
    path.write_text(json.dumps(dice))


def another_salt(archive: Path) -> None:
    path, dice = dice_of(archive, "001")
    dice["seats"][1]["salt"] = "ab" * 16
    path.write_text(json.dumps(dice))


def a_digest_in_place_of_the_salt(archive: Path) -> None:
    """As if something had been taken out of the lines, which may then be anything."""
    path, dice = dice_of(archive, "001")
    one = dice["seats"][1]
    one["digest"] = hashlib.sha256(bytes.fromhex(one["salt"]) + canonical_json(one["lines"])).hexdigest()
    one["lines"] = ["Add 9"]
    path.write_text(json.dumps(dice))


def other_salts(archive: Path, promised: str | None = None) -> None:
    """Chosen when the orders were known: all that follows from them, in every place."""
    path, dice = dice_of(archive, "001")
    dice["salts"] = "ab" * 32
    for seat in dice["seats"]:
        seat["salt"] = salt_of(bytes.fromhex(dice["salts"]), seat["number"]).hex()
    orders = [(seat["seat"], bytes.fromhex(seat["salt"])) for seat in dice["seats"]]
    context = digest_of_all(orders, {seat["seat"]: seat["lines"] for seat in dice["seats"]})
    rolled = HmacDice(bytes.fromhex(dice["secret"]), context)
    dice |= {"context": context.hex(), "rolls": [[sides, rolled.roll(sides)] for sides, _ in dice["rolls"]]}
    path.write_text(json.dumps(dice))

    def change(entries: list[dict[str, Any]]) -> None:
        started, entry = (next(entry for entry in entries if entry["kind"] == kind) for kind in ("started", "resolved"))
        entry["secret"] |= {"dice": dice["rolls"], "salts": dice["salts"]}
        if promised is not None:
            started["public"]["salts_commitment"] = promised

    relinked(archive, change)


def salts_that_nobody_promised(archive: Path) -> None:
    other_salts(archive, "")


def no_salts_though_they_were_promised(archive: Path) -> None:
    """As in games from before there were salts, so that the orders can be bent until the dice fall as wished."""
    path, dice = dice_of(archive, "001")
    sheets = [Sheet(seat["seat"], (seat["number"], 0), tuple(seat["lines"])) for seat in dice["seats"]]
    context = bound(sheets)
    rolled = HmacDice(bytes.fromhex(dice["secret"]), context)
    rolls = [[sides, rolled.roll(sides)] for sides, _ in dice["rolls"]]
    old = {key: value for key, value in dice.items() if key not in ("salts", "seats")}
    plain = [{"seat": sheet.seat, "lines": sheet.lines} for sheet in sheets]
    path.write_text(json.dumps(old | {"sheets": plain, "context": context.hex(), "rolls": rolls}))

    def change(entries: list[dict[str, Any]]) -> None:
        entry = next(entry for entry in entries if entry["kind"] == "resolved")
        entry["secret"]["dice"] = rolls
        del entry["secret"]["salts"]

    relinked(archive, change)


def a_secret_chosen_after_the_orders(archive: Path) -> None:
    secret = "ab" * 32

    def change(entries: list[dict[str, Any]]) -> None:
        next(entry for entry in entries if entry["kind"] == "resolved")["public"]["secret"] = secret

    relinked(archive, change)


def a_secret_told_before_the_orders(archive: Path) -> None:
    def change(entries: list[dict[str, Any]]) -> None:
        one, other = [entry for entry in entries if entry["kind"] == "resolved"][:2]
        other["public"]["secret"] = one["public"]["secret"]

    relinked(archive, change)


def a_die_with_endless_sides(archive: Path) -> None:
    path, dice = dice_of(archive, "001")
    dice["rolls"][0] = [2**64 + 1, 1]
    path.write_text(json.dumps(dice))


def a_line_of_the_journal(archive: Path) -> None:
    path = archive / "journal.jsonl"
    path.write_text(path.read_text().replace('"holder":"Altair', '"holder":"Deneb'))


def an_entry_left_out(archive: Path) -> None:
    path = archive / "journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:5] + lines[6:]))


def a_step_too_many(archive: Path) -> None:
    _, dice = dice_of(archive, "001")
    (archive / "turns" / "009").mkdir()
    (archive / "turns" / "009" / "dice.json").write_text(json.dumps(dice | {"step": 99}))


def dice_of_no_step(archive: Path) -> None:
    """As if those who took the turn back had rolled."""
    rolled_back = next(
        entry
        for line in (archive / "journal.jsonl").read_text().splitlines()
        if (entry := json.loads(line))["kind"] == "rolled-back"
    )
    _, dice = dice_of(archive, "001")
    dice |= {"step": None, "secret": rolled_back["public"]["secret"], "rolls": [], "anonymised": True}
    (archive / "turns" / "009").mkdir()
    (archive / "turns" / "009" / "dice.json").write_text(json.dumps(dice))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (another_roll, "other rolls are recorded than follow from it"),
        (another_roll_everywhere, "other rolls are recorded than follow from it"),
        (fewer_rolls, "other rolls are recorded than follow from it"),
        (other_orders, "dice.json has other orders, or another word, of Altair than journal and sheets.json"),
        (seats_in_another_order, "another secret or context than follow from journal and orders"),
        (a_seat_left_out, "another secret or context than follow from journal and orders"),
        (another_salt, "other salts than follow from their secret"),
        (
            a_digest_in_place_of_the_salt,
            "dice.json has other orders, or another word, of Borealis than journal and sheets.json",
        ),
        (other_salts, "the secret of the salts is not the one that was promised"),
        (salts_that_nobody_promised, "the secret of the salts is not the one that was promised"),
        (no_salts_though_they_were_promised, "the secret of the salts is not the one that was promised"),
        (a_secret_chosen_after_the_orders, "the secret is not the one that was promised"),
        (a_secret_told_before_the_orders, "the secret is not the one that was promised"),
        (a_die_with_endless_sides, "there is no die with 18446744073709551617 sides"),
        (a_line_of_the_journal, "entry 2 of the journal is not what was written"),
        (an_entry_left_out, "entry 6 of the journal is not what was written"),
        (dice_of_no_step, "dice of steps that are not in the journal"),
        (a_step_too_many, "dice of steps that are not in the journal"),
    ],
)
def test_finds_what_was_changed(change: Callable[[Path], None], words: str, archive: Path) -> None:
    change(archive)
    code, told = verify(archive)
    assert (code, told.splitlines()[-1].startswith("WRONG: "), words in told.splitlines()[-1]) == (1, True, True), told


def a_file_too_many(bag: Path) -> None:
    (bag / "data" / "turns" / "001" / "more.txt").write_text("x")


def a_file_too_few(bag: Path) -> None:
    (bag / "data" / "game.sqlite").unlink()


def a_link_in_place_of_a_file(bag: Path) -> None:
    (bag / "data" / "index.html").rename(bag.parent / "elsewhere")
    (bag / "data" / "index.html").symlink_to(bag.parent / "elsewhere")


def a_letter_of_a_report(bag: Path) -> None:
    path = bag / "data" / "turns" / "001" / "reports" / "public.txt"
    path.write_text(path.read_text().replace("e", "a", 1))


def the_program(bag: Path) -> None:
    (bag / "verify.py").write_text("print('all as they must be')\n")


def a_line_of_a_manifest(bag: Path) -> None:
    path = bag / "manifest-sha512.txt"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))


def a_checksum_of_what_is_elsewhere(bag: Path) -> None:
    content = b"elsewhere"
    (bag.parent / "elsewhere").write_bytes(content)
    with (bag / "manifest-sha256.txt").open("a") as file:
        file.write(f"{hashlib.sha256(content).hexdigest()} data/../../elsewhere\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (a_file_too_many, "data/turns/001/more.txt is not what manifest-sha256.txt says"),
        (a_file_too_few, "data/game.sqlite is not what manifest-sha256.txt says"),
        (a_link_in_place_of_a_file, "data/index.html is not what manifest-sha256.txt says"),
        (a_letter_of_a_report, "reports/public.txt is not what manifest-sha256.txt says"),
        (the_program, "verify.py is not what tagmanifest-sha256.txt says"),
        (a_line_of_a_manifest, " is not what manifest-sha512.txt says"),
        (a_checksum_of_what_is_elsewhere, "data/../../elsewhere is not what manifest-sha256.txt says"),
    ],
)
def test_finds_what_was_changed_in_the_bag(change: Callable[[Path], None], words: str, whole: Path, tmp_path: Path) -> None:
    bag = Path(shutil.copytree(whole, tmp_path / "bag"))
    change(bag)
    code, told = verify(bag)
    assert (code, words in told) == (1, True), told


def test_finds_nothing_wrong_in_a_bag_that_nobody_changed(whole: Path) -> None:
    code, told = verify(whole)
    assert (code, told.splitlines()[0].startswith("bag: ")) == (0, True), told


def sheets(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def forge(bag: Path) -> None:
        path = bag / "data" / "turns" / "001" / "sheets.json"
        content = json.loads(path.read_text())
        change(content[0])
        path.write_text(json.dumps(content))
        seal_again(bag)

    return forge


def other_lines_with_their_digest(sheet: dict[str, Any]) -> None:
    sheet["seat"] = "Cygnus"
    sheet["digest"] = hashlib.sha256(canonical_json([[sheet["seat"], sheet["lines"]]])).hexdigest()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (sheets(lambda sheet: sheet.update(lines=["Add 99"])), "the digest is not that of the orders"),
        (sheets(lambda sheet: sheet.update(digest="ab" * 32)), "the digest is not that of the orders"),
        (sheets(lambda sheet: sheet.update(receipt=1)), "receipt 1: that entry of the journal has no such letter"),
        (
            sheets(lambda sheet: sheet.update(arrived_at="2026-11-20T11:00:00.000000Z")),
            "that entry of the journal has no such letter",
        ),
        (sheets(other_lines_with_their_digest), "that entry of the journal has no such letter"),
    ],
)
def test_finds_a_receipt_that_was_never_given(change: Callable[[Path], None], words: str, whole: Path, tmp_path: Path) -> None:
    bag = Path(shutil.copytree(whole, tmp_path / "bag"))
    change(bag)
    code, told = verify(bag)
    assert (code, words in told.splitlines()[-1]) == (1, True), told


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real archive, which nobody may change."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "home").mkdir()
    world = World(folder / "home")
    (world.folder / "pbmd.toml").write_text(SETTINGS)
    (world.folder / "server.key").write_bytes(world.desk.key)
    world.start(ruleset="count", options={"target": 1000})
    for number in (2, 3):
        for seat in NAMES:
            world.send(seat, f"Add {number}")
        world.pass_time(DAYS)
    bag = export(world, folder / "archive").parent
    world.close()
    return bag


def test_the_program_that_an_archive_brings_along_is_this_one(whole: Path) -> None:
    assert (whole / "verify.py").read_bytes() == PROGRAM.read_bytes()
    done = subprocess.run([sys.executable, "-I", "-S", "verify.py", "."], cwd=whole, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert not list(whole.rglob("*.pyc"))


def called_in(folder: Path, *values: str) -> tuple[int, str]:
    """What the program that lies in a folder says when it is called by its name there."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "verify.py", *values], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_called_by_its_name_it_checks_the_folder_that_it_is_in(whole: Path) -> None:
    head = json.loads((whole / "data" / "journal.jsonl").read_text().splitlines()[-1])["hash"]
    code, told = called_in(whole, head.upper())
    assert (code, told.startswith("bag: "), told.splitlines()[-1].startswith(f"{head}: head of the journal")) == (0, True, True)
    assert run(whole, head) == (code, told)


def test_outside_of_an_archive_it_says_how_it_is_called(tmp_path: Path) -> None:
    shutil.copy(PROGRAM, tmp_path / "verify.py")
    for values in ((), ("--help",), ("ab" * 32,)):
        code, told = called_in(tmp_path, *values)
        assert (code, "python3 verify.py [ARCHIVE] [HEX ...]" in told) == (2, True)
    assert called_in(tmp_path, "galaxy-7.zip")[1].startswith("cannot be read: FileNotFoundError")


def packed_to(path: Path, names: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in names.items():
            packed.writestr(name, content)
    return path


@pytest.mark.parametrize("top", ["", "galaxy-7/"])
def test_checks_an_archive_that_is_packed(top: str, whole: Path, tmp_path: Path) -> None:
    content = {top + str(path.relative_to(whole)): path.read_bytes() for path in whole.rglob("*") if path.is_file()}
    assert run(packed_to(tmp_path / "galaxy-7.zip", content)) == run(whole)
    content[f"{top}data/more"] = b""
    assert run(packed_to(tmp_path / "more.zip", content))[1].startswith("WRONG: data/more is not what")


def test_what_leads_out_of_a_packed_archive_is_written_nowhere_else(whole: Path, tmp_path: Path) -> None:
    content = {"a/bagit.txt": b"", "../outside": b"", "a/../../outside": b"", str(tmp_path / "outside"): b""}
    code, _ = run(packed_to(tmp_path / "bad.zip", content))
    assert code == 2
    assert not list(tmp_path.parent.glob("**/outside"))
    (tmp_path / "broken.zip").write_bytes((tmp_path / "bad.zip").read_bytes().replace(b"PK\1\2", b"PK\1\3"))
    assert run(tmp_path / "broken.zip")[0] == 2


def test_the_page_that_an_archive_brings_along_names_all_that_is_in_it(whole: Path) -> None:
    page = (whole / "FORMAT.md").read_text()
    for path in whole.rglob("*"):
        name = path.relative_to(whole).as_posix()
        if path.is_file() and not name.startswith(("data/assets/", "data/schemas/")):
            of_turn = re.fullmatch(r"data/turns/\d{3}/((?:reports/|maps/)?)(.*)", name)
            within = name if of_turn is None else of_turn[1] or of_turn[2]
            assert f"`{within}`" in page, name
    entries = [json.loads(line) for line in (whole / "data" / "journal.jsonl").read_text().splitlines()]
    assert {key for entry in entries for key in entry} | {"withheld"} == set(
        re.findall(r"^\| `([a-z]+)`", "".join(re.findall(r"## The journal.*?```", page, re.DOTALL)), re.MULTILINE)
    ) | {"salt"}
    assert f"**format {FORMAT}**" in page


@pytest.mark.parametrize("damage", ["", "{", "[]\n", '{"number": 1}\n', "[" * 100_000])
def test_what_is_no_archive_cannot_be_read(damage: str, archive: Path) -> None:
    (archive / "journal.jsonl").write_text(damage)
    code, told = verify(archive)
    assert (code, told.startswith("cannot be read: ")) == (2, True), told


def test_is_as_short_as_it_says_and_needs_nothing_else() -> None:
    text = PROGRAM.read_text()
    assert len(text.splitlines()) <= 210
    modules = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert modules <= set(sys.stdlib_module_names)
