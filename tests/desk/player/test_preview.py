"""PREVIEW: an outcome that is hypothetical, made of what its player knows, and changes nothing."""

from contextlib import closing
from datetime import timedelta

import pytest

from pbmd.desk.player import preview as module
from pbmd.ledger.tables import GameStatus
from tests.desk.test_secrecy import bytes_for_others, ideal_seal
from tests.desk.world import World, address_of, body_of, message_of
from tests.rulesets.cosmic_conquest.desk import conquest

OWN = "Build 2 Laserfrigates\nOOB default: LFTLTF"


@pytest.fixture
def game(world):
    """A game of Galactic Overlord, in which there is much to hide."""
    world.start()
    return world


def preview(world, text, seat="Altair", before=""):
    """The answer to the letter, and the mail with the preview, "" if there is none."""
    known = {mail.key for mail in world.outbox()}
    answer = " ".join(world.send(seat, f"{before}PREVIEW\n{text}\nEND PREVIEW").split())
    mails = [mail for mail in world.outbox("preview", seat) if mail.key not in known]
    return answer, body_of(mails[0]) if mails else ""


def test_it_tells_what_would_come_of_the_own_orders_against_those_assumed(game):
    answer, body = preview(game, f"{OWN}\nAS Borealis\nBuild 1 base named Rigel\nAS Cygnus:\nStockpile")
    assert "follows in a mail of its own. Your orders are what they were." in answer
    assert "? Altair (you)\n?   Build 2 Laserfrigates\n" in body
    assert "? Borealis\n?   Build 1 base named Rigel\n" in body
    assert "Rigel" in body.partition("WHAT MIGHT HAPPEN")[2]


def test_every_line_of_the_outcome_is_marked(game):
    _, body = preview(game, OWN)
    outcome = body.partition("WHAT MIGHT HAPPEN\n")[2].partition("\nONLY A PREVIEW")[0]
    assert len(outcome.splitlines()) > 10
    assert all(line.startswith("?") for line in outcome.splitlines() if line)
    assert "ONLY A PREVIEW: nothing marked" in body


def test_its_subject_says_so_too(game):
    preview(game, OWN)
    (mail,) = game.outbox("preview")
    assert message_of(mail)["Subject"] == "[pbmd galaxy-7 t1] Altair: PREVIEW, nothing has happened"


def test_it_changes_nothing_on_file_and_leaves_no_trace(game):
    game.send("Altair", "Stockpile\nOOB default: LFTLTF")
    before = (game.game().position, game.game().chain_head, len(game.log()), len(game.submissions()))
    preview(game, f"{OWN}\nAS Borealis\nAttack Altair with all")
    assert (game.game().position, game.game().chain_head, len(game.log()), len(game.submissions())) == before


def test_beside_it_orders_count_as_always(game):
    game.send("Altair", f"Build 1 Laserfrigate\nOOB default: LFTLTF\nPREVIEW\n{OWN}\nEND PREVIEW\n")
    (sheet,) = game.position()["sheets"]
    assert sheet["lines"] == ["Build 1 Laserfrigate", "OOB default: LFTLTF"]


def test_without_own_orders_those_on_file_are_taken(game):
    game.send("Altair", "Build 1 Laserfrigate\nOOB default: LFTLTF")
    _, body = preview(game, "AS Borealis\nStockpile")
    assert "? Altair (you)\n?   Build 1 Laserfrigate\n?   OOB default: LFTLTF\n" in body


def test_who_has_no_orders_in_it_sends_none(game):
    _, body = preview(game, OWN)
    assert "? Borealis: no orders\n? Cygnus: no orders\n" in body


def test_orders_alone_is_an_empty_sheet_in_it_too(game):
    game.send("Altair", "Build 1 Laserfrigate\nOOB default: LFTLTF")
    _, body = preview(game, "ORDERS\nAS Borealis\nORDERS")
    assert "Build 1 Laserfrigate" not in body
    assert "? Altair (you)\n" in body
    assert "? Borealis\n" in body
    assert "? Cygnus: no orders\n" in body


def test_wrong_lines_are_shown_as_in_an_answer(game):
    _, body = preview(game, "Biuld 3 Laserfrigates\nStockpile")
    assert "?   refused: Biuld 3 Laserfrigates: " in body


def test_what_is_assumed_of_others_counts(game):
    def spied(assumption):
        text = f"Train spy\nAS Borealis\nUse spy on Altair\n{assumption}"
        return preview(game, text)[1]

    assert "refused: Use spy on Altair" in spied("ASSUME Borealis: spies 0")
    assert "refused" not in spied("ASSUME Borealis: spies 1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AS Nobody\nStockpile", 'there is no faction "Nobody"'),
        ("AS Borealis\nStockpile\nAS bor\nStockpile", "the orders of Borealis are there twice"),
        ("ASSUME Borealis: gold 3", "of others you can assume, each with a number: generators, spies, counter espionage"),
        ("ASSUME Altair: spies 1", "write ASSUME, one of Borealis, Cygnus, a colon, and what you assume"),
        ("ASSUME Borealis: spies 99", "at most"),
        ("Stockpile\n" * 501, "it may have 500 lines of 500 characters"),
        ("x" * 501, "it may have 500 lines of 500 characters"),
    ],
)
def test_a_refusal_says_why(game, text, why):
    answer, body = preview(game, text)
    assert why in answer
    assert body == ""


def test_without_its_end_nothing_after_it_is_read(game):
    answer = " ".join(game.send("Altair", f"PREVIEW\n{OWN}").split())
    assert "END PREVIEW is missing, so the lines after PREVIEW were not read" in answer
    assert game.position().get("sheets", []) == []


def test_rules_without_it_say_that_it_is_not_offered(running):
    assert "PREVIEW: it is not offered in Count." in preview(running, "Add 3")[0]


def test_before_and_after_a_game_there_is_nothing_to_imagine(world):
    world.open("galaxy-7", "Altair", ruleset="galactic_overlord")
    assert "PREVIEW:" in preview(world, OWN)[0]
    assert world.game().status is GameStatus.SIGNUP


def test_it_is_limited_for_each_seat(game):
    game.settle(limits={"previews_per_hour": 2})
    answers = [preview(game, f"{OWN}\n# {number}") for number in range(3)]
    assert [bool(body) for _, body in answers] == [True, True, False]
    assert "there are 2 in an hour at most" in answers[2][0]
    assert preview(game, OWN, "Borealis")[1]
    game.now += timedelta(hours=1)
    assert preview(game, OWN)[1]


def test_all_in_one_letter_are_counted(game):
    game.settle(limits={"previews_per_hour": 2})
    game.send("Altair", "\n".join(f"PREVIEW\n{OWN}\nEND PREVIEW" for _ in range(4)))
    assert len(game.outbox("preview")) == 2


def test_a_letter_without_proof_gets_none(game):
    game.send("Altair", f"PREVIEW\n{OWN}\nEND PREVIEW", to="games@pbmd.test")
    assert game.outbox("preview") == []
    game.reply(game.questions()[0], "YES")
    assert len(game.outbox("preview")) == 1


def test_a_defect_of_the_rules_stops_neither_game_nor_letter(game, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a secret plan")

    monkeypatch.setattr(module, "worked_out", broken)
    answer, body = preview(game, OWN, before="Stockpile\nOOB default: LFTLTF\n")
    assert "PREVIEW: what you assume cannot be worked out." in answer
    assert (body, game.game().status) == ("", GameStatus.RUNNING)
    assert len(game.position()["sheets"]) == 1
    (line,) = game.log("no-preview")
    assert "secret plan" not in line.detail


def test_its_dice_are_not_the_games_and_another_letter_has_others(game, monkeypatch):
    secrets = []
    real = module.worked_out

    def noting(ruleset, view, options, scenario, secret):
        secrets.append(secret)
        return real(ruleset, view, options, scenario, secret)

    monkeypatch.setattr(module, "worked_out", noting)
    preview(game, OWN)
    preview(game, f"{OWN}\n# again")
    assert len({*secrets, game.game().secret}) == 3


SECRET = [
    ("Build 4 Laserfrigates\nAttack Borealis with all\nOOB default: LFTLTF", "Build 2 bases named Rigel, Vega"),
    ("Raise shields\nTrain spy", "Use counter-espionage\nStockpile"),
    ("ORDERS", "STATUS"),
]


@pytest.mark.parametrize("orders", SECRET)
@pytest.mark.parametrize("who_has_sent", ["count", "nothing"])
def test_whatever_others_have_ordered_not_a_byte_of_it_changes(tmp_path, orders, who_has_sent):
    """Altair orders this or that (or nothing at all); Borealis asks what would come of its own orders."""
    bodies = []
    for number, altair in enumerate(orders):
        (tmp_path / str(number)).mkdir()
        with closing(World(tmp_path / str(number), sealing=ideal_seal)) as world:
            world.start(who_has_sent=who_has_sent, early=False)
            world.send("Altair", altair)
            world.now += timedelta(minutes=1)
            text = "Build 2 Laserfrigates\nAttack Altair with all\nAS Altair\nRaise shields\nASSUME Altair: generators 1"
            world.send("Borealis", f"PREVIEW\n{text}\nEND PREVIEW")
            bodies.append([mail.raw for mail in world.outbox("preview")])
    assert bodies[0] == bodies[1]
    assert len(bodies[0]) == 1


@pytest.mark.parametrize(
    "hidden",
    ["Train spy\nOOB default: LFTLTF", "Build generator\nOOB default: LFTLTF", "Stockpile\nOOB default: TTFFLL"],
)
def test_what_others_have_in_stock_changes_none_either(tmp_path, hidden):
    """A turn was played, after which Altair has another stock in each world."""
    bodies = []
    for number, altair in enumerate(("Stockpile\nOOB default: LFTLTF", hidden)):
        (tmp_path / str(number)).mkdir()
        with closing(World(tmp_path / str(number), sealing=ideal_seal)) as world:
            world.start()
            for seat, text in (("Altair", altair), ("Borealis", "Build 2 Laserfrigates"), ("Cygnus", "Stockpile")):
                world.send(seat, text)
            assert world.pass_time(timedelta(minutes=1)) == 1
            world.send(
                "Borealis", "PREVIEW\nAttack Altair with all\nAS Altair\nRaise shields\nUse spy on Borealis\nEND PREVIEW"
            )
            bodies.append([mail.raw for mail in world.outbox("preview")])
    assert bodies[0] == bodies[1]
    assert len(bodies[0]) == 1


def test_nobody_else_can_tell_that_somebody_has_asked(tmp_path):
    seen = []
    for number, text in enumerate((f"PREVIEW\n{OWN}\nAS Borealis\nAttack Altair with all\nEND PREVIEW", "STATUS")):
        (tmp_path / str(number)).mkdir()
        with closing(World(tmp_path / str(number), sealing=ideal_seal)) as world:
            world.start()
            world.send("Altair", text)
            world.now += timedelta(minutes=1)
            world.send("Borealis", "STATUS\nBuild 2 Laserfrigates")
            others = bytes_for_others(world)
            # Who runs the mail server sees that a mail went out.
            del others["outbox"], others["status"]
            seen.append(others)
            assert not [mail for mail in world.outbox("preview") if mail.recipient != address_of("Altair")]
    assert seen[0] == seen[1]


OTHERS = [
    ("cosmic_conquest", "Red", "Pass\nAS Purple\nPass", ("Invest 5 units in Solaria", "Defend Solaria with 10 units")),
    (
        "societies",
        "Ann",
        "Buy 1 army\nAS Bob\nBuy 2 armies\nASSUME Bob: gold 50",
        ("Buy 1 army", "Buy 2 armies\nSpy on Ann, target trade"),
    ),
]


@pytest.mark.parametrize(("ruleset", "asks", "text", "orders"), OTHERS, ids=[each[0] for each in OTHERS])
def test_other_games_have_it_too_and_tell_no_secret_either(tmp_path, ruleset, asks, text, orders):
    bodies, other = [], {"Red": "Purple", "Ann": "Bob"}[asks]
    for number, secret in enumerate((*orders, "STATUS")):
        (tmp_path / str(number)).mkdir()
        with closing(World(tmp_path / str(number), sealing=ideal_seal)) as world:
            if ruleset == "cosmic_conquest":
                conquest(world)
            else:
                world.start(seats=("Ann", "Bob", "Cat"), ruleset=ruleset)
            assert world.send(other, secret)
            world.now += timedelta(minutes=1)
            world.send(asks, f"PREVIEW\n{text}\nEND PREVIEW")
            assert not world.log("no-preview")
            (mail,) = world.outbox("preview")
            bodies.append(mail.raw)
    assert len(set(bodies)) == 1
    assert b"ONLY A PREVIEW" in bodies[0]
