"""The static checks of 6.3: each with its code, and the whole mail is returned."""

import pytest

from pbmd.rules import Document, Status
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import DEADLINE, duel, errors, fault, move, play, receive, state


def world(**fields: object) -> Document:
    """Terrans to move, Zorg with a fleet, Vesper's people eliminated."""
    return duel(
        {"player_name": "Kim"},
        {"player_name": "Sam"},
        [state("Ghosts", 0, kind="eliminated"), state("Robots", 0, kind="npc")],
        planets="Aquila Terrans: Farmland; Harrow Robots",
        units="F1 Terrans Aquila, A1 Terrans Aquila, F2 Zorg Garnet, A2 Zorg Garnet",
        **fields,
    )


REFUSED = [
    # Grammar.
    ("Attack Zorg", "syntax"),
    ("War with Zorg", "syntax"),
    ("Move F1", "syntax"),
    ("Move F1 and A1 to Bastion", "syntax"),
    ("Land F1 on Aquila", "syntax"),
    ("Load F1 onto F1", "syntax"),
    ("Bombard Aquila with A1", "syntax"),
    ("Bombard F1", "syntax"),
    ("Build armies", "syntax"),
    ("Build armies at Aquila", "syntax"),
    ("Build fleets at Aquila", "syntax"),
    *((f"Build{said} at Aquila", "syntax") for said in (" F", " A", " 1 F", " ship", " a ship", " 2 ships", ": F", ": ship")),
    ("Draft: build army", "unknown_name"),
    ("Build 2 Mines on Aquila", "unknown_name"),
    ("F1 Bastion", "syntax"),
    ("Develop on Aquila", "syntax"),
    ("Gift credits to Zorg", "syntax"),
    ("Offer alliance to Zorg", "syntax"),
    ("Proclaim", "syntax"),
    ("Disband", "syntax"),
    ("Move 2 fleets to Bastion", "syntax"),
    ("Redevelop Farmland on Aquila", "syntax"),
    ("Dear all", "syntax"),
    ("Declare war on", "syntax"),
    ("Cancel peace with Zorg", "syntax"),
    ("Move F1 to Bastion at once", "syntax"),
    # Names.
    ("Develop Mine field on Aquila", "unknown_name"),
    ("Develop Mines on Aqila", "unknown_name"),
    ("Declare war on Nobody", "unknown_name"),
    ("Declare war on Ghosts", "unknown_name"),
    ("Declare war on Aquila", "unknown_name"),
    ("Research Teleportation", "unknown_name"),
    ("Move F1 to Ghosts", "unknown_name"),
    ("Move capital to Terra", "unknown_name"),
    ("Build army at Zorg", "unknown_name"),
    ("Declare war on Sa", "ambiguous_name"),
    ("Develop S on Aquila", "ambiguous_name"),
    ("Move F1 to E", "ambiguous_name"),
    ("Research D", "ambiguous_name"),
    # Units.
    ("Move F99 to Bastion", "unknown_unit"),
    ("Move F2 to Bastion", "unknown_unit"),
    ("Disband A2", "unknown_unit"),
    ("Load A9 onto F1", "unknown_unit"),
    ("Load A1 onto F2", "unknown_unit"),
    ("Land A2 on Garnet", "unknown_unit"),
    ("Bombard Garnet with F2", "unknown_unit"),
    # Persons.
    ("Declare war on Terrans", "own_state"),
    ("Offer trade treaty to Terrans", "own_state"),
    ("Gift 1 credit to Kim", "own_state"),
    ("Cancel trade treaty with Terrans", "own_state"),
    ("Accept peace from Terrans", "own_state"),
    ("Proclaim Vesper winner", "not_a_player"),
    ("Proclaim Robots", "not_a_player"),
]  # fmt: skip


@pytest.mark.rule("LC-R10")
@pytest.mark.parametrize(("line", "code"), REFUSED, ids=[line for line, _ in REFUSED])
def test_a_wrong_line_returns_the_mail(line: str, code: str) -> None:
    document = world()
    if line == "Declare war on Sa":
        document["states"][0]["player_name"] = "Kim"
        document["states"] = [*document["states"], state("Saturn", home="Lumen"), state("Sables", home="Rhea")]
        document["planets"] = [*document["planets"], {"name": "Lumen", "owner": "Saturn"}, {"name": "Rhea", "owner": "Sables"}]
    assert fault(document, "Terrans", f"End move\n{line}") == code


@pytest.mark.parametrize(
    "line",
    [
        "Gift 0 credits to Zorg",
        "Build 0 armies at Aquila",
        "Move 0 fleets from Aquila to Bastion",
        "Load 0 armies at Aquila",
        "Disband F0",
    ],
)
def test_numbers_begin_with_1(line: str) -> None:
    assert fault(world(), "Terrans", line)


@pytest.mark.rule("LC-R10")
def test_the_reply_names_line_fault_and_a_right_example() -> None:
    receipt = receive(world(), "Terrans", "Build army at Aquila\n\nDevelop Mine on Aqila\nResearch Magic")
    wrong = errors(receipt)
    assert [(verdict.line, verdict.text) for verdict in wrong] == [(3, "Develop Mine on Aqila"), (4, "Research Magic")]
    assert wrong[0].message == ('there is no planet "Aqila"; did you mean "Aquila"? Right: Develop Mine on Aquila')
    both = errors(receive(world(), "Terrans", "End move\nDevelop Farmlant on Harow"))[0].message
    assert both == 'there is no resource "Farmlant". there is no planet "Harow".'
    assert (receipt.filed, receipt.granted, receipt.events) == (False, False, ())


@pytest.mark.rule("LC-R10", "LC-91")
def test_a_returned_mail_is_no_move_and_stops_no_clock() -> None:
    """The player is still awaited, an older held mail stays, and he may send again."""
    state_ = ruleset.load(world())
    assert ruleset.ready is not None
    refused = receive(world(), "Terrans", "Nonsense")
    assert not ruleset.ready(refused.position)
    assert ruleset.awaiting(refused.position) == ruleset.awaiting(state_) == ("Terrans",)
    assert ruleset.sheets(refused.position) == ()


def test_a_mail_needs_at_least_one_order() -> None:
    for text in ("", "# nothing", "Diplomacy:\n\nOrders:"):
        assert fault(world(), "Terrans", text) == "empty"


@pytest.mark.rule("LC-R03")
@pytest.mark.parametrize(
    "line",
    [
        "Disband F1",
        "Load A1 onto F1",
        "Move F1 to Bastion",
        "Teleport A1 to Bastion",
        "Land A1 on Aquila",
        "Bombard Aquila",
        "Research Commerce",
        "Move capital to Aquila",
        "Offer trade treaty to Fenris",
        "Declare war on Fenris",
        "Cancel trade treaty with Fenris",
    ],
)
def test_what_turn_0_does_not_allow_is_refused(line: str) -> None:
    assert fault(world(turn=0), "Terrans", f"End move\n{line}") in {"wrong_phase"}
    assert receive(world(turn=1), "Terrans", f"End move\n{line}").filed


@pytest.mark.rule("LC-R03", "LC-09", "LC-10")
@pytest.mark.parametrize(
    "line",
    [
        "End move",
        "Build army at Aquila",
        "Build fleet at Aquila",
        "Develop Mines on Aquila",
        "Redevelop Farmland into Mines on Aquila",
        "Offer trade treaty to Zorg",
        "Accept trade treaty from Zorg",
        "Decline trade treaty from Zorg",
        "Withdraw trade treaty offer to Zorg",
        "Declare war on Zorg",
        "Cancel trade treaty with Zorg",
        "Null military pact with Zorg",
        "Gift 1 credit to Zorg",
        "Proclaim Zorg winner",
    ],
)
def test_what_turn_0_allows_is_accepted(line: str) -> None:
    assert receive(world(turn=0), "Terrans", f"{line}\nEnd move").filed


@pytest.mark.rule("LC-R03", "LC-R08")
def test_the_phase_is_judged_for_the_turn_in_which_the_mail_will_be_executed() -> None:
    """Who has made his Turn 0 move sends his next one: it is for Turn 1."""
    document = world(turn=0, waiting=["Zorg"])
    assert receive(document, "Terrans", "Research Commerce").filed
    assert fault(document, "Zorg", "Research Commerce") == "wrong_phase"


@pytest.mark.rule("LC-R54", "LC-R03")
def test_offers_to_npc_states_need_a_move_mail() -> None:
    assert fault(world(), "Terrans", "Offer trade treaty to Fenris") == "npc_only_in_move"
    assert receive(world(), "Terrans", "Offer trade treaty to Fenris\nEnd move").filed


@pytest.mark.rule("LC-37", "LC-42", "LC-R49")
def test_a_gift_to_an_npc_state_fails_when_it_is_carried_out() -> None:
    assert move(world(), "Gift 1 credit to Fenris").reasons == ["npc_no_gift"]


@pytest.mark.rule("LC-R10")
def test_with_lax_mails_faulty_lines_are_dropped_and_the_rest_counts() -> None:
    document = world(options={"strict_mails": False})
    receipt = receive(document, "Terrans", "Build army at Aquila\nnonsense\nResearch Commerce")
    assert receipt.filed
    assert [(v.line, v.code) for v in errors(receipt)] == [(2, "syntax")]
    assert ruleset.sheets(receipt.position)[0].lines == ("Build army at Aquila", "Research Commerce")
    diplomatic = receive(document, "Terrans", "Offer trade treaty to Zorg\nnonsense")
    assert (diplomatic.granted, [event.kind for event in diplomatic.events]) == (True, ["offer_made"])
    assert not receive(document, "Terrans", "nonsense").filed


@pytest.mark.rule("LC-R91")
def test_letters_of_who_is_out_of_the_game_change_nothing() -> None:
    for seat in ("Ghosts",):
        receipt = receive(world(), seat, "End move")
        assert (receipt.filed, receipt.granted) == (False, False)
        assert any(verdict.status is Status.ERROR for verdict in receipt.verdicts)
    over = world(phase="over", winner="Zorg", victory="planets", waiting=[])
    assert not receive(over, "Terrans", "End move").filed
    with pytest.raises(LookupError):
        receive(world(), "Martians", "End move")


@pytest.mark.rule("LC-R09")
def test_a_resolved_move_is_final() -> None:
    played = play(world(), [("Terrans", "Research Commerce"), ("Terrans", "Research Bunkers")])
    assert played.state("Terrans")["technologies"] == ["Commerce"]
    assert [(held["state"], held["lines"]) for held in played.document["held"]] == [("Terrans", ["Research Bunkers"])]
    played = play(
        world(), [("Terrans", "End move"), ("Terrans", "Research Bunkers"), ("Terrans", "Research Commerce"), DEADLINE]
    )
    assert played.state("Terrans")["technologies"] == ["Commerce"]
    assert len(played.steps) >= 3


@pytest.mark.rule("LC-R10", "LC-R36")
def test_a_lax_mail_is_judged_by_the_lines_that_stand() -> None:
    lax = duel(options={"strict_mails": False})
    mail_lines = receive(lax, "Zorg", "Build fleet at Nowhere\nOffer trade treaty to Terrans")
    assert (mail_lines.granted, mail_lines.filed) == (True, False)
    to_npc = receive(lax, "Zorg", "Build fleet at Nowhere\nOffer trade treaty to Bastion")
    assert [verdict.code for verdict in to_npc.verdicts[:2]] == ["unknown_name", "npc_only_in_move"]


@pytest.mark.rule("LC-R10")
def test_what_only_a_move_may_have_is_no_fault_beside_a_line_that_may_be_one() -> None:
    receipt = receive(duel(), "Zorg", "Buidl fleet at Garnet\nOffer trade treaty to Bastion")
    assert [verdict.code for verdict in receipt.verdicts[:2]] == ["syntax", ""]
