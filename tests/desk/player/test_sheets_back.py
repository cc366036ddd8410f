"""The whole sheet at the end of an answer, ready to be sent again: what comes of it when it comes back."""

import email.policy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Outbox, Submission
from pbmd.post.lines.form_line import sheet_digest
from tests.desk.letter.test_what_is_typed import PLAYERS, Setting, game, headers, introductions, quotes, setting
from tests.desk.player.test_replaced import FLEET, of_altair, subject_of
from tests.desk.step.test_words import with_word
from tests.desk.world import World, address_of, body_of, last_proof, message_of
from tests.doses import dose

AS_THEY_WERE = "Your orders are what they were."
AS_IT_WAS = "Your move is what it was."
SHIPS = ["Build 4 Lasercruisers", "Build 2 Torpedofrigates", "Train spy"]


@pytest.fixture
def galaxy(world: World) -> World:
    world.start(reminders=())
    world.send("Altair", FLEET)
    return world


def last_answer(world: World, seat: str = "Altair") -> Outbox:
    return world.outbox("acknowledgement", seat)[-1]


def sheet_of(answer: Outbox) -> list[str]:
    """From mark to mark, as it stands in an answer."""
    lines = body_of(answer).split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith("#orders - "))
    return lines[start : lines.index("#end", start) + 1]


def made(submission: Submission) -> list[str]:
    return list(json.loads(submission.orders))


def orders_in(sheet: Sequence[str]) -> list[str]:
    return [line for line in sheet if not line.startswith("#")]


def back(world: World, sheet: Sequence[str], answer: Outbox | None = None) -> str:
    return world.reply(answer or last_answer(world), "\n".join(sheet))


class TestReadyToSend:
    def test_an_answer_ends_with_the_orders_in_force_between_marks(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        assert orders_in(sheet) == SHIPS
        assert [line.split()[0] for line in sheet if line.startswith("#")] == ["#orders", "#end"]
        assert len(sheet[0]) <= 72

    def test_it_has_no_secret_of_the_seat(self, galaxy: World) -> None:
        assert galaxy.reply_address("Altair").partition("@")[0].rpartition(".")[2] not in body_of(last_answer(galaxy))

    def test_what_stands_no_longer_is_in_it_with_a_sign_before_it(self, galaxy: World) -> None:
        galaxy.send("Altair", "Use counter-espionage")
        sheet = sheet_of(last_answer(galaxy))
        assert orders_in(sheet) == ["Use counter-espionage"]
        assert sheet[-4:] == [*(f"# {line}" for line in SHIPS), "#end"]

    def test_a_refused_line_is_in_it_set_right_with_a_sign_before_it(self, galaxy: World) -> None:
        galaxy.send("Altair", "Build 4 Lasercruisers\nTrian spy")
        sheet = sheet_of(last_answer(galaxy))
        assert (orders_in(sheet), sheet[-2]) == (["Build 4 Lasercruisers"], "# Train spy")
        back(galaxy, [line.removeprefix("# ") if line == "# Train spy" else line for line in sheet])
        assert of_altair(galaxy) == ["Build 4 Lasercruisers", "Train spy"]

    def test_if_nothing_was_taken_what_would_be_stands_there(self, world: World) -> None:
        world.start(reminders=())
        answer = world.send("Altair", "Trian spy")
        assert "Below is what would be accepted" in answer
        assert sheet_of(last_answer(world))[-2:] == ["# Train spy", "#end"]

    def test_where_orders_are_final_there_is_none(self) -> None:
        first = setting("cosmic_conquest")
        with game("cosmic_conquest") as world:
            answer = world.reply(first.mail, first.orders[0])
        assert "These orders are final" in answer
        assert "#orders" not in answer


MOVE = ["Build army at Aquila", "Biuld fleet at Aquila", "Develop Farmland on Aquila", "End move"]


def report_to(world: World, player: str) -> Outbox:
    return next(mail for mail in world.outbox("report") if mail.recipient == address_of(player))


def sent_by_first(world: World, *lines: str, answer: Outbox | None = None) -> str:
    """What the player of the first seat is answered."""
    before = {each.key for each in world.outbox()}
    first = answer or report_to(world, "p0")
    world.reply(first, "\n".join(lines))
    return "\n".join(body_of(each) for each in world.outbox() if each.key not in before and each.recipient == first.recipient)


def last_of_first(world: World) -> Outbox:
    return [mail for mail in world.outbox("acknowledgement") if mail.recipient == address_of("p0")][-1]


def without_sign(sheet: Sequence[str]) -> list[str]:
    return [line.removeprefix("# ") for line in sheet]


class TestRefusedAsAWhole:
    """Where one wrong line refuses the mail the sheet has all of the mail, so that to mend that line is enough."""

    def test_the_right_lines_stand_beside_the_one_set_right_in_their_order(self) -> None:
        with game("local_cluster") as world:
            assert "refused as a whole" in sent_by_first(world, *MOVE)
            sheet = sheet_of(last_of_first(world))
            mended = [MOVE[0], "# Build fleet at Aquila", *MOVE[2:]]
            assert sheet[-5:] == [*mended, "#end"]
            sent_by_first(world, *without_sign(sheet), answer=last_of_first(world))
            assert [line for each in world.submissions() for line in made(each)] == without_sign(mended)

    def test_a_line_set_right_that_cannot_stand_is_not_offered(self) -> None:
        with game("local_cluster") as world:
            sent_by_first(world, *MOVE[:2], *["Build fleet at Aquila"] * 3, "Biuld fleet at Aquila", "End move")
            answer = last_of_first(world)
            if "#orders - " in body_of(answer):
                sent_by_first(world, *without_sign(sheet_of(answer)), answer=answer)
                assert "refused" not in {each.state for each in world.submissions()[1:]}

    def test_below_thanks_a_copy_of_it_is_no_move(self) -> None:
        with game("local_cluster") as world:
            sent_by_first(world, *MOVE)
            before, answer = world.submissions(), last_of_first(world)
            sent_by_first(world, "Thanks!", "", *body_of(answer).split("\n"), answer=answer)
            assert world.submissions() == before

    def test_a_move_that_waits_is_told_and_the_refused_one_stands_ready(self) -> None:
        with game("local_cluster") as world:
            world.reply(report_to(world, "p1"), "Build army at Lumen\nEnd move")
            world.reply(report_to(world, "p1"), "End move")
            waiting = world.outbox("acknowledgement")[-1]
            assert orders_in(sheet_of(waiting)) == ["End move"]
            answer = world.reply(waiting, "Build fleet at Lumen\nEnd moev")
            assert "YOUR MOVE, as we read it\n  End move" in answer
            assert sheet_of(world.outbox("acknowledgement")[-1])[-3:] == ["Build fleet at Lumen", "# End move", "#end"]


class TestAsItWas:
    """A sheet that comes back as it was is no mail with orders."""

    def test_alone_it_changes_nothing(self, galaxy: World) -> None:
        before = galaxy.submissions()
        answer = back(galaxy, sheet_of(last_answer(galaxy)))
        assert answer.startswith(AS_THEY_WERE)
        assert subject_of(galaxy).endswith("Altair: your orders are what they were")
        assert galaxy.submissions() == before

    @pytest.mark.parametrize(
        "copied",
        [
            ("On Fri, games wrote:\n", "> "),
            ("-----Original Message-----\nFrom: galaxy-7 (pbmd)\nSent: Friday\nTo: A\n\n", ""),
            ("", ""),
        ],
        ids=["quoted", "as an original", "without any marks"],
    )
    def test_below_thanks_it_changes_nothing(self, galaxy: World, copied: tuple[str, str]) -> None:
        before = galaxy.submissions()
        heading, mark = copied
        copy = "".join(f"{mark}{line}\n" for line in body_of(last_answer(galaxy)).rstrip("\n").split("\n"))
        answer = galaxy.reply(last_answer(galaxy), f"Thanks!\n\n{heading}{copy}")
        assert answer.startswith(AS_THEY_WERE)
        assert "Thanks!" in answer
        assert galaxy.submissions() == before

    def test_orders_above_a_copy_of_it_are_read(self, galaxy: World) -> None:
        lines = body_of(last_answer(galaxy)).rstrip("\n").split("\n")
        galaxy.reply(last_answer(galaxy), "\n".join(["ADD", "Use counter-espionage", "", *lines]))
        assert of_altair(galaxy) == [*SHIPS, "Use counter-espionage"]

    def test_an_old_one_in_a_copy_of_its_answer_changes_nothing(self, galaxy: World) -> None:
        old = last_answer(galaxy)
        galaxy.send("Altair", "Use counter-espionage")
        answer = galaxy.reply(old, f"Thanks!\n\n{body_of(old)}")
        assert answer.startswith(AS_THEY_WERE)
        assert of_altair(galaxy) == ["Use counter-espionage"]

    def test_one_whose_end_was_cut_off_takes_nothing_away(self, galaxy: World) -> None:
        answer = back(galaxy, sheet_of(last_answer(galaxy))[:-2])
        assert answer.startswith(AS_THEY_WERE)
        assert of_altair(galaxy) == SHIPS


class TestOfAnEarlierTurn:
    """When nothing is on file any more a list that comes back in a copy is no mail with orders either."""

    @pytest.mark.parametrize("mark", ["> ", ""])
    def test_thanks_above_its_answer_is_neither_wrong_nor_late(self, galaxy: World, mark: str) -> None:
        old = last_answer(galaxy)
        galaxy.pass_time(timedelta(days=4))
        before = galaxy.submissions()
        copy = [f"{mark}{line}" for line in body_of(old).split("\n")]
        answer = galaxy.reply(old, "\n".join(["Thanks!", "", "On Fri, games wrote:", *copy]))
        assert answer.startswith("Your mail says nothing beside a list of ours that is of an earlier turn")
        assert galaxy.submissions() == before

    def test_thanks_above_the_answer_to_a_move_that_was_made_since(self) -> None:
        with game("local_cluster") as world:
            for ship in ("army", "fleet"):
                world.reply(report_to(world, "p0"), f"Build {ship} at Aquila\nEnd move")
            waited = world.outbox("acknowledgement")[-1]
            for player in ("p1", "p2"):
                world.reply(report_to(world, player), "End move")
            before = world.submissions()
            answer = world.reply(waited, "\n".join(["Thanks!", "", *body_of(waited).split("\n")]))
            assert answer.startswith("Your mail says nothing beside a list of ours")
            assert world.submissions() == before


class TestChanged:
    """It is read as the whole sheet, in every game."""

    def test_a_line_more_a_line_less_a_line_with_a_sign(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        answer = back(galaxy, [*sheet[:-2], "# Train spy", "Use counter-espionage", "#end"])
        assert of_altair(galaxy) == [*SHIPS[:2], "Use counter-espionage"]
        assert "NO LONGER STANDS\n  Train spy" in answer
        assert "not read" not in answer.partition("\n\n")[0]

    def test_a_line_taken_away_is_one_less(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        back(galaxy, [line for line in sheet if line != "Train spy"])
        assert of_altair(galaxy) == SHIPS[:2]

    def test_what_is_around_it_is_not_read_and_told(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        answer = back(galaxy, ["Use shields", "", *sheet[:-2], "#end", "", "Train 2 spies"])
        assert of_altair(galaxy) == SHIPS[:2]
        assert "It stands outside the order form:\n    Use shields" in answer

    def test_an_old_one_counts_and_what_it_undid_is_told(self, galaxy: World) -> None:
        old = last_answer(galaxy)
        galaxy.send("Altair", "Use counter-espionage")
        answer = back(galaxy, sheet_of(old), old)
        assert of_altair(galaxy) == SHIPS
        assert "NO LONGER STANDS\n  Use counter-espionage" in answer

    def test_in_a_copy_of_its_answer(self, galaxy: World) -> None:
        lines = body_of(last_answer(galaxy)).rstrip("\n").split("\n")
        at = lines.index("Train spy", lines.index("TO CHANGE SOMETHING"))
        galaxy.reply(last_answer(galaxy), "\n".join(["Changed it below.", "", *lines[:at], *lines[at + 1 :]]))
        assert of_altair(galaxy) == SHIPS[:2]

    def test_in_a_quote_it_is_told_and_not_read(self, galaxy: World) -> None:
        lines = [
            line.replace("Train spy", "Use counter-espionage") for line in body_of(last_answer(galaxy)).rstrip("\n").split("\n")
        ]
        answer = galaxy.reply(last_answer(galaxy), "\n".join(["Hello", "", *(f"> {line}" for line in lines)]))
        assert of_altair(galaxy) == SHIPS
        assert answer.startswith("1 line that is an order stands in a quote, where it is not read. ")
        assert "It stands inside the mail that you answered, where it is not read:\n    > Use counter-espionage" in answer

    def test_in_a_new_mail_without_token_it_is_asked_about(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        galaxy.send("", "\n".join([*sheet[:-2], "#end"]), sender=address_of("Altair"), to="games@pbmd.test")
        assert of_altair(galaxy) == SHIPS
        galaxy.reply(galaxy.questions()[-1], "YES")
        assert of_altair(galaxy) == SHIPS[:2]

    def test_as_it_was_in_a_new_mail_without_token_it_is_asked_about_too(self, galaxy: World) -> None:
        sheet = sheet_of(last_answer(galaxy))
        galaxy.send("", "\n".join(sheet), sender=address_of("Altair"), to="games@pbmd.test")
        assert galaxy.reply(galaxy.questions()[-1], "YES").startswith(AS_THEY_WERE)
        assert of_altair(galaxy) == SHIPS

    def test_that_of_another_seat_is_not_read_and_told(self, galaxy: World) -> None:
        galaxy.send("Cygnus", "Build 1 Laserfrigate")
        others = sheet_of(last_answer(galaxy, "Cygnus"))
        answer = galaxy.reply(last_answer(galaxy), "\n".join(["See this:", "", *others[:-1], "Use counter-espionage", "#end"]))
        assert of_altair(galaxy) == SHIPS
        assert answer.startswith("The list in your mail was not sent to your seat")
        assert "It stands in a list that is not of your seat:\n    (#orders)\n" in answer
        galaxy.reply(last_answer(galaxy), "\n".join(["ADD", "Build 1 Laserfrigate", "", *others]))
        assert of_altair(galaxy) == [*SHIPS, "Build 1 Laserfrigate"]

    def test_the_word_in_it_goes_into_the_dice(self, galaxy: World) -> None:
        sheet = with_word("to be or not")("\n".join(sheet_of(last_answer(galaxy)))).split("\n")
        back(galaxy, [*sheet[:-2], "#end"])
        assert "| to be or not" in last_proof(galaxy, "Altair")


class TestCutInACopy:
    """Without its end mark a list in a copy is not read, whatever a program has put in place of the rest."""

    @pytest.mark.parametrize(
        "rest", [["[...]"], ["", "-- ", "Max"], ["", "Sent from my phone"], ["[Message clipped]  View all"], []]
    )
    @pytest.mark.parametrize(
        "heading", ["-----Original Message-----\nFrom: galaxy-7 (pbmd)\nSent: Friday\nTo: A\n", "", "On Fri, games wrote:\n"]
    )
    def test_an_old_list_is_not_filed(self, galaxy: World, heading: str, rest: list[str]) -> None:
        old = last_answer(galaxy)
        galaxy.send("Altair", "Use counter-espionage")
        lines = body_of(old).split("\n")
        cut = lines[: lines.index("#end") - 1]
        for above in ("Thanks!", "ADD\nBuild 1 Laserfrigate"):
            answer = galaxy.reply(old, "\n".join([above, "", heading, *cut, *rest]))
            assert "Train spy" not in of_altair(galaxy)[-1], answer
            assert SHIPS[0] not in of_altair(galaxy), answer
        assert of_altair(galaxy) == ["Use counter-espionage", "Build 1 Laserfrigate"]


class TestBesideAChangedOne:
    """What is no order is read beside a whole list, as in any mail."""

    def test_press_above_it_and_commands_below_it(self, galaxy: World) -> None:
        sheet = [line for line in sheet_of(last_answer(galaxy)) if line != "Train spy"]
        press = ["PRESS TO Cygnus", "Watch out", "", "Use shields", "END PRESS"]
        answer = back(galaxy, [*press, "", *sheet, "", "EXTEND 5h because of a storm", "STATUS"])
        assert of_altair(galaxy) == SHIPS[:2]
        assert "| Watch out" in body_of(galaxy.outbox("press", "Cygnus")[-1])
        assert "STATUS" in answer
        assert "commands in your mail were not read" not in " ".join(answer.split())

    def test_in_a_copy_what_is_not_read_is_said_first_and_in_the_subject(self, galaxy: World) -> None:
        lines = [line for line in body_of(last_answer(galaxy)).split("\n") if line != "Train spy"]
        answer = galaxy.reply(last_answer(galaxy), "\n".join(["STATUS", "", *lines]))
        assert of_altair(galaxy) == SHIPS[:2]
        assert "commands in your mail were not read" in " ".join(answer.partition("\n\n")[0].split())
        assert "commands not read" in subject_of(galaxy)

    @pytest.mark.parametrize("place", [0, -1])
    def test_add_does_not_double_its_lines(self, galaxy: World, place: int) -> None:
        sheet = [*sheet_of(last_answer(galaxy))[:-1], "Use counter-espionage", "#end"]
        sheet.insert(place, "ADD")
        back(galaxy, sheet)
        assert of_altair(galaxy) == [*SHIPS, "Use counter-espionage"]


class TestNotRead:
    @pytest.mark.parametrize("change", [("> Train spy\n", ""), ("> Train spy", "> # Train spy")], ids=["deleted", "sign"])
    def test_a_list_changed_in_a_quote_is_told_first(self, galaxy: World, change: tuple[str, str]) -> None:
        answer = last_answer(galaxy)
        head, start, rest = "\n".join(f"> {line}" for line in body_of(answer).split("\n")).partition("> #orders")
        said = galaxy.reply(answer, "\n".join(["Changed below", "", f"{head}{start}{rest.replace(*change)}"]))
        assert said.startswith("The list of your orders was changed inside a quote")
        assert subject_of(galaxy).endswith("NOT READ: a list changed in a quote")
        assert of_altair(galaxy) == SHIPS

    @pytest.mark.parametrize("sign", [True, False])
    def test_one_without_lines_says_how_to_take_back_what_is_on_file(self, galaxy: World, sign: bool) -> None:
        sheet = sheet_of(last_answer(galaxy))
        empty = [line if line.startswith("#") else f"# {line}" for line in sheet if sign or line.startswith("#")]
        answer = back(galaxy, empty)
        assert answer.startswith("No line in the list of your mail counts")
        assert "ONLY" not in answer
        assert "CANCEL ORDERS" in answer
        assert of_altair(galaxy) == SHIPS

    def test_the_answer_says_that_a_list_has_to_stand_without_quote_marks(self, galaxy: World) -> None:
        assert "without the > signs" in " ".join(body_of(last_answer(galaxy)).split())


def test_one_in_an_attached_file_is_the_whole_list_too() -> None:
    with game("diplomacy") as world:
        world.reply(setting("diplomacy").mail, "\n".join(setting("diplomacy").orders[:3]))
        answer = world.outbox("acknowledgement")[-1]
        letter = EmailMessage()
        letter["From"], letter["To"] = answer.recipient, str(message_of(answer)["Reply-To"])
        letter["Subject"], letter["In-Reply-To"] = "Re: orders", answer.message_id
        letter.set_content("Hello,\n\nmy new list is attached.\n")
        sheet = sheet_of(answer)
        letter.add_attachment("\n".join(line for line in sheet if line != orders_in(sheet)[1]) + "\n", filename="orders.txt")
        world.arrive(letter.as_bytes(policy=email.policy.SMTP))
        process_letters(world.desk)
        left = sheet_of(world.outbox("acknowledgement")[-1])
        assert orders_in(left) == [orders_in(sheet)[0], orders_in(sheet)[2]]


def test_where_letters_amend_it_is_the_whole_sheet_too() -> None:
    with game("diplomacy") as world:
        first = setting("diplomacy")
        world.reply(first.mail, "\n".join(first.orders[:3]))
        answer = world.outbox("acknowledgement")[-1]
        assert len(orders_in(sheet_of(answer))) == 3
        world.reply(answer, "\n".join(line for line in sheet_of(answer) if line != orders_in(sheet_of(answer))[1]))
        assert len(orders_in(sheet_of(world.outbox("acknowledgement")[-1]))) == 2


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("slug", [slug for slug in PLAYERS if slug != "cosmic_conquest"])
def test_in_every_game_each_part_of_a_sheet_does_what_it_says(slug: str) -> None:
    with game(slug) as world:
        report = setting(slug).mail
        world.reply(report, "\n".join(setting(slug).orders))
        if not world.outbox("acknowledgement"):  # the first move was made at once; another waits
            world.reply(report, "\n".join(setting(slug).orders[1:]))
        answer = world.outbox("acknowledgement")[-1]
        sheet = sheet_of(answer)
        assert orders_in(sheet)
        assert world.reply(answer, "\n".join(sheet)).startswith((AS_THEY_WERE, AS_IT_WAS))
        last = max(n for n, line in enumerate(sheet) if not line.startswith("#"))
        world.reply(answer, "\n".join([*sheet[:last], *sheet[last + 1 :]]))
        left = sheet_of(world.outbox("acknowledgement")[-1])
        assert orders_in(left) == [line for n, line in enumerate(sheet) if n != last and not line.startswith("#")]
        assert world.reply(answer, "\n".join(sheet))
        assert sheet_digest(orders_in(sheet_of(world.outbox("acknowledgement")[-1]))) == sheet_digest(orders_in(sheet))


REPLACING = [slug for slug in PLAYERS if slug not in ("cosmic_conquest", "local_cluster")]
THANKS = ["Thanks!", "Zuq wuq kuq, vuq!"]


@dataclass(frozen=True)
class Filed:
    """The answer to orders that were sent, and the orders, as (state, lines)."""

    of: Setting
    orders: list[str]


@cache
def filed(slug: str) -> Filed:
    first = setting(slug)
    with game(slug) as world:
        world.reply(first.mail, "\n".join(first.orders))
        answer = world.outbox("acknowledgement")[-1]
        return Filed(Setting(slug, answer, ()), orders_in(sheet_of(answer)))


@st.composite
def copies(draw: st.DrawFn, of: Setting) -> list[str]:
    """A copy of the answer as some program makes it."""
    quote = draw(quotes(of))
    heading = draw(introductions(of) | headers(of)) if quote[0][:1] != "\t" else draw(introductions(of))
    return [*heading, *draw(st.sampled_from([[], [""]])), *quote]


@pytest.mark.fuzz
@pytest.mark.parametrize("slug", REPLACING)
@given(data=st.data())
@settings(max_examples=dose(6, 100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_thanks_above_a_copy_of_an_answer_files_nothing_whatever_program_made_it(slug: str, data: st.DataObject) -> None:
    answer, thanks = filed(slug), data.draw(st.sampled_from(THANKS))
    lines = data.draw(copies(answer.of))
    with game(slug) as world:
        world.reply(setting(slug).mail, "\n".join(setting(slug).orders))
        before = world.submissions()
        said = world.reply(world.outbox("acknowledgement")[-1], "\n".join([thanks, "", *lines]))
        assert said.startswith(AS_THEY_WERE), said
        assert world.submissions() == before


def test_programs_may_break_and_space_its_lines(galaxy: World) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"] = address_of("Altair"), galaxy.reply_address("Altair")
    letter["Subject"], letter["In-Reply-To"] = "Re: orders", last_answer(galaxy).message_id
    lines = [line.replace("4 Laser", "4\nLaser").replace(" - ", " – ") for line in sheet_of(last_answer(galaxy))]
    letter.set_content("\n\n".join(f"  {line}" for line in lines))
    before = galaxy.submissions()
    galaxy.arrive(letter.as_bytes(policy=email.policy.SMTP))
    process_letters(galaxy.desk)
    assert body_of(last_answer(galaxy)).startswith(AS_THEY_WERE)
    assert galaxy.submissions() == before
    assert subject_of(galaxy).endswith("Altair: your orders are what they were")
