"""Sign-up, the size of the map and the starts (section 5)."""

from collections.abc import Iterable
from typing import Any

import pytest

from pbmd.rules import Dice, HmacDice, Line, Refused, ScriptedDice, Signup, Status
from pbmd.rules.options import OptionError, complete
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import square

NAMES = tuple(f"{letter}{vowel}lem" for letter in "BCDFGHJKLMNPRSTVWZ" for vowel in "ao")
Square = tuple[int, int]


def signups(count: int) -> list[Signup]:
    return [Signup(name) for name in NAMES[:count]]


def as_listed(players: int) -> list[int]:
    """Rolls that leave the players in the order of sign-up: each place is swapped with itself."""
    return list(range(players, 1, -1))


def start(players: int, dice: Dice, **options: object) -> dict[str, Any]:
    return ruleset.dump(ruleset.setup(signups(players), complete(ruleset.info.options, options), dice))


def homes(players: int, rolls: Iterable[int] | None = None, **options: object) -> list[str]:
    """The starting squares in sign-up order."""
    script = ScriptedDice([1, *as_listed(players)] if rolls is None else rolls)
    document = start(players, script, **options)
    assert script.unused == ()
    owners = {city["owner"]: city["square"] for city in document["city"]}
    return [owners[table["name"]] for table in document["society"]]


def place(name: str) -> Square:
    """(row, column) of a square of the first 26 columns."""
    return int(name[1:]), ord(name[0]) - ord("A") + 1


def apart(one: Square, other: Square) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


# Sign-up


def faults(name: str, *lines: str, accepted: Iterable[str] = ()) -> list[int]:
    asked = Signup(name, tuple(Line(n, text) for n, text in enumerate(lines, start=1)))
    verdicts = ruleset.check_signup(asked, [Signup(other) for other in accepted], complete(ruleset.info.options, {}))
    for verdict in verdicts:
        assert verdict.status is not Status.ERROR or verdict.message
    return [verdict.line for verdict in verdicts if verdict.status is Status.ERROR]


@pytest.mark.rule("SO-05")
def test_a_player_chooses_nothing_but_a_name() -> None:
    assert faults("Ann") == []
    assert faults("Spaced Cowboy", accepted=["Ann", "Skanky"]) == []
    assert faults("N" * 24) == []


@pytest.mark.rule("SO-05")
@pytest.mark.parametrize(
    "name",
    [
        *("Spy", "attack", "GIVE", "Trade", "Revolution", "Peace", "Concede", "Launch", "Build", "Buy", "Research", "Targets"),
        *("Geography", "the laser", "Fusion Power", "Laser"),
        *("Colosseum", "KGB", "mafia", "Majestic-12 Program", "Silk Road"),
        *("Espionage", "production", "Foreign Aid", "War", "Tax Collection"),
        *("Republic", "monarchy", "Despotism"),
        *("Ann (the first)", "Ann:", "Ann, Bob", "Ann#1", "<Ann>", "A>B"),
        *("N" * 25, ""),
    ],
)
def test_a_name_that_orders_could_be_mistaken_for_is_refused(name: str) -> None:
    assert faults(name) == [0]


@pytest.mark.rule("SO-05")
def test_a_name_is_given_once_whatever_its_case() -> None:
    assert faults("ANN", accepted=["Ann"]) == [0]


def test_a_society_and_its_capital_can_be_given_names() -> None:
    assert faults("Ann", "Society The Annalists", "Capital Annopolis") == []
    asked = Signup("Ann", (Line(1, "society The Annalists"), Line(2, "CAPITAL Annopolis")))
    state = ruleset.setup([asked, Signup("Bob")], complete(ruleset.info.options, {}), ScriptedDice([1, 2]))
    document = ruleset.dump(state)
    assert document["society"][0]["title"] == "The Annalists"
    assert {city["owner"]: city.get("name", "") for city in document["city"]} == {"Ann": "Annopolis", "Bob": ""}


def test_another_sign_up_line_is_refused() -> None:
    assert faults("Ann", "Motto: to the stars") == [1]


@pytest.mark.rule("SO-R98")
@pytest.mark.parametrize("players", [0, 1, 25])
def test_two_to_twenty_four_players_make_a_game(players: int) -> None:
    assert (ruleset.info.min_seats, ruleset.info.max_seats) == (2, 24)
    with pytest.raises(Refused):
        start(players, HmacDice(b"1", b""))


# The map

SIDES = {2: 5, 3: 6, 4: 7, 5: 8, 6: 8, 7: 9, 8: 10, 9: 10, 10: 11, 11: 11, 12: 12, 16: 14, 24: 17}


@pytest.mark.rule("SO-01", "SO-06", "SO-R10")
@pytest.mark.parametrize(("players", "side"), list(SIDES.items()))
def test_the_map_is_a_square_of_about_twelve_squares_a_player(players: int, side: int) -> None:
    assert start(players, HmacDice(b"1", b""))["map"]["side"] == side


@pytest.mark.rule("SO-06", "SO-R10")
@pytest.mark.parametrize(("players", "per_player", "side"), [(2, 6, 3), (2, 15, 5), (2, 16, 6), (3, 40, 11), (12, 20, 15)])
def test_its_area_follows_the_option(players: int, per_player: int, side: int) -> None:
    document = start(players, HmacDice(b"1", b""), squares_per_player=per_player)
    assert document["map"]["side"] == side
    assert all(abs(side**2 - players * per_player) < abs(n**2 - players * per_player) for n in (side - 1, side + 1))


@pytest.mark.rule("SO-07", "SO-R02", "SO-R10")
def test_a_bit_bigger_is_an_option() -> None:
    assert start(2, HmacDice(b"1", b""), extra_side=1)["map"]["side"] == 6


# Starts


@pytest.mark.rule("SO-08", "SO-09", "SO-R11")
@pytest.mark.parametrize(("players", "pattern"), [(2, ["B2", "D4"]), (3, ["B2", "E3", "C5"]), (4, ["D2", "B4", "F4", "D6"])])
def test_the_pattern_for_few_players(players: int, pattern: list[str]) -> None:
    assert homes(players) == pattern


def pattern_of(players: int, side: int) -> list[Square]:
    """Steps 1 to 3 of the specification, word for word."""
    inner = range(2, side) if side >= 5 else range(1, side + 1)
    candidates = [(row, column) for row in inner for column in inner]
    distances = {one: {other: apart(one, other) for other in candidates} for one in candidates}
    for least in range(2 * (side - 1), 0, -1):
        near = {one: {other for other, distance in others.items() if distance < least} for one, others in distances.items()}
        complete_sets: list[list[Square]] = []
        for first in candidates:
            members, taken = [first], {*near[first]}
            for candidate in candidates:
                if len(members) < players and candidate not in taken:
                    members.append(candidate)
                    taken |= near[candidate]
            if len(members) == players:
                complete_sets.append(sorted(members))
        if complete_sets:
            return min(complete_sets, key=lambda members: (_unevenness(members), _off_centre(members, side), members))
    raise AssertionError


def _unevenness(members: list[Square]) -> int:
    nearest = [min(apart(one, other) for other in members if other != one) for one in members]
    return max(nearest) - min(nearest)


def _off_centre(members: list[Square], side: int) -> int:
    return sum(abs(2 * row - side - 1) + abs(2 * column - side - 1) for row, column in members)


@pytest.mark.rule("SO-09", "SO-R11", "SO-R98")
@pytest.mark.parametrize("players", range(2, 25))
def test_all_starts_are_four_squares_from_the_nearest_other_for_any_number_of_players(players: int) -> None:
    squares = [place(name) for name in homes(players)]
    assert len(set(squares)) == players
    assert [min(apart(one, other) for other in squares if other != one) for one in squares] == [4] * players
    assert sorted(squares) == pattern_of(players, start(players, HmacDice(b"1", b""))["map"]["side"])


@pytest.mark.rule("SO-09", "SO-R11")
def test_a_small_map_uses_its_rim_too() -> None:
    assert [place(name) for name in homes(2, squares_per_player=4)] == pattern_of(2, 3)


SYMMETRIES = [
    lambda r, c, n: (r, c),
    lambda r, c, n: (c, n - r),
    lambda r, c, n: (n - r, n - c),
    lambda r, c, n: (n - c, r),
    lambda r, c, n: (r, n - c),
    lambda r, c, n: (n - r, c),
    lambda r, c, n: (c, r),
    lambda r, c, n: (n - c, n - r),
]


@pytest.mark.rule("SO-09", "SO-R11")
@pytest.mark.parametrize("roll", range(1, 9))
def test_a_die_picks_the_symmetry(roll: int) -> None:
    images = sorted(SYMMETRIES[roll - 1](r, c, 7) for r, c in map(place, ("B2", "E3", "C5")))
    assert homes(3, [roll, 3, 2]) == [square(r, c) for r, c in images]


@pytest.mark.rule("SO-09", "SO-R11")
@pytest.mark.parametrize(
    ("rolls", "order"), [((4, 3, 2), "0123"), ((1, 1, 1), "1230"), ((2, 3, 1), "3021"), ((4, 2, 2), "0213")]
)
def test_dice_deal_the_players_to_the_squares(rolls: tuple[int, ...], order: str) -> None:
    """`order` is the list of players after the swaps; the player at place k has slot k."""
    slots = ["D2", "B4", "F4", "D6"]
    assert homes(4, [1, *rolls]) == [slots[order.index(str(player))] for player in range(4)]


@pytest.mark.rule("SO-R11")
def test_starts_may_be_given_and_only_the_deal_is_left_to_dice() -> None:
    assert homes(2, [2], starts="A1, b3, E5") == ["A1", "B3"]
    assert homes(2, [1], starts="A1, B3, E5") == ["B3", "A1"]


@pytest.mark.rule("SO-R11")
@pytest.mark.parametrize("starts", ["A1", "A1, A1", "A1, Z9", "A1, nowhere"])
def test_starts_that_do_not_do_are_refused(starts: str) -> None:
    with pytest.raises((Refused, OptionError)):
        homes(2, [2], starts=starts)


@pytest.mark.rule("SO-10", "SO-40", "SO-96", "SO-R11")
@pytest.mark.parametrize("players", [2, 12, 24])
def test_everybody_starts_with_a_city_and_six_gold_in_despotism(players: int) -> None:
    document = start(players, HmacDice(b"1", b""))
    assert document["turn"] == 1
    assert sorted(city["owner"] for city in document["city"]) == sorted(NAMES[:players])
    assert len({city["square"] for city in document["city"]}) == players
    nothing = {"armies": 0, "spies": 0, "nukes": 0, "sdi": 0, "spaceship_parts": 0, "engine_spend": 0}
    for table, name in zip(document["society"], NAMES, strict=False):
        assert table["name"] == name
        assert (table["gold"], table["tech"], table["government"]) == (6, 1, "despotism")
        assert {key: table.get(key, 0) for key in nothing} == nothing
    assert not document.get("wonder")
    assert not document.get("war")


@pytest.mark.rule("SO-R11")
def test_no_other_dice_exist() -> None:
    dice = HmacDice(b"1", b"")
    state = ruleset.setup(signups(5), complete(ruleset.info.options, {}), dice)
    assert [sides for sides, _ in dice.drawn] == [8, 5, 4, 3, 2]
    for seat in ruleset.awaiting(state):
        state = ruleset.miss(state, seat).position
    later = HmacDice(b"1", b"")
    ruleset.resolve(state, later)
    assert later.drawn == ()
