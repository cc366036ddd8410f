"""`pbmd results` and `pbmd unlist`."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.desk.books.desk import open_desk
from pbmd.desk.player.listing.listed_players import list_player
from pbmd.desk.step.game_transaction import COMMAND_LINE, changing_games
from pbmd.ledger.tables import Game, ListedPlayer, Outbox
from pbmd.settings import read_settings
from tests.cli.conftest import Home
from tests.desk.world import body_of

ANNA, BERT = "anna@players.test", "bert@players.test"


def finish(home: Home, name: str, **scores: int) -> None:
    """A game of Count that ends with these scores, in which nobody has sent orders."""
    home.start_game(name, "--option", "target=5")
    desk = open_desk(read_settings(home.settings))
    with changing_games(desk, COMMAND_LINE) as work:
        table = work.table_named(name)
        assert table is not None
        work.move(table, replace(table.position, scores=scores))
    desk.engine.dispose()
    assert "the game is over" in home.good("resolve", name, "--yes")


def agree(home: Home, **names: str) -> None:
    """Those who hold Altair and Borealis are listed under these names."""
    desk = open_desk(read_settings(home.settings))
    with changing_games(desk, COMMAND_LINE) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        for seat in table.seats:
            if name := names.get(seat.name):
                list_player(work, seat.address, name, "")
    desk.engine.dispose()


@pytest.fixture
def over(home: Home) -> Home:
    """Two games that are over, and one whose player is listed."""
    finish(home, "galaxy-7", Altair=7, Borealis=2)
    finish(home, "galaxy-8", Altair=3, Borealis=9)
    agree(home, Altair="Ada B")
    return home


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").replace("┃", " ").split())


def test_without_anybody_listed_it_says_how_players_agree(home: Home) -> None:
    finish(home, "galaxy-7", Altair=7, Borealis=2)
    assert "No game is over in which a player is listed. Players agree by mail: LIST ME AS and a name." in home.good("results")
    assert home.json("results")["rulesets"] == []


def test_it_has_a_table_for_each_ruleset_and_what_a_rating_means(over: Home) -> None:
    text = words(over.good("results"))
    assert "player games 1st 2nd 3rd lower wins draws missed turns rating" in text
    assert "Ada B 2 1 1 1 " in text
    assert "A rating says how strong a player is" in text
    assert "Borealis" not in text
    assert "galaxy-7" not in text


def test_of_a_player_it_has_the_games_the_last_first(over: Home) -> None:
    text = words(over.good("results", "--player", "Ada B"))
    assert text.index("galaxy-8") < text.index("galaxy-7")
    assert "Altair 2 of 2" in text
    assert words(over.good("results", "--player", "ada b")) == text
    assert over.problem("results", "--player", "Bert") == 'no game is over in which a player is listed as "Bert"'


def test_json_and_csv_have_the_same_numbers_and_nobody_who_has_not_agreed(over: Home) -> None:
    document = over.json("results")
    [of] = document["rulesets"]
    [player] = of["players"]
    assert (player["player"], player["games"], player["first"], player["second"], player["wins"]) == ("Ada B", 2, 1, 1, 1)
    assert [game["game"] for game in of["games"]] == ["galaxy-8", "galaxy-7"]
    assert [seat["player"] for seat in of["games"][0]["seats"]] == [None, "Ada B"]
    file = over.folder / "results.csv"
    assert over.good("results", "--csv", str(file)) == ""
    [row] = csv.DictReader(io.StringIO(Path(file).read_text("utf-8")))
    assert {key: str(value) for key, value in player.items()} == row
    assert "@" not in file.read_text("utf-8") + str(document)


def test_only_one_ruleset_can_be_shown(over: Home) -> None:
    assert over.json("results", "--ruleset", "diplomacy")["rulesets"] == []
    assert "No game of Diplomacy is over in which a player is listed." in over.good("results", "--ruleset", "Diplomacy")
    assert over.problem("results", "--ruleset", "cuont").startswith('there is no ruleset "cuont"')
    assert [of["ruleset"] for of in over.json("results", "--ruleset", "count")["rulesets"]] == ["count"]


def test_on_a_narrow_screen_each_player_is_a_block_of_lines(over: Home) -> None:
    lines = over.run("results", width=60).stdout.splitlines()
    assert "player: Ada B" in lines
    assert "1st: 1" in lines
    assert not any(line.startswith("3rd") for line in lines)


def test_a_game_that_cannot_be_read_is_named_and_the_others_count(over: Home) -> None:
    desk = open_desk(read_settings(over.settings))
    with desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE game SET position = '{}' WHERE name = 'galaxy-7'")
    desk.engine.dispose()
    result = over.run("results", "--json")
    assert result.exit_code == 1
    assert "these games could not be read, and do not count: galaxy-7" in result.stderr
    assert '"game": "galaxy-8"' in result.stdout


def test_a_name_is_taken_off_for_good_and_its_owner_gets_a_mail(over: Home) -> None:
    assert over.good("unlist", "Ada B") == "The name is listed no more.\n"
    assert over.json("results")["rulesets"] == []
    mail = over.rows(Outbox, Outbox.recipient == ANNA)[-1]
    assert "taken the name under which your results were listed off" in " ".join(body_of(mail).split())
    assert "nobody is listed as" in over.problem("unlist", "Ada B")
    assert ANNA not in over.log


def test_a_name_and_consent_are_forgotten_with_their_address(over: Home) -> None:
    assert over.good("forget", "Anna@players.test") == "Forgotten.\n"
    assert over.rows(ListedPlayer) == []
    assert over.json("results")["rulesets"] == []
    assert len(over.rows(Game)) == 2
    assert ANNA not in over.log
