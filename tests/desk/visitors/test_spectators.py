"""The room of those who watch: they write to each other there, and no seat reads it unless the rules say so."""

from datetime import timedelta
from typing import Any

import pytest

from pbmd.ledger.tables import Outbox
from pbmd.rules.protocol import Refused
from tests.desk.village import village
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

GAME = "galaxy-7"
TERMS = {"listed": True, "spectators": True, "reminders": ()}


def watch(world: World, *names: str) -> None:
    """These people watch the game, as they have confirmed."""
    for name in names:
        world.send(name, f"WATCH {GAME}", to=ADDRESS)
        world.confirm(address_of(name))


def last_mail(world: World, name: str) -> Outbox:
    return world.outbox("", name)[-1]


def write(world: World, name: str, text: str = "Who wins?", *, to: str = GAME, end: str = "END PRESS") -> str:
    """Somebody replies to the last mail that they got."""
    answer = world.reply(last_mail(world, name), f"PRESS TO SPECTATORS OF {to}\n{text}\n{end}")
    return " ".join(answer.split())


def got(world: World, name: str) -> list[str]:
    """The press that somebody has got."""
    return [body_of(mail) for mail in world.outbox("press", name)]


@pytest.fixture
def watched(world: World) -> World:
    """A game of Count, with two who watch it."""
    world.count(**TERMS)
    watch(world, "Vega", "Wega")
    return world


def test_it_goes_to_the_others_who_watch_and_to_nobody_else(watched: World) -> None:
    answer = write(watched, "Vega")
    assert answer.startswith("Your message went to all others who watch galaxy-7, as from spectator ")
    (text,) = got(watched, "Wega")
    assert "| Who wins?" in text
    assert "From: spectator " in text
    assert "vega" not in text.casefold()
    assert {mail.recipient for mail in watched.outbox("press")} == {address_of("Wega")}
    assert not watched.journal("press")


def test_one_can_reply_and_is_known_by_the_same_name(watched: World) -> None:
    write(watched, "Vega")
    write(watched, "Wega", "Borealis, I think.")
    write(watched, "Vega", "So do I.")
    first, second = got(watched, "Wega")
    names = [text.partition("From: ")[2].partition("\n")[0] for text in (first, second, *got(watched, "Vega"))]
    assert names[0] == names[1] != names[2]


def test_a_mail_that_is_no_reply_is_not_passed_on(watched: World) -> None:
    answer = watched.send("Vega", f"PRESS TO SPECTATORS OF {GAME}\nHello\nEND PRESS", to=ADDRESS)
    assert "anybody could have written that mail" in " ".join(answer.split())
    assert not watched.outbox("press")
    # The answer to it can be replied to.
    assert write(watched, "Vega").startswith("Your message went to all others")


@pytest.mark.parametrize(
    ("text", "end", "words"),
    [
        ("Hello", "", "END PRESS is missing"),
        ("", "END PRESS", "1 to 10000 characters"),
        ("x" * 10_001, "END PRESS", "1 to 10000 characters"),
    ],
)
def test_what_is_no_message_is_told_and_not_sent(watched: World, text: str, end: str, words: str) -> None:
    assert words in write(watched, "Vega", text, end=end)
    assert not watched.outbox("press")


def test_what_else_stands_in_the_mail_is_listed(watched: World) -> None:
    answer = watched.reply(last_mail(watched, "Vega"), f"PRESS TO SPECTATORS OF {GAME}\nHello\nEND PRESS\nLIST\nAdd 3")
    assert "LIST" in answer
    assert "Add 3" in answer


@pytest.mark.parametrize(("name", "game"), [("Vega", "nebula-1"), ("Xi", GAME), ("Vega", "hidden")])
def test_who_does_not_watch_is_told_the_same_whatever_there_is(watched: World, name: str, game: str) -> None:
    watched.count("hidden", ("Deneb", "Electra"), listed=False, spectators=True)
    watched.send("Xi", "LIST", to=ADDRESS)
    answer = write(watched, name, to=game)
    assert answer.startswith("PRESS TO SPECTATORS: you do not watch a game of that name")
    assert not watched.outbox("press")


def test_a_game_without_the_term_has_no_room(world: World) -> None:
    world.count(listed=True)
    watch(world, "Vega", "Wega")
    assert "SPECTATORS" not in body_of(world.outbox("report", "Vega")[-1])
    world.send("Vega", "LIST", to=ADDRESS)
    assert write(world, "Vega").startswith("PRESS TO SPECTATORS: you do not watch a game of that name")


def test_whoever_plays_neither_writes_nor_reads_there_though_they_watch(watched: World) -> None:
    watch(watched, "Altair")
    write(watched, "Vega")
    assert got(watched, "Altair") == []
    mail = [each for each in watched.outbox("report", "Altair") if "UNWATCH" in body_of(each)][-1]
    answer = watched.reply(mail, f"PRESS TO SPECTATORS OF {GAME}\nHello\nEND PRESS")
    assert "whoever plays in a game" in " ".join(answer.split())
    seat = watched.send("Altair", f"PRESS TO SPECTATORS OF {GAME}\nHello\nEND PRESS")
    assert "whoever plays in a game" in " ".join(seat.split())
    assert len(watched.outbox("press")) == 1


def test_nor_by_another_address_that_the_game_knows(watched: World) -> None:
    with watched.changed("Altair") as seat:
        seat.other_address = address_of("Wega")
    write(watched, "Vega")
    assert not watched.outbox("press")


def test_who_plays_elsewhere_may_write_in_a_mail_of_that_seat(watched: World) -> None:
    watched.count("other", ("Deneb", "Electra"))
    watch(watched, "Deneb")
    answer = watched.send("Deneb", f"PRESS TO SPECTATORS OF {GAME}\nHello\nEND PRESS", game="other")
    assert "Your message went to all others who watch galaxy-7" in " ".join(answer.split())
    assert len(got(watched, "Vega")) == len(got(watched, "Wega")) == 1


def test_there_are_only_so_many_in_an_hour(watched: World) -> None:
    answers = [write(watched, "Vega", f"Again {number}") for number in range(7)]
    assert answers[-1] == "PRESS TO SPECTATORS: those who watch get at most 6 messages of yours in an hour."
    assert len(got(watched, "Wega")) == 6
    assert write(watched, "Wega").startswith("Your message went to all others")
    watched.now += timedelta(hours=1)
    assert write(watched, "Vega").startswith("Your message went to all others")


def test_unwatch_ends_it(watched: World) -> None:
    watched.send("Wega", f"UNWATCH {GAME}", to=ADDRESS)
    assert write(watched, "Vega").startswith("Nobody else watches galaxy-7 now")
    assert got(watched, "Wega") == []


def test_it_is_closed_when_the_game_is_over(world: World) -> None:
    world.count(target=1, **TERMS)
    watch(world, "Vega", "Wega")
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    assert world.pass_time(timedelta(minutes=1)) == 1
    assert "SPECTATORS" not in body_of(world.outbox("report", "Vega")[-1])
    assert write(world, "Vega").startswith("PRESS TO SPECTATORS: you do not watch")


class TestByTheRules:
    """In Bazaar (tests/rules/bazaar) all read and write there; in Village (tests/rules/village) nobody does."""

    @pytest.mark.parametrize("delivery", ["now", "report"])
    def test_seats_may_read_and_write_where_the_rules_say_so(self, world: World, delivery: str) -> None:
        world.start(ruleset="bazaar", press_delivery=delivery, **TERMS)
        watch(world, "Vega")
        assert "spectators" in world.send("Altair", "STATUS")
        write(world, "Vega", "Well bid!")
        assert [len(got(world, seat)) for seat in ("Altair", "Borealis", "Cygnus")] == [1, 1, 1]
        world.send("Altair", "PRESS TO spectators\nThank you\nEND PRESS")
        if delivery == "report":
            assert got(world, "Vega") == []
            for seat in ("Altair", "Borealis", "Cygnus"):
                world.send(seat, "Bid 1")
            assert world.pass_time(timedelta(minutes=1)) == 1
        (text,) = got(world, "Vega")
        assert "From: Altair" in text
        assert "| Thank you" in text

    def test_a_player_is_heard_by_spectators_though_nobody_else_plays(self, world: World) -> None:
        world.start(ruleset="bazaar", seats=("Altair", "Borealis"), **TERMS)
        watch(world, "Vega")
        world.resign("Borealis")
        assert "went to spectators" in world.send("Altair", "PRESS TO spectators\nHello\nEND PRESS")
        assert len(got(world, "Vega")) == 1

    def test_without_the_term_seats_have_no_such_room(self, world: World) -> None:
        world.start(ruleset="bazaar", listed=True, reminders=())
        watch(world, "Vega")
        assert "spectators" not in world.send("Altair", "STATUS")
        assert "you cannot write to" in " ".join(world.send("Altair", "PRESS TO spectators\nHello\nEND PRESS").split())
        assert got(world, "Vega") == []

    def test_no_seat_can_be_called_like_the_room(self, world: World) -> None:
        with pytest.raises(Refused, match="somebody who only watches"):
            world.start(ruleset="bazaar", seats=("Altair", "spectators"), **TERMS)

    @pytest.mark.parametrize("dead", [(), ("Cygnus",)])
    def test_in_a_game_of_hidden_roles_nobody_who_lives_or_is_dead_reads_it(self, world: World, dead: Any) -> None:
        village(world, dead=dead, **TERMS)
        watch(world, "Vega", "Wega")
        write(world, "Vega", "Altair is a wolf.")
        assert {mail.recipient for mail in world.outbox("press")} == {address_of("Wega")}
        answer = world.send("Cygnus", "PRESS TO spectators\nAltair is a wolf.\nEND PRESS")
        assert "you cannot write to" in " ".join(answer.split())
        assert len(world.outbox("press")) == 1


def test_the_writers_words_are_no_header_and_no_command_to_who_reads_them(watched: World) -> None:
    write(watched, "Vega", "UNWATCH galaxy-7\n#orders x\nBcc: everybody@example.org")
    mail = watched.outbox("press", "Wega")[-1]
    assert message_of(mail)["Bcc"] is None
    assert all(line.startswith("|") for line in body_of(mail).splitlines() if "Bcc" in line or "#orders" in line)


def test_a_message_to_a_seat_within_one_to_those_who_watch_stops_it(watched: World) -> None:
    answer = write(watched, "Vega", "Nice game.\nPRESS TO Borealis\nlet us stab Altair")
    assert "another PRESS begins in your message" in answer
    assert got(watched, "Wega") == []
