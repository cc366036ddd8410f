"""What the reports say, in text and in HTML."""

import re
from typing import Any

import pytest

from pbmd.rendering.render import report_html, report_text
from pbmd.rules import PUBLIC, Event, Reader, seat_reader
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import Played, play, player, position

ALTAIR, BOREALIS, CYGNUS = (seat_reader(name) for name in ("Altair", "Borealis", "Cygnus"))
WIDTH = 76


def text_of(played: Played, reader: Reader, events: tuple[Event, ...] | None = None) -> str:
    view = ruleset.view(played.position, played.events if events is None else events, reader)
    return report_text(ruleset, view)


def both(played: Played, reader: Reader, events: tuple[Event, ...] | None = None) -> tuple[str, str]:
    """The words of the text and of the HTML, in single blanks."""
    view = ruleset.view(played.position, played.events if events is None else events, reader)
    html = re.sub(r"<[^>]*>", " ", report_html(ruleset, view)).replace("&nbsp;", " ")
    return " ".join(report_text(ruleset, view).split()), " ".join(html.split())


def raid(altair: str = "1 Lasertitan", cygnus: str = "1 Lasertitan", orders: str = "LFTLFT", **fields: Any) -> Played:
    start = position(player("Altair", altair), player("Borealis"), player("Cygnus", cygnus, **fields))
    return play(start, [("Altair", "Attack Cygnus with all\nLTFLTF close in"), ("Cygnus", orders)])


@pytest.mark.rule("GO-69", "GO-R76")
def test_each_side_reads_which_oob_it_used_in_a_battle() -> None:
    played = raid()
    for reader, own, other in ((ALTAIR, "LTFLTF close in", "LFTLFT"), (CYGNUS, "LFTLFT", "LTFLTF")):
        for words in both(played, reader):
            assert f"your order of battle: {own}" in words
            assert other not in words
    for words in (*both(played, BOREALIS), *both(played, PUBLIC)):
        assert "order of battle" not in words


def test_whoever_was_attacked_reads_it_first() -> None:
    played = raid("3 Lasertitan", "")
    taken = "Altair attacked you while nobody was at home and took"
    for words in both(played, CYGNUS):
        assert taken in words.partition("How you stand")[0].partition("HOW YOU STAND")[0]
    for words in (*both(played, ALTAIR), *both(played, BOREALIS), *both(played, PUBLIC)):
        assert "attacked you" not in words


def test_who_sent_nothing_reads_what_the_rules_did_then() -> None:
    played = play(position(player("Altair"), player("Cygnus")), [("Altair", "Train spy")])
    for words in both(played, CYGNUS):
        assert "Nothing was built, and your fleet stayed at home." in words
    for words in both(played, ALTAIR):
        assert "stayed at home" not in words


@pytest.mark.rule("GO-R77", "GO-75")
def test_a_game_that_ends_by_the_turn_limit_is_said_to_be_over() -> None:
    start = position(player("Altair"), player("Cygnus"), turn=4)
    last, before = play(start, [], turn_limit=4), play(start, [], turn_limit=5)
    for words in both(last, PUBLIC):
        assert "The game is over: the turn limit is reached. Nobody has won." in words.replace(" :", ":")
    for reader in (PUBLIC, ALTAIR):
        for words in both(before, reader):
            assert "over" not in words


@pytest.mark.rule("GO-74", "GO-03")
def test_the_winner_is_named_once_and_the_game_said_to_be_over() -> None:
    start = position(player("Altair", "1 Laserfrigate"), player("Cygnus"))
    played = play(start, [("Altair", "Attack Cygnus with all")])
    for events in (played.events, ()):
        for words in both(played, PUBLIC, events):
            assert words.count("Altair is the Galactic Overlord. The game is over.") == 1


@pytest.mark.rule("GO-69")
def test_only_where_a_turn_was_resolved_is_it_said_that_there_were_no_battles() -> None:
    played = play(position(player("Altair"), player("Cygnus")), [])
    for reader in (PUBLIC, ALTAIR):
        for words in both(played, reader):
            assert "No battles." in words
        for words in both(played, reader, ()):
            assert "No battles." not in words


@pytest.mark.rule("GO-71")
def test_the_reader_stands_first_in_the_galaxy_and_reads_of_the_own_battles_before_those_of_others() -> None:
    found = raid("3 Lasertitan", "1 Torpedofrigate", "LTFLFT")
    text, page = both(found, CYGNUS)
    assert text.index("YOUR BATTLES") < text.index("EVERYBODY ELSE") < text.index("THE GALAXY Cygnus")
    assert page.index("Cygnus", page.index("The galaxy")) < page.index("Altair", page.index("The galaxy"))
    assert both(found, PUBLIC)[0].count("attacked Cygnus") == 1


@pytest.mark.rule("GO-R23", "GO-R29")
def test_rounds_are_counted_where_there_were_any() -> None:
    shields = raid(generators=1, orders="Raise shields")
    for words in both(shields, ALTAIR):
        assert "Cygnus took no hits, the attackers 12" in words
        assert "round" not in words
    for words in both(raid(cygnus=""), ALTAIR):
        assert "round" not in words
    for words in both(raid("3 Lasertitan", "1 Torpedofrigate", "LTFLFT"), CYGNUS):
        assert "round 1: Cygnus took" in words
    for words in both(raid("3 Lasertitan", "9 Torpedotitan", "LTFLFT"), CYGNUS):
        assert "rounds 1 and 2: Cygnus took 30 hits, the attackers 45" in words


@pytest.mark.rule("GO-72")
def test_a_number_is_never_parted_from_the_class_that_it_counts() -> None:
    classes = [f"{weapon}{hull}" for weapon in ("Laser", "Carrier", "Torpedo") for hull in ("frigate", "cruiser", "titan")]
    for count in (2, 34, 567, 8910):
        played = raid(", ".join(f"{count} {name}" for name in classes), "1 Laserfrigate", "LFTLFT")
        lines = text_of(played, ALTAIR).splitlines()
        assert max(map(len, lines)) <= WIDTH
        assert not [line for line in lines if re.search(rf"\b{count}$", line)]
        assert "\u00a0" not in "".join(lines)
