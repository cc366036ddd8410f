"""A game master leads a game to its end by mail alone, while players keep writing; docs/evening.md shows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, Letter, LetterState, Outbox, Request, RequestState
from tests.desk.world import World, body_of, message_of
from tests.docs.evening import GAME, GM, Evenings, play
from tests.docs.pages import read


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evenings]:
    folder: Path = tmp_path_factory.mktemp("evenings")
    with closing(World(folder)) as world:
        yield play(world)


def test_the_page_is_what_the_game_gives(evenings: Evenings) -> None:
    assert "\n".join(evenings.page) == read("docs/evening.md"), "python -m tests.docs.evening writes it anew"


def test_the_game_is_led_to_its_end(evenings: Evenings) -> None:
    assert evenings.world.game(GAME).status is GameStatus.FINISHED
    assert "the game is over" in str(message_of(evenings.mails[-1])["Subject"])


def test_every_mail_of_the_game_master_is_answered(evenings: Evenings) -> None:
    letters = [letter for letter in evenings.world.rows(Letter) if f"From: {GM}".encode() in letter.raw]
    assert letters
    assert all(letter.state is LetterState.DONE for letter in letters)
    answers = evenings.world.mails(col(Outbox.recipient) == GM, col(Outbox.kind).in_(("gm", "question")))
    assert len(answers) >= len(letters)


def test_no_question_is_void_without_a_reason_told(evenings: Evenings) -> None:
    """Of four questions to the game master two are done, one is answered with why it is not, and the last with no."""
    asked = [question for question in evenings.world.rows(Confirmation) if question.subject == "master"]
    assert [question.state for question in asked] == [ConfirmationState.CONFIRMED] * 3 + [ConfirmationState.REFUSED]
    told = [" ".join(body_of(mail).split()) for mail in evenings.mails]
    void = [text for text in told if "things have changed since you were asked" in text]
    assert len(void) == 1
    assert "turn 3 was resolved, and it is turn 4 now" in void[0]
    assert all(request.state is RequestState.APPROVED for request in evenings.world.rows(Request))


@pytest.mark.parametrize(
    "reason",
    [
        "Dora cannot play before Christmas",
        "nobody is in a hurry",
        "Cleo is new to this, and nobody minds",
        "the storm",
        "nobody sits at a desk then",
        "Cleo is moving house",
    ],
)
def test_each_reason_came_to_the_players(evenings: Evenings, reason: str) -> None:
    assert any(reason in " ".join(body_of(mail).split()) for mail in evenings.world.mails(col(Outbox.recipient) != GM))


def test_no_mail_to_the_game_master_is_wider_than_72_columns(evenings: Evenings) -> None:
    for mail in evenings.mails:
        assert max(map(len, body_of(mail).splitlines())) <= 72, body_of(mail)
        assert len(str(message_of(mail)["Subject"])) <= 70
