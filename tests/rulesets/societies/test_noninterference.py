"""Secrecy, proved: whatever a society may keep secret can be changed without a byte of difference to anybody else.

Each test plays a random turn in two worlds that differ in something only some may know, and compares all that the others
get: verdicts, views in the middle of the turn and after it, order forms. That letters on file show to nobody, all rulesets have
promised.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmd.conformance.everything_sent import Told, answer, told_in, view_and_form
from pbmd.conformance.scenes import play
from pbmd.rules import Document
from rulesets.societies import ruleset
from tests.rulesets.budgets import SMALL, examples_of, one_of_kept
from tests.rulesets.societies.harness import mail, world
from tests.rulesets.societies.strategies import Turn, documents, turns


def told(turn: Turn) -> Told:
    """All that each seat and the public get in the course of a turn, and by its report."""
    letters = [mail(seat, text, place) for place, (seat, text) in enumerate(turn.letters, start=1)]
    step = play(ruleset, ruleset.load(turn.document), letters, "turn")
    assert (step.at_once, step.drawn) == ((), ())
    before = step.positions[-2]
    return {seat: seen + view_and_form(ruleset, before, (), seat) for seat, seen in told_in(ruleset, letters, step).items()}


def assert_hidden(one: Turn, other: Turn, but: Iterable[str]) -> None:
    """Nobody but those excepted can tell the two worlds apart."""
    seen, seen_too = told(one), told(other)
    for seat in seen:
        if seat not in but:
            assert seen[seat] == seen_too[seat], f"{seat or 'the public'} can tell"


def changed(document: Document, name: str, **fields: int) -> Document:
    """The position with other stocks of a society."""
    other = deepcopy(document)
    next(table for table in other["society"] if table["name"] == name).update(fields)
    return other


TURNS = one_of_kept(cache(lambda: examples_of(turns())))
STOCKS = ("gold", "armies", "spies", "nukes", "sdi", "missed_turns")
stocks = st.fixed_dictionaries({key: st.integers(0, 9) for key in STOCKS})


@pytest.mark.rule("SO-R99", "SO-53")
@given(documents(), stocks)
@SMALL
def test_what_others_own_is_in_no_answer_form_or_view(document: Document, hidden: dict[str, int]) -> None:
    """Before the turn is resolved there is nothing that another's treasury or forces could have done."""
    other = changed(document, "Bob", **hidden)
    text = (
        "Attack Bob with 5 armies\nSpy on Bob, target trade\nTrade with Bob x2\nGive Bob 1 spy\nLaunch 1 nuke at Bob, target A1"
    )
    worlds = [ruleset.load(document), ruleset.load(other)]
    for seat in ("", *(table["name"] for table in document["society"] if table["name"] != "Bob")):
        assert len({view_and_form(ruleset, state, (), seat) for state in worlds}) == 1
        assert len({answer(ruleset.receive(state, mail(seat, text))) for state in worlds if seat}) <= 1


@pytest.mark.rule("SO-R99", "SO-53")
@given(TURNS, st.integers(0, 5000), st.integers(0, 9))
@SMALL
def test_a_hidden_treasury_shows_in_nothing_that_others_get(turn: Turn, gold: int, missed: int) -> None:
    """Bob sends nothing, so that his gold does nothing: only the owner can tell how much there is."""
    letters = tuple(letter for letter in turn.letters if letter[0] != "Bob")
    one = Turn(turn.document, letters)
    assert_hidden(one, replace(one, document=changed(turn.document, "Bob", gold=gold, missed_turns=missed)), {"Bob"})


@pytest.mark.rule("SO-R99", "SO-34")
@given(TURNS, stocks)
@SMALL
def test_hidden_forces_show_only_where_they_fight(turn: Turn, hidden: dict[str, int]) -> None:
    """Bob is silent and nobody attacks or bombs him."""
    letters = tuple(
        (seat, "\n".join(line for line in text.splitlines() if not ("Bob" in line and ("ttack" in line or "nuke" in line))))
        for seat, text in turn.letters
        if seat != "Bob"
    )
    gifts = any("Bob" in line and "give" in line.lower() for _, text in letters for line in text.splitlines())
    assume(not gifts)
    one = Turn(turn.document, letters)
    assert_hidden(one, replace(one, document=changed(turn.document, "Bob", **hidden)), {"Bob"})


@pytest.mark.rule("SO-R03", "SO-15", "SO-53")
@given(TURNS, st.data())
@SMALL
def test_the_order_of_arrival_shows_only_in_what_came_of_it(turn: Turn, data: st.DataObject) -> None:
    """Where another order of arrival brings about the same, nothing that anybody gets is told in another order or words."""
    other = replace(turn, letters=tuple(data.draw(st.permutations(turn.letters))))
    one, two = turn.played(), other.played()
    assume({**one.document, "past": []} == {**two.document, "past": []})
    assume(sorted(map(repr, one.events)) == sorted(map(repr, two.events)))
    assert one.events == two.events
    assert_hidden(turn, other, ())


FOUR = world(
    "aab.. / acb.. / .c..d / ..... / .....",
    "Ann tech 7 gold 900 armies 9 spies 2 nukes 1 sdi 1", "Bob tech 7 gold 900 armies 9 spies 2",
    "Cat tech 6 gold 900 armies 9 spies 2",
    "Dan tech 7 gold 900 armies 3 spies 2", wars="Ann Cat 3",
)  # fmt: skip


@pytest.mark.rule("SO-53", "SO-R99", "SO-R08")
@pytest.mark.parametrize(
    ("one", "other", "but"),
    [
        # Nobody else learns of purchases, cuts, plans, defenders, spies that found nothing, peace offers to others.
        ("", "Buy 5 armies", ""),
        ("", "# nothing", ""),
        ("Buy 5 armies", "Buy 5 armies\nIf short, cut armies", ""),
        ("Build Mafia for 60", "Build Mafia for 80", ""),
        ("Build Jihad for 899", "Build Jihad for 36", ""),
        ("", "Research 1\nBuild Mafia for 899\nBuy 30 armies\nIf short, cut research, Mafia, armies", ""),
        ("", "2 spies defend trade", ""),
        ("", "Spy defend research\nSpy defend war", ""),
        ("Spy on Bob, target war", "2 spies on Bob, target war", ""),
        ("", "Declare peace with Cat", "Cat"),
        ("", "Spoils of Cat to me", ""),
        ("", "Give Bob 2 spies", "Bob"),
        ("", "Give Bob 5 gold", "Bob"),
        ("", "Give Bob 2 armies", "Bob"),
        ("Trade with Bob", "Trade with Bob x2", "Bob"),
        ("", "Trade with Cat", ""),
        ("", "Attack Dan with 5 armies", ""),
        ("", "Launch 1 nuke at Cat\nTargets: E5", ""),
        ("Attack Cat with 9 armies", "Attack Cat with 8 armies", "Cat"),
        ("Revolution to Monarchy, keep tax", "Revolution to Monarchy, keep war\nAttack Dan with 5 armies", ""),
        ("Revolution to Monarchy, keep trade", "Revolution to Monarchy, keep production\nBuy 1 army", ""),
        ("", "Concede to Bob", "Bob"),
        ("", "nonsense", ""),
    ],
)
def test_orders_without_public_effect_are_hidden(one: str, other: str, but: str) -> None:
    worlds = [
        Turn(FOUR, (*([("Ann", text)] if text else []), ("Cat", "Buy 1 army"), ("Dan", "Buy 1 army"))) for text in (one, other)
    ]
    assert_hidden(worlds[0], worlds[1], {"Ann", *but.split()})


@pytest.mark.rule("SO-68", "SO-R31", "SO-75", "SO-R35")
@pytest.mark.parametrize("cat", ["Buy 1 army", "Spy defend research\nBuy 1 army", "Revolution to Monarchy, keep war"])
def test_whose_spies_came_is_hidden_from_victim_and_others(cat: str) -> None:
    spy, rest = "Spy on Cat, target research", "Buy 1 army"
    worlds = [Turn(FOUR, (("Ann", a), ("Dan", d), ("Cat", cat))) for a, d in ((spy, rest), (rest, spy))]
    assert_hidden(worlds[0], worlds[1], {"Ann", "Dan"})


@pytest.mark.rule("SO-R31", "SO-69", "SO-R42", "SO-72")
def test_a_sender_does_not_learn_why_a_spy_did_not_get_through() -> None:
    """Stopped by a defender, lost to a revolution's other phases, or met by a spy the other way."""
    letters: list[str] = ["Spy defend military", "Spy on Ann, target trade"]
    worlds = [Turn(FOUR, (("Ann", "Spy on Dan, target military"), ("Dan", text))) for text in letters]
    assert_hidden(worlds[0], worlds[1], {"Dan"})
    news = [told(Turn(FOUR, (("Ann", "Spy on Dan, target military"), ("Dan", text))))["Ann"] for text in letters]
    assert "did not get through" in news[0]


@pytest.mark.rule("SO-R72", "SO-120", "SO-122")
def test_the_sums_of_bids_are_hidden() -> None:
    """The loser learns that it lost, not to how much."""
    worlds = [Turn(FOUR, (("Ann", "Mafia (60)"), ("Bob", f"Mafia ({bid})"))) for bid in (61, 899)]
    assert_hidden(worlds[0], worlds[1], {"Bob"})
    losers = [Turn(FOUR, (("Ann", "Mafia (60)"), ("Bob", f"Mafia ({bid})"))) for bid in (49, 59)]
    assert_hidden(losers[0], losers[1], {"Bob"})


@pytest.mark.rule("SO-161", "SO-165", "SO-166")
def test_forces_in_a_battle_are_known_to_their_owners_only() -> None:
    """Ann's larger home army changes nothing but what she has."""
    document = world("aabbb", "Ann tech 4 armies 9", "Bob tech 4 armies 4", wars="Ann Bob 3")
    worlds = [Turn(changed(document, "Ann", armies=count), (("Ann", "Attack Bob with 8 armies"),)) for count in (9, 30)]
    assert_hidden(worlds[0], worlds[1], {"Ann"})
    # A battle that both ends know by its outcome alone: 8 against 4, or 9 against 5.
    fights = [
        Turn(
            changed(document, "Ann", armies=90),
            (("Ann", f"Attack Bob with {sent} armies"), ("Bob", "Attack Ann with 4 armies")),
        )
        for sent in (5, 6)
    ]
    assert_hidden(fights[0], fights[1], {"Ann"})
