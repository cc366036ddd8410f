"""Nukes and SDI."""

import pytest

from pbmd.rules import Document
from tests.rulesets.societies.harness import play, world


def start(ann: str = "nukes 3", bob: str = "tech 4", text: str = "aa.bbb / ...... / c", **fields: str) -> Document:
    return world(text, f"Ann tech 11 {ann}", f"Bob {bob}", "Cat tech 4 nukes 5", **fields)


def launch(count: int, targets: str) -> str:
    return f"Ann: Launch {count} nukes at Bob\nTargets: {targets}"


@pytest.mark.rule("SO-108", "SO-110", "SO-R51", "SO-R54", "SO-R67")
def test_a_nuke_destroys_a_city_and_its_square_for_ever() -> None:
    played = play(start(), launch(1, "D1, E1"))
    assert (played.rows(), played.society("Ann")["nukes"]) == ("aa.#bb//c", 2)
    assert played.wars() == {frozenset({"Ann", "Bob"}): 8}
    assert played.document["map"]["nuked"] == ["D1"]
    later = play({**played.document, "society": [{**t, "gold": 99} for t in played.document["society"]]}, "Bob: City")
    assert "#" in later.rows()
    assert len(played.of("nuke_strike")) >= 1


@pytest.mark.rule("SO-R66", "SO-14", "SO-108")
def test_nukes_and_sdi_serve_in_the_turn_they_are_bought() -> None:
    played = play(start("gold 1500"), "Ann: Buy 2 nukes\n" + launch(2, "D1, E1")[5:])
    assert played.rows() == "aa.##b//c"
    shielded = play(start("nukes 2", "tech 13 gold 1000"), launch(2, "D1, E1"), "Bob: Buy 1 SDI")
    assert shielded.rows() == "aa.#bb//c"


@pytest.mark.rule("SO-R67", "SO-63")
def test_each_nuke_takes_the_first_listed_city_of_the_named_society() -> None:
    assert play(start(), launch(2, "A1, C1, A3, E1, D1")).rows() == "aa.##b//c"
    played = play(start(), launch(3, "E1, F6"))
    # After E1 no listed square is a target: the other two nukes stay home.
    assert (played.rows(), played.society("Ann")["nukes"]) == ("aa.b#b//c", 2)


@pytest.mark.rule("SO-R67", "SO-R56", "SO-R07")
def test_without_nukes_or_a_target_nothing_starts() -> None:
    played = play(start("nukes 0"), launch(1, "D1"))
    assert (played.failed("Ann"), played.wars()) == (["no_nukes"], {})
    missed = play(start(), launch(1, "A1, C1"))
    assert (missed.failed("Ann"), missed.wars(), missed.society("Ann")["nukes"]) == (["no_legal_target"], {}, 3)


@pytest.mark.rule("SO-109", "SO-R67", "SO-R76")
@pytest.mark.parametrize("obsolete", ["", " obsolete"])
def test_cities_with_wonders_come_last(obsolete: str) -> None:
    document = start(wonders=f"Mafia Bob D1{obsolete}, Jihad Bob E1")
    assert play(document, launch(3, "D1, E1, F1")).rows() == "aa.##" + "#//c"
    one = play(document, launch(1, "D1, E1, F1"))
    assert one.rows() == "aa.bb#//c"
    two = play(document, launch(2, "E1, D1, F1"))
    assert (two.rows(), two.wonder("Jihad")) == ("aa.b##//c", "destroyed")


@pytest.mark.rule("SO-109")
def test_captured_cities_count_as_gone_too() -> None:
    document = start(
        "nukes 1", "tech 4", "aabb.. / ...... / c", wonders="Mafia Bob D1", wars="Cat Bob 3",
    )  # fmt: skip
    document["city"] = [{**city, "owner": "Cat" if city["square"] == "B1" else city["owner"]} for city in document["city"]]
    document["society"][2]["armies"] = 4
    cat = "Cat: Attack Bob with 4 armies\nTargets: C1"
    assert play(document, launch(1, "D1"), cat).rows() == "acCb//c"
    assert play(document, cat, launch(1, "D1")).rows() == "acC#//c"


@pytest.mark.rule("SO-111", "SO-R68")
@pytest.mark.parametrize(
    ("sdi", "after", "left"), [(0, "aa.###//c", 0), (1, "aa.##b//c", 1), (2, "aa.#bb//c", 2), (3, "aa.bbb//c", 3)]
)
def test_each_sdi_stops_one_nuke_a_turn_and_lasts(sdi: int, after: str, left: int) -> None:
    played = play(start("nukes 3", f"tech 4 sdi {sdi}"), launch(3, "D1, E1, F1"))
    assert (played.rows(), played.society("Ann")["nukes"]) == (after, 0)
    assert sdi == 3 or sdi == 0 or played.society("Bob")["sdi"] == left
    assert played.society("Bob")["sdi"] == (0 if played.society("Bob")["eliminated_turn"] else sdi)


@pytest.mark.rule("SO-R68", "SO-15")
def test_the_first_nukes_to_arrive_are_the_ones_stopped() -> None:
    document = start("nukes 1", "tech 4 sdi 1")
    cat = "Cat: Launch 1 nuke at Bob\nTargets: F1"
    assert play(document, launch(1, "D1"), cat).rows() == "aa.bb#//c"
    assert play(document, cat, launch(1, "D1")).rows() == "aa.#bb//c"


@pytest.mark.rule("SO-141", "SO-R68")
def test_the_nukes_of_majestic_12_are_never_stopped_and_use_up_no_sdi() -> None:
    document = start("nukes 1", "tech 4 sdi 1", wonders="Majestic-12 Program Ann A1")
    played = play(document, launch(1, "D1"), "Cat: Launch 2 nukes at Bob\nTargets: E1, F1")
    assert played.rows() == "aa.##b//c"
    document["wonder"][0]["obsolete"] = True
    assert play(document, launch(1, "D1")).rows() == "aa.bbb//c"


@pytest.mark.rule("SO-142", "SO-R69")
def test_the_cities_of_the_galactic_overlord_need_four_nukes_in_a_turn() -> None:
    document = start("nukes 9", "tech 4", wonders="Galactic Overlord Bob F1")
    three = play(document, launch(3, "D1, E1"))
    assert (three.rows(), three.society("Ann")["nukes"]) == ("aa.bbb//c", 6)
    assert play(three.document, launch(1, "D1")).rows() == "aa.bbb//c"
    assert play(document, launch(4, "D1, E1")).rows() == "aa.#bb//c"
    assert play(document, launch(7, "D1, E1")).rows() == "aa.#bb//c"
    assert play(document, launch(8, "D1, E1")).rows() == "aa.##b//c"
    cat = "Cat: Launch 1 nuke at Bob\nTargets: D1"
    assert play(document, launch(3, "D1"), cat).rows() == "aa.#bb//c"
    document["wonder"][0]["obsolete"] = True
    assert play(document, launch(1, "D1")).rows() == "aa.#bb//c"


@pytest.mark.rule("SO-R69", "SO-R68", "SO-142")
def test_stopped_nukes_do_not_hit() -> None:
    document = start("nukes 9", "tech 4 sdi 1", wonders="Galactic Overlord Bob F1")
    assert play(document, launch(4, "D1")).rows() == "aa.bbb//c"
    assert play(document, launch(5, "D1")).rows() == "aa.#bb//c"


@pytest.mark.rule("SO-R70", "SO-R71", "SO-110")
def test_a_nuke_kills_no_armies_and_a_wonder_with_its_city() -> None:
    document = start("nukes 1", "tech 4 armies 9", "aa.b.. / ...... / c", wonders="Mafia Bob D1")
    document["city"].append({"square": "E5", "owner": "Bob"})
    document["wonder"].append({"name": "Jihad", "owner": "Bob", "square": "E5"})
    played = play(document, launch(1, "D1"))
    assert (played.wonder("Mafia"), played.wonder("Jihad"), played.society("Bob")["armies"]) == ("destroyed", "Bob E5", 9)
    (gone,) = [table for table in played.document["wonder"] if table["name"] == "Mafia"]
    assert (gone["owner"], gone["square"], gone["builder"]) == ("", "", "Bob")
    assert len(played.of("wonder_destroyed")) == 1


@pytest.mark.rule("SO-R54", "SO-149", "SO-35", "SO-62", "SO-63", "SO-152")
def test_any_number_of_nuke_lines_beside_the_one_attack_in_the_order_of_the_list() -> None:
    document = world("aabb. / ..... / c.d..", "Ann tech 11 armies 4 nukes 2", "Bob tech 4", "Cat", "Dan", wars="Ann Bob 3")
    nukes = "Launch 1 nuke at Cat\nTargets: A3\nLaunch 1 nuke at Dan\nTargets: C3"
    attack = "Attack Bob with 4 armies\nTargets: C1"
    # (4/4) × 11/4 = 2 cities
    assert play(document, f"Ann: {nukes}\n{attack}").rows() == "aaAA//#.#"
    first = "Launch 1 nuke at Bob\nTargets: C1"
    # The nuke first: Bob is no longer adjacent, the army stays home.
    called_off = play(document, f"Ann: {first}\n{attack}")
    assert (called_off.rows(), called_off.failed("Ann") or called_off.of("attack_called_off", "Ann")) != ("aa##//c.d", [])
    assert called_off.rows() == "aa#b//c.d"
    # The army first: C1 is Ann's own by then.
    assert play(document, f"Ann: {attack.replace('4 armies', '1 army')}\n{first}").rows() in ("aabb//c.d", "aa#b//c.d")


@pytest.mark.rule("SO-R96", "SO-R56")
def test_the_last_city_nuked_eliminates_and_calls_off_what_was_to_come() -> None:
    document = world(
        "aab / ..c", "Ann tech 11 nukes 1", "Bob tech 4 armies 5", "Cat tech 4 armies 9", wars="Cat Bob 3, Ann Bob 3"
    )
    played = play(
        document, "Ann: Launch 1 nuke at Bob\nTargets: C1", "Cat: Attack Bob with 9 armies", "Bob: Attack Ann with 5 armies"
    )
    assert (played.rows(), played.society("Bob")["eliminated_turn"], played.society("Bob")["armies"]) == ("aa#/..c", 8, 0)
    assert len(played.of("attack_called_off", "Cat")) == 1
    assert not played.of("attack")
    late = play(document, "Ann: Launch 1 nuke at Bob\nTargets: C1", "Cat: Launch 1 nuke at Bob\nTargets: C1\nBuy 1 army")
    assert "target_eliminated" in late.failed("Cat") or "no_nukes" in late.failed("Cat")
