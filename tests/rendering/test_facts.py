"""The facts that every report shows: how a game went, and where those stand who are out of it."""

from pbmd.rendering.render import course_of, stand_of
from pbmd.rules import PUBLIC, View, seat_reader
from pbmd.rules.facts import stand


def test_how_a_game_went_is_a_table_of_what_is_counted_first_and_who_had_most_in_the_end_stands_first() -> None:
    told = [
        ("start", {"Bases": {"Altair": 3, "Deneb": 3}, "Ships": {"Altair": 0, "Deneb": 0}}),
        ("t2", {"Bases": {"Altair": 4, "Deneb": 2}}),
        ("t9", {"Bases": {"Altair": 0, "Deneb": 6}, "Ships": {"Altair": 0, "Deneb": 8}}),
    ]
    assert course_of(told) == (
        ("Bases", "start", "t2", "t9"),
        ("Deneb", "3", "2", "6"),
        ("Altair", "3", "4", "0"),
    )


def test_there_is_no_table_where_nothing_is_counted_or_nothing_was_played() -> None:
    assert course_of([]) == ()
    assert course_of([("start", {}), ("t1", {})]) == ()
    assert course_of([("t0", {"Bases": {"Altair": 3}})]) == ()


def test_who_is_out_reads_how_the_others_stand() -> None:
    def heading(view: View) -> str:
        told = stand_of(view)
        return told.heading if told else ""

    data = {"stand": stand("The last one wins.", "Deneb holds 9 bases.")}
    assert heading(View(seat_reader("Altair"), 7, data | {"out": True})) == "How the others stand"
    assert heading(View(seat_reader("Altair"), 7, data | {"out": False})) == "How you stand"
    assert heading(View(PUBLIC, 7, data)) == "How it stands"
