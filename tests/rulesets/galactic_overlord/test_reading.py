"""Lines that are taken apart at their marks, and the grammar that reads all lines: both must say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.galactic_overlord.checking.grammar import parsed
from rulesets.galactic_overlord.checking.reading import clean, plain, read
from rulesets.galactic_overlord.orders import Unclear
from tests.rulesets.budgets import SMALL
from tests.rulesets.galactic_overlord.strategies import WORDS

COUNTS = ["1 ", "2 ", "3x ", "12 ", "007 ", "0 ", "-1 ", "999999 ", "1000000 ", "a ", "one ", ""]
SHIPS = ["Laserfrigate", "Laserfrigates", "carriertitans", "Torp-cruiser", "Torpedo cruiser", "laserf", "Laserfoo", "frigate"]
SHIPS += ["Battleship 3xLasers", "base", "bases", "Base", "spy", "generator", "all", "x", "Fighterdreadnought"]
NAMES = ["Cygnus", "Port-Royal", "O'Neill", "New Terra", "St. Elmo", "Ökonia", "Andor", "A1 999", "-", "Tortuga", "cygnus."]
NAMES += [
    "and",
    "New with",
    "jointly with B",
    "together",
    "Base",
    "named",
    "To",
    "except-me",
    "X:Y",
    "2 Laserfrigates",
    "!",
    "",
]
SEPARATORS = [", ", ", ", ", ", " and ", "; ", ",", " ", ", and ", " + "]
CLAUSES = ["", "", " to the death", " allied with ", ", allied with ", " jointly with ", " TO THE DEATH", " except "]
LABELS = ["OOB attack", "OOB defence vs Cygnus", "OOB default", "Attack", "defense versus New Terra", "OOB vs X", "OOB", ""]
TACTICS = ["close in", "back off", "bunch", "Spread out", "default", "none", "to the death", "close", "hide"]


def _listed(draw: st.DrawFn, things: list[str], most: int) -> str:
    chosen = draw(st.lists(st.sampled_from(things), min_size=1, max_size=most))
    separator = draw(st.sampled_from(SEPARATORS))
    return separator.join(chosen)


def _ships(draw: st.DrawFn) -> str:
    items = draw(st.lists(st.tuples(st.sampled_from(COUNTS), st.sampled_from(SHIPS)), min_size=1, max_size=4))
    return draw(st.sampled_from(SEPARATORS)).join(count + ship for count, ship in items)


@st.composite
def builds(draw: st.DrawFn) -> str:
    """Build lines, most of them nearly right."""
    named = draw(st.sampled_from(["", "", " named ", " Named ", ", 1 base named ", ", 3 bases named "]))
    names = _listed(draw, NAMES, 3) if named else ""
    return f"{draw(st.sampled_from(['Build ', 'Build ', 'build ', 'Rebuild ']))}{_ships(draw)}{named}{names}"


@st.composite
def attacks(draw: st.DrawFn) -> str:
    """Attack lines, most of them nearly right."""
    force = draw(st.sampled_from(["all", "everything", "all except 1 Laserfrigate", ""])) or _ships(draw)
    line = f"Attack {draw(st.sampled_from(NAMES))}{draw(st.sampled_from([' with ', ' with ', ' WITH ', ': ']))}{force}"
    for _ in range(draw(st.integers(0, 2))):
        clause = draw(st.sampled_from(CLAUSES))
        line += clause + (_listed(draw, NAMES, 3) if clause.strip().endswith("with") else "")
    return line


@st.composite
def oobs(draw: st.DrawFn) -> str:
    """Orders of battle, most of them nearly right."""
    letters = "".join(draw(st.permutations("LLFFTT"))) if draw(st.booleans()) else draw(st.text("LFTlft", max_size=7))
    label = draw(st.sampled_from(LABELS)) + draw(st.sampled_from([": ", ": ", " : ", " "]))
    return f"{label}{letters} {_listed(draw, TACTICS, 3) if draw(st.booleans()) else ''}"


@given(builds() | attacks() | oobs(), st.sampled_from(["", "", ".", " to the death", "!", *WORDS]))
@SMALL
def test_a_line_taken_apart_at_its_marks_is_what_the_grammar_makes_of_it(line: str, end: str) -> None:
    cleaned = clean(line + end)
    assert read(cleaned) == parsed(cleaned)


PLAIN = [
    "Build 4 Laserfrigates, 1 Torpedocruiser",
    "Build 2 bases named Rigel, New Terra",
    "Build 1 Laserfrigate, 1 base",
    "Attack Cygnus with 2 Carrierbattleships, 3 Laserfrigates",
    "Attack New Terra with all allied with Borealis, Deneb to the death",
    "OOB attack: TFFLLT back off, bunch",
    "OOB defence vs New Terra: LFTFTL default",
    "OOB default: LFTLTF",
]


@pytest.mark.parametrize("line", PLAIN)
def test_a_canonical_line_does_not_need_the_grammar(line: str) -> None:
    assert plain(line) == parsed(line)
    assert not isinstance(parsed(line), Unclear)


@pytest.mark.parametrize("line", ["Build 2 Laserfrigates" + ", 1 base" * 300, "OOB vs " + "x" * 2000 + ": LFTLTF"])
def test_a_line_that_is_too_long_is_refused_however_plain_it_is(line: str) -> None:
    assert isinstance(read(line), Unclear)
