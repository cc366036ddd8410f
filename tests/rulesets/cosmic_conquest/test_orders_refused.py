"""What is wrong with orders, and what becomes of the mail (6.5)."""

import pytest

from pbmd.rules import HmacDice, Refused, Status
from pbmd.rules.checking import MOST_EXAMPLES
from rulesets.cosmic_conquest import ruleset
from tests.rulesets.cosmic_conquest.harness import faction, fault, mail, messages, play, position, receive, sheet

START = position(
    "Sol 20 Red, Procyon 20 Purple, Rigel 20 Green", faction("Red", drones=1), faction("Purple", "psionic"), faction("Green")
)


NOT_ADJACENT = "Vega is not adjacent to any system of yours that can launch an attack"


@pytest.mark.parametrize(
    "line",
    [
        "0 units to invest in Sol",
        "-5 units to invest in Sol",
        "5.5 units to invest in Sol",
        "1,5 units to invest in Sol",
        "five units to invest in Sol",
        "5 units and 0 drones to defend Sol",
        "Raise 0 drones in Sol",
        "1e3 units to defend Sol",
        "99999999999999 units to defend Sol",
    ],
)
@pytest.mark.rule("CC-R90")
def test_numbers_are_whole_and_positive(line: str) -> None:
    assert fault(START, "Red", line).startswith("this is no order")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Good luck", "this is no order"),
        ("Defend Sol", 'this is no order; write it as "Defend <system> with <number> units"'),
        ("Send 5 units to Sol", 'this is no order; write it as "Conquer <system> with <number> units"'),
        ("Put 5 units into Sol", "this is no order"),
        ("Conquer Procyon or Sirius with 5 units", 'unknown system "Procyon or Sirius"; an order leaves no choice ("or")'),
        (
            "Conquer Procyon with 5 units if possible",
            'an order cannot depend on anything ("if"); write it as "Conquer <system> with <number> units"',
        ),
        (
            "Use 5 units not to defend Sol",
            'write only what is to be done ("not"); write it as "Defend <system> with <number> units"',
        ),
        ("Defend Sol and Sirius with 5 units", 'this is no order; write it as "Defend <system> with <number> units"'),
        ("Defend Sol with 5 units led by Nelson", '"Nelson" is not your admiral, who is Admiral of Red'),
        ("Passing", "this is no order"),
        ("Defend Sol -5 units", 'this is no order; write it as "Defend <system> with <number> units"'),
        ("Defend Sol with 5 units (6)", 'this is no order; write it as "Defend <system> with <number> units"'),
        (
            "Conquer Procyon 5 next turn",
            'an order is for now ("next turn"); write it as "Conquer <system> with <number> units"',
        ),
        ("Draft: defend Sol with 5 units", 'unknown system "Draft Sol"; an order leaves nothing open ("Draft")'),
        ("Conquer Procyon from Sol with 5 units", 'where it starts from is not said: write only "Procyon"'),
        ("Conquer Procyon with the rest", 'write a number for "rest": your systems yield 20 units, and you have 1 drone'),
        ("Invest half my units in Sol", 'write a number for "half": your systems yield 20 units, and you have 1 drone'),
        (
            "Announce my empire is not ready",
            'write only what is to be done ("not"); write it as "Announce the Intergalactic Empire"',
        ),
        ("I announce my empire soon", 'this is no order; write it as "Announce the Intergalactic Empire"'),
        ("Defend Solr with 5 units", 'unknown system "Solr"; did you mean "Sol"?'),
        ("Conquer Sirus with 5 units", 'unknown system "Sirus"; did you mean "Sirius"?'),
        ("Conquer Solr with 5 units", 'unknown system "Solr"'),  # Solaria is out of reach
        ("Defend S with 5 units", 'unknown system "S"'),
        ("Conquer Al with 5 units", '"Al" could be Alpha Centauri, Altair, Aldebaran, Algol'),
        ("Defend Vega with 5 units", "you do not hold Vega"),
        ("Invest 5 units in Rigel", "you do not hold Rigel"),
        ("Conquer Sol with 5 units", "you hold Sol already"),
        ("Defend Sol with 1 unit and 2 drones", "needs 2 drones, you have 1 left"),
        ("1 drone to defend Sol", "drones need at least 1 unit with them"),
        ("Raise 2 drones in Sol", "2 drones cannot be raised in 1 system: it is one from each"),
        ("Raise a drone in Sol and Vega", "1 drone cannot be raised in 2 systems: it is one from each"),
        ("Announce the Intergalactic Empire", "needs 4 connected systems at the start of the turn"),
        ("Time Skip in Sol", "Time Skip is a ChronoTech ability"),
    ],
)
@pytest.mark.rule("CC-R89", "CC-97", "CC-69")
def test_the_answer_names_the_fault(line: str, words: str) -> None:
    assert fault(START, "Red", line).rstrip("?.") == words.rstrip("?")


@pytest.mark.rule("CC-R35")
def test_what_is_too_much_or_too_far_away_gets_no_advice() -> None:
    text = "5 Resource Units for Defense of Sol.\n10 Resource Units for Conquest of Vega.\n16 Resource Units to Invest in Sol."
    receipt = receive(START, "Red", text)
    assert [message for message in messages(receipt) if message] == [
        f"{NOT_ADJACENT}.",
        "needs 16 units, 15 of 20 are left.",
        "Nothing was accepted. Your orders for turn 5 have not been sent; send all of them again.",
    ]


NEAR = position(
    "Sol 20 Red, Sirius 20 Red, Rigel 20 Green, Antares 9 Green, Polaris 9 Purple",
    faction("Red", "psionic"),
    faction("Green", name="Emerald Horde"),
    faction("Purple", "psionic"),
)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("Defend Siruis with 5 units", "Defend Sirius with 5 units"),
        ("30 units to invest in Siruis", "30 units to invest in Sirius"),
        ("50 units to invest in Siruis", ""),
        ("Conquer Procyn with 9 units", "Conquer Procyon with 9 units"),
        ("Conquer Procyn with 90 units", ""),
        ("Raise a drone in Siruis", "Raise a drone in Sirius"),
        ("Psychic Sabotage on Antaris", "Psychic Sabotage on Antares"),
        ("Psychic Sabotage on Nowhere", ""),
        ("Psychic Assault on the defense of Antaris", "Psychic Assault on the defense of Antares"),
        ("Psychic Assault on the attack of Emerld Horde on Sol", "Psychic Assault on the attack of Emerald Horde on Sol"),
        ("Psychic Assault on the attack of Violet on Siruis", ""),
        ("Telepathic Insight on Gren", "Telepathic Insight on Green"),
        ("Telepathic Insight on Purple", ""),
        ("Temporal Stasis on Sol", ""),
    ],
)
def test_the_right_line_has_what_is_spelt_most_like_what_was_written(line: str, right: str) -> None:
    message = messages(receive(NEAR, "Red", line))[0]
    assert message.partition(" Right: ")[2] == right
    again = receive(NEAR, "Red", right or "Pass")
    assert not [verdict for verdict in again.verdicts if verdict.status is Status.ERROR]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("Emerld Horde", '; did you mean "Emerald Horde"?'), ("Prple", '; did you mean "Purple"?'), ("Redd", ""), ("Gry", "")],
)
def test_a_misspelt_player_is_asked_about_if_the_order_can_be_about_them(name: str, hint: str) -> None:
    start = {**NEAR, "factions": [*NEAR["factions"], faction("Grey", status="eliminated")]}
    line = f"Psychic Assault on the attack of {name} on Sol"
    assert fault(start, "Red", line) == f'unknown player "{name}"{hint}'


def test_a_long_letter_gets_no_more_advice_than_anybody_reads() -> None:
    wrong = [verdict for verdict in receive(NEAR, "Red", "Psychic Sabotage on Antaris\n" * 300).verdicts if verdict.line]
    assert (len(wrong), sum("Right: " in verdict.message for verdict in wrong)) == (300, MOST_EXAMPLES)


@pytest.mark.rule("CC-R35", "CC-R75", "CC-45")
def test_a_refused_mail_was_never_sent_and_the_first_accepted_one_is_final() -> None:
    state = ruleset.load(START)
    refused = ruleset.receive(state, mail("Red", "Defend Sol with 5 units\nInvest 16 units in Sol"))
    assert not refused.filed
    assert ruleset.sheets(refused.position) == ()
    assert "Red" in ruleset.awaiting(refused.position)
    accepted = ruleset.receive(refused.position, mail("Red", "Defend Sol with 5 units", 2))
    assert accepted.filed
    assert "Red" not in ruleset.awaiting(accepted.position)
    for text in ("Defend Sol with 6 units", "nonsense", "Pass"):
        again = ruleset.receive(accepted.position, mail("Red", text, 3))
        assert (again.filed, again.position) == (False, accepted.position)
        assert messages(again) == ["your orders for turn 5 are in and final."]
    with pytest.raises(Refused, match="are in and final"):
        ruleset.withdraw(accepted.position, "Red")
    with pytest.raises(Refused, match="no orders in"):
        ruleset.withdraw(state, "Red")


@pytest.mark.rule("CC-R35")
def test_all_errors_are_listed_and_later_lines_are_checked_with_what_good_ones_left() -> None:
    text = "Defend Sol with 15 units\nnonsense\nInvest 6 units in Sol\nInvest 5 units in Sol\nInvest 1 unit in Sol"
    wrong = [v.line for v in receive(START, "Red", text).verdicts if v.line and v.status is Status.ERROR]
    assert wrong == [2, 3, 5]


@pytest.mark.rule("CC-R35")
def test_with_the_option_wrong_lines_are_dropped_whole_and_the_rest_is_final() -> None:
    start = {**START, "options": {"on_error": "drop"}}
    text = """Defend Sol with 15 units
    nonsense
    Invest 6 units in Sol
    Invest 5 units in Sol
    The admiral leads the attack on Sirius
    1 drone to attack Sirius"""
    assert sheet(start, "Red", text) == ("Defend Sol with 15 units", "Invest 5 units in Sol")
    receipt = receive(start, "Red", text)
    assert [v.line for v in receipt.verdicts if v.status is Status.ERROR] == [2, 3, 5, 6]
    assert "1 of 1 drone stays at home." in receipt.defaults
    assert not receive(start, "Red", "nonsense\nmore of it").filed


@pytest.mark.rule("CC-R35")
def test_the_drones_of_a_dropped_action_are_not_offered_to_other_lines() -> None:
    start = {**START, "options": {"on_error": "drop"}}
    text = "1 drone to attack Sirius\nDefend Sol with 1 unit and 1 drone\nDefend Sol with 2 units"
    assert sheet(start, "Red", text) == ("Defend Sol with 2 units",)


@pytest.mark.rule("CC-R35", "CC-48")
def test_who_only_sent_refused_mail_stalls_and_reads_why() -> None:
    state = ruleset.load(START)
    state = ruleset.receive(state, mail("Red", "Pass\nnonsense")).position
    assert ruleset.load(ruleset.dump(state)) == state
    for seat in ruleset.awaiting(state):
        state = ruleset.miss(state, seat).position
    events = ruleset.resolve(state, HmacDice(b"refused", b"")).events
    (refused,) = [event for event in events if event.kind == "orders_refused"]
    assert refused.audience == ("Red",)
    assert 'Line 2: "nonsense" – this is no order.' in refused.data["errors"][0]
    assert {event.data["colour"] for event in events if event.kind == "stalled"} == {"Red", "Purple", "Green"}


@pytest.mark.rule("CC-R35", "CC-R75")
def test_only_the_last_refused_mail_is_remembered_and_none_once_orders_are_in() -> None:
    state = ruleset.load(START)
    for text in ("nonsense", "more nonsense"):
        state = ruleset.receive(state, mail("Red", text)).position
    (refused,) = ruleset.dump(state)["refused"]
    assert '"more nonsense"' in refused["errors"][0]
    assert "refused" not in ruleset.dump(ruleset.receive(state, mail("Red", "Pass")).position)


@pytest.mark.rule("CC-R35", "CC-R86")
def test_nobody_orders_after_the_end_or_when_out_of_the_game() -> None:
    gone = position("Sol 20 Red, Rigel 20 Green", faction("Red"), faction("Green"), faction("Teal", status="eliminated"))
    assert messages(receive(gone, "Teal", "Pass")) == ["Teal is eliminated; orders are not taken any more."]
    over = play(gone, [("Red", "Vote for a draw"), ("Green", "Vote for a draw")]).document
    assert messages(receive(over, "Red", "Pass")) == ["the game is over; orders are not taken any more."]
    with pytest.raises(LookupError):
        receive(gone, "Blue", "Pass")


@pytest.mark.rule("CC-70", "CC-R66")
def test_an_empire_is_announced_once_in_a_sheet_and_its_name_is_not_endless() -> None:
    four = "Sol 5 Red, Alpha Centauri 5 Red, Groombridge 5 Red, Sirius 5 Red, Rigel 9 Green"
    start = position(four, faction("Red"), faction("Green"))
    twice = "Announce the Intergalactic Empire of A\nAnnounce the Intergalactic Empire of B"
    assert fault(start, "Red", twice) == "only once per turn"
    assert fault(start, "Red", f"Announce the Intergalactic Empire of {'x' * 61}").startswith("the empire's name has 61")
    for said in ("of Red next turn", "of Red if Green agrees", "if Green agrees", "(maybe)", "of Red tomorrow", "of Red?"):
        assert "write the name alone" in fault(start, "Red", f"Announce the Intergalactic Empire {said}")


@pytest.mark.rule("CC-70")
@pytest.mark.parametrize("name", ["the \uf8ff Star", "Ada\u0600", "\ufdd0", "Sun \u206f"])
def test_the_name_of_an_empire_can_be_shown_and_stored(name: str) -> None:
    """A name that a position document may not have would make the game unreadable from the next turn on."""
    four = "Sol 5 Red, Alpha Centauri 5 Red, Groombridge 5 Red, Sirius 5 Red, Rigel 9 Green"
    start = position(four, faction("Red"), faction("Green"))
    words = "the empire's name has a character that cannot be shown"
    assert fault(start, "Red", f"Announce the Intergalactic Empire of {name}") == words


@pytest.mark.rule("CC-42", "CC-R76")
def test_published_orders_go_to_everybody_at_once() -> None:
    receipt = receive(START, "Red", "Publish orders\nDefend Sol with 1 unit")
    (event,) = receipt.events
    assert event.audience is None
    assert ruleset.tell is not None
    assert ruleset.tell(event) == "Published orders, turn 5 – orders of Red:\nDefend Sol with 1 unit\nPublish orders"
    assert receive(START, "Red", "Defend Sol with 1 unit").events == ()
