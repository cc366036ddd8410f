"""In which places the seats of a game ended, by its rules or otherwise."""

from dataclasses import replace
from typing import Any

from pbmd.results.places import places_at_end, places_of_winners
from pbmd.rules import Outcome
from tests.rules.count import ruleset as count


def test_where_only_the_winners_are_known_the_others_share_the_next_place() -> None:
    assert places_of_winners("abcd", ["c", "a"]) == {"a": 1, "b": 3, "c": 1, "d": 3}
    assert places_of_winners("abc", []) == {"a": 1, "b": 1, "c": 1}


def position(**scores: int) -> Any:
    return count.load({"turn": 3, "options": {"target": 9}, "players": [{"name": n, "score": s} for n, s in scores.items()]})


def test_the_places_of_the_rules_count_where_they_ended_the_game() -> None:
    over = position(Altair=3, Borealis=9, Cygnus=5)
    assert places_at_end(count, over, ["Borealis"]) == {"Altair": 3, "Borealis": 1, "Cygnus": 2}
    assert places_at_end(replace(count, places=None), over, ["Borealis"]) == {"Altair": 2, "Borealis": 1, "Cygnus": 2}


def test_a_game_that_ended_otherwise_has_only_winners() -> None:
    stopped = position(Altair=3, Borealis=7, Cygnus=5)
    assert places_at_end(count, stopped, ["Altair", "Cygnus"]) == {"Altair": 1, "Borealis": 3, "Cygnus": 1}


def test_rules_can_say_that_a_game_has_no_places() -> None:
    broken_off = replace(count, outcome=lambda _position: Outcome((), "All have left."), places=lambda _position: {})
    assert places_at_end(broken_off, position(Altair=1, Borealis=2), []) == {}
