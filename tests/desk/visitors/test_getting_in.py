"""A stranger who knows only the address gets in by doing what the answers say."""

import re
from datetime import timedelta

import pytest

from pbmd.ledger.tables import GameStatus, Seat, SubmissionState
from pbmd.rules.registry import get
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

RULESETS = ("cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")


def writes(world: World, text: str, to: str = ADDRESS, who: str = "Deneb", **more: str) -> str:
    """A letter from somebody who holds no seat; gives the answer."""
    world.now += timedelta(minutes=1)
    return world.send(who, text, to=to, **more)


def last(world: World, who: str = "Deneb"):
    return next(mail for mail in reversed(world.outbox()) if mail.recipient == address_of(who))


def replies(world: World, text: str, who: str = "Deneb", **more: str) -> str:
    """The same, in reply to the last mail that they got."""
    return writes(world, text, message_of(last(world, who))["Reply-To"], who, **more)


def seats(world: World) -> list[Seat]:
    return world.rows(Seat)


def form_in(answer: str, game: str) -> str:
    """The lines to copy: from JOIN on to the next blank line, with the remarks between them."""
    return answer[answer.index(f"JOIN {game} AS") :].partition("\n\n")[0].strip()


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_asked_and_joined_with_the_lines_of_the_first_answer(world: World, ruleset: str) -> None:
    world.open("nebula-1", ruleset=ruleset)
    copied = form_in(writes(world, "Hello,\nhow do I join?\nDee"), "nebula-1")
    answer = replies(world, copied)
    assert answer.startswith("Welcome to nebula-1"), answer
    assert [seat.address for seat in seats(world)] == [address_of("Deneb")]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_asked_joined_and_ordered_in_three_mails(world: World, ruleset: str) -> None:
    people = [f"Person{number}" for number in range(1, get(ruleset).info.min_seats + 1)]
    world.open("nebula-1", ruleset=ruleset, seats=len(people))
    for who in people:
        copied = form_in(writes(world, "Hello! How do I join?", who=who), "nebula-1")
        assert replies(world, copied, who).startswith("Welcome to nebula-1")
    assert world.game("nebula-1").status is GameStatus.RUNNING
    report = body_of(last(world, people[0]))
    form = report[report.index("#orders ") : report.index("#end")]
    offered = [line[2:] for line in form.splitlines() if line.startswith("# ")]
    replies(world, offered[0], people[0])
    taken = SubmissionState.FILED, SubmissionState.USED, SubmissionState.GRANTED
    assert world.submissions()[-1].state in taken


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_greetings_and_names_around_a_sign_up_refuse_nothing(world: World, ruleset: str) -> None:
    world.open("nebula-1", ruleset=ruleset)
    copied = form_in(writes(world, "LIST"), "nebula-1")
    answer = replies(world, f"Hi there,\n\nhere we go:\n\n{copied}\n\nThanks, looking forward to it!\nDee\nPS: nice address")
    assert answer.startswith("Welcome to nebula-1"), answer


class TestTheSameInOneMail:
    """Whoever knows the game joins at once; without a reply to a mail of ours they are asked."""

    def test_who_does_not_reply_to_a_mail_of_ours_is_asked(self, world: World) -> None:
        world.open("nebula-1")
        answer = writes(world, "JOIN nebula-1 AS Vega")
        assert "Do you want to play nebula-1, a game of Count by mail? Reply YES or NO." in " ".join(answer.split())
        assert seats(world) == []

    def test_a_code_of_another_address_proves_nothing(self, world: World) -> None:
        world.open("nebula-1")
        writes(world, "LIST")
        stolen = message_of(last(world))["Reply-To"]
        writes(world, "JOIN nebula-1 AS Vega", stolen, who="Fornax")
        assert seats(world) == []

    @pytest.mark.parametrize("text", ["LIST", "JOIN nebula-1"])
    def test_a_program_that_sends_our_mail_back_whole_takes_no_seat(self, world: World, text: str) -> None:
        world.open("nebula-1")
        back = writes(world, text)
        assert "JOIN nebula-1 AS Altair" in back
        assert "Nothing in your mail could be read" in replies(world, f"I am away until Monday.\n\n{back}")
        assert seats(world) == []

    @pytest.mark.parametrize("whole", [True, False])
    def test_the_code_is_blanked_in_what_others_read(self, world: World, whole: bool) -> None:
        world.open("nebula-1")
        writes(world, "LIST")
        code = message_of(last(world))["Reply-To"].partition("+")[2].partition("@")[0]
        shown = code if whole else code.partition(".")[2]
        answer = replies(world, f"JOIN nebula-1 AS {shown}")
        assert "secret token" in " ".join(answer.split())
        assert (seats(world), shown in answer) == ([], False)

    def test_join_can_stand_in_the_subject(self, world: World) -> None:
        world.open("nebula-1", ruleset="societies")
        writes(world, "LIST")
        answer = replies(world, "Capital: Vegapolis\n\nbye\nDee", subject="Re: [pbmd] JOIN nebula-1 AS Vega")
        assert answer.startswith("Welcome to nebula-1")
        assert "Vegapolis" in seats(world)[0].signup

    @pytest.mark.parametrize("word", ["Yes please!", "yes, please", "OK", "ok.", "Ja", "YES", "sure", "oui"])
    def test_yes_is_understood_as_people_say_it(self, world: World, word: str) -> None:
        world.open("nebula-1")
        writes(world, "JOIN nebula-1 AS Vega")
        assert "You are Vega" in world.reply(world.outbox("visit")[-1], f"{word}\n\nDee")

    @pytest.mark.parametrize("words", ["yes, if there is time", "ok, but who are you?", "yesterday", "Is it ok?"])
    def test_yes_among_other_words_is_no_answer(self, world: World, words: str) -> None:
        world.open("nebula-1")
        writes(world, "JOIN nebula-1 AS Vega")
        assert "could not be read" in world.reply(world.outbox("visit")[-1], words)


class TestASignUpWithLinesMissing:
    """It comes back with what is missing filled in, to be sent again."""

    def test_what_was_right_is_kept_and_the_rest_is_filled_in(self, world: World) -> None:
        world.open("nebula-1", ruleset="cosmic_conquest")
        writes(world, "LIST")
        answer = replies(world, "JOIN nebula-1 AS Teal\nFaction: Vegan League\nTechnology: Psionic\nTraits: Shy, Conqueror")
        copied = form_in(answer, "nebula-1")
        assert {"JOIN nebula-1 AS Teal", "Faction: Vegan League", "Technology: Psionic", "Colour: Teal"} <= {
            *copied.split("\n")
        }
        assert replies(world, copied).startswith("Welcome to nebula-1")

    def test_a_form_for_an_address_that_is_not_proven_has_no_words_of_the_letter(self, world: World) -> None:
        world.open("nebula-1", ruleset="cosmic_conquest")
        writes(world, "JOIN nebula-1 AS Teal\nFaction: Cheap Pills\nAdmiral: evil.test\nTechnology: Psionic")
        shown = body_of(last(world))
        assert "Pills" not in shown
        assert "evil.test" not in shown
        assert "Technology: Psionic" in form_in(shown, "nebula-1")
        assert replies(world, form_in(shown, "nebula-1")).startswith("Welcome to nebula-1")

    def test_a_letter_of_thousands_of_lines_gets_the_empty_form(self, world: World) -> None:
        world.open("nebula-1", ruleset="local_cluster")
        answer = writes(world, "JOIN nebula-1 AS Vega\n" + "Home: Dorado\n" * 9000)
        assert "a sign-up has at most 50 lines, yours has 9000" in answer
        assert "Home Planet: Aquila" in answer

    def test_a_misspelt_line_is_told_and_not_taken_for_a_greeting(self, world: World) -> None:
        world.open("nebula-1", ruleset="societies")
        writes(world, "LIST")
        answer = replies(world, "JOIN nebula-1 AS Vega\nCaptial: Vegapolis")
        assert "Line 2: Captial: Vegapolis" in answer

    def test_two_who_copy_the_same_form_get_two_names(self, world: World) -> None:
        world.open("nebula-1", seats=2)
        copied = {who: form_in(writes(world, "LIST", who=who), "nebula-1") for who in ("Deneb", "Fornax")}
        assert replies(world, copied["Deneb"], who="Deneb").startswith("Welcome to nebula-1")
        again = form_in(replies(world, copied["Fornax"], who="Fornax"), "nebula-1")
        assert replies(world, again, who="Fornax").startswith("Welcome to nebula-1")
        assert world.game("nebula-1").status is GameStatus.RUNNING


class TestQuestionsOfStrangers:
    """HELP, RULES and questions in plain words are answered, once the game has something to offer and within the brakes."""

    @pytest.mark.parametrize("text", ["HELP", "How do I join?", "I would like to play, please.\n\nDee", "can I sign up"])
    def test_who_asks_how_to_begin_gets_the_games_and_what_to_send(self, world: World, text: str) -> None:
        world.open("nebula-1")
        answer = writes(world, text)
        assert "JOIN nebula-1 AS Altair" in answer
        assert "You reply to a report with your orders" in answer

    @pytest.mark.parametrize("subject", ["HELP", "Re: list", "How can I take part?", "[Fwd: games] Join"])
    def test_the_subject_will_do(self, world: World, subject: str) -> None:
        world.open("nebula-1")
        assert "JOIN nebula-1 AS Altair" in writes(world, "", subject=subject)

    def test_any_other_mail_is_not_answered(self, world: World) -> None:
        world.open("nebula-1")
        assert writes(world, "Buy our watches, they are cheap.") == ""

    def test_nor_is_any_where_the_host_does_not_want_it(self, world: World) -> None:
        world.settle(mail={"answer_strangers": False})
        world.open("nebula-1")
        assert [writes(world, text) for text in ("HELP", "RULES", "how do I join?")] == ["", "", ""]
        assert "JOIN nebula-1" in writes(world, "LIST")

    def test_a_machine_gets_no_answer(self, world: World) -> None:
        world.open("nebula-1")
        world.arrive(world.letter("Deneb", "HELP", to=ADDRESS, headers={"Auto-Submitted": "auto-replied"}))
        world.pass_time()
        assert world.outbox() == []

    def test_the_handbook_goes_only_to_who_has_answered_a_mail_of_ours(self, world: World) -> None:
        world.open("nebula-1", ruleset="societies")
        assert "Reply to this mail with the line RULES nebula-1" in " ".join(writes(world, "RULES").split())
        assert world.outbox("handbook") == []
        replies(world, "RULES nebula-1")
        (mail,) = world.outbox("handbook")
        assert "## Wonders" in body_of(mail) or "onder" in body_of(mail)

    def test_of_several_games_one_must_be_named(self, world: World) -> None:
        world.open("nebula-1")
        world.open("nebula-2")
        assert "RULES nebula-1, RULES nebula-2" in " ".join(writes(world, "RULES").split())

    def test_nothing_is_told_of_games_that_are_not_announced(self, world: World) -> None:
        world.count("galaxy-7")
        answers = [writes(world, f"RULES {name}") for name in ("galaxy-7", "galaxy-9")]
        assert answers[0] == answers[1]
        assert "galaxy" not in answers[0]


class TestTheWelcome:
    """It says what the game is about, how a turn goes, and how much time there is."""

    @pytest.mark.in_turn(2)
    @pytest.mark.parametrize("ruleset", RULESETS)
    def test_it_has_the_game_in_one_page_with_an_example_and_no_ids(self, world: World, ruleset: str) -> None:
        world.open("nebula-1", ruleset=ruleset)
        welcome = replies_to_list(world)
        assert "THE GAME IN ONE PAGE" in welcome
        assert "as short as this" in welcome
        assert not re.search(r"\([A-Z]{2}-", welcome)
        assert max(map(len, welcome.splitlines())) <= 72

    @pytest.mark.parametrize(
        ("terms", "words"),
        [
            ({"deadline": "3d"}, "You have 3 days for each turn, counted from its report. If all orders are in earlier"),
            ({"deadline": "every Friday 20:00 UTC"}, "Deadlines are every Friday 20:00 UTC."),
            ({"deadline": "3d", "early": False}, "resolved at its deadline, and not before"),
            ({"deadline": "3d", "second_thought": "2h"}, "the turn is resolved 2 h after the last have come"),
        ],
    )
    def test_it_says_when_a_turn_ends(self, world: World, terms: dict[str, object], words: str) -> None:
        world.open("nebula-1", **terms)
        assert words in " ".join(replies_to_list(world).split())


def replies_to_list(world: World) -> str:
    return replies(world, form_in(writes(world, "LIST"), "nebula-1"))
