"""A small game of Starship Squadrons through Dovecot and SMTP: set-up letters, a day, the score."""

import json
from pathlib import Path

import pytest
from sqlmodel import col

import rulesets.starship_squadrons as package
from pbmd.ledger.tables import Game, GameStatus, Outbox, OutboxState
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, html_only, text_of, top_posted
from tests.mailservers import Dovecot

SETUP = {
    "Anna": "SQUADRON Iron Duke: M6 S2 A20 R7 D6 AT 0508\nBUY ? 1\nPLACE Q1 ON Iron Duke",
    "Ben": "SQUADRON Thunder: M5 S3 A15 R8 D6 AT 1508\nSQUADRON Lurker: M1 A9 AT 1708\nBUY ? 1\nPLACE Q1 ON Lurker",
}
DAY = {
    "Anna": "FIRE 2 Iron Duke AT Thunder",
    "Ben": "MOVE 2 Thunder TO 1108\nHOLD FIRE",
}


def _played(house: House, players: list[Player]) -> bool:
    """Answer what has come; whether the game is over and all its mail is out."""
    for player in players:
        player.play()
    game: Game = house.rows(Game)[0]
    return game.status is GameStatus.FINISHED and not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT)


@pytest.mark.dovecot
def test_a_game_of_hidden_squadrons_through_real_mail_servers(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        # Not by way of the entry points: those of an old installation do not name this ruleset yet.
        folder = Path(package.__file__).parent
        house.settings_file.write_text(f'rulesets = ["{folder}"]\n{house.settings_file.read_text()}')
        listed = tmp_path / "players.toml"
        listed.write_text("".join(f'[[players]]\nseat = "{n}"\naddress = "{n.lower()}@players.test"\n' for n in SETUP))
        options = ("--option", "map=duel", "--option", "day_limit=1")
        house.pbmd("new", "duel-1", "--ruleset", "starship_squadrons", "--players", str(listed), *options)
        players = [
            Player(
                house, name, f"{name.lower()}@players.test", writing, lambda turn, name=name: (SETUP, DAY)[min(turn, 1)][name]
            )
            for name, writing in (("Anna", html_only), ("Ben", top_posted))
        ]
        house.start()
        house.wait_until("the game is over", lambda: _played(house, players))
        house.stop()

        position = json.loads(house.rows(Game)[0].position)
        thunder = next(unit for unit in position["units"] if unit["name"] == "Thunder")
        assert thunder["damage"] == 20
        mails = {player.seat: [text_of(mail) for mail in house.sink.of(player.address)] for player in players}
        # Before the end nobody reads what lies under the other's "?".
        assert len(mails["Anna"]) > 3
        assert not any("Lurker" in text for text in mails["Anna"][:-1])
        assert "Lurker" in mails["Anna"][-1]
        assert any("Iron Duke" in text for text in mails["Ben"])
