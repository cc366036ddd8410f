"""The stand-alone adjudicator, on the tiny ruleset "count"."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbmd.adjudicate import Deadline, Letter, adjudicate
from pbmd.rules import DiceError, HmacDice, Line, Outcome, Resolution, ScriptedDice, Status
from pbmd.rules.lines import order_lines
from pbmd.rules.sheets import digest
from tests.rules import count

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

POSITION = {
    "ruleset": "count",
    "turn": 3,
    "options": {"target": 100, "die": False},
    "players": [{"name": "Ann", "score": 0}, {"name": "Bob", "score": 0}, {"name": "Cid", "score": 0}],
}


def play(entries, document=POSITION, ruleset=count.ruleset, dice=()):
    scripted = ScriptedDice(dice)
    return adjudicate(ruleset, document, entries, lambda _step, _sheets: scripted)


def scores(result):
    return {player["name"]: player["score"] for player in result.document["players"]}


def kinds(result):
    return [(event.kind, *event.data.values()) for event in result.events]


def with_options(**options):
    return POSITION | {"options": POSITION["options"] | options}


def one_after_the_other():
    """Count as a sequential game: turn n is that of seat n mod 3; mail of the others is held."""

    def mover(position):
        return tuple(position.scores)[position.turn % len(position.scores)]

    def awaiting(position):
        return tuple(seat for seat in count.ruleset.awaiting(position) if seat == mover(position))

    def resolve(position, dice):
        now = tuple(sheet for sheet in position.sheets if sheet.seat == mover(position))
        later = tuple(sheet for sheet in position.sheets if sheet.seat != mover(position))
        resolution = count.ruleset.resolve(replace(position, sheets=now), dice)
        return Resolution(replace(resolution.position, sheets=later), resolution.events)

    info = replace(count.info, timing="sequential")
    return replace(count.ruleset, info=info, awaiting=awaiting, resolve=resolve)


class TestOrderLines:
    def test_are_numbered_with_the_blank_ones(self):
        assert order_lines("\n  Add 3 \r\n\t\nAdd 4") == (Line(2, "  Add 3 "), Line(4, "Add 4"))

    def test_of_an_empty_letter_are_none(self):
        assert order_lines(" \n\n") == ()


class TestSimultaneous:
    def test_the_deadline_passes_after_the_last_letter_and_the_silent_miss_it(self):
        result = play([Letter(NOON, "Bob", "Add 3")])
        assert kinds(result) == [("missed", "Ann"), ("missed", "Cid"), ("added", "Bob"), ("total", 3)]
        assert (result.document["turn"], scores(result)) == (4, {"Ann": 0, "Bob": 3, "Cid": 0})

    def test_without_any_letter_all_miss_one_deadline(self):
        result = play([])
        assert kinds(result) == [("missed", "Ann"), ("missed", "Bob"), ("missed", "Cid"), ("total", 0)]

    def test_an_empty_letter_is_no_miss(self):
        assert ("missed", "Ann") not in kinds(play([Letter(NOON, "Ann", "")]))

    def test_a_letter_of_nonsense_is_a_miss(self):
        result = play([Letter(NOON, "Ann", "Ad 3")])
        assert ("missed", "Ann") in kinds(result)
        assert [(seat, verdict.status, verdict.code) for seat, verdict in result.verdicts] == [
            ("Ann", Status.ERROR, "not_a_number"),
            ("Ann", Status.ERROR, ""),
        ]

    def test_letters_arrive_by_time_then_by_place_in_the_file(self):
        document = with_options(die=True)
        late, early, tie = Letter(NOON + MINUTE, "Ann", "Add 1"), Letter(NOON, "Bob", "Add 1"), Letter(NOON, "Cid", "Add 1")
        assert scores(play([late, early, tie], document, dice=[1, 2, 3])) == {"Bob": 2, "Cid": 3, "Ann": 4}
        assert scores(play([tie, late, early], document, dice=[1, 2, 3])) == {"Cid": 2, "Bob": 3, "Ann": 4}

    def test_times_of_other_zones_are_compared_as_instants_and_a_naive_one_is_utc(self):
        document = with_options(die=True)
        berlin = timezone(timedelta(hours=2))
        letters = [
            Letter(datetime(2026, 5, 1, 13, 59, tzinfo=berlin), "Ann", "Add 1"),  # 11:59 UTC
            Letter(datetime(2026, 5, 1, 11, 58), "Bob", "Add 1"),  # noqa: DTZ001 – on purpose
            Letter(NOON, "Cid", "Add 1"),
        ]
        assert scores(play(letters, document, dice=[1, 2, 3])) == {"Bob": 2, "Ann": 3, "Cid": 4}

    def test_a_replacement_takes_its_later_place_and_waits_for_the_deadline(self):
        letters = [Letter(NOON + place * MINUTE, seat, "Add 1") for place, seat in enumerate(["Ann", "Bob", "Cid", "Ann"])]
        result = play(letters, with_options(die=True), dice=[1, 2, 3])
        assert scores(result) == {"Bob": 2, "Cid": 3, "Ann": 4}
        assert result.document["turn"] == 4

    def test_marked_deadlines_play_several_steps(self):
        result = play([Letter(NOON, "Ann", "Add 1"), Deadline(NOON + MINUTE), Letter(NOON + 2 * MINUTE, "Ann", "Add 2")])
        assert result.document["turn"] == 5
        assert scores(result)["Ann"] == 3
        assert [views.public.data["total"] for views in result.views] == [1, 3]

    def test_a_marked_deadline_at_the_end_is_the_only_one(self):
        result = play([Letter(NOON, "Ann", "Add 1"), Deadline(NOON + MINUTE)])
        assert result.document["turn"] == 4

    def test_a_deadline_of_the_same_instant_counts_by_its_place_in_the_file(self):
        entries = [Deadline(NOON), Letter(NOON, "Ann", "Add 1")]
        assert kinds(play(entries))[:4] == [("missed", "Ann"), ("missed", "Bob"), ("missed", "Cid"), ("total", 0)]
        assert play(entries[::-1]).document["turn"] == 4

    def test_the_views_are_for_all_seats_and_the_public(self):
        result = play([Letter(NOON, "Ann", "Add 4")])
        assert result.views[0].seats["Ann"].data["events"] == ["missed Bob", "missed Cid", "added Ann 4", "total 4"]
        assert result.views[0].seats["Bob"].data["events"] == ["missed Bob", "missed Cid", "total 4"]
        assert result.views[0].public.data["events"] == ["missed Bob", "missed Cid", "total 4"]


class TestEndOfTheGame:
    def test_the_outcome_is_told(self):
        result = play([Letter(NOON, "Ann", "Add 4")], with_options(target=4))
        assert result.outcome == Outcome(("Ann",), "the target was reached")

    def test_letters_and_deadlines_after_the_end_change_nothing(self):
        entries = [Letter(NOON, "Ann", "Add 4"), Deadline(NOON), Letter(NOON, "Bob", "Add 9"), Deadline(NOON)]
        result = play(entries, with_options(target=4))
        assert result.document["turn"] == 4
        assert scores(result) == {"Ann": 4, "Bob": 0, "Cid": 0}
        seat, verdict = result.verdicts[-1]
        assert (seat, verdict.line, verdict.status) == ("Bob", 0, Status.ERROR)
        assert "the game is over" in verdict.message

    def test_a_position_of_a_finished_game_comes_back_as_it_is(self):
        document = count.ruleset.dump(count.ruleset.load(with_options(target=1)))
        document["players"][0]["score"] = 1
        result = play([], document)
        assert result.document == document
        assert (result.events, len(result.views)) == ((), 1)


class TestSequential:
    def test_a_step_ends_when_nobody_is_awaited(self):
        result = play([Letter(NOON, "Ann", "Add 1")], ruleset=one_after_the_other())
        assert kinds(result) == [("added", "Ann"), ("total", 1)]
        assert result.document["turn"] == 4

    def test_the_end_of_the_file_is_no_deadline(self):
        result = play([], ruleset=one_after_the_other())
        assert (result.document["turn"], result.events) == (3, ())
        assert result.views[0].public.data["total"] == 0

    def test_a_marked_deadline_is_missed_by_who_is_awaited_only(self):
        result = play([Deadline(NOON)], ruleset=one_after_the_other())
        assert kinds(result) == [("missed", "Ann"), ("total", 0)]

    def test_mail_that_came_early_is_held_and_used_in_its_turn(self):
        letters = [Letter(NOON, "Cid", "Add 3"), Letter(NOON, "Bob", "Add 2"), Letter(NOON, "Ann", "Add 1")]
        result = play(letters, ruleset=one_after_the_other())
        assert kinds(result) == [("added", "Ann"), ("total", 1), ("added", "Bob"), ("total", 3), ("added", "Cid"), ("total", 6)]
        assert result.document["turn"] == 6


class TestDice:
    def test_each_step_asks_for_its_dice_with_the_sheets_that_it_uses(self):
        asked = []

        def dice(step, sheets):
            asked.append((step, sheets))
            return HmacDice(b"secret", digest(sheets))

        entries = [Letter(NOON, "Ann", "Add 1"), Deadline(NOON), Letter(NOON + MINUTE, "Bob", "Add 2")]
        result = adjudicate(count.ruleset, with_options(die=True), entries, dice)
        filed = count.ruleset.receive(
            count.ruleset.load(POSITION),
            # the arrival: microseconds since 1970, place in the file
            count.Mail("Ann", order_lines("Add 1"), (int(NOON.timestamp()) * 1_000_000, 0)),
        )
        assert [step for step, _ in asked] == [0, 1]
        assert asked[0][1] == count.ruleset.sheets(filed.position)
        assert result.dice == tuple((6, HmacDice(b"secret", digest(sheets)).roll(6)) for _, sheets in asked)

    def test_one_script_serves_all_steps_and_is_reported_in_order(self):
        entries = [Letter(NOON, "Ann", ""), Deadline(NOON), Letter(NOON, "Bob", "")]
        assert play(entries, with_options(die=True), dice=[5, 2]).dice == ((6, 5), (6, 2))

    def test_a_script_that_does_not_fit_is_an_error(self):
        with pytest.raises(DiceError, match="roll 1"):
            play([Letter(NOON, "Ann", "")], with_options(die=True))


def test_the_same_input_gives_the_same_result():
    entries = [Letter(NOON, "Ann", "Add 1\nnonsense"), Letter(NOON, "Bob", "Add 2")]
    assert play(entries, with_options(die=True), dice=[1, 2]) == play(entries, with_options(die=True), dice=[1, 2])
