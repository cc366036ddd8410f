"""What people without a seat can ask for: LIST, WATCH, UNWATCH, STANDBY; and OFFER, by which a seat finds one of them."""

from datetime import timedelta

import pytest

from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.questions.seat_offers import offer_seat
from pbmd.desk.visitors.standby import MOST_STANDING_BY
from pbmd.ledger.tables import Report, Visitor
from pbmd.rules.protocol import Refused
from tests.desk.sending.test_bounces import bounce, send
from tests.desk.world import ADDRESS, address_of, body_of, message_of, opened


def ask(world, who, text, **more):
    """A letter from somebody without a seat, to the address that all know; gives the answer."""
    return " ".join(world.send(who, text, to=ADDRESS, **more).split())


def confirmed(world, who, text):
    """The same, and YES to the question; gives the answer to that."""
    ask(world, who, text)
    return " ".join(world.confirm(address_of(who)).split())


def visitors(world):
    return [(row.kind.value, row.address.partition("@")[0], row.game_id) for row in world.rows(Visitor)]


def finish_the_turn(world):
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    assert world.pass_time(timedelta(minutes=1)) == 1


@pytest.fixture
def listed(world):
    """A running game that strangers may know of."""
    world.count(listed=True)
    return world


@pytest.mark.parametrize("above", ["", "Hello,\n"])
@pytest.mark.parametrize("asked", ["LIST", "WATCH nebula-1", "JOIN galaxy-8 AS Borealis"])
def test_a_stray_end_of_a_message_costs_no_answer(world, above, asked):
    world.open("galaxy-8", "Vega", seats=3, deadline="every Friday 20:00 UTC")
    world.count("nebula-1", listed=True)
    assert ask(world, "Deneb", f"{above}{asked}\nEND PRESS") == ask(world, "Pollux", f"{above}{asked}") != ""


class TestList:
    """LIST tells everybody the same, and of no game that is not announced."""

    def test_it_names_the_open_games_and_how_to_join(self, world):
        world.open("galaxy-8", "Vega", seats=3, deadline="every Friday 20:00 UTC")
        answer = ask(world, "Deneb", "LIST")
        assert "These games take sign-ups: galaxy-8: Count, 1 of 3 seats filled; it begins when all are" in answer
        assert "deadlines: every Friday 20:00 UTC" in answer
        assert "JOIN galaxy-8 AS Altair" in answer
        assert "Vega" not in answer

    def test_and_the_running_games_that_are_listed_by_their_terms(self, world):
        world.count("nebula-1", listed=True)
        world.count("nebula-2")
        answer = ask(world, "Deneb", "LIST")
        assert "nebula-1: Count, turn 1 to watch it: WATCH nebula-1" in answer
        assert "nebula-2" not in answer

    def test_where_there_is_nothing_it_says_so(self, running):
        assert ask(running, "Deneb", "LIST") == "No game takes sign-ups now, and none can be watched."

    def test_it_is_the_same_for_a_stranger_a_player_without_proof_and_a_wrong_token(self, running):
        running.open("galaxy-8")
        right = running.reply_address("Altair")
        wrong = right.replace(right.partition("@")[0][-3:], "aaa")
        answers = [
            ask(running, "Deneb", "LIST"),
            ask(running, "Altair", "LIST"),
            " ".join(running.send("Borealis", "LIST", to=wrong).split()),
        ]
        assert len(set(answers)) == 1

    def test_a_player_gets_it_with_the_answer(self, running):
        running.open("galaxy-8")
        answer = running.send("Altair", "Add 3\nLIST")
        assert "GAMES\n\nThese games take sign-ups:\n  galaxy-8: Count" in answer
        assert running.sheet("Altair") == ["Add 3"]

    def test_it_has_its_limits(self, world):
        world.open("galaxy-8")
        answers = []
        for number in range(7):
            world.now += timedelta(hours=2)
            answers.append(ask(world, "Deneb", f"LIST\nand a line that differs: {number}"))
        assert [bool(answer) for answer in answers] == [True] * 5 + [False] * 2

    def test_all_strangers_together_have_one(self, world):
        world.settle(limits={"strangers_per_hour": 2})
        assert [bool(ask(world, f"S{number}", "LIST")) for number in range(3)] == [True, True, False]

    def test_no_machine_gets_one(self, world):
        assert ask(world, "Deneb", "LIST", headers={"Auto-Submitted": "auto-generated"}) == ""

    def test_a_game_that_is_over_is_on_it_no_more(self, world):
        world.count("nebula-1", listed=True, target=3)
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 9", game="nebula-1")
        world.pass_time(timedelta(minutes=1))
        assert "nebula-1" not in ask(world, "Deneb", "LIST")


class TestWatch:
    """Observers get the public report when they have confirmed it, until they say otherwise or mail comes back."""

    def test_it_begins_with_yes_and_with_the_last_report(self, listed):
        ask(listed, "Deneb", "WATCH galaxy-7")
        assert visitors(listed) == []
        answer = " ".join(listed.confirm(address_of("Deneb")).split())
        assert "You get the public reports of galaxy-7 from now on." in answer
        (report,) = listed.outbox("report", "Deneb")
        assert message_of(report)["Subject"] == "[pbmd galaxy-7 t1] the game begins"

    def test_each_report_is_the_public_one_without_token_form_or_address(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        listed.send("Altair", "PRESS TO ALL\npsst\nEND PRESS")
        finish_the_turn(listed)
        report = listed.outbox("report", "Deneb")[-1]
        public = listed.rows(Report)[-1]
        assert (public.reader, public.step) == ("public", 0)
        assert public.text.strip("\n") in body_of(report)
        for secret in (b"#orders", b"games+g", b"altair@", b"psst", b"FAIRNESS"):
            assert secret not in opened(report.raw)

    def test_unwatch_ends_it_and_a_mail_program_knows_how(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        header = message_of(listed.outbox("report", "Deneb")[0])["List-Unsubscribe"]
        assert header == f"<mailto:{ADDRESS}?subject=UNWATCH%20galaxy-7&body=UNWATCH%20galaxy-7>"
        assert "No more reports of that game" in ask(listed, "Deneb", "UNWATCH galaxy-7", subject="UNWATCH galaxy-7")
        finish_the_turn(listed)
        assert len(listed.outbox("report", "Deneb")) == 1

    def test_a_reply_to_a_report_ends_it_too(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        assert "No more reports" in listed.reply(listed.outbox("report", "Deneb")[0], "unwatch galaxy-7")
        assert visitors(listed) == []

    def test_who_never_watched_gets_the_same_answer(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        one, two = ask(listed, "Deneb", "UNWATCH galaxy-7"), ask(listed, "Vega", "UNWATCH galaxy-7")
        assert one == two == ask(listed, "Rigel", "UNWATCH nebula-9")

    @pytest.mark.parametrize("game", ["galaxy-8", "nebula-9", "galaxy-9"])
    def test_no_game_a_hidden_one_and_one_that_was_never_look_the_same(self, listed, game):
        listed.count("galaxy-8")
        listed.open("galaxy-9")
        answer = ask(listed, "Deneb", f"WATCH {game}")
        assert answer == "WATCH: there is no game of that name to watch. LIST names the games that can be asked for."

    def test_a_second_yes_is_one_observer(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        confirmed(listed, "Deneb", "WATCH galaxy-7.")
        assert visitors(listed) == [("watch", "deneb", 1)]
        assert len(listed.outbox("report", "Deneb")) == 1

    def test_without_yes_nothing_comes(self, listed):
        ask(listed, "Victim", "WATCH galaxy-7")
        listed.reply(listed.outbox("visit")[0], "NO")
        finish_the_turn(listed)
        assert listed.outbox("report", "Victim") == []

    def test_a_bounce_ends_it(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        send(listed)
        bounce(listed, listed.outbox("report", "Deneb")[0])
        assert visitors(listed) == []
        assert listed.log("watch")[-1].detail == "one less: mail comes back"

    def test_a_player_can_watch_another_game(self, listed):
        listed.count("nebula-1", ("Vega", "Rigel"))
        answer = listed.send("Vega", "Add 3\nWATCH galaxy-7", game="nebula-1")
        assert "a mail has been sent to this address that asks whether you are sure" in " ".join(answer.split())
        listed.confirm(address_of("Vega"))
        assert visitors(listed) == [("watch", "vega", 1)]

    def test_the_end_of_the_game_is_told(self, world):
        world.count(listed=True, target=3)
        confirmed(world, "Deneb", "WATCH galaxy-7")
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 9")
        world.pass_time(timedelta(minutes=1))
        last = world.outbox("report", "Deneb")[-1]
        assert message_of(last)["Subject"].endswith("Turn 1: the game is over")
        assert "the target was reached. Winners: Altair, Borealis, Cygnus." in " ".join(body_of(last).split())

    def test_observers_learn_that_a_turn_is_played_again_and_get_its_report_again(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        finish_the_turn(listed)
        listed.act("galaxy-7", roll_back, 1, "a secret reason")
        notice = listed.outbox("notice", "Deneb")[-1]
        assert message_of(notice)["Subject"] == "[pbmd galaxy-7 t1] turn 1 is played again"
        assert "secret" not in body_of(notice)
        listed.pass_time(timedelta(days=4))
        subjects = [message_of(mail)["Subject"] for mail in listed.outbox("report", "Deneb")]
        assert subjects[1:] == ["[pbmd galaxy-7 t2] Turn 1: what happened"] * 2

    def test_observers_learn_that_a_game_is_abandoned(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        listed.act("galaxy-7", abandon, "a secret reason")
        assert "has ended the game without a winner" in " ".join(body_of(listed.outbox("notice", "Deneb")[-1]).split())
        assert "secret" not in body_of(listed.outbox("notice", "Deneb")[-1])

    def test_the_log_has_no_address(self, listed):
        confirmed(listed, "Deneb", "WATCH galaxy-7")
        ask(listed, "Deneb", "UNWATCH galaxy-7")
        assert not [line for line in listed.log() if "deneb" in line.detail.lower() or "players.test" in line.detail]


class TestStandby:
    """The standby list, and the offer of a seat to all on it."""

    @pytest.fixture
    def waiting(self, listed):
        """Deneb stands by for the game, Vega for all games, Rigel for the game; Borealis has resigned."""

        def stand_by():
            for who, game in (("Deneb", "galaxy-7"), ("Vega", "ALL"), ("Rigel", "galaxy-7")):
                confirmed(listed, who, f"STANDBY {game}")
                listed.now += timedelta(minutes=1)
            listed.resign("Borealis")

        listed.as_ever("three who stand by", stand_by)
        return listed

    def offered(self, world):
        return [mail for mail in world.questions() if "take over this seat" in message_of(mail)["Subject"]]

    def test_who_confirms_is_on_the_list(self, listed):
        assert "You are on the standby list of galaxy-7." in confirmed(listed, "Deneb", "STANDBY galaxy-7")
        assert "You are on the standby list of all games." in confirmed(listed, "Vega", "STAND-BY all")
        assert visitors(listed) == [("standby", "deneb", 1), ("standby", "vega", None)]

    def test_without_yes_nobody_is(self, listed):
        ask(listed, "Victim", "STANDBY ALL")
        assert visitors(listed) == []

    def test_twice_is_once(self, listed):
        confirmed(listed, "Deneb", "STANDBY ALL")
        confirmed(listed, "Deneb", "STANDBY ALL\nplease")
        assert visitors(listed) == [("standby", "deneb", None)]

    @pytest.mark.parametrize("game", ["galaxy-8", "nebula-9"])
    def test_a_hidden_game_looks_like_none(self, listed, game):
        listed.count("galaxy-8")
        assert "there is no game of that name with a standby list of its own" in ask(listed, "Deneb", f"STANDBY {game}")

    def test_off_takes_off_all_lists_and_says_the_same_to_who_was_on_none(self, waiting):
        confirmed(waiting, "Deneb", "STANDBY ALL")
        one, two = ask(waiting, "Deneb", "STANDBY OFF"), ask(waiting, "Nobody", "STANDBY OFF")
        assert one == two
        assert [name for _, name, _ in visitors(waiting)] == ["vega", "rigel"]

    def test_an_offer_asks_all_once_those_of_all_games_too(self, waiting):
        assert waiting.act("galaxy-7", offer_seat, "Borealis") == 3
        assert [mail.recipient for mail in self.offered(waiting)] == [address_of(who) for who in ("Deneb", "Vega", "Rigel")]
        assert waiting.log("offered")[-1].detail == "to the standby list, 3 asked"

    def test_the_first_yes_by_arrival_has_the_seat_and_the_others_are_told(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        deneb, vega, rigel = self.offered(waiting)
        # Rigel's is read first, but Vega's arrived first.
        late = waiting.now + timedelta(seconds=9)
        for mail, at in ((rigel, late), (vega, waiting.now)):
            raw = waiting.letter("", "YES", sender=mail.recipient, to=message_of(mail)["Reply-To"])
            waiting.arrive(raw, at)
        waiting.now = late
        waiting.pass_time()
        assert waiting.seat("Borealis").address == address_of("Vega")
        assert waiting.seat("Borealis").state.value == "active"
        told = [mail for mail in waiting.outbox("notice") if "has been filled" in message_of(mail)["Subject"]]
        assert [mail.recipient for mail in told] == [address_of("Deneb"), address_of("Rigel")]
        assert "This question is not open any more" in body_of(waiting.outbox("acknowledgement", "Rigel")[-1])
        assert "not open any more" in waiting.reply(deneb, "YES")
        assert waiting.seat("Borealis").address == address_of("Vega")

    def test_who_takes_it_gets_one_mail_and_the_game_master_is_told(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        vega = self.offered(waiting)[1]
        before = len(waiting.outbox())
        waiting.reply(vega, "YES\nand by the way, hello all\n-- \nVega")
        sent = waiting.outbox()[before:]
        [to_vega] = [mail for mail in sent if mail.recipient == address_of("Vega")]
        assert message_of(to_vega)["Subject"].endswith("Borealis is yours")
        assert "and by the way, hello all" in body_of(to_vega)
        [to_gm] = [mail for mail in sent if mail.recipient == "gm@pbmd.test"]
        assert message_of(to_gm)["Subject"].endswith("Borealis has a new player")

    def test_who_took_a_seat_stands_by_no_more_the_others_do(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        waiting.reply(self.offered(waiting)[1], "YES")
        assert [name for _, name, _ in visitors(waiting)] == ["deneb", "rigel"]

    def test_who_says_no_leaves_it_to_the_others(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        deneb, vega, _ = self.offered(waiting)
        waiting.reply(deneb, "NO")
        waiting.reply(vega, "YES")
        told = [mail.recipient for mail in waiting.outbox("notice") if "has been filled" in message_of(mail)["Subject"]]
        assert told == [address_of("Rigel")]

    def test_a_second_offer_asks_only_who_was_not_asked(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        with pytest.raises(Refused, match="nobody stands by for galaxy-7 who was not asked already"):
            waiting.act("galaxy-7", offer_seat, "Borealis")
        confirmed(waiting, "Spica", "STANDBY ALL")
        assert waiting.act("galaxy-7", offer_seat, "Borealis") == 1

    def test_with_nobody_on_the_list_it_is_refused(self, running):
        with pytest.raises(Refused, match="nobody stands by for galaxy-7"):
            running.act("galaxy-7", offer_seat, "Borealis")

    def test_who_plays_in_the_game_is_not_asked(self, listed):
        confirmed(listed, "Cygnus", "STANDBY ALL")
        with pytest.raises(Refused, match="nobody stands by"):
            listed.act("galaxy-7", offer_seat, "Borealis")

    def test_a_game_that_has_not_begun_offers_nothing(self, world):
        world.open("galaxy-7", "Altair")
        with pytest.raises(Refused, match="has not begun"):
            world.act("galaxy-7", offer_seat, "Altair")

    def test_a_list_is_not_endless(self, listed, monkeypatch):
        monkeypatch.setattr("pbmd.desk.visitors.standby.MOST_STANDING_BY", 1)
        confirmed(listed, "Deneb", "STANDBY ALL")
        assert "is full" in confirmed(listed, "Vega", "STANDBY ALL")
        assert MOST_STANDING_BY > 1

    def test_a_bounce_ends_it(self, waiting):
        waiting.act("galaxy-7", offer_seat, "Borealis")
        send(waiting)
        bounce(waiting, self.offered(waiting)[0])
        assert [name for _, name, _ in visitors(waiting)] == ["vega", "rigel"]
