"""What the reports say, in text and in HTML, and the map."""

import html
import re
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rendering.picture import map_svg
from pbmd.rendering.render import map_text, report_html, report_text, text_parts
from pbmd.rules import GM, PUBLIC, Reader, View, seat_reader
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.appendix import NEIGHBOURS
from tests.rulesets.local_cluster.harness import DEADLINE, Played, duel, move, play, receive, state
from tests.rulesets.local_cluster.test_worked_example import first_move, played


def text_of(found: Played, reader: Reader) -> str:
    return report_text(ruleset, ruleset.view(found.position, found.events, reader))


def words_of(found: Played, reader: Reader) -> tuple[str, str]:
    """The words of the text and of the HTML, in single blanks."""
    page = report_html(ruleset, ruleset.view(found.position, found.events, reader))
    plain = html.unescape(re.sub(r"<[^>]*>", " ", page))
    return " ".join(text_of(found, reader).split()), " ".join(plain.split())


EXPECTED = (
    "Income 18 (tax 8, trade 10)", "F33 and F34 from Aquila to Bastion", "F33 9+1=10, F34 3+1=4 against F1 10: tie",
    "F33 6+1=7 against F1 2: F1 destroyed", "A33 7 against A1 3+1=4: A1 destroyed", "Portal I researched (10)",
    "A36 built at Aquila (3)", "Terrans takes Bastion", "Bastion (NPC) has no planet left and is eliminated",
)  # fmt: skip


@pytest.mark.rule("LC-R102", "LC-49", "LC-59")
@pytest.mark.parametrize("reader", [PUBLIC, *map(seat_reader, ("Terrans", "Zorg"))], ids=str)
def test_the_report_of_the_worked_example_has_all_its_numbers(reader: Reader) -> None:
    text, page = words_of(first_move(), reader)
    for sentence in EXPECTED:
        assert sentence in text, sentence
        # In HTML the rolls of each side have a cell of their own.
        for part in re.split(" against |: ", sentence):
            assert part in page, part
    for words in (text, page):
        assert ("Develop Mines on Bastion" in words) == (reader.seat == "Terrans")
        assert ("Accept trade treaty from Terrans" in words) == (reader.seat == "Zorg")


@pytest.mark.rule("LC-82")
def test_the_end_of_the_turn_lists_players_and_planets_with_their_neighbours() -> None:
    found = played()
    for words in words_of(found, PUBLIC):
        assert "Turn 3, Zorg" in words
    for words in (*words_of(replace(found, events=()), PUBLIC), map_text(ruleset, found_view(found))):
        for name in NEIGHBOURS:
            assert name in words


@pytest.mark.rule("LC-82")
def test_after_moves_a_player_reads_of_the_own_planets_and_their_neighbours() -> None:
    text, page = words_of(played(), seat_reader("Zorg"))
    assert "YOUR PLANETS AND THEIR NEIGHBOURS" in text
    for words in (text, page):
        assert "REPORT MAP sends all 34 planets." in words
        assert "Fenris" in words
        assert "Dorado" not in words
    rows = text.partition("THE NATIONS")[2].split()
    assert rows.index("Zorg") < rows.index("Terrans")


def found_view(found: Played) -> View:
    """What Zorg may know, without what has happened."""
    return ruleset.view(found.position, (), seat_reader("Zorg"))


def eventful() -> Played:
    """Skips, a conversion, a bombardment, an eviction, refusals, gifts."""
    document = duel(
        {"skips": 1},
        {},
        [state("Qix", home="Quill"), state("Bastion", 90, kind="npc", establishment_armies=1, establishment_fleets=1)],
        planets="Quill Qix; Bastion: Mines, Portal",
        units="F1 Zorg Bastion, A1 Zorg F1, F2 Qix Garnet, A2 Qix Garnet",
        relations="Zorg war Bastion, Zorg pact Qix",
    )
    text = (
        "Bombard Bastion with F1\nNull pact with Qix\nGift 2 credits to Qix\nOffer trade treaty to Harrow\nOffer pact to Fenris"
    )
    return play(document, [DEADLINE, ("Zorg", text), ("Qix", "Build army at Quill")], [2, 1])


@pytest.mark.parametrize("reader", [PUBLIC, GM, *map(seat_reader, ("Terrans", "Zorg", "Qix"))], ids=str)
def test_both_forms_tell_the_same_news_and_no_line_is_too_wide(reader: Reader) -> None:
    for found in (played(), eventful()):
        data = ruleset.view(found.position, found.events, reader).data
        blocks = [block for section in data["sections"] for part in section["parts"] for block in part["blocks"]]
        for words in words_of(found, reader):
            for block in blocks:
                assert " ".join(block["text"].split()) in words
        assert max(map(len, text_of(found, reader).splitlines())) <= 78


@pytest.mark.rule("LC-93", "LC-03")
def test_all_are_told_who_was_skipped_and_who_plays_whom() -> None:
    found = play(duel({"skips": 1, "player_name": "Kim"}, {}, options={"skips_to_npc": 3}), [("Zorg", "Pass")])
    for reader in (PUBLIC, *map(seat_reader, ("Terrans", "Zorg"))):
        for words in words_of(found, reader):
            assert ("Was skipped" in words) == (reader.seat != "Terrans")
            assert re.search(r"\bKim\b", words)
            warned = "If it happens 2 more times in a row, your nation is run by the game" in words
            assert warned == (reader.seat == "Terrans")


def you(found: Played, seat: str) -> str:
    """What a report says of its reader, in a line."""
    return " ".join(text_parts(ruleset, ruleset.view(found.position, found.events, seat_reader(seat))).you.split())


@pytest.mark.rule("LC-93")
def test_who_was_skipped_reads_once_what_comes_of_it_and_again_before_the_next_move() -> None:
    found = play(duel(), [DEADLINE])
    warning = "again, your nation is run by the game, as an NPC empire."
    assert you(found, "Terrans") == f"If you are skipped {warning}"
    for words in words_of(found, seat_reader("Terrans")):
        assert words.lower().count("skipped") == 1
    assert you(play(duel({"skips": 1}), []), "Terrans") == f"Your last move was skipped. If it happens {warning}"
    assert you(play(duel({"skips": 1}), [DEADLINE]), "Terrans").startswith("You were skipped too often")
    assert not you(found, "Zorg")


@pytest.mark.rule("LC-R102")
def test_what_failed_and_what_others_did_stands_first_for_those_alone_whom_it_concerns() -> None:
    found = played()
    assert "Develop Mines on Bastion" in you(first_move(), "Terrans")
    assert "You took Bastion." in you(first_move(), "Terrans")
    assert "You took" not in you(first_move(), "Zorg")
    given = move(duel(), "Gift 1 credit to Zorg")
    assert you(given, "Zorg") == "Terrans gave you 1 credit."
    assert you(move(duel(), "Declare war on Zorg"), "Zorg") == "Terrans declared war on you."
    assert text_of(found, PUBLIC).startswith("HOW IT STANDS")


@pytest.mark.rule("LC-R51")
def test_only_npc_states_that_have_credits_are_named_with_them() -> None:
    rich = play(duel({}, {}, [state("Bastion", 90, kind="npc"), state("Calyx", 2, kind="npc")]), [])
    poor = play(duel(), [])
    hidden = play(duel(options={"credits_public": False}), [])
    for words in words_of(rich, PUBLIC):
        assert re.search(r"(?i)credits of small nations \(NPC\):? Bastion 90, Calyx 2; all others 0", words)
    for words in words_of(poor, PUBLIC):
        assert re.search(r"(?i)credits of small nations \(NPC\):? all 0", words)
    for words in words_of(hidden, PUBLIC):
        assert "credits of small nations" not in words.casefold()


@pytest.mark.rule("LC-37", "LC-R36")
def test_what_is_told_is_right_for_each_of_the_two() -> None:
    assert "gives 1 credit to Zorg" in text_of(move(duel(), "Gift 1 credit to Zorg"), PUBLIC)
    assert ruleset.tell is not None
    (made,) = receive(duel(), "Zorg", "Offer trade treaty to Terrans").events
    assert "Terrans can answer: Accept trade treaty from Zorg" in " ".join(ruleset.tell(made).split())


@pytest.mark.rule("LC-82", "LC-84")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"ascended": ["Zorg"]}, "Zorg"),
        ({"options": {"victory_planets": 1}}, "Terrans"),
    ],
)
def test_the_end_of_the_game_is_told_to_all(fields: dict[str, Any], words: str) -> None:
    found = play(duel(**fields), [("Terrans", "Pass"), ("Zorg", "Pass")])
    outcome = ruleset.outcome(found.position)
    assert outcome is not None
    assert outcome.winners == (words,)
    for reader in (PUBLIC, seat_reader("Terrans")):
        for text in words_of(found, reader):
            assert re.search(rf"{words}.*(wins|won|winner)", text)


def test_names_cannot_bring_markup_into_the_html() -> None:
    document = duel({"leader": "<b>Bold</b>", "player_name": "<i>x</i>"}, {"leader": "<script>"})
    found = move(document, "Pass")
    for reader in (PUBLIC, seat_reader("Terrans")):
        view = ruleset.view(found.position, (), reader)
        for page in (report_html(ruleset, view), map_svg(view) or ""):
            assert "<b>Bold" not in page
            assert "<i>x" not in page
            assert "<script>" not in page


@pytest.mark.parametrize(
    "fields",
    [
        {"relations": "Terrans trade Zorg, Terrans pact Bastion"},
        {"relations": "Terrans war Zorg, Terrans war Bastion"},
        {"relations": "Terrans trade pact Zorg"},
        {"relations": "Zorg trade Calyx, Zorg trade Eridu, Zorg trade Harrow"},
        {"planets": "Aquila Terrans: Mines, Mines; Eridu Terrans: Portal"},
        {"planets": "Aquila Terrans: Mines, Mines"},
        {
            "terrans": {"technologies": ["Commerce", "Deflectors"]},
            "units": "F1 Terrans Aquila, A1 Terrans Aquila, A2 Terrans F1",
        },
        {"units": "F1 Zorg Aquila", "relations": "Terrans war Zorg"},
    ],
)
def test_what_the_order_form_proposes_can_be_carried_out(fields: dict[str, Any]) -> None:
    document = duel(**fields | {"terrans": {"credits": 500} | fields.get("terrans", {})})
    form = ruleset.order_form(ruleset.load(document), "Terrans")
    lines = [line.removeprefix("# ") for line in form.splitlines() if not line.startswith("##")]
    wars = [line for line in lines if line.startswith("Declare war")]
    for line in {*lines} - {*wars}:
        assert move(document, "\n".join((*wars, line, "End move"))).reasons == [], line


# --- The map -------------------------------------------------------------------------------------------------------------


def chart(found: Played, reader: Reader = PUBLIC) -> dict[str, Any]:
    return ruleset.view(found.position, (), reader).data["map"]


@pytest.mark.rule("LC-79", "LC-71")
def test_the_map_has_all_planets_and_lines_and_says_nothing_private() -> None:
    document = duel(
        units="F1 Terrans Aquila, A1 Terrans F1, A2 Terrans Aquila, F9 Zorg Aquila, F7 Zorg Garnet",
        relations="Terrans war Zorg",
        planets="Aquila Terrans: Mines, Portal",
        held=[{"state": "Zorg", "lines": ["End move"]}],
        offers="peace Zorg Terrans 3",
    )
    found = play(document, [])
    data = chart(found)
    assert {node["name"] for node in data["nodes"]} == set(NEIGHBOURS)
    assert len(data["links"]) == 52
    assert {frozenset(link) for link in data["links"]} == {frozenset((a, b)) for a, near in NEIGHBOURS.items() for b in near}
    places = {node["name"]: (node["x"], node["y"]) for node in data["nodes"]}
    assert len(set(places.values())) == 34
    svg = map_svg(ruleset.view(found.position, (), PUBLIC))
    assert svg
    for name in NEIGHBOURS:
        assert name in svg


@pytest.mark.parametrize(
    "change",
    [
        {"units": "F1 Terrans Aquila"},
        {"units": "A1 Terrans Aquila"},
        {"planets": "Aquila Terrans: Portal"},
        {"planets": "Aquila Terrans: Mines"},
        {"units": "F9 Zorg Aquila", "relations": "Terrans war Zorg"},
        {"planets": "Bastion Terrans"},
        {"terrans": {"home_planet": ""}},
    ],
    ids=["fleet", "army", "portal", "resource", "blockade", "owner", "home"],
)
def test_the_picture_shows(change: dict[str, Any]) -> None:
    def picture(fields: dict[str, Any]) -> Any:
        return map_svg(ruleset.view(ruleset.load(duel(**fields)), (), PUBLIC))

    assert picture(change) != picture({})


def test_a_skip_of_this_turn_is_told_under_a_heading_and_not_with_the_nation_again() -> None:
    for words in words_of(play(duel(turn=0), [DEADLINE]), seat_reader("Zorg")):
        assert re.search(r"everybody else Terrans was skipped in turn 0\.", words, re.IGNORECASE)
        assert words.lower().count("was skipped") == 1
    for words in words_of(play(duel(), [DEADLINE]), seat_reader("Zorg")):
        assert words.lower().count("skipped") == 1
