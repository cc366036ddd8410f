"""`pbmd witness` and `pbmd key`: a friend vouches for a game by mail alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pbmd.cli import app
from pbmd.ledger.tables import Outbox
from pbmd.notes.checkpoint import cosignature_of
from pbmd.notes.notes_in_mail import keys_in, notes_in
from pbmd.notes.signed_note import Signer
from tests.archive.made import export, write_settings
from tests.cli.conftest import Home
from tests.cli.test_compare import begun, played, world
from tests.desk.world import World

__all__ = ["begun", "world"]
KEY = "pbmd.test/games/galaxy-7+"


class Friend:
    """Somebody with a folder, and no pbmd of their own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.memory = folder, folder / "witness.json"

    def ask(self, *arguments: str | Path) -> Result:
        return CliRunner().invoke(app, ["witness", *map(str, arguments), "--memory", str(self.memory)])

    def told(self, *arguments: str | Path) -> Any:
        done = self.ask(*arguments, "--json")
        return json.loads(done.stdout) | {"code": done.exit_code}

    def save(self, mail: Outbox, name: str = "report.eml") -> Path:
        path = self.folder / name
        path.write_bytes(mail.raw)
        return path


@pytest.fixture
def friend(tmp_path: Path) -> Friend:
    friend = Friend(tmp_path / "friend")
    done = friend.ask("--new", "example.net/alice")
    assert done.exit_code == 0, done.output
    return friend


def reports(world: World, seat: str = "Altair") -> list[Outbox]:
    return world.outbox("report", seat)


def test_a_report_is_signed_and_the_key_named(world: World, friend: Friend) -> None:
    done = friend.ask(friend.save(reports(world)[0]))
    assert done.exit_code == 0, done.output
    [found], [witness] = notes_in(done.stdout), [key for key in keys_in(done.stdout) if key.kind == 4]
    assert witness.name == "example.net/alice"
    assert cosignature_of(found.note, witness) is not None
    assert KEY in done.stderr
    assert "the key was taken as it came" in done.stderr


def test_what_was_not_checked_is_said_and_an_archive_shows_it(world: World, friend: Friend, tmp_path: Path) -> None:
    friend.ask(friend.save(reports(world)[0]))
    done = friend.ask(friend.save(reports(world)[1]))
    assert "was not checked, since no archive was given" in done.stderr
    done = friend.ask(friend.save(reports(world)[2]), "--archive", export(world, tmp_path / "archive"))
    assert (done.exit_code, "is shown by the archive" in done.stderr) == (0, True), done.output


def test_a_whole_mailbox_is_signed_in_the_order_of_its_numbers(world: World, friend: Friend) -> None:
    for place, mail in enumerate(reversed(reports(world))):
        friend.save(mail, f"{place}.eml")
    document = friend.told(friend.folder)
    numbers = [each["number"] for each in document["signed"]]
    assert (len(numbers), numbers, document["code"]) == (3, sorted(numbers), 0)
    assert [each["before"] for each in document["signed"]] == [0, *numbers[:-1]]


def test_a_second_history_is_refused_and_both_notes_are_printed(begun: Any, friend: Friend, tmp_path: Path) -> None:
    one, other = played(begun(), 2), played(begun(), 2, first=7)
    friend.ask(friend.save(reports(one)[-1]))
    done = friend.ask(friend.save(reports(other)[-1]))
    assert (done.exit_code, "NOT signed: two histories" in done.stderr) == (1, True)
    assert len(list(notes_in(done.stderr))) == 2
    proof = tmp_path / "proof.txt"
    proof.write_text(done.stderr)
    compared = CliRunner().invoke(app, ["compare", str(proof), str(friend.save(reports(one)[-1]))])
    assert (compared.exit_code, "It is proved" in compared.stdout) == (1, True), compared.output


def test_an_archive_of_another_history_is_a_reason_to_refuse(begun: Any, friend: Friend, tmp_path: Path) -> None:
    one, other = played(begun(), 1), played(begun(), 2, first=7)
    friend.ask(friend.save(reports(one)[-1]))
    done = friend.ask(friend.save(reports(other)[-1]), "--archive", export(other, tmp_path / "archive"))
    assert (done.exit_code, "has not the head that was signed before" in done.stderr) == (1, True)


def test_another_key_is_refused(world: World, friend: Friend) -> None:
    other = KEY + "811e0000+" + "A" * 44
    assert friend.ask(friend.save(reports(world)[0]), "--key", other).exit_code == 2
    wrong = str(Signer(KEY.rstrip("+"), b"w" * 32).verifier)
    done = friend.ask(friend.save(reports(world)[0]), "--key", wrong)
    assert (done.exit_code, "not signed with the key" in done.stderr) == (1, True)


def test_without_a_key_or_a_checkpoint_it_says_what_to_do(world: World, tmp_path: Path) -> None:
    nobody = Friend(tmp_path / "nobody")
    report = nobody.save(reports(world)[0])
    assert "pbmd witness --new NAME makes one" in nobody.ask(report).stderr
    assert "there is no checkpoint to sign" in nobody.ask().stderr
    assert nobody.ask("--new", "two words").exit_code == 2
    assert not nobody.memory.exists()
    nobody.ask("--new", "bob")
    again = nobody.ask("--new", "bob")
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)


def test_the_host_can_keep_it_by_hand_and_shows_it(world: World, friend: Friend) -> None:
    signed = friend.folder / "signed.txt"
    assert friend.ask(friend.save(reports(world)[-1]), "--to", signed).exit_code == 0
    settings = str(write_settings(world.folder))
    (world.folder / "data").symlink_to(world.folder)
    (world.folder / "server.key").write_bytes(world.desk.key)

    def host(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--settings", settings])

    done = host("witness", "--add", "galaxy-7", str(signed))
    assert (done.exit_code, "example.net/alice vouches for galaxy-7 up to entry" in done.stdout) == (0, True), done.output
    shown = host("key", "galaxy-7")
    assert KEY in shown.stdout
    assert "by example.net/alice+" in shown.stdout
    [game] = json.loads(host("key", "--json").stdout)["games"]
    assert (game["key"].startswith(KEY), len(game["witnesses"])) == (True, 1)
    refused = host("witness", "--add", "galaxy-7", str(friend.save(reports(world)[0])))
    assert (refused.exit_code, "no cosignature" in refused.stderr) == (2, True)


def test_no_game_has_no_key(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write_settings()
    assert home.good("key") == "There is no game yet.\n"
    assert 'there is no game "x"' in home.problem("key", "x")
