"""Heads of games in a letter: whoever plays in several writes to all of them at once."""

import pytest

from tests.desk.letter.test_beside_orders import CLUSTER, CONQUEST, DIPLOMACY, ORDERS, OVERLORD, came_of, written
from tests.desk.world import address_of, body_of, message_of
from tests.doses import some_ruleset

TURN = {CLUSTER: 0}


def head(slug: str, game: str = "galaxy-7") -> str:
    return f"[pbmd {game} t{TURN.get(slug, 1)}]"


class TestSubjectsOfOurMails:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "other", ["[pbmd nova t3]", "[pbmd nova]", "Re: [pbmd nova t3 phase 1b] Red: orders in", "Subject: [PBMD Nova T3]"]
    )
    def test_of_another_game_keep_from_counting_what_stands_below(self, slug: str, other: str) -> None:
        came = came_of(slug, written(slug, f"{head(slug)}\n{{0}}\n\n{other}\n{{1}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert came.subject.endswith("lines not read" if slug == CLUSTER else "1 line for another game not read")
        assert "send each game a mail of its own" in came.text
        assert "refused" not in came.subject

    @some_ruleset(ORDERS)
    def test_of_another_game_alone_let_nothing_count(self, slug: str) -> None:
        came = came_of(slug, written(slug, "[pbmd nova t1]\n{0}\n{1}"))
        assert (came.orders, came.subject.endswith("NOT TAKEN: 2 lines for another game not read")) == ((), True), came.text

    @some_ruleset(ORDERS)
    def test_of_this_game_end_what_is_for_another(self, slug: str) -> None:
        came = came_of(slug, written(slug, f"[pbmd nova t1]\n{{1}}\n\n{head(slug)} orders\n{{0}}"))
        assert came.orders == ORDERS[slug][:1], came.text

    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_of_another_turn_keep_from_counting_what_stands_below(self, slug: str) -> None:
        came = came_of(slug, written(slug, f"[pbmd galaxy-7 t9]\n{{0}}\n{head(slug)}\n{{1}}"))
        assert came.orders == ORDERS[slug][1:2], came.text
        assert came.subject.endswith("1 line for another turn not read")

    def test_of_another_step_of_the_turn_do_so_too(self) -> None:
        came = came_of(
            DIPLOMACY, "[pbmd galaxy-7 t1 spring 1901 retreats]\nA BUD - SER\n[pbmd galaxy-7 t1 spring 1901 moves]\nF TRI - ALB"
        )
        assert came.orders == ("F TRI - ALB",), came.text


class TestNamesOfGames:
    """Anna is Altair in two games."""

    @pytest.fixture
    def answered(self, world):
        world.count("galaxy-7")
        world.count("nova")

        def answer(text: str) -> str:
            world.send("Altair", text)
            mail = world.outbox("acknowledgement")[-1]
            assert mail.recipient == address_of("Altair")
            return f"{message_of(mail)['Subject']}\n{body_of(mail)}"

        return answer

    @pytest.mark.parametrize(
        ("own", "other"),
        [
            ("Game galaxy-7:", "Game nova:"),
            ("galaxy-7", "--- Nova ---"),
            ("My orders for galaxy-7:", "and for Nova:"),
            ("", "NOVA:"),
            ("galaxy-7 turn 1:", "nova turn 1:"),
            ("Orders for galaxy-7, turn 1", "Orders for Nova, turn 1"),
            ("Game galaxy-7, turn 1:", "Game Nova, T1:"),
            ("", "Nova (Altair):"),
            ("Altair, galaxy-7", "Altair, Nova"),
            ("", "Turn 1, Nova:"),
            ("", "Nova orders"),
        ],
    )
    def test_part_what_is_for_each(self, world, answered, own, other) -> None:
        said = answered(f"{own}\nAdd 3\n\n{other}\nAdd 5\nAdd 6\n\nThanks!\nAnna")
        assert world.sheet("Altair") == ["Add 3"], said
        assert "4 lines for another" in said

    def test_with_another_turn_keep_from_counting_what_stands_below(self, world, answered) -> None:
        said = answered("Galaxy-7, turn 9:\nAdd 5\nGalaxy-7, turn 1:\nAdd 3")
        assert world.sheet("Altair") == ["Add 3"], said
        assert "1 line for another turn" in said

    @pytest.mark.parametrize("heading", ["Nova was fun:", "I am at turn 3 of Nova:", "supernova:", "Nova is over!"])
    def test_are_no_heads_among_other_words(self, world, answered, heading) -> None:
        said = answered(f"{heading}\nAdd 3\n")
        assert world.sheet("Altair") == ["Add 3"], said

    def test_of_other_people_are_none(self, world, answered) -> None:
        world.count("vega", ("Borealis", "Cygnus"))
        answered("Vega:\nAdd 3")
        assert world.sheet("Altair") == ["Add 3"]


def test_messages_below_another_game_go_to_nobody(world) -> None:
    world.count("galaxy-7")
    before = world.last_mail()
    world.send("Altair", "[pbmd nova t1]\nPRESS TO Borealis\nAttack the Red at dawn.\nEND PRESS\n[pbmd galaxy-7 t1]\nAdd 3")
    assert world.sheet("Altair") == ["Add 3"]
    assert not [mail for mail in world.outbox("press") if mail.id and mail.id > before]


def test_the_head_of_this_game_costs_nothing() -> None:
    came = came_of(CONQUEST, written(CONQUEST, "[pbmd galaxy-7 t1] Red: orders, please\n{0}"))
    assert (came.orders, came.subject.endswith("orders in")) == (ORDERS[CONQUEST][:1], True), came.text
