"""A game played by mail through Dovecot is exported, verified, replayed, and imported: as a finished game, and to go on."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Outbox, OutboxState
from pbmd.post.proof_file import proofs_in
from tests.acceptance.house import PATIENCE_SECONDS, House, open_house
from tests.acceptance.players import Player, in_the_form, text_of, top_posted
from tests.mailservers import Dovecot

GOOD = "Build 2 Laserfrigates\nOOB default: LFTLTF"
SEATS = ("Altair", "Borealis")
TURNS = 3
TAKEN_ON_TRUST = [
    "For the word of whoever made this archive take what game.toml says of holders and time zones.",
    (
        "Nothing but their checksums was checked of letters.mbox, and of the words of the desk around the reports in the pages"
        " of seats, such as deadlines and receipts."
    ),
]
"""What is in no journal, so that `pbmd verify` can only say that it did not check it: that, and nothing else."""

pytestmark = pytest.mark.dovecot


def players_of(house: House) -> list[Player]:
    return [
        Player(house, seat, f"{seat.lower()}@players.test", habit, lambda _turn: GOOD)
        for seat, habit in zip(SEATS, (top_posted, in_the_form), strict=True)
    ]


def play_to_the_end(house: House) -> None:
    players = players_of(house)

    def over() -> bool:
        for player in players:
            player.play()
        # In this order: what ends the game puts its last mails into the outbox.
        finished = house.rows(Game)[0].status is GameStatus.FINISHED
        return finished and not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT)

    house.wait_until("the game is over", over)
    house.stop()


def elsewhere(folder: Path, *arguments: str) -> str:
    """Run a command where there are no settings, no ledger and no mail server."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pbmd", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_archive_holds_on_another_machine(tmp_path: Path, dovecot: Dovecot) -> None:
    (tmp_path / "first").mkdir()
    archive = tmp_path / "archive"
    with open_house(tmp_path / "first", dovecot, deadline="1h") as house:
        house.new_game("galaxy-7", SEATS, "--option", f"turn_limit={TURNS}")
        house.start()
        play_to_the_end(house)
        head = house.rows(Game)[0].chain_head
        house.pbmd("export", "galaxy-7", "--to", str(archive))
        # A letter that was late may have made the journal longer since.
        (end,) = house.rows(JournalEntry, col(JournalEntry.kind) == "finished")
        last = [mail for mail in house.sink.of("altair@players.test") if end.hash in "".join(proofs_in(mail))]
        assert last, "the player holds the head of the journal as it was at the end"

    shutil.rmtree(tmp_path / "first")
    found = json.loads(elsewhere(tmp_path / "empty", "verify", str(archive), "--json"))
    assert (found["ok"], found["head"], found["unbound"], found["unchecked"]) == (True, head, [], TAKEN_ON_TRUST)
    assert found["checked"]["steps"] == TURNS + 1
    replayed = elsewhere(tmp_path / "empty", "replay", str(archive), "--turn", str(TURNS))
    assert "=== Turn 3, resolved" in replayed
    assert not list((tmp_path / "empty").iterdir()), "nothing is left behind"

    (tmp_path / "second").mkdir()
    with open_house(tmp_path / "second", dovecot, deadline="1h") as house:
        assert "finished" in house.pbmd("import", str(archive), "--as", "galaxy-7-then")
        house.pbmd("export", "galaxy-7-then", "--to", str(tmp_path / "again"))
        assert (tmp_path / "again" / "data" / "journal.jsonl").read_bytes() == (archive / "data" / "journal.jsonl").read_bytes()
        elsewhere(tmp_path / "empty", "verify", str(tmp_path / "again"))

    (tmp_path / "third").mkdir()
    with open_house(tmp_path / "third", dovecot, deadline="1h") as house:
        house.pbmd("import", str(archive), "--go-on", "--from-turn", "2")
        (entry,) = house.rows(JournalEntry, col(JournalEntry.kind) == "imported")
        assert json.loads(entry.public)["archive"]["head"] == head
        house.start()
        play_to_the_end(house)
        first = house.sink.of("altair@players.test")[0]
        assert "goes on from the beginning of turn 2" in " ".join(text_of(first).split())
        house.pbmd("export", "galaxy-7", "--to", str(tmp_path / "later"))
    found = json.loads(elsewhere(tmp_path / "empty", "verify", str(tmp_path / "later"), "--json"))
    assert found["problems"] == []
    assert found["checked"]["steps"] == TURNS  # the beginning, and turns 2 and 3
