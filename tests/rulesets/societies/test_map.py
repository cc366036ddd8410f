"""The map: wonders by their letters, what was taken, where the reader can settle; the rest is public.

That no secret changes a byte of it is proved with all else that readers get in `test_noninterference.py`.
"""

from typing import Any

import pytest

from pbmd.rendering.picture import map_svg
from pbmd.rules import GM, PUBLIC, Reader, seat_reader
from pbmd.rules.words import listing
from rulesets.societies import ruleset
from rulesets.societies.tables import WONDERS
from rulesets.societies.telling.atlas import _LETTERS  # pyright: ignore[reportPrivateUsage]
from tests.rulesets.societies.harness import play, world

ANN, BOB = seat_reader("Ann"), seat_reader("Bob")
START = world("aa#bb / .ab.. / ..... / ..... / .....", "Ann tech 4 armies 90", "Bob tech 4 armies 1", wars="Ann Bob 3")


def squares(told: Any, look: str) -> list[str]:
    return [f"{chr(ord('A') + one['column'])}{one['row'] + 1}" for one in told["squares"] if one.get(look)]


def picture(document: Any, reader: Reader, *letters: str) -> Any:
    done = play(document, *letters) if letters else None
    state, events = (done.position, done.events) if done else (ruleset.load(document), ())
    return ruleset.view(state, events, reader).data["map"]


@pytest.mark.rule("SO-R22")
def test_a_reader_sees_where_a_city_can_be_founded_and_nobody_else_does() -> None:
    assert squares(picture(START, ANN), "open") == ["A2", "B3"]
    assert squares(picture(START, BOB), "open") == ["D2", "E2", "C3"]
    for reader in (PUBLIC, GM):
        assert squares(picture(START, reader), "open") == []


@pytest.mark.rule("SO-161")
def test_what_was_taken_in_the_turn_is_ringed_for_everybody() -> None:
    told = [picture(START, reader, "Ann: Attack Bob with 60 armies", "Bob: Buy 1 army") for reader in (PUBLIC, GM, ANN, BOB)]
    taken = [squares(each, "ringed") for each in told]
    assert taken[0]
    assert len({*map(str, taken)}) == 1
    assert told[0]["title"] == f"Turn {START['turn']}: who holds which city"
    assert squares(told[2], "broken") == taken[0]
    assert f"; Ann took {listing(taken[0])}" in told[0]["caption"]
    assert [squares(each, "broken") for each in (told[0], told[3])] == [[], []]


@pytest.mark.rule("SO-R99")
def test_armies_are_told_only_where_all_may_know_them() -> None:
    assert [owner["note"] for owner in picture(START, PUBLIC)["owners"]] == ["level 4, 3 cities", "level 4, 3 cities"]
    shown = picture({**START, "options": {**START.get("options", {}), "public_chart": "armies"}}, PUBLIC)
    assert [owner["note"] for owner in shown["owners"]] == ["level 4, 3 cities, 90 armies", "level 4, 3 cities, 1 army"]


def test_wonders_have_letters_of_their_own_which_the_picture_explains() -> None:
    assert len({*_LETTERS.values()}) == len(WONDERS)
    document = {**START, "wonder": [{"name": "Trojan Horse", "owner": "Bob", "builder": "Bob", "square": "D1"}]}
    told = picture(document, PUBLIC)
    assert [one["letter"] for one in told["squares"] if one["marked"]] == ["Tr"]
    assert told["notes"] == ["Tr: Trojan Horse"]
    assert "Wonder: D1 (Tr). Nuked: C1." in str(map_svg(ruleset.view(ruleset.load(document), (), PUBLIC)))
