"""What the reports say, in text and in HTML."""

import html
import re

import pytest

from pbmd.rendering.render import map_text, report_html, report_text
from pbmd.rules import GM, PUBLIC, Reader, ScriptedDice, seat_reader
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.harness import Played, faction, play, position, receive, resolve
from tests.rulesets.cosmic_conquest.test_visibility import eventful
from tests.rulesets.cosmic_conquest.test_worked_example import played as example

REPORT = """WHAT HAPPENED IN TURN 5
Procyon: Red 23 against Purple 26 – held by Purple.
Vega: Purple 15 against 14 – taken by Purple; output from 10 to 5.
Castor: Red 22 against Green 19 – taken by Red; output from 5 to 3.
Red's Supreme Admiral Navarch Zel Thuun died leading the attack on Procyon.
High Admiral Xil Tharn takes command (CV 4, Resourceful).
Red announces the Intergalactic Empire of the Crimson Concord.
Green sent no orders."""


def text_of(played: Played, reader: Reader) -> str:
    return report_text(ruleset, ruleset.view(played.position, played.events, reader))


def words_of(played: Played, reader: Reader) -> tuple[str, str]:
    """The words of the text and of the HTML, in single blanks."""
    page = report_html(ruleset, ruleset.view(played.position, played.events, reader))
    plain = html.unescape(re.sub(r"<[^>]*>", " ", page))
    return " ".join(text_of(played, reader).split()), " ".join(plain.split())


def test_the_public_report_begins_as_in_the_specification() -> None:
    text, _ = words_of(example(), PUBLIC)
    assert " ".join(REPORT.split()) in text


@pytest.mark.rule("CC-R88")
def test_both_forms_tell_the_same_news() -> None:
    for played in (example(), eventful()):
        for reader in (PUBLIC, *map(seat_reader, ruleset.seats(played.position))):
            view = ruleset.view(played.position, played.events, reader).data
            own = view["own"] or {"news": [], "sheet": None, "otherwise": []}
            lines = [line["text"] for line in own["sheet"]["lines"]] if own["sheet"] else []
            for words in words_of(played, reader):
                for line in (*view["news"], *own["news"], *lines, *own["otherwise"]):
                    assert " ".join(line.split()) in words


def test_what_concerns_the_reader_comes_before_the_long_tables() -> None:
    heads = [
        ("YOU", "You"),
        ("HOW YOU STAND", "How you stand"),
        ("EVERYBODY ELSE", "Everybody else"),
        ("ONLY YOU SEE THIS", "Only you see this"),
        ("YOUR FACTION", "Your faction: Purple"),
        ("THE FACTIONS", "The factions"),
        ("YOUR SYSTEMS AND THEIR NEIGHBOURS", "Your systems and their neighbours"),
    ]
    for words, wanted in zip(words_of(example(), seat_reader("Purple")), zip(*heads, strict=True), strict=True):
        places = [words.index(head) for head in wanted]
        assert places == sorted(places)


@pytest.mark.rule("CC-14", "CC-R44")
def test_a_successor_is_named_behind_the_death_that_made_the_place_free() -> None:
    start = position("Sol 20 Red, Rigel 20 Green", *(faction(colour, "psionic") for colour in ("Red", "Green")))
    orders = [(who, f"Conquer {star} with 1 unit led by the admiral") for who, star in (("Red", "Sirius"), ("Green", "Ross"))]
    played = play(start, orders, [1, 10, 1, 10, 2, 2, 1, 1, 1, 1, 1, 2])
    assert played.view(PUBLIC)["news"][2:] == [
        "Red's Supreme Admiral Admiral of Red died leading the attack on Sirius.",
        "High Admiral Vexor Tal takes command (CV 3, Conqueror).",
        "Green's Supreme Admiral Admiral of Green died leading the attack on Ross.",
        "High Admiral Ilyra Quenn takes command (CV 3, Conqueror).",
    ]


def test_a_sabotage_without_effect_is_no_line_of_the_report() -> None:
    start = position("Sol 0 Red -3, Sirius 9 Red -3, Rigel 9 Green", faction("Red"), faction("Green"))
    view = ruleset.view(ruleset.load(start), (), seat_reader("Red"))
    text = report_text(ruleset, view)
    assert "Sirius yields 6 instead of 9 this turn (sabotage)" in text
    assert "Sol yields" not in text + report_html(ruleset, view)


@pytest.mark.parametrize("reader", [PUBLIC, GM, *map(seat_reader, ("Red", "Purple", "Green"))])
def test_no_line_of_the_text_is_too_wide(reader: Reader) -> None:
    for played in (example(), eventful()):
        assert max(map(len, text_of(played, reader).splitlines())) <= 78


def test_the_map_in_words_and_the_first_report_have_all_neighbours_and_later_reports_those_of_ones_own_systems() -> None:
    played, row = example(), "Barnard        -       10  Vega, Altair, Arcturus\n"
    view = ruleset.view(played.position, (), seat_reader("Red"))
    for text in (map_text(ruleset, view), report_text(ruleset, view)):
        assert "Sol            Red     12  Alpha Centauri, Groombridge, Sirius\n" in text
        assert row in text
    text = text_of(played, seat_reader("Red"))
    assert row not in text
    assert "\n  Sol 12: Alpha Centauri 5 (Red), Groombridge " in text


@pytest.mark.rule("CC-R88")
def test_the_reader_stands_first_and_of_the_others_stands_what_they_hold() -> None:
    text = text_of(example(), seat_reader("Green"))
    rows = [line.split()[0] for line in text.partition("THE FACTIONS")[2].splitlines() if re.match("  [A-Z][a-z]+ ", line)]
    assert rows[:3] == ["Green", "Red", "Purple"]
    assert "holds Sol 12, Alpha Centauri 5" in " ".join(text.split())


def test_what_came_of_ones_own_lone_attack_is_told_once() -> None:
    start = position("Sol 20 Red, Rigel 20 Green", faction("Red"), faction("Green"))
    played = play(start, [("Red", "Conquer Sirius with 1 unit"), ("Green", "Pass")], [1, 10])
    assert "Sirius: Red" in text_of(played, seat_reader("Green"))
    assert "Sirius: Red" not in text_of(played, seat_reader("Red"))
    assert "Nothing else happened in public." in text_of(played, seat_reader("Red"))


@pytest.mark.rule("CC-77", "CC-R72", "CC-120")
def test_the_end_of_the_game_is_told_in_both_forms() -> None:
    start = position("Alpha Centauri 20 Red, Procyon 5 Green", faction("Red"), faction("Green"), turn=9)
    vote = "Vote for a draw"
    ends = {
        "All agreed to a draw. The game is over": play(start, [("Red", vote), ("Green", vote)]),
        "Red is the last faction left and wins. The game is over": play(
            start, [("Red", "Conquer Procyon with 1 unit"), ("Green", "Pass")]
        ),
        "Nobody is left. The game is over; nobody has won": play(start, [], resigns=["Red", "Green"]),
    }
    for sentence, played in ends.items():
        for words in words_of(played, PUBLIC):
            assert sentence in words
    more = position("Sol 20 Red, Sirius 5 Red, Rigel 5 Green", faction("Red"), faction("Green"), turn=9)
    for words in words_of(play(more, [("Red", "Pass"), ("Green", "Pass")]), PUBLIC):
        assert "Red is the Supreme Overlord. The game is over" in words


def test_names_cannot_bring_markup_into_the_html() -> None:
    red = faction("Red", name="<b>Bold</b>", admiral="<i>x</i>", empire_turn=1, empire_name="<script>")
    start = position("Sol 9 Red, Rigel 9 Green", red, faction("Green"))
    played = play(start, [("Red", "Pass"), ("Green", "Pass")])
    for reader in (PUBLIC, seat_reader("Red")):
        page = report_html(ruleset, ruleset.view(played.position, played.events, reader))
        assert "<b>Bold" not in page
        assert "<i>x" not in page
        assert "<script>" not in page


def test_before_the_first_turn_the_report_has_the_map_and_the_own_values() -> None:
    state = ruleset.load(position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"), turn=1))
    view = ruleset.view(state, (), seat_reader("Red"))
    text = report_text(ruleset, view)
    assert "You have 9 units for turn 1, and no drones." in text
    assert "Invest 9 units in Sol" in text
    assert "What happened" not in report_html(ruleset, view)


def test_who_has_sent_orders_reads_nothing_of_default_ones() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    sent = receive(start, "Red", "Defend Sol with 1 unit").position
    own = ruleset.view(sent, (), seat_reader("Red")).data["own"]
    assert (own["on_file"], own["otherwise"]) == (["Defend Sol with 1 unit"], [])


@pytest.mark.rule("CC-59", "CC-82", "CC-R71")
def test_the_news_of_systems_and_of_those_who_lose_their_last_one() -> None:
    start = position(
        "Alpha Centauri 9 Red, Tau Ceti 9 Green, Procyon 9 Teal, Rigel 9 Grey, Sol 9 Grey",
        *(faction(colour, "psionic") for colour in ("Red", "Green", "Teal", "Grey")),
    )
    both = [("Red", "Conquer Procyon with 2 units"), ("Green", "Conquer Procyon with 2 units")]
    walked = play(start, [*both, ("Teal", "Pass"), ("Grey", "Pass")], [2])
    assert walked.view(PUBLIC)["news"] == [
        "Procyon: undefended against Red and Green – taken by Green by toss among Red and Green; output from 9 to 4.",
        "Teal has lost its last system and is eliminated.",
    ]
    fought = play(start, [*both, ("Teal", "Defend Procyon with 1 unit")], [5, 1, 5, 1, 1], resigns=["Grey"])
    assert fought.view(PUBLIC)["news"] == [
        "Procyon: Red 7 against Teal 2 – broke through.",
        "Procyon: Green 7 against Teal 1 – broke through.",
        "Procyon: taken by Red by toss among Red and Green; output from 9 to 4.",
        "Teal has lost its last system and is eliminated.",
        "Grey resigns; its systems are independent.",
    ]
    assert fought.view(PUBLIC)["stalled"] == ["Grey"]


@pytest.mark.rule("CC-25", "CC-98", "CC-109", "CC-48")
def test_the_news_of_admirals_and_drones() -> None:
    start = position(
        "Sol 20 Red, Rigel 9 Green",
        faction("Red", "tachyon", "conqueror", rank="low", served=9, drones=2, cv=2),
        faction("Green", "biomech", lost_drones=1),
    )
    orders = [("Red", "Conquer Sirius with 1 unit and 2 drones"), ("Green", "nonsense")]
    played = resolve(start, orders, ScriptedDice([1, 10, 3, 1]))
    assert "Red's Admiral Admiral of Red is promoted to High Admiral (CV 5, Conqueror)." in played.view(PUBLIC)["news"]
    assert played.view(seat_reader("Red"))["own"]["news"] == [
        "Sirius, attack of Red: 13 = die 1 + 1 unit + 2 drones (8) + technology 1 + 2 traits.",
        "Red lost 2 drones in the attack on Sirius.",
    ]
    # What was wrong in a mail is told with that no orders came, and once.
    assert played.view(seat_reader("Green"))["own"]["news"] == ["1 drone of Green regenerated."]
