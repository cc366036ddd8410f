"""Who sees what (section 8)."""

from typing import Any

import pytest

from pbmd.rules import GM, PUBLIC, Reader, canonical_json, seat_reader
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import DEADLINE, Played, duel, move, play, state

THREE: dict[str, Any] = {"others": [state("Qix", home="Quill")], "planets": "Quill Qix; Bastion: Mines"}
READERS = (PUBLIC, *map(seat_reader, ("Terrans", "Zorg", "Qix")))


def seen(played: Played, words: str) -> list[str]:
    """Who finds these words in what they may know."""
    return [reader.seat or reader.kind for reader in (*READERS, GM) if words.encode() in played.bytes_for(reader)]


ALL = ["public", "Terrans", "Zorg", "Qix", "gm"]


def audiences(played: Played, kind: str) -> list[tuple[str, ...] | None]:
    return [
        tuple(sorted(event.audience)) if event.audience is not None else None for event in played.events if event.kind == kind
    ]


@pytest.mark.rule("LC-R102", "LC-R36")
@pytest.mark.parametrize(
    "line", ["Offer trade treaty to Zorg", "Withdraw military pact offer to Zorg", "Decline military pact from Zorg"]
)
def test_offers_and_their_end_are_for_the_two_concerned(line: str) -> None:
    offers = "pact Zorg Terrans 3" if line.startswith("Decline") else "pact Terrans Zorg 3"
    for text in (line, f"{line}\nPass"):
        played = play(duel(**THREE, offers=offers), [("Terrans", text)])
        (event,) = [event for event in played.events if event.kind.startswith("offer_")]
        assert set(event.audience or ()) == {"Terrans", "Zorg"}
        public = play(duel(**THREE, offers=offers), [("Terrans", text)], offers_public=True)
        assert [event.audience for event in public.events if event.kind.startswith("offer_")] == [None]


@pytest.mark.rule("LC-R102", "LC-R36")
def test_standing_offers_are_in_the_views_of_the_two_concerned() -> None:
    played = play(duel(**THREE, offers="pact Terrans Zorg 3"), [])
    assert seen(played, "military pact") == ["Terrans", "Zorg", "gm"]
    assert seen(play(duel(**THREE, offers="pact Terrans Zorg 3"), [], offers_public=True), "military pact") == ALL
    own = ruleset.view(played.position, (), seat_reader("Zorg")).data["own"]
    assert "Accept military pact from Terrans" in str(own)


@pytest.mark.rule("LC-R102")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Accept military pact from Zorg", "agreed"),
        ("Declare war on Qix", "war_declared"),
        ("Cancel trade treaty with Zorg", "treaty_ended"),
        ("Gift 3 credits to Zorg", "gift"),
        ("Proclaim Zorg", "proclaimed"),
        ("Research Commerce", "researched"),
        ("Build army at Aquila", "built"),
        ("Develop Mines on Aquila", "developed"),
        ("Load A1 onto F1", "boarded"),
        ("Move F1 to Fenris", "moved"),
        ("Disband F1", "disbanded"),
    ],
)
def test_what_is_carried_out_is_for_everybody(text: str, kind: str) -> None:
    document = duel(
        **THREE,
        offers="pact Zorg Terrans 3",
        relations="Terrans trade Zorg, Terrans pact Fenris",
        units="F1 Terrans Aquila, A1 Terrans Aquila",
    )
    played = move(document, f"{text}\nPass")
    assert audiences(played, kind) == [None]


@pytest.mark.rule("LC-R102", "LC-49", "LC-59", "LC-57")
def test_battles_with_all_dice_and_modifiers_are_for_everybody() -> None:
    document = duel(
        {"traits": ["Warlike"]}, **THREE, relations="Terrans war Bastion",
        units="F1 Terrans Bastion, A1 Terrans F1, F2 Bastion Bastion, A2 Bastion Bastion",
    )  # fmt: skip
    played = move(document, "Land A1 on Bastion\nBombard Bastion with F1", [8, 7, 1, 6, 5])
    for reader in (*READERS, GM):
        text = str(ruleset.view(played.position, played.events, reader).data)
        assert "F1 8+1=9" in text
        assert "A1 6" in text
        assert "d2: 1" in text


@pytest.mark.rule("LC-R102", "LC-44")
def test_a_coin_is_public_if_it_led_to_a_treaty_and_private_if_not() -> None:
    made = move(duel(**THREE), "Offer trade treaty to Harrow\nPass", [1])
    assert "heads" in made.bytes_for(PUBLIC).decode()
    refused = move(duel(**THREE), "Offer trade treaty to Harrow\nPass", [2])
    assert seen(refused, "tails") == ["Terrans", "gm"]
    assert seen(refused, "Harrow tossed") == ["Terrans", "gm"]


@pytest.mark.rule("LC-R102")
def test_failed_lines_with_reasons_are_for_their_writer() -> None:
    played = move(duel(**THREE), "Move capital to Rhea\nPass")
    assert audiences(played, "order_failed") == [("Terrans",)]
    assert seen(played, "Move capital to Rhea") == ["Terrans", "gm"]
    diplomatic = play(duel(**THREE), [("Zorg", "Accept trade from Qix")])
    assert audiences(diplomatic, "order_failed") in ([], [("Zorg",)])
    assert "Qix" not in seen(diplomatic, "Accept trade")


@pytest.mark.rule("LC-R08", "LC-R102")
def test_held_mails_are_for_the_sender_and_the_gm() -> None:
    played = play(duel(**THREE), [("Zorg", "Research Commerce")])
    assert seen(played, "Research Commerce") == ["Zorg", "gm"]


@pytest.mark.rule("LC-R102", "LC-R99")
def test_the_position_is_public() -> None:
    document = duel(
        {"traits": ["Warlike"], "technologies": ["Bunkers"], "credits": 77, "skips": 1, "proclaims": "Qix"},
        **THREE,
        relations="Terrans war Bastion, Zorg trade Fenris, Zorg pact Qix",
        units="F41 Terrans Aquila, A42 Terrans F41",
    )
    played = play(document, [])
    for words in ("Warlike", "Bunkers", "77", "F41", "A42", "Mines", "Garnet"):
        assert seen(played, words) == ALL
    data = ruleset.view(played.position, (), PUBLIC).data
    assert data["relations"] == {"wars": [["Terrans", "Bastion"]], "trade": [["Zorg", "Fenris"]], "pacts": [["Zorg", "Qix"]]}
    assert (data["players"][0]["skips"], data["players"][0]["proclaims"], data["next"]) == (1, "Qix", ["Terrans"])


@pytest.mark.rule("LC-R102")
def test_credits_are_for_their_owner_with_the_option() -> None:
    document = duel({"credits": 7777}, {"credits": 8888}, **THREE)
    played = play(document, [], credits_public=False)
    assert seen(played, "7777") == ["Terrans", "gm"]
    assert seen(played, "8888") == ["Zorg", "gm"]
    moved = play(document, [("Terrans", "Build army at Aquila")], credits_public=False)
    for words in ("7781", "7778"):
        assert seen(moved, words) == ["Terrans", "gm"]


@pytest.mark.rule("LC-82", "LC-R102")
def test_the_end_of_a_turn_shows_the_table_of_players_the_map_and_npc_builds() -> None:
    npc = state("Bastion", 50, kind="npc", establishment_armies=1, establishment_fleets=1)
    document = duel(others=[npc], planets="Bastion: Mines")
    played = play(document, [("Terrans", "Pass"), ("Zorg", "Pass")])
    data = ruleset.view(played.position, played.events, PUBLIC).data
    assert [row["name"] for row in data["players"]] == ["Terrans", "Zorg"]
    assert {"planets", "credits", "armies", "fleets", "technologies", "proclaimed"} <= set(data["players"][0])
    assert audiences(played, "npc_built") == [None, None]
    assert "F1" in str(data["sections"])
    assert len(data["map"]["nodes"]) == 34


@pytest.mark.rule("LC-91", "LC-93", "LC-R102")
def test_skips_and_conversions_are_public() -> None:
    played = play(duel({"skips": 1}, **THREE), [DEADLINE])
    assert audiences(played, "became_npc") == [None]
    skipped = play(duel(**THREE), [DEADLINE])
    assert audiences(skipped, "skipped") == [None]


@pytest.mark.rule("LC-R102")
def test_who_is_no_player_any_more_sees_what_the_public_sees() -> None:
    played = play(duel({"skips": 1}, **THREE, offers="trade Zorg Qix 3"), [DEADLINE])
    public = ruleset.view(played.position, played.events, PUBLIC).data
    ghost = ruleset.view(played.position, played.events, seat_reader("Terrans")).data
    assert "your nation is run by the game now" in ghost["you"]["headline"]
    assert ghost["out"]
    assert canonical_json({**ghost, "you": None, "out": False, "happened": public["happened"]}) == canonical_json(public)
    assert ghost["own"] is None or "trade" not in str(ghost["own"].get("offers_in"))


@pytest.mark.rule("LC-R102")
@pytest.mark.parametrize("reader", [*READERS, GM], ids=lambda reader: reader.seat or reader.kind)
def test_views_are_json_and_name_their_turn(reader: Reader) -> None:
    played = play(duel(**THREE), [("Terrans", "Build army at Aquila"), ("Zorg", "Pass"), ("Qix", "Pass")])
    view = ruleset.view(played.position, played.events, reader)
    assert view.turn == 4
    assert canonical_json(view.data)
    titles = [section["title"] for section in view.data["sections"]]
    assert titles == ["Turn 3, Terrans", "Turn 3, Zorg", "Turn 3, Qix", "The end of Turn 3"]
