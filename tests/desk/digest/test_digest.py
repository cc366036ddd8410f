"""The digest of the game master: when it comes, what it tells, and that a reply with its lines does what they say."""

import json
import re
from datetime import datetime, timedelta

import pytest

from pbmd.desk.changes import new_game
from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.digest import digest as digest_module
from pbmd.desk.language.columns import width_of
from pbmd.ledger.tables import GameStatus, JournalEntry, Outbox, SeatState
from pbmd.rules.protocol import Signup
from tests.archive.made import export
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import ADDRESS, NAMES, World, address_of, body_of, message_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def digests(world: World) -> list[Outbox]:
    """Those that have come so far; the one of the beginning is the first."""
    return world.outbox("digest")


def subject(mail: Outbox) -> str:
    return str(message_of(mail)["Subject"])


def text(mail: Outbox) -> str:
    """What it says, with blanks and line ends made one."""
    return " ".join(body_of(mail).split())


def through_a_list(world: World) -> None:
    """Orders with their seat's token, from a mailing list that puts itself in place of who wrote them."""
    headers = {"List-Id": "<club.lists.test>", "Reply-To": address_of("Altair")}
    world.send("Altair", "Add 5", sender='"Altair via Club" <club@lists.test>', headers=headers)


def to_reply(mail: Outbox) -> list[str]:
    """The lines that it offers for a reply."""
    return re.findall(r"(?m)^ {5}([A-Z]{4,} ?.*|START)$", body_of(mail))


def a_turn(world: World, *silent: str) -> None:
    """A turn passes in which all but these send orders."""
    for seat in NAMES:
        if seat not in silent:
            world.send(seat, "Add 1")
    world.pass_time(73 * HOUR)


class TestWhen:
    def test_when_the_game_begins_after_each_turn_and_at_its_end(self, world):
        world.count(target=3)
        for _ in range(3):
            a_turn(world)
        assert [subject(mail).partition("] ")[2] for mail in digests(world)] == [
            "nothing to do; the game has begun",
            "nothing to do; turn 1 was played",
            "nothing to do; turn 2 was played",
            "the game is over",
        ]
        assert {mail.recipient for mail in digests(world)} == {"gm@pbmd.test"}

    def test_none_when_it_is_off(self, world):
        world.count(digest="off")
        a_turn(world, "Borealis")
        world.pass_time(2 * DAY)
        assert digests(world) == []

    def test_between_turns_once_a_day_if_there_is_news(self, world):
        world.open("galaxy-7", "Altair")
        assert digests(world) == []
        world.pass_time(DAY - HOUR)
        assert digests(world) == []
        world.pass_time(HOUR)
        assert [subject(mail) for mail in digests(world)] == ["[pbmd galaxy-7 t0] nothing to do; news of the day: joined"]
        world.pass_time(3 * DAY)
        assert len(digests(world)) == 1, "there was nothing new"

    def test_what_happens_soon_after_one_waits_for_the_next_day(self, running):
        running.send("Altair", "nonsense")
        running.pass_time(DAY)
        running.send("Borealis", "nonsense")
        running.pass_time(HOUR)
        assert len(digests(running)) == 2
        running.pass_time(DAY - HOUR)
        assert ["refused" in text(mail) for mail in digests(running)] == [False, True, True]
        assert "1 mail from Borealis" in text(digests(running)[-1])
        assert "1 mail from Altair" not in text(digests(running)[-1])

    def test_what_a_turn_tells_is_not_told_again_by_the_day(self, running):
        running.send("Altair", "nonsense")
        a_turn(running)
        running.pass_time(2 * DAY)
        assert [subject(mail).partition("] ")[2] for mail in digests(running)][1:] == ["nothing to do; turn 1 was played"]

    def test_daily_leaves_out_the_turns(self, world):
        world.count(digest="daily")
        world.send("Altair", "nonsense")
        a_turn(world)
        a_turn(world)
        assert all("news of the day" in subject(mail) for mail in digests(world))
        assert 1 <= len(digests(world)) <= 7

    def test_where_one_moves_after_the_other_it_is_the_turn_that_counts(self, world):
        past_turn_0(relay(world))
        begun = len(digests(world))
        for seat in NAMES[:2]:
            world.send(seat, "Add 1")
        assert len(digests(world)) == begun, "two moves are no turn"
        world.send(NAMES[2], "Add 1")
        assert len(digests(world)) == begun + 1

    @pytest.mark.parametrize(("word", "more"), [("off", 0), ("turns", 1)])
    def test_the_game_master_changes_it_by_mail(self, running, word, more):
        before = len(digests(running))
        assert "digest" in running.master(f"DIGEST {word}")
        a_turn(running)
        assert len(digests(running)) == before + more

    def test_it_is_in_no_journal_and_no_archive(self, world, tmp_path):
        world.count(digest="daily")
        world.master("DIGEST turns")
        created = world.rows(JournalEntry)[0]
        assert "digest" not in json.loads(created.public)["terms"]
        assert "\ndigest = " not in (export(world, tmp_path / "archive") / "data" / "game.toml").read_text()

    def test_a_game_of_which_none_can_be_written_holds_up_no_other(self, world, monkeypatch):
        world.count()
        world.count("galaxy-8")
        for game in ("galaxy-7", "galaxy-8"):
            world.send("Altair", "nonsense", game=game)
        world.master("PAUSE")
        before = len(digests(world))
        known = digest_module.awaited

        def awaited(table):
            if table.game.name == "galaxy-7":
                raise ZeroDivisionError("a defect of the rules, with a secret")
            return known(table)

        monkeypatch.setattr(digest_module, "awaited", awaited)
        world.pass_time(DAY)
        assert ["galaxy-8" in subject(mail) for mail in digests(world)[before:]] == [True]
        (line,) = world.log("no-digest")
        assert "ZeroDivisionError" in line.detail
        assert "secret" not in line.detail
        world.pass_time()
        assert len(world.log("no-digest")) == 1


class TestOfSeveralGames:
    @pytest.fixture
    def begun(self, world: World) -> World:
        """Two games have begun, and the morning after has told of the second."""
        world.count()
        world.count("galaxy-8")
        self.until_morning(world)
        assert subject(digests(world)[-1]) == "[pbmd] nothing to do; news of galaxy-8"
        return world

    def until_morning(self, world: World) -> None:
        """The next one, at eight by the clock of the host."""
        world.pass_time(next_morning_after(world.now) - world.now)

    def turn(self, world: World, *games: str) -> None:
        for place, game in enumerate(games, start=1):  # the same letter twice is news of its own
            for seat in NAMES:
                world.send(seat, f"Add {place}", game=game)
        world.pass_time(73 * HOUR)

    def test_what_asks_for_nothing_comes_in_one_mail_in_the_morning(self, begun):
        before = len(digests(begun))
        self.turn(begun, "galaxy-7", "galaxy-8")
        assert len(digests(begun)) == before
        self.until_morning(begun)
        [mail] = digests(begun)[before:]
        assert subject(mail) == "[pbmd] nothing to do; news of 2 games"
        assert all(f"{game} (Count): 1 step was played." in text(mail) for game in ("galaxy-7", "galaxy-8"))
        assert "Add 1" not in text(mail)

    def test_what_a_mail_of_its_own_has_told_is_not_told_again_in_the_morning(self, begun):
        """There was something to do, so the turn was told at once."""
        for _ in range(2):
            a_turn(begun, "Borealis")
        own = [mail for mail in digests(begun) if "galaxy-7" in subject(mail)]
        assert "1 thing to do; turn 2 was played" in subject(own[-1])
        assert "missed Borealis, 2 times now" in text(own[-1])
        begun.pass_time(HOUR)
        begun.send("Altair", "nonsense")
        self.until_morning(begun)
        [mail] = [mail for mail in digests(begun) if "galaxy-7" in subject(mail)][len(own) :]
        assert subject(mail) == "[pbmd galaxy-7 t3] 1 thing to do; news of the day: refused"
        assert "missed Borealis, 2 times now" not in text(mail)

    def test_what_was_put_off_to_the_morning_comes_with_what_is_told_at_once(self, begun):
        """Two turns in one morning: only after the second there is something to do."""
        before = len(digests(begun))
        begun.send("Altair", "nonsense")
        for turn in (1, 2):
            assert len(digests(begun)) == before, turn
            begun.send("Altair", "Add 1")
            begun.sure("RESOLVE")
            begun.pass_time(timedelta(minutes=10))
        [mail] = digests(begun)[before:]
        assert "2 things to do; turn 2 was played, 2 missed it" in subject(mail)
        assert "refused 1 mail from Altair" in text(mail)
        assert text(mail).count("missed Borealis, 2 times now") == 1
        self.until_morning(begun)
        assert all("galaxy-7" not in subject(mail) for mail in digests(begun)[before + 1 :])

    def test_news_from_when_it_was_the_only_game_comes_with_that_of_the_others(self, world):
        world.count()
        world.pass_time(HOUR)
        world.send("Altair", "nonsense")
        assert world.game().digest_at == world.now + DAY
        world.count("galaxy-8")
        before = len(digests(world))
        self.until_morning(world)
        [mail] = digests(world)[before:]
        assert subject(mail) == "[pbmd] nothing to do; news of 2 games"
        assert "refused 1 mail from Altair" in text(mail)
        world.pass_time(DAY)
        assert len(digests(world)) == before + 1

    def test_where_another_game_begins_after_the_morning_it_waits_for_the_next(self, world):
        world.count()
        self.until_morning(world)
        world.pass_time(2 * HOUR)
        world.send("Altair", "nonsense")
        self.until_morning(world)
        world.count("galaxy-8")
        before = len(digests(world))
        world.pass_time(2 * HOUR)
        assert len(digests(world)) == before
        self.until_morning(world)
        [mail] = digests(world)[before:]
        assert subject(mail) == "[pbmd] nothing to do; news of 2 games"
        assert "refused 1 mail from Altair" in text(mail)

    def test_after_a_night_in_which_the_host_was_off_no_news_is_lost(self, world):
        """The hour of one game was in the night, and the others' in the morning, which passed as well."""
        world.count()
        world.pass_time(timedelta(hours=27) - (world.now - world.now.replace(hour=0, minute=0)))  # three in the morning
        world.send("Altair", "nonsense")
        world.pass_time(7 * HOUR)
        world.count("galaxy-8")
        world.pass_time(13 * HOUR)
        before = len(digests(world))
        world.pass_time(10 * HOUR)
        self.until_morning(world)
        told = digests(world)[before:]
        assert sum("refused 1 mail from Altair" in text(mail) for mail in told) == 1, [text(mail) for mail in told]

    def test_after_days_in_which_the_host_was_off_a_turn_loses_no_news(self, begun):
        begun.send("Altair", "nonsense")
        before = len(digests(begun))
        begun.pass_time(4 * DAY)
        begun.pass_time()
        self.until_morning(begun)
        told = digests(begun)[before:]
        assert sum("refused 1 mail from Altair" in text(mail) for mail in told) == 1, [text(mail) for mail in told]

    def test_it_tells_how_things_stand_when_it_comes(self, begun):
        self.turn(begun, "galaxy-7")
        begun.send("Altair", "EXTEND 30 days")
        before = len(digests(begun))
        self.until_morning(begun)
        told = {subject(mail).partition("; ")[0]: text(mail) for mail in digests(begun)[before:]}
        assert "APPROVE 1" in told["[pbmd galaxy-7 t2] 1 thing to do"]
        assert "galaxy-7" not in told["[pbmd] nothing to do"]

    def test_a_day_without_news_has_none(self, begun):
        before = len(digests(begun))
        self.until_morning(begun)
        assert len(digests(begun)) == before

    def test_the_end_of_a_game_comes_at_once_and_by_itself(self, world):
        world.count(target=2)
        world.count("galaxy-8")
        self.turn(world, "galaxy-7")
        self.turn(world, "galaxy-7")
        assert "the game is over" in [subject(mail).partition("] ")[2] for mail in digests(world)]

    def test_the_only_game_of_which_there_are_digests_has_its_own_after_each_turn(self, world):
        world.count()
        world.count("galaxy-8", digest="off")
        self.turn(world, "galaxy-7")
        assert subject(digests(world)[-1]) == "[pbmd galaxy-7 t2] nothing to do; turn 1 was played"

    def test_where_that_of_one_cannot_be_written_the_others_are_told(self, begun, monkeypatch):
        known = digest_module.awaited

        def awaited(table):
            if table.game.name == "galaxy-7":
                raise ZeroDivisionError("a defect of the rules, with a secret")
            return known(table)

        self.turn(begun, "galaxy-7", "galaxy-8")
        monkeypatch.setattr(digest_module, "awaited", awaited)
        self.until_morning(begun)
        assert subject(digests(begun)[-1]) == "[pbmd] nothing to do; news of galaxy-8"
        (line,) = begun.log("no-digest")
        assert "secret" not in line.detail


def next_morning_after(now: datetime) -> datetime:
    eight = now.replace(hour=8, minute=0, second=0, microsecond=0)
    return eight if now < eight else eight + DAY


class TestWhat:
    def test_a_deadline_that_has_passed_before_the_mailbox_was_read_is_told_as_such(self, running):
        running.send("Altair", "nonsense")
        running.pass_time(4 * DAY, reading=False)
        told = text(digests(running)[-1])
        assert "passed; the turn ends once the mailbox has been read" in told
        assert "in 0 s" not in told

    def test_who_joined(self, world):
        world.open("galaxy-7", "Altair", "Borealis", seats=3)
        world.pass_time(DAY)
        told = text(digests(world)[-1])
        assert "joined Altair, Borealis" in told
        assert "2 seats of 3 taken" in told

    def test_who_missed_the_turn_why_and_how_often(self, running):
        a_turn(running, "Borealis")
        assert "missed Borealis: no mail with orders arrived" in text(digests(running)[-1])
        running.send("Borealis", "nonsense")
        a_turn(running, "Borealis")
        assert subject(digests(running)[-1]).endswith("turn 2 was played, 1 missed it")
        assert "missed Borealis, 2 times now: only mail whose orders could not be taken" in text(digests(running)[-1])
        assert "refused 1 mail from Borealis" in text(digests(running)[-1])
        assert "nonsense" not in text(digests(running)[-1])

    def test_what_was_refused_is_not_told_where_nobody_may_know_who_has_sent(self, world):
        world.count(who_has_sent="nothing")
        world.now += HOUR
        world.send("Borealis", "nonsense")
        world.pass_time(2 * DAY)
        assert len(digests(world)) == 1
        a_turn(world)
        assert "refused" not in text(digests(world)[-1])

    def test_who_is_awaited_missed_or_braked_tells_nothing_where_nobody_may_know_who_has_sent(self, world):
        world.count(who_has_sent="nothing")
        for number in range(13):
            world.send("Altair", f"Add {number % 9 + 1}\nAdd {number // 9 + 1}")
        world.send("Borealis", "ABSENT FROM 2026-12-24 TO 2026-12-28")
        world.pass_time(DAY)
        told = text(digests(world)[-1])
        assert "away Borealis" in told
        assert "Altair" not in told.replace("joined Altair, Borealis, Cygnus", "")
        assert "awaited" not in told
        a_turn(world)
        world.send("Altair", "nonsense")
        a_turn(world, "Altair")
        told = text(digests(world)[-1])
        assert "missed Altair" in told
        assert "could not be taken" not in told

    def test_orders_through_a_list_that_writes_in_its_own_name_are_told_as_not_read(self, running):
        through_a_list(running)
        assert {mail.recipient for mail in running.outbox("acknowledgement")} == {address_of("Altair")}
        (told,) = running.log("unheard")
        assert "it comes from a mailing list" in told.detail
        running.pass_time(DAY)
        assert "not read 1 mail from Altair" in text(digests(running)[-1])

    def test_nor_are_they_told_where_nobody_may_know_who_has_sent(self, world):
        world.count(who_has_sent="nothing")
        through_a_list(world)
        a_turn(world)
        assert "not read" not in text(digests(world)[-1])

    def test_what_brakes_have_kept_back(self, running):
        for number in range(13):
            running.send("Altair", f"Add {number % 9 + 1}\nAdd {number // 9 + 1}")
        a_turn(running)
        assert "not sent 4 answers to Altair: 10 answers in an hour are the most for one address" in text(digests(running)[-1])

    def test_who_has_taken_over_a_seat_has_missed_nothing_yet(self, running):
        for _ in range(2):
            a_turn(running, "Borealis")
        assert any("EJECT" in line for line in to_reply(digests(running)[-1]))
        running.sure("REPLACE Borealis BY dora@players.test")
        running.reply(running.questions(address_of("Dora"))[-1], "YES")
        a_turn(running, "Borealis")
        assert "missed Borealis: no mail" in text(digests(running)[-1])
        assert not any("EJECT" in line for line in to_reply(digests(running)[-1]))

    def test_who_is_away_and_who_gave_up(self, running):
        running.send("Altair", "ABSENT FROM 2026-12-24 TO 2026-12-28")
        running.resign("Cygnus")
        a_turn(running, "Cygnus")
        told = text(digests(running)[-1])
        assert "away Altair:" in told
        assert "gave up Cygnus" in told
        assert "missed" not in told, "nobody plays it"

    def test_how_the_game_ended(self, world):
        world.count(target=1)
        a_turn(world)
        assert "the game is over" in text(digests(world)[-1])
        assert "pbmd export galaxy-7" in text(digests(world)[-1])

    def test_a_game_taken_back_tells_of_the_new_course_alone(self, running):
        a_turn(running, "Borealis")
        a_turn(running)
        running.sure("ROLLBACK TO TURN 1")
        a_turn(running)
        assert "turn 1 was played" in subject(digests(running)[-1])
        assert "missed Borealis" not in text(digests(running)[-1])

    def test_no_line_is_above_72_columns_and_no_subject_above_70_characters(self, world):
        long = "The United Federation of Planets beyond the Rim"
        world.count("a-name-that-is-as-long-as-can-be"[:31], seats=(long, "Altair"))
        world.send("Altair", "EXTEND 9 days because of a journey", game="a-name-that-is-as-long-as-can-be"[:31])
        for _ in range(2):
            world.pass_time(73 * HOUR)
        for mail in digests(world):
            assert max(map(len, body_of(mail).splitlines())) <= 72
            assert len(subject(mail)) <= 70
        assert to_reply(digests(world)[-1])[-1] == "EJECT Altair because …"
        assert "  EJECT The United because …" in body_of(digests(world)[-1])


@pytest.fixture
def troubled(running):
    """A game in which much waits for its game master: a request, an empty seat, one that has missed two turns, a standby."""

    def trouble() -> None:
        running.send("", "STANDBY ALL", sender=address_of("Dora"), to=ADDRESS)
        running.confirm(address_of("Dora"))
        for _ in range(2):
            a_turn(running, "Borealis")
        running.resign("Cygnus")
        running.send("Altair", "EXTEND 9 days because of a journey")
        running.pass_time(DAY)

    running.unless_patched("much waits for the game master", trouble)
    return running


class TestReplies:
    def test_what_waits_has_lines_for_a_reply(self, troubled):
        assert to_reply(digests(troubled)[-1]) == [
            "APPROVE 1",
            "REFUSE 1 because …",
            "OFFER Cygnus because …",
            "REPLACE Cygnus BY somebody@example.org because …",
            "REPLACE Borealis BY somebody@example.org because …",
            "EJECT Borealis because …",
        ]

    @pytest.mark.parametrize("number", range(6))
    def test_each_of_them_does_what_it_says(self, troubled, number):
        digest = digests(troubled)[-1]
        line = to_reply(digest)[number].replace("…", "there is a reason").replace("somebody@", "dora@")
        before = len(troubled.questions("gm@pbmd.test"))
        answer = troubled.reply(digest, line)
        asked = troubled.questions("gm@pbmd.test")[before:]
        if asked:
            answer = troubled.reply(asked[-1], "YES")
        assert "is no command" not in answer
        assert any(
            words in " ".join(answer.split()) for words in ("later", "refused", "is offered to", "is asked to", "is empty")
        )

    def test_dots_that_were_left_in_a_line_are_no_reason(self, troubled):
        lines = [line for line in to_reply(digests(troubled)[-1]) if line.startswith(("REFUSE", "OFFER"))]
        answer = troubled.reply(digests(troubled)[-1], "\n".join(lines))
        assert "Request 1 is refused." in answer
        assert "Cygnus is offered to" in answer
        told = body_of(next(mail for mail in troubled.outbox("notice") if "request" in subject(mail)))
        assert "because" not in told
        assert not any(dots in told for dots in ("…", "..."))

    def test_nobody_is_asked_at_the_address_that_was_left_in_a_line(self, troubled):
        line = next(line for line in to_reply(digests(troubled)[-1]) if line.startswith("REPLACE Borealis"))
        asked = len(troubled.questions())
        answer = troubled.reply(digests(troubled)[-1], line)
        assert "put the address of the new player where somebody@example.org stands" in " ".join(answer.split())
        assert len(troubled.questions()) == asked

    @pytest.mark.parametrize("name", ["Vega because of it", "Donaudampfschifffahrtsgesellschaft", "東京帝国" * 6])
    def test_a_line_is_about_the_seat_whatever_that_is_called(self, world, name):
        world.open("galaxy-7", "Altair", "Borealis", reminders=())
        world.act("galaxy-7", new_game.add_seat, Signup(name), new_game.Newcomer("vega@players.test", "Vega"))
        world.act("galaxy-7", new_game.start_game)
        for _ in range(2):
            world.pass_time(73 * HOUR)
        line = next(line for line in to_reply(digests(world)[-1]) if re.match("REPLACE (?!Altair|Borealis)", line))
        assert width_of(f"  {line}") <= 72
        world.reply(digests(world)[-1], line.replace("somebody@example.org", "dora@players.test").replace("…", "we wait"))
        question = " ".join(body_of(world.questions("gm@pbmd.test")[-1]).split())
        assert "offered to dora@players.test" in question
        assert f"{name} is played by Vega" in question

    def test_a_line_above_the_whole_digest_is_all_that_counts(self, troubled):
        digest = digests(troubled)[-1]
        quoted = "\n".join(f"> {line}" for line in body_of(digest).splitlines())
        unquoted = body_of(digest)
        for below in (quoted, unquoted):
            answer = troubled.reply(digest, f"STATUS\n\nOn Friday pbmd wrote:\n{below}")
            assert "STATUS" in answer
            assert "REFUSE" not in answer
            assert troubled.seat("Borealis").state is SeatState.ACTIVE
            troubled.now += 2 * HOUR

    def test_several_lines_in_one_reply(self, troubled):
        answer = troubled.reply(
            digests(troubled)[-1], "REFUSE 1 because we wait for you\nOFFER Cygnus because it is free\nThanks"
        )
        assert "Request 1 is refused." in answer
        assert "is offered to 1 on the standby list" in " ".join(answer.split())

    def test_a_game_that_could_begin_begins(self, world):
        world.open("galaxy-7", *NAMES)
        world.pass_time(DAY)
        assert to_reply(digests(world)[-1]) == ["START"]
        world.reply(digests(world)[-1], "START")
        assert world.game().status is GameStatus.RUNNING

    def test_a_game_that_stands_goes_on(self, running):
        running.master("PAUSE")
        running.send("Altair", "nonsense")
        running.pass_time(DAY)
        assert to_reply(digests(running)[-1]) == ["RESUME because …"]
        running.reply(digests(running)[-1], "RESUME because the storm is over")
        assert running.game().status is GameStatus.RUNNING

    def test_nobody_else_masters_the_game_with_it(self, troubled):
        assert troubled.reply(digests(troubled)[-1], "EJECT Borealis", sender=address_of("Altair")) == ""
        assert troubled.seat("Borealis").state is SeatState.ACTIVE

    def test_it_is_ended_by_a_new_token_as_all_mails_to_the_game_master_are(self, troubled):
        digest = digests(troubled)[-1]
        troubled.master("NEW TOKEN")
        assert troubled.reply(digest, "REFUSE 1") == ""
        troubled.act("galaxy-7", send_gm_token, "gm-mail again")
