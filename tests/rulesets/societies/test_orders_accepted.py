"""Every form of every order that section 6 accepts, and what it is read as."""

import pytest

from pbmd.rules import Status
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import mail, read, receive, world

START = world(
    "nnsj. / nnsd. / ...dd / cc... / .....",
    "NukeDoc tech 15 gold 20000 armies 20 spies 5 nukes 5 sdi 2",
    "Cowboy tech 5 gold 40",
    "Skanky tech 5 gold 40 armies 3",
    "Jamski tech 5 gold 30",
    "DrSpike tech 5",
    wonders="KGB NukeDoc A1, NASCAR NukeDoc A2, Acropolis NukeDoc B1, Galactic Overlord DrSpike D3",
)
START["society"][1]["name"] = "Spaced Cowboy"
for _city in START["city"]:
    if _city["owner"] == "Cowboy":
        _city["owner"] = "Spaced Cowboy"

FORMS = [
    # spies
    pytest.param("Spy on Skanky, target research", "Spy on Skanky, target research", marks=pytest.mark.rule("SO-67")),
    ("spy to skanky target 3a", "Spy on Skanky, target research"),
    ("Spy against Skanky, targets scientific research", "Spy on Skanky, target research"),
    ("Spy -> Skanky, targeting: science", "Spy on Skanky, target research"),
    ("Spy --> Skanky, target technology.", "Spy on Skanky, target research"),
    ("Spy x2 on Skanky, target trade", "2 spies on Skanky, target trade"),
    ("2 spies on Skanky, target 2", "2 spies on Skanky, target trade"),
    ("3 Spies --> Skanky target espionage", "3 spies on Skanky, target espionage"),
    ("1 spy on Skanky, target 1", "Spy on Skanky, target espionage"),
    ("Use a spy on Skanky, target espionage", "Spy on Skanky, target espionage"),
    ("Send 2 spies to the Skanky (target trade)", "2 spies on Skanky, target trade"),
    ("Spy on Skanky, military", "Spy on Skanky, target military"),
    ("Spy on Skanky, target Production", "Spy on Skanky, target production"),
    ("Spy on Skanky, target 3", "Spy on Skanky, target production"),
    ("Spy on Skanky, target 3b", "Spy on Skanky, target military"),
    ("Spy on Skanky, target military", "Spy on Skanky, target military"),
    ("Spy on Skanky, target city", "Spy on Skanky, target cities"),
    ("Spy on Skanky, target cities", "Spy on Skanky, target cities"),
    ("Spy on Skanky, target 3C", "Spy on Skanky, target cities"),
    *(
        (f"Spy on Skanky, target {word}", "Spy on Skanky, target wonders")
        for word in ("wonder", "wonders", "wonders and spaceships", "spaceship", "spaceships", "3d")
    ),
    ("Spy on Skanky, target rehabilitation", "Spy on Skanky, target rehabilitation"),
    ("Spy on Skanky, target 3e", "Spy on Skanky, target rehabilitation"),
    ("Spy on Skanky, target foreign aid", "Spy on Skanky, target foreign aid"),
    ("Spy on Skanky, target aid", "Spy on Skanky, target foreign aid"),
    ("Spy on Skanky, target 4", "Spy on Skanky, target foreign aid"),
    ("Spy on Skanky, target war", "Spy on Skanky, target war"),
    ("Spy on Skanky, target 5", "Spy on Skanky, target war"),
    *(
        (line, "Spy on Skanky, target production")
        for line in ("Spy Skanky, production", "Spy on Skanky - production", "Spy -> Skanky: Production")
    ),
    # defenders
    ("Use a spy to defend trade", "Spy defend trade"),
    pytest.param("Spy defend trade", "Spy defend trade", marks=pytest.mark.rule("SO-72")),
    ("Spy -> defend trade", "Spy defend trade"),
    ("Spy --> defends 3c", "Spy defend cities"),
    ("2 spies defend 3c", "2 spies defend cities"),
    ("Spies x2 defend foreign aid", "2 spies defend foreign aid"),
    ("Spy on defence of war", "Spy defend war"),
    ("2 spies on defence of espionage", "2 spies defend espionage"),
    # trade
    pytest.param("Trade with Skanky", "Trade with Skanky", marks=pytest.mark.rule("SO-54")),
    ("Trade with Skanky x2", "Trade with Skanky x2"),
    ("Trade with Skanky x2 (40)", "Trade with Skanky x2"),
    ("Trade with Skanky 2x", "Trade with Skanky x2"),
    ("Trade with Skanky (2 caravans)", "Trade with Skanky x2"),
    ("Trade: Skanky x2", "Trade with Skanky x2"),
    ("Trade w/ Skanky x2", "Trade with Skanky x2"),
    ("2. Trade: Trade with Skanky x2", "Trade with Skanky x2"),
    ("Trade:\nTrade with Skanky\nWar: none\n5. War:", "Trade with Skanky"),
    ("Trade with Skanky (40) x2", "Trade with Skanky x2"),
    ("Trade with Skanky x2 (40) --> (+150)", "Trade with Skanky x2"),
    ("Trade with Skanky (20)->(+75)", "Trade with Skanky"),
    ("Trade with Skanky (20) Note that this is a remark", "Trade with Skanky"),
    ("Send 2 caravans to Skanky", "Trade with Skanky x2"),
    ("2 caravans with Skanky (40)", "Trade with Skanky x2"),
    ("Send 1 caravan to Skanky", "Trade with Skanky"),
    ("Trade with me x2", "Trade with NukeDoc x2"),
    ("Trade with myself", "Trade with NukeDoc"),
    ("Trade with self", "Trade with NukeDoc"),
    *((f"Trade with Skanky {many}", "Trade with Skanky x2") for many in ("*2", "* 2", "2 times", "twice")),
    # research
    *((f"Research {what}", "Research 2") for what in ("x2", "the next 2 technologies", "next 2")),
    *((line, "Research 1") for line in ("Research a technology", "Learn a new tech", "Discover the next level")),
    ("Research 1", "Research 1"),
    ("Research 2 techs", "Research 2"),
    ("3a: Research 2", "Research 2"),
    ("Research: 2", "Research 2"),
    ("Research 2 technologies (5000)", "Research 2"),
    ("Research 1 tech", "Research 1"),
    *((line, "Research 1") for line in ("Research next tech", "Research the next level", "Research 1 level", "3a Research 1")),
    ("Research 1 technology", "Research 1"),
    ("Technology", "Research 1"),
    ("Buy technology", "Research 1"),
    ("Research technology (3948)", "Research 1"),
    ("Technology x2", "Research 2"),
    ("Buy technology x2 (10000)", "Research 2"),
    ("Technology (10000) x2", "Research 2"),
    # military
    pytest.param("Armies x2 (2)", "Buy 2 armies", marks=pytest.mark.rule("SO-59")),
    *((line, "Buy 2 armies") for line in ("2x armies", "Buy 2 x armies", "Buy x2 armies", "2x army (2)")),
    *(
        (line, "Buy 3 armies")
        for line in (
            "Armies: 3", "Buy armies: 3", "Buy armies 3", "armies = 3", "Purchase 3 armies", "Raise 3 armies", "Train 3 armies",
            "Buy 3 armies for 45 gold", "Buy 3 armies = 45", "Buy 3 armies if possible", "Buy 3 armies (if affordable)",
            "3 armies if there is gold left", "Buy 3 armies, if I can afford them",
        )
    ),
    ("Recruit an army", "Buy 1 army"),
    ("Nukes: 2", "Buy 2 nukes"),
    *((f"Build city at E1{other}", "Build city at E1, A3") for other in (
        ", backup A3", " (or A3)", " (A3 as backup)", " (or A3 if taken)", ", alternatively A3", ", fallback A3"
    )),
    *(
        (line, "Attack Skanky with 5 armies")
        for line in (
            "Attack Skanky: 5 armies", "Attack Skanky (5 armies)", "Attack Skanky w/ 5 armies", "Attack Skanky using 5 armies",
            "5 armies attack Skanky", "Send 5 armies to attack Skanky", "Send 5 armies against Skanky",
        )
    ),
    *(
        (line, "Attack Skanky with 5 armies\nTargets: C3, C4")
        for line in (
            "Attack Skanky C3, C4 with 5 armies", "Attack Skanky's cities at C3 and C4 with 5 armies",
            "Attack Skanky with 5 armies; targets C3, C4", "5 armies attack Skanky, targets C3, C4",
        )
    ),
    ("Launch 2 nukes at Skanky's C3, C4", "Launch 2 nukes at Skanky\nTargets: C3, C4"),
    *((line, "Give Skanky 5 gold") for line in ("5 gold to Skanky", "Aid: 5 gold to Skanky", "Foreign aid: Skanky 5 gold")),
    *((f"Give Skanky {gold}", "Give Skanky 5 gold") for gold in ("5gp", "5 coins", "5 g", "5 gold pieces")),
    *((line, "2 spies defend trade") for line in ("Defend trade with 2 spies", "2 spies guard trade", "2 spies: defend trade")),
    ("Become a monarchy, keep trade", "Revolution to Monarchy, keep trade"),
    ("Buy 3 armies", "Buy 3 armies"),
    ("Build 3 armies (45)", "Buy 3 armies"),
    ("3 armies", "Buy 3 armies"),
    ("1 army", "Buy 1 army"),
    ("Army", "Buy 1 army"),
    ("Buy army", "Buy 1 army"),
    ("Armies (30) x2", "Buy 2 armies"),
    pytest.param("Buy 1 nuke", "Buy 1 nuke", marks=pytest.mark.rule("SO-106")),
    ("Build 2 nukes (1000)", "Buy 2 nukes"),
    ("Nukes x2", "Buy 2 nukes"),
    ("Nuke", "Buy 1 nuke"),
    ("Buy 1 SDI", "Buy 1 SDI"),
    ("Build 2 SDIs (2000)", "Buy 2 SDI"),
    ("SDI x2", "Buy 2 SDI"),
    ("sdi", "Buy 1 SDI"),
    # cities
    pytest.param("Build city at C3, B3", "Build city at C3, B3", marks=pytest.mark.rule("SO-R21")),
    ("City: A3", "Build city at A3"),
    ("Build 2 cities", "Build 2 cities"),
    ("City", "Build city"),
    ("2 cities at A3, B3 and C3", "Build 2 cities at A3, B3, C3"),
    ("Cities x2 (15) A3 B3", "Build 2 cities at A3, B3"),
    ("Build city (15) a3", "Build city at A3"),
    ("Build city, at A3, etc.", "Build city at A3"),
    pytest.param("City of Thebes (9) B3", "Build city of Thebes at B3", marks=pytest.mark.rule("SO-R26")),
    ("City of New Thebes at B3", "Build city of New Thebes at B3"),
    ("City of Thebes: B3, A3", "Build city of Thebes at B3, A3"),
    ("City of Thebes B3", "Build city of Thebes at B3"),
    ("Build city Thebes at B3", "Build city of Thebes at B3"),
    ("Found a city called New Thebes at B3", "Build city of New Thebes at B3"),
    ("Build City At B3, then A3, or else C3", "Build city at B3, A3, C3"),
    ("Build a city if possible at B3, if taken A3", "Build city at B3, A3"),
    ("Build city at B3 when possible", "Build city at B3"),
    *((line, "Build city at A3") for line in ("City (A3)", "Build 1 city (at A3)", "Build city (6) (A3)")),
    ("2 cities (A3, B3)", "Build 2 cities at A3, B3"),
    ("City of Thebes (B3)", "Build city of Thebes at B3"),
    ("Build cities of Thebes x2 at B3, A3", "Build 2 cities of Thebes at B3, A3"),
    ("Build city at the river near B3 or so A3", "Build city at B3, A3"),
    ("Build new city on B3 (6 gold), else A3", "Build city at B3, A3"),
    ("Build x2 cities at B3, A3", "Build 2 cities at B3, A3"),
    ("x2 city", "Build 2 cities"),
    *(
        (f"Build city at B3{said}", "Build city at B3")
        for said in (" (price 6)", " (cost: 6)", " (6 each)", " for 6", " (if possible)")
    ),
    *((f"Build city at B3, {said} A3", "Build city at B3, A3") for said in ("failing that", "2nd choice", "second choice")),
    ("City on B3 named Sparta", "Build city of Sparta at B3"),
    ('City at B3, A3 "New Sparta"', "Build city of New Sparta at B3, A3"),
    ("Build city at B3 (called Sparta)", "Build city of Sparta at B3"),
    # wonders
    pytest.param("Colosseum (6)", "Build Colosseum for 6", marks=pytest.mark.rule("SO-60")),
    ("Build Colosseum for 6", "Build Colosseum for 6"),
    ("Colosseum 6", "Build Colosseum for 6"),
    ("Spend 6 gold on the Colosseum", "Build Colosseum for 6"),
    ("Put 6 into Colosseum", "Build Colosseum for 6"),
    *((line, "Build Colosseum for 6") for line in ("Bid 6 on Colosseum", "6 gold on Colosseum", "3d Colosseum 6")),
    ("Colosseum: 6", "Build Colosseum for 6"),
    ("Build the Colosseum, 6 gold", "Build Colosseum for 6"),
    ("Build coliseum for (6) in B2", "Build Colosseum for 6 in B2"),
    ("Build Colosseum for 6 at B2", "Build Colosseum for 6 in B2"),
    ("Build Colosseum (6) (B2)", "Build Colosseum for 6 in B2"),
    *(
        (f"Build {alias} for 300", f"Build {name} for 300")
        for alias, name in (
            ("Babel", "Tower of Babel"), ("Trans Siberian RR", "Trans-Siberian Railroad"),
            ("Trans Siberian Railroad", "Trans-Siberian Railroad"), ("TSR", "Trans-Siberian Railroad"),
            ("NRA", "National Rifle Association"), ("Univ. of California", "University of California"),
            ("UC", "University of California"), ("Majestic-12", "Majestic-12 Program"), ("Majestic 12", "Majestic-12 Program"),
            ("trojan horse", "Trojan Horse"), ("Silk Road", "Silk Road"), ("Jihad", "Jihad"), ("Mafia", "Mafia"),
        )
    ),
    # spaceship
    pytest.param("Build spaceship part", "Build spaceship part", marks=pytest.mark.rule("SO-R90")),
    ("Spaceship", "Build spaceship part"),
    ("Build 1 spaceship part", "Build spaceship part"),
    ("Buy engines for 1400", "Build engines for 1400"),
    ("Engine (1400)", "Build engines for 1400"),
    # the KGB
    pytest.param("KGB obsoletes Galactic Overlord", "KGB obsoletes Galactic Overlord", marks=pytest.mark.rule("SO-140")),
    ("Use KGB on Acropolis", "KGB obsoletes Acropolis"),
    ("KGB: obsolete Acropolis", "KGB obsoletes Acropolis"),
    ("KGB: obsoletes NASCAR", "KGB obsoletes NASCAR"),
    ("use kgb obsolete nascar", "KGB obsoletes NASCAR"),
    # cut lists
    pytest.param("If short, cut armies, Colosseum", "If short, cut armies, Colosseum", marks=pytest.mark.rule("SO-86")),
    ("If short: cut armies first, then Babel", "If short, cut armies, Tower of Babel"),
    ("Cut: armies and nukes", "If short, cut armies, nukes"),
    ("if short cut research, sdi, cities", "If short, cut research, SDI, cities"),
    ("If short, cut: armies x2, Babel", "If short, cut armies, Tower of Babel"),
    ("Cut technology, city", "If short, cut research, cities"),
    ("Cut Geography", "If short, cut Geography"),
    ("Cut spaceship", "If short, cut spaceship part"),
    ("Cut engines", "If short, cut spaceship part"),
    ("Cut spaceship part", "If short, cut spaceship part"),
    # aid
    pytest.param("Give Jamski 1 army", "Give Jamski 1 army", marks=pytest.mark.rule("SO-61")),
    ("Give Jamski 2 armies", "Give Jamski 2 armies"),
    ("Give 2 armies to Jamski", "Give Jamski 2 armies"),
    ("Give Jamski 1 tech", "Give Jamski 1 tech"),
    ("Give Jamski 2 technologies", "Give Jamski 2 techs"),
    ("Give 1 technology to Jamski", "Give Jamski 1 tech"),
    ("Give Jamski Religion", "Give Jamski Religion"),
    ("Give Jamski 10 gold", "Give Jamski 10 gold"),
    ("Give 1 spy to Jamski", "Give Jamski 1 spy"),
    ("Give Jamski 2 spies", "Give Jamski 2 spies"),
    ("Give Jamski 1 nuke", "Give Jamski 1 nuke"),
    ("Give Jamski 2 SDIs", "Give Jamski 2 SDI"),
    ("Give Jamski 1 SDI", "Give Jamski 1 SDI"),
    # attacks
    pytest.param("Attack Skanky with 4 armies", "Attack Skanky with 4 armies", marks=pytest.mark.rule("SO-151")),
    ("Attack Skanky with all armies", "Attack Skanky with all armies"),
    ("Attack Skanky with all", "Attack Skanky with all armies"),
    ("Attack Skanky with 1 army", "Attack Skanky with 1 army"),
    ("Attack Skanky with 4", "Attack Skanky with 4 armies"),
    ("Attack Skanky with 4 armies, targets: C1, C2", "Attack Skanky with 4 armies\nTargets: C1, C2"),
    ("Invade Skanky with 4 armies, targets C1, C2", "Attack Skanky with 4 armies\nTargets: C1, C2"),
    ("Attack Skanky with 4 armies target C1", "Attack Skanky with 4 armies\nTargets: C1"),
    *(
        (f"Attack Skanky with 4 armies{squares}", "Attack Skanky with 4 armies\nTargets: C1, C2")
        for squares in (" at C1, C2", ": C1 then C2", ", C1, C2", "\nC1, C2")
    ),
    ("Attack Skanky with 4 armies\nTargets: c1 and c2, etc.", "Attack Skanky with 4 armies\nTargets: C1, C2"),
    ("Attack Skanky with 4 armies.\n----\nTarget C1", "Attack Skanky with 4 armies\nTargets: C1"),
    # nukes
    pytest.param("Launch 3 nukes at DrSpike\nTargets: D3, E3", "Launch 3 nukes at DrSpike\nTargets: D3, E3",
                 marks=pytest.mark.rule("SO-62")),
    ("3 Nukes to DrSpike, targets D3", "Launch 3 nukes at DrSpike\nTargets: D3"),
    ("Launch x3 nukes at DrSpike, targets D3", "Launch 3 nukes at DrSpike\nTargets: D3"),
    ("3 Nukes to DrSpike: D3", "Launch 3 nukes at DrSpike\nTargets: D3"),
    ("1 nuke on DrSpike\nTargets D3 E3", "Launch 1 nuke at DrSpike\nTargets: D3, E3"),
    # revolution
    pytest.param("Revolution to Monarchy, keep production", "Revolution to Monarchy, keep production",
                 marks=pytest.mark.rule("SO-41", "SO-43")),
    ("Change our government to Monarchy, keep production", "Revolution to Monarchy, keep production"),
    ("Revolt to Monarchy, keep production", "Revolution to Monarchy, keep production"),
    ("Revolution: republic keeping 1", "Revolution to Republic, keep espionage"),
    ("Revolution Monarchy retain trade", "Revolution to Monarchy, keep trade"),
    ("Revolution to monarchy, keep 2", "Revolution to Monarchy, keep trade"),
    ("Revolution to monarchy, keep 3", "Revolution to Monarchy, keep production"),
    ("Revolution to monarchy, keep aid", "Revolution to Monarchy, keep foreign aid"),
    ("Revolution to monarchy, keep 4", "Revolution to Monarchy, keep foreign aid"),
    ("Revolution to monarchy, keep war", "Revolution to Monarchy, keep war"),
    ("Revolution to monarchy, keep 5", "Revolution to Monarchy, keep war"),
    ("Revolution to monarchy, keep tax collection", "Revolution to Monarchy, keep tax"),
    ("Revolution to monarchy, keep 6", "Revolution to Monarchy, keep tax"),
    # diplomacy
    pytest.param("Declare war on Skanky", "Declare war on Skanky", marks=pytest.mark.rule("SO-152")),
    ("declare war against Skanky", "Declare war on Skanky"),
    ("War on Skanky", "Declare war on Skanky"),
    ("Offer peace to Skanky", "Declare peace with Skanky"),
    ("Send Skanky 10 gold", "Give Skanky 10 gold"),
    ("Gift 10 gold to Skanky", "Give Skanky 10 gold"),
    ("Declare peace with Skanky", "Declare peace with Skanky"),
    ("Peace with Skanky", "Declare peace with Skanky"),
    pytest.param("Spoils of DrSpike to Skanky", "Spoils of DrSpike to Skanky", marks=pytest.mark.rule("SO-124")),
    ("Spoils of DrSpike: Mafia to me", "Spoils of DrSpike: Mafia to NukeDoc"),
    ("Spoils of DrSpike Galactic Overlord to Jamski", "Spoils of DrSpike: Galactic Overlord to Jamski"),
    pytest.param("Concede to Skanky", "Concede to Skanky", marks=pytest.mark.rule("SO-R94")),
    ("Withdraw concession", "Withdraw concession"),
]  # fmt: skip


@pytest.mark.rule("SO-54", "SO-90")
@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_every_form_is_read_as_its_canonical_one(text: str, canonical: str) -> None:
    assert "\n".join(read(START, "NukeDoc", text)) == canonical


@pytest.mark.rule("SO-54")
@pytest.mark.parametrize(("text", "canonical"), FORMS)
def test_the_canonical_form_is_read_as_itself(text: str, canonical: str) -> None:
    assert "\n".join(read(START, "NukeDoc", canonical)) == canonical


@pytest.mark.rule("SO-98", "SO-R20", "SO-104")
@pytest.mark.parametrize(
    ("tech", "text", "canonical"),
    [
        (4, "Geography (20)", "Research Geography"),
        (4, "Buy Geography", "Research Geography"),
        (4, "Research Geography", "Research Geography"),
        (2, "Monarchy", "Research Monarchy"),
        (2, "Monarchy (8)", "Research Monarchy"),
        (13, "Laser", "Research The Laser"),
        (13, "Research the laser (1508)", "Research The Laser"),
        (8, "Representative Government", "Research Representative Government"),
        (3, "Architecture\nGeography\nResearch 1\nEspionage",
         "Research Architecture\nResearch Geography\nResearch 1\nResearch Espionage"),
    ],
)  # fmt: skip
def test_a_technology_is_ordered_by_its_name(tech: int, text: str, canonical: str) -> None:
    start = world("ab", f"Ann tech {tech} gold 9000", "Bob")
    assert "\n".join(read(start, "Ann", text)) == canonical


@pytest.mark.rule("SO-54")
@pytest.mark.parametrize(
    "line",
    [
        "Action (cost in Gold)", "action", "-----", "=====", "_____", "*****", "~~~", "- = -", "# a remark", "// a remark",
        "<-- a remark",
    ],
)  # fmt: skip
def test_decoration_is_no_order(line: str) -> None:
    assert read(START, "NukeDoc", f"{line}\nBuy 1 army\n{line}") == ("Buy 1 army",)


@pytest.mark.rule("SO-54")
@pytest.mark.parametrize(
    "text",
    [
        "buy  3\tARMIES", "Buy 3 armies.", "Buy 3 armies,", "Buy 3 armies;", "Buy 3 armies!!", "- Buy 3 armies",
        "* Buy 3 armies", "• Buy 3 armies", "1. Buy 3 armies", "3b) Buy 3 armies", "3b. Buy 3 armies", "12) Buy 3 armies",
        "Buy 3 armies <--important", "Buy 3 armies # soon", "Buy 3 armies // soon",
    ],
)  # fmt: skip
def test_spaces_case_marks_and_remarks_do_not_matter(text: str) -> None:
    assert read(START, "NukeDoc", text) == ("Buy 3 armies",)


@pytest.mark.parametrize("name", ["Spaced Cowboy", "spaced cowboy", "Spaced", "Spac", "Cowboy", "cow"])
def test_a_society_is_found_by_a_unique_beginning_of_its_name_or_of_a_word_of_it(name: str) -> None:
    assert read(START, "NukeDoc", f"Declare war on {name}") == ("Declare war on Spaced Cowboy",)


def test_a_full_name_goes_before_a_beginning() -> None:
    start = world("abc", "Ann", "Bob", "Cat")
    for table, name in zip(start["society"], ("Ann", "Bo", "Bobby"), strict=True):
        table["name"] = name
    for city, name in zip(start["city"], ("Ann", "Bo", "Bobby"), strict=True):
        city["owner"] = name
    assert read(start, "Ann", "Declare war on bo") == ("Declare war on Bo",)
    assert read(start, "Ann", "Declare war on bob") == ("Declare war on Bobby",)


SAMPLE = """Action (cost in Gold)
---------------------
Spy --> Spaced Cowboy, target Production.
Trade with Skanky (6)-->(+9) Note that Trade income can be immediately spent
City of NukeDoc (6) A2, A3, A4, A5
Armies x2 (2)
Colosseum (6) <--important: you have to state exactly how much you spend on a wonder
Give Jamski 1 army
3 Nukes to DrSpike
Targets: D3, E3, D4
Attack Skanky with 4 armies.
Targets: B1, C1, D1, etc.
"""


@pytest.mark.rule("SO-53", "SO-54", "SO-55", "SO-56", "SO-57", "SO-58", "SO-59", "SO-60", "SO-61", "SO-62", "SO-63", "SO-R33")
def test_the_seeds_sample_block_is_accepted_literally() -> None:
    start = world("n.s / .c. / j.d / ... / ....x".replace("x", "."), "NukeDoc tech 2", "Cowboy", "Skanky", "Jamski", "DrSpike")
    start["society"][1]["name"] = "Spaced Cowboy"
    next(city for city in start["city"] if city["owner"] == "Cowboy")["owner"] = "Spaced Cowboy"
    assert start["map"]["side"] == 5
    assert read(start, "NukeDoc", SAMPLE) == (
        "Spy on Spaced Cowboy, target production",
        "Trade with Skanky",
        "Build city of NukeDoc at A2, A3, A4, A5",
        "Buy 2 armies",
        "Build Colosseum for 6",
        "Give Jamski 1 army",
        "Launch 3 nukes at DrSpike",
        "Targets: D3, E3, D4",
        "Attack Skanky with 4 armies",
        "Targets: B1, C1, D1",
    )


@pytest.mark.rule("SO-53")
def test_the_sample_message_of_the_specification_is_accepted() -> None:
    start = world(
        "aab. / aabb / ccc. / .c.. / c...",
        "Ann tech 6 gold 900 armies 20 spies 2",
        "Bob tech 5",
        "Cat tech 5",
        wars="Ann Bob 4",
    )
    text = """Spy on Bob, target research
Trade with Cat x2
Research 1
Buy 4 armies
Build city at D1, B4
Build Jihad for 40
If short, cut Jihad
Give Cat 2 armies
Attack Bob with 9 armies
Targets: C1, D2"""
    assert "\n".join(read(start, "Ann", text)) == text


def test_blank_and_ignored_lines_do_not_part_targets_from_their_order() -> None:
    text = "Attack Skanky with 4 armies\n\n~~~~\n# my targets\nTargets: C2"
    assert read(START, "NukeDoc", text) == ("Attack Skanky with 4 armies", "Targets: C2")


def test_every_line_is_answered_under_its_number_with_its_canonical_form() -> None:
    receipt = receive(START, "NukeDoc", "Buy 1 army\n\nAttack Skanky with 4 armies\nTargets: C2")
    verdicts = [verdict for verdict in receipt.verdicts if verdict.line]
    assert [verdict.line for verdict in verdicts] == [1, 3, 4]
    assert all(verdict.status is Status.OK for verdict in verdicts), verdicts
    assert "Buy 1 army" in verdicts[0].canonical


@pytest.mark.rule("SO-R03")
def test_a_second_letter_replaces_the_first_and_takes_its_own_place() -> None:
    state = ruleset.load(START)
    for place, (seat, text) in enumerate([("NukeDoc", "Buy 1 army"), ("Skanky", "Buy 1 army"), ("NukeDoc", "Buy 2 armies")], 1):
        state = ruleset.receive(state, mail(seat, text, place)).position
    assert [(sheet.seat, sheet.lines) for sheet in ruleset.sheets(state)] == [
        ("Skanky", ("Buy 1 army",)),
        ("NukeDoc", ("Buy 2 armies",)),
    ]


@pytest.mark.rule("SO-R03")
def test_letters_of_the_same_instant_stand_in_the_order_of_sign_up() -> None:
    state = ruleset.load(START)
    first, second = ruleset.seats(state)[:2]
    for seat in (second, first):
        state = ruleset.receive(state, mail(seat, "Buy 1 army")).position
    for position in (state, ruleset.load(ruleset.dump(state))):
        assert [sheet.seat for sheet in ruleset.sheets(position)] == [first, second]


@pytest.mark.rule("SO-81")
def test_the_order_form_offers_no_trade_with_an_enemy() -> None:
    start = world("ab", "Ann tech 2 gold 9", "Bob")
    assert "# Trade with Bob" in ruleset.order_form(ruleset.load(start), "Ann")
    at_war = {**start, "war": [{"between": ["Ann", "Bob"], "since": 3}]}
    assert "Trade" not in ruleset.order_form(ruleset.load(at_war), "Ann")


@pytest.mark.parametrize("line", ["Armies x2 [2]", "Armies x2 [2g]", "2 armies [2 gold]"])
def test_a_price_may_stand_in_square_brackets(line: str) -> None:
    assert read(world("a..", "Ann gold 20"), "Ann", line) == ("Buy 2 armies",)
