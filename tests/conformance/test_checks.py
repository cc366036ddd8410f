"""What the small games do not have is tried with functions put in the place of theirs: PREVIEW, resignations, rulings, waits;
and what no text of theirs could be changed to."""

# pyright: reportUnknownLambdaType=false
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbmd.conformance import flow, forms, imagining, order_checks, purity, ruleset_folder, seats, secrecy
from pbmd.conformance.findings import Broken
from pbmd.conformance.scenes import Scene
from pbmd.conformance.tied_game import game_of_equals
from pbmd.conformance.trial_seats import NAMES
from pbmd.conformance.watched_ruleset import guarded, place_of, watched
from pbmd.rules import Event, Line, Mail, Options, Outcome, Receipt, Refused, Resolution, Ruleset, Ruling, View, Wait
from tests.rules.count import Position
from tests.rules.count import ruleset as count
from tests.rules.relay import ruleset as relay
from tests.rules.tides import ruleset as tides
from tests.rulesets.contract.scenes import some_scenes

ONE, OTHER = NAMES[:2]


def found(check: Any, rules: Ruleset[Any]) -> set[str]:
    """The promises that a check finds broken in some games of a ruleset."""
    promises: set[str] = set()
    try:
        for scene in some_scenes(guarded(rules), games=3):
            promises |= {wrong.promise for wrong in check(scene)}
    except Broken as fault:
        promises.add(fault.wrong.promise)
    return promises


def test_two_seats_that_wait_for_each_other_are_found() -> None:
    mutual = (Wait(ONE, OTHER, 1), Wait(OTHER, ONE, 1))
    for waits in (mutual, (Wait(ONE, "Vega", 1),), (Wait(ONE, OTHER, -1),)):
        assert found(flow.everybody_plays_on, replace(count, waits=lambda _position, waits=waits: waits)) == {"waits.seats"}
    assert found(flow.everybody_plays_on, count) == set()


def ruled(position: Any, key: str) -> Any:
    if key != "a":
        raise Refused("there is no such ruling")
    return position


@pytest.mark.parametrize(
    ("rulings", "rule"),
    [
        ((Ruling("a", "?"), Ruling("a", "!")), ruled),
        ((Ruling("a", " "),), ruled),
        ((Ruling("a", "May it be?"),), None),
    ],
)
def test_rulings_that_cannot_be_told_apart_or_given_are_found(rulings: tuple[Ruling, ...], rule: Any) -> None:
    wrong = replace(count, rulings=lambda _position: rulings, rule=rule)
    assert found(flow.whoever_wins_has_played, wrong) == {"rulings.keys"}
    right = replace(count, rulings=lambda _position: (Ruling("a", "May it be?"), Ruling("b", "May that?")), rule=ruled)
    assert found(flow.whoever_wins_has_played, right) == set()


@pytest.mark.parametrize(
    ("reveal", "promises"),
    [
        (lambda _position, events, _past: tuple(events), set[str]()),
        (lambda _position, events, _past: (Event("opened", {}), *events), set[str]()),
        (lambda _position, events, _past: tuple(events)[1:], {"reveal.rest"}),
        (lambda _position, events, _past: tuple(events)[::-1], {"reveal.rest"}),
    ],
)
def test_what_is_opened_takes_nothing_away(reveal: Any, promises: set[str]) -> None:
    soon = replace(count, outcome=lambda position: Outcome((), "Nobody has won.") if position.turn > 1 else None)
    assert found(flow.what_is_opened_leaves_the_rest, replace(soon, reveal=reveal)) == promises


# --- Resignations -----------------------------------------------------------------------------------------------------------


def gone(position: Any, seat: str, **more: Any) -> Resolution[Any]:
    """A captain leaves the game."""
    captains = tuple(replace(captain, out=captain.out or captain.name == seat) for captain in position.captains)
    return Resolution(replace(position, captains=captains, **more))


LEFT = replace(tides, resign=gone)


def test_who_resigns_and_is_out_is_right() -> None:
    for check in (seats.seats_are_given_up, seats.everybody_gives_up):
        assert found(check, LEFT) == set()


@pytest.mark.parametrize(
    ("resign", "promise"),
    [
        (lambda position, _seat: Resolution(position), "resign.awaited"),
        (partial(gone, sheets=()), "resign.rest"),
        (partial(gone, turn=9), "resign.rest"),
        (lambda position, seat: gone(position, seat).position, "code.returns"),
    ],
    ids=["nothing happens", "orders of others are gone", "another turn", "no resolution"],
)
def test_a_resignation_that_goes_wrong_is_found(resign: Any, promise: str) -> None:
    assert promise in found(seats.seats_are_given_up, replace(tides, resign=resign))


def test_all_can_resign_one_after_the_other() -> None:
    two = (ONE, OTHER)
    two_stay = replace(tides, resign=lambda at, seat: Resolution(at) if seat in two else gone(at, seat))
    assert found(seats.everybody_gives_up, two_stay) == {"resign.awaited"}


def test_moves_of_a_seat_that_was_given_up_for_good_are_skipped() -> None:
    def skipped(position: Any, seat: str) -> Resolution[Any]:
        runners = tuple(replace(each, out=True, skips=1) if each.name == seat else each for each in position.runners)
        waiting = tuple(name for name in position.waiting if name != seat)
        return Resolution(replace(position, runners=runners, waiting=waiting or position.waiting))

    for_good = replace(relay, take_over=None)
    check = seats.nobody_waits_for_a_seat_given_up
    assert found(check, replace(for_good, resign=skipped)) == set()
    assert found(check, replace(for_good, resign=lambda at, _seat: Resolution(at))) == {"resign.awaited"}


def test_a_taken_over_seat_that_awaits_others_no_more_is_found() -> None:
    wrong = replace(tides, take_over=lambda at, seat, _holder: replace(at, missed=tuple(tides.seats(at))))
    assert "take-over.rest" in found(seats.seats_are_taken_over, wrong)


@pytest.mark.parametrize(
    ("disorder", "promise"),
    [
        (lambda at, _seat, _asleep: at, "disorder.awaited"),
        (lambda at, seat, _asleep: replace(at, missed=(*at.missed, seat)), "disorder.awaited"),
        (lambda at, _seat, _asleep: replace(at, turn=at.turn + 1), "disorder.rest"),
    ],
    ids=["nothing happens", "nobody comes back", "another turn"],
)
def test_civil_disorder_that_goes_wrong_is_found(disorder: Any, promise: str) -> None:
    assert promise in found(seats.seats_go_to_disorder, replace(tides, disorder=disorder))


def reserving(position: Position, mail: Mail) -> Receipt[Position]:
    """What others have on file can be ordered by nobody else."""
    taken = {line for sheet in position.sheets if sheet.seat != mail.seat for line in sheet.lines}
    return count.receive(position, replace(mail, lines=tuple(line for line in mail.lines if line.text not in taken)))


def counting(position: Position, mail: Mail) -> Receipt[Position]:
    """Whoever writes a second letter pays for it."""
    receipt = count.receive(position, mail)
    if receipt.filed and any(sheet.seat == mail.seat for sheet in position.sheets):
        scores = {**receipt.position.scores, mail.seat: receipt.position.scores[mail.seat] - 1}
        return replace(receipt, position=replace(receipt.position, scores=scores))
    return receipt


@pytest.mark.parametrize(("receive", "promises"), [(reserving, set()), (counting, {"secret.trace"})])
def test_a_draft_may_reserve_something_until_it_is_replaced_and_leaves_no_trace(receive: Any, promises: set[str]) -> None:
    assert found(secrecy.a_replaced_letter_leaves_no_trace, replace(count, receive=receive)) == promises


def test_a_game_of_equals_is_won_by_all() -> None:
    won: list[tuple[str, ...]] = []

    def outcome(position: Position) -> Outcome | None:
        if over := count.outcome(position):
            won.append(over.winners)
        return over

    assert [*game_of_equals(replace(count, outcome=outcome), "a game of equals")] == []
    assert won == [(ONE, OTHER)]


# --- PREVIEW ----------------------------------------------------------------------------------------------------------------


def imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """What the view tells of Count for two is the sum of all."""
    return Position(view.turn, options, {ONE: view.data["total"], OTHER: sum(map(number, lines))})


def number(line: Line) -> int:
    if not line.text.isascii() or not line.text.isdigit() or len(line.text) > 4:
        raise Refused("a number is wanted")
    return int(line.text)


FOR_TWO = replace(count, imagine=imagine, info=replace(count.info, max_seats=2))


def test_who_imagines_what_the_view_tells_is_right() -> None:
    for check in (imagining.the_imagined_position_looks_like_the_real_one, imagining.odd_assumptions_are_refused):
        assert found(check, FOR_TWO) == set()


@pytest.mark.parametrize("wrong", [{"turn": 99}, {"scores": {ONE: 99}}, {"missed": (ONE, OTHER)}], ids=str)
def test_a_ruleset_that_imagines_another_game_is_found(wrong: dict[str, Any]) -> None:
    other = replace(FOR_TWO, imagine=lambda view, options, lines: replace(imagine(view, options, lines), **wrong))
    assert "imagine.looks" in found(imagining.the_imagined_position_looks_like_the_real_one, other)


def test_a_ruleset_that_breaks_on_an_assumption_is_found() -> None:
    other = replace(FOR_TWO, imagine=lambda *given: imagine(*given[:2], [Line(1, str(int(line.text))) for line in given[2]]))
    assert found(imagining.odd_assumptions_are_refused, other) == {"code.raises"}


# --- Letters and forms ------------------------------------------------------------------------------------------------------


def test_a_random_player_may_err_in_a_whole_letter() -> None:
    often = replace(count, random_orders=lambda _position, _seat, dice: "Ad 3" if dice.roll(2) == 1 else "Add 3")
    assert found(forms.random_players_have_orders_taken, often) == set()


def test_a_letter_that_is_refused_as_a_whole_needs_nothing_said_of_its_lines() -> None:
    def receive(position: Any, mail: Mail) -> Any:
        receipt = count.receive(position, mail)
        wrong = any(verdict.status == "error" for verdict in receipt.verdicts if verdict.line)
        nothing = count.receive(position, replace(mail, lines=(Line(1, "nonsense"),)))
        return replace(nothing, verdicts=nothing.verdicts[1:]) if wrong else receipt

    assert found(order_checks.nonsense_is_answered, replace(count, receive=receive)) == set()


# --- What is watched --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "back", "words"),
    [
        ("turn", 1, "3", "what turn gives back: it is str, and not int"),
        ("turn", 1, True, "what turn gives back: it is bool, and not int"),
        ("seats", 1, ("Altair", 3), "what seats gives back: [1] is int, and not str"),
        ("seats", 1, {"Altair"}, "what seats gives back: it is set, and not tuple"),
        ("outcome", 1, "Altair", "what outcome gives back: it is str, and not Outcome"),
        ("withdraw", 2, Resolution(3), "what withdraw gives back: a Resolution is no position"),
        ("withdraw", 2, None, "what withdraw gives back: a NoneType is no position"),
        ("miss", 2, Resolution(None), "what miss gives back: a NoneType is no position"),
        ("miss", 2, Resolution(3, (5,)), "what miss gives back: events[0] is int, and not Event"),  # type: ignore[arg-type]
        ("hours", 1, 1.5, "what hours gives back: it is float, and not int"),
    ],
)
def test_what_is_no_value_of_the_protocol_is_told_with_its_place(name: str, given: int, back: Any, words: str) -> None:
    rules = guarded(replace(count, **{name: lambda *_: back}))
    with pytest.raises(Broken) as caught:
        getattr(rules, name)(*range(given))
    assert (caught.value.wrong.promise, caught.value.wrong.words) == ("code.returns", words)


@pytest.mark.parametrize(("name", "back"), [("seats", ["Altair"]), ("outcome", None), ("hours", 3), ("turn", 3)])
def test_a_list_does_for_any_number_of_the_same(name: str, back: Any) -> None:
    assert getattr(guarded(replace(count, **{name: lambda *_: back})), name)(1) == back


def test_only_what_the_protocol_names_may_be_raised() -> None:
    def refuse(*_: Any) -> Any:
        raise Refused("no")

    rules = guarded(replace(count, withdraw=refuse, view=refuse))
    with pytest.raises(Refused):
        rules.withdraw(1, ONE)
    with pytest.raises(Broken, match=r"code\.raises: view raises pbmd\.rules\.protocol\.Refused: no"):
        rules.view(1, (), None)  # type: ignore[arg-type]


def test_what_is_changed_though_it_is_refused_is_found() -> None:
    def withdraw(position: Any, _seat: str) -> Any:
        position.scores[ONE] = 99
        raise Refused("no")

    scene = some_scenes(guarded(count), 1)[0]
    with pytest.raises(Broken, match=r"code\.in-place: withdraw changes what it is given: its argument 1, a Position"):
        watched(guarded(replace(count, withdraw=withdraw))).withdraw(scene.position, ONE)


def test_a_function_that_is_not_the_rulesets_own_is_shown_where_it_is_named() -> None:
    place = place_of(replace(count, seats=partial(max, 3), info=count.info), "seats")
    assert place is not None
    assert Path(place.file).read_text().splitlines()[place.line - 1].strip().startswith("seats=")


# --- What is read -----------------------------------------------------------------------------------------------------------


def test_a_handbook_is_there_and_says_something(tmp_path: Path) -> None:
    missing = replace(count, info=replace(count.info, folder=tmp_path))
    (tmp_path / "ruleset.toml").write_bytes((Path(str(count.info.folder)) / "ruleset.toml").read_bytes())
    assert [wrong.promise for wrong in ruleset_folder.files_are_there(missing)] == ["files.handbook"]
    (tmp_path / "RULES.md").write_text(" \n")
    assert [wrong.words for wrong in ruleset_folder.files_are_there(missing)] == ["the handbook is empty"]
    (tmp_path / "RULES.md").write_text("# Count\n\nYou count.\n")
    assert [wrong.words for wrong in ruleset_folder.files_are_there(missing)] == [
        "no rule in the handbook has an id, such as CT-1"
    ]
    (tmp_path / "RULES.md").write_text("# Count\n\n- **CT-1** You count.\n")
    assert [*ruleset_folder.files_are_there(missing)] == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import random", 1),
        ("def f():\n    from os import path", 2),
        ("import math, time", 1),
        ("x = __import__('secrets')", 1),
        ("from importlib import import_module\nimport_module('socket')", 2),
        ("def f(x):\n    return hash(x)", 2),
        ("print('x')", 1),
        ("from pbmd import desk", 1),
        ("from pbmd.desk.books import work", 1),
        ("import math\nfrom pathlib import Path\nfrom pbmd.rules import Dice\nfrom pbmd import rules", 0),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from random import Random", 0),
        ("class A:\n    def __hash__(self):\n        return hash(1)", 0),
        ("def f(print):\n    return print(3)", 0),
        ("def open(x):\n    return x\nopen(3)", 0),
    ],
)
def test_what_is_not_pure_is_seen_in_the_code(code: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "code.py"
    file.write_text(code + "\n")
    module = type(purity)("code_tried")
    module.__file__ = str(file)
    monkeypatch.setitem(__import__("sys").modules, "code_tried", module)
    wrong = [*purity.code_is_pure(replace(relay, info=replace(relay.info, folder=tmp_path)))]
    assert [each.at.line for each in wrong if not isinstance(each.at, str)] == ([line] if line else [])


def test_a_scene_that_nobody_knows_the_way_to_is_played_all_the_same() -> None:
    first = some_scenes(guarded(count), 1)[0]
    scene = Scene("drawn", first.rules, first.position, (), first.letters)
    assert scene.played.resolution.events
