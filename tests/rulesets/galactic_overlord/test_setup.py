"""Sign-up and the first position."""

from typing import Any

import pytest

from pbmd.rules import PUBLIC, Line, Refused, ScriptedDice, Signup, Status, canonical_json
from pbmd.rules.options import OptionError, complete
from rulesets.galactic_overlord import ruleset
from tests.rulesets.galactic_overlord.harness import play, receive, verdicts

NAMES = ("Altair", "Borealis", "Cygnus")


def options(**given: Any) -> dict[str, Any]:
    return complete(ruleset.info.options, given)


def signup(name: str, *lines: str) -> Signup:
    return Signup(name, tuple(Line(n, text) for n, text in enumerate(lines, start=1)))


def first(*signups: Signup, **given: Any) -> dict[str, Any]:
    """The document of the first position; nothing in it may be left to chance."""
    return ruleset.dump(ruleset.setup(signups or tuple(signup(name) for name in NAMES), options(**given), ScriptedDice(())))


def signup_statuses(asked: Signup, *before: Signup) -> list[Status]:
    return [verdict.status for verdict in ruleset.check_signup(asked, before, options())]


@pytest.mark.rule("GO-04", "GO-06", "GO-08", "GO-R01", "GO-R02", "GO-05")
def test_everybody_starts_with_three_bases_32_bp_two_counter_espionage_options_and_nothing_else() -> None:
    document = first()
    assert (document["turn"], document["status"], document["winner"]) == (1, "running", "")
    assert [p["name"] for p in document["players"]] == list(NAMES)
    for table in document["players"]:
        assert (table["bp"], table["counter_espionage"], table["generators"], table["spies"]) == (32, 2, 0, 0)
        assert (table["ships"], table["original_ships"], table["alive"]) == ([], 0, True)
    expected = [(f"{name} Base {n}", name, name) for name in NAMES for n in (1, 2, 3)]
    held = sorted(document["bases"], key=lambda b: b["acquired"])
    assert [(b["name"], b["owner"], b["builder"]) for b in held] == expected
    assert [b["acquired"] for b in held] == list(range(1, 10))


@pytest.mark.rule("GO-R01", "GO-17", "GO-27")
def test_the_starting_bases_count_as_self_built_so_ships_can_be_built_in_turn_one() -> None:
    answers = verdicts(first(), "Altair", "Build 1 Laserbattleship\nBuild 1 Laserdreadnaught")
    assert [verdict.status for verdict in answers] == [Status.OK, Status.ERROR]


@pytest.mark.rule("GO-01", "GO-05")
@pytest.mark.parametrize("count", [2, 12, 40])
def test_any_number_of_players_from_two_up_can_play(count: int) -> None:
    document = first(*(signup(f"Faction {n}") for n in range(count)))
    assert len(document["players"]) == count
    assert len(document["bases"]) == 3 * count
    assert len({b["acquired"] for b in document["bases"]}) == 3 * count


def test_one_player_does_not_make_a_game() -> None:
    with pytest.raises(Refused):
        first(signup("Altair"))


def test_a_game_may_have_a_limit_on_players() -> None:
    assert len(first(max_players=3)["players"]) == 3
    with pytest.raises(Refused):
        first(max_players=2)


@pytest.mark.rule("GO-R02")
def test_what_everybody_starts_with_can_be_set() -> None:
    document = first(starting_bases=2, starting_bp=50, starting_counter_espionage=1, starting_generators=3, starting_spies=2)
    assert len(document["bases"]) == 6
    for table in document["players"]:
        stocks = (table["bp"], table["counter_espionage"], table["generators"], table["spies"])
        assert stocks == (50, 1, 3, 2)


def test_turn_zero_is_a_turn_without_attacks() -> None:
    document = first(turn_zero=True)
    assert document["turn"] == 0
    attack = "Build 1 Laserfrigate\nAttack Cygnus with all"
    assert [v.status for v in verdicts(document, "Altair", attack)] == [Status.OK, Status.ERROR]
    played = play(document, [("Altair", attack)])
    assert (played.battles, played.document["turn"]) == ([], 1)
    assert [v.status for v in verdicts(played.document, "Altair", "Attack Cygnus with all")] == [Status.OK]


@pytest.mark.rule("GO-27")
def test_attacks_are_allowed_from_turn_one_on() -> None:
    assert [v.status for v in verdicts(first(), "Altair", "Build 1 Laserfrigate\nAttack Cygnus with all")] == [Status.OK] * 2


@pytest.mark.rule("GO-R13", "GO-05")
def test_bases_can_be_named_at_sign_up_and_the_rest_get_automatic_names() -> None:
    document = first(signup("Altair", "Bases: Terra, Luna"), signup("Borealis"))
    names = [b["name"] for b in sorted(document["bases"], key=lambda b: b["acquired"]) if b["owner"] == "Altair"]
    assert names[:2] == ["Terra", "Luna"]
    # The automatic name counts the bases built so far, and this is the third.
    assert names[2] == "Altair Base 3"


@pytest.mark.rule("GO-R13")
def test_an_automatic_name_that_is_taken_counts_on() -> None:
    document = first(signup("Altair", "Bases: Altair Base 2"), signup("Borealis"))
    names = [b["name"] for b in sorted(document["bases"], key=lambda b: b["acquired"]) if b["owner"] == "Altair"]
    assert names == ["Altair Base 2", "Altair Base 3", "Altair Base 4"]


@pytest.mark.parametrize("name", ["Altair", "St. John's", "New-Rome 7", "Äöü", "x", "n" * 30, "Withers", "Allan"])
def test_proper_names_are_accepted(name: str) -> None:
    assert Status.ERROR not in signup_statuses(signup(name))


@pytest.mark.parametrize(
    "name",
    ["", "n" * 31, "Al,tair", "A:B", "Fire & Water", "Land and Sea", "All Stars", "Gone with Wind", "Up to You", "A vs B"],
)
def test_improper_names_are_refused(name: str) -> None:
    assert Status.ERROR in signup_statuses(signup(name))


@pytest.mark.parametrize("word", ["with", "to", "vs", "versus", "against", "allied", "and", "named", "except", "all"])
def test_words_of_the_order_language_are_no_part_of_a_name(word: str) -> None:
    assert Status.ERROR in signup_statuses(signup(f"Rho {word.title()} Phi"))
    assert Status.ERROR in signup_statuses(signup("Rho", f"Bases: Terra, {word.upper()} Phi"))
    assert Status.ERROR not in signup_statuses(signup(f"Rho{word}"))


def test_a_taken_name_is_refused_whatever_its_case() -> None:
    assert Status.ERROR in signup_statuses(signup("ALTAIR"), signup("Altair"))
    taken = signup("Altair", "Bases: Terra")
    assert Status.ERROR in signup_statuses(signup("Borealis", "Bases: terra"), taken)
    assert Status.ERROR in signup_statuses(signup("Borealis", "Bases: Luna, luna"))
    assert Status.ERROR not in signup_statuses(signup("Borealis", "Bases: Luna"), taken)


def test_more_names_than_starting_bases_are_refused() -> None:
    assert Status.ERROR in signup_statuses(signup("Altair", "Bases: One, Two, Three, Four"))
    assert Status.ERROR not in signup_statuses(signup("Altair", "Bases: One, Two, Three"))


def test_another_line_at_sign_up_is_refused() -> None:
    assert Status.ERROR in signup_statuses(signup("Altair", "Build 3 Laserfrigates"))


@pytest.mark.parametrize(
    ("line", "given", "message"),
    [
        ("Build 3 Laserfrigates", {}, "a sign-up can have one line for Bases. For example: Bases: Vega, Spica, Kraz"),
        ("Bases: Luna, luna", {}, '"luna": the name is there twice. For example: Bases: Vega, Spica, Kraz'),
        ("Bases: One, Two", {"starting_bases": 1}, "2 names for 1 base. For example: Bases: Vega"),
        ("Bases: mira", {}, '"mira": another base has this name already. For example: Bases: Vega, Spica, Kraz'),
    ],
)
def test_a_wrong_line_at_sign_up_is_answered_with_a_right_one(line: str, given: dict[str, Any], message: str) -> None:
    before = signup("Altair", "Bases: Rigel, Mira")
    _, verdict = ruleset.check_signup(signup("Borealis", line), (before,), options(**given))
    assert (verdict.status, verdict.message) == (Status.ERROR, message)
    right = signup("Borealis", message.split(" For example: ")[1])
    assert {each.status for each in ruleset.check_signup(right, (before,), options(**given))} == {Status.OK}


def test_sign_ups_that_do_not_go_together_make_no_game() -> None:
    with pytest.raises(Refused, match="another faction has this name"):
        first(signup("Altair"), signup("altair"))


@pytest.mark.rule("GO-24", "GO-02")
def test_all_orders_are_awaited_and_carried_out_together() -> None:
    position = ruleset.load(first())
    assert (ruleset.seats(position), ruleset.awaiting(position)) == (NAMES, NAMES)
    receipt = receive(first(), "Borealis", "Build 32 Laserfrigates")
    assert ruleset.awaiting(receipt.position) == ("Altair", "Cygnus")
    waiting = ruleset.dump(receipt.position)
    assert waiting["players"] == first()["players"]
    played = play(first(), [("Borealis", "Build 32 Laserfrigates"), ("Altair", "Build 1 Laserfrigate")])
    assert (played.document["turn"], played.navy("Borealis"), played.navy("Altair")) == (
        2,
        {"Laserfrigate": 32},
        {"Laserfrigate": 1},
    )
    assert ruleset.awaiting(played.position) == NAMES


def test_everybody_gets_the_status_table_at_the_start() -> None:
    position = ruleset.load(first())
    before = canonical_json(ruleset.view(position, (), PUBLIC).data)
    for name in NAMES:
        assert name.encode() in before
        assert f"{name} Base 3".encode() in before


def test_unknown_options_and_impossible_values_are_refused() -> None:
    with pytest.raises(OptionError):
        options(starting_bass=3)
    with pytest.raises(OptionError):
        options(undefended="some")
    with pytest.raises(OptionError):
        options(starting_bp=-1)


@pytest.mark.parametrize("name", ["public", "Public", "PUBLIC"])
def test_no_faction_may_be_called_as_the_report_for_everybody_is(name: str) -> None:
    assert signup_statuses(signup(name)) == [Status.ERROR]
    assert signup_statuses(signup("Republic", "Bases: Public")) == [Status.OK, Status.OK]


def test_names_may_begin_with_an_apostrophe_or_a_full_stop_but_are_not_marks_only() -> None:
    assert signup_statuses(signup("'t Hooft", "Bases: 'Abu, .Net")) == [Status.OK, Status.OK]
    for name in ("...", "'", "' x", " x"):
        assert signup_statuses(signup(name)) == [Status.ERROR], name
