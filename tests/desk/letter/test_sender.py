"""A seat is acted for only by who shows its token and writes from its address. What falls short of it changes nothing: its
player is asked if it points to a seat, and otherwise nothing happens at all."""

from datetime import timedelta

import pytest

from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Game, JournalEntry, LetterState, Outbox, Seat, Submission
from pbmd.post.tags import Tag, make_token, plus_address
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, address_of, body_of, message_of


def picture(world):
    """Everything that a letter could change or cause."""
    kinds = (Game, Seat, Submission, JournalEntry, Outbox)
    return [row.model_dump() for kind in kinds for row in world.rows(kind)]


def ignored(world, raw):
    """Whether a letter changes nothing and gets no answer at all, and is put away with a reason."""
    before = picture(world)
    world.arrive(raw)
    process_letters(world.desk)
    letter = world.letters()[-1]
    return picture(world) == before and letter.state is LetterState.DONE and letter.note.startswith("not answered: ")


def doubted(world, raw, seat="Altair"):
    """Whether a letter changes nothing of the game and is held, and the registered address is asked and nobody else."""
    before, mails = game_of(world), len(world.outbox())
    world.arrive(raw)
    process_letters(world.desk)
    letter = world.letters()[-1]
    asked = world.outbox()[mails:]
    return (
        game_of(world) == before
        and letter.state is LetterState.HELD
        and [(mail.kind, mail.recipient) for mail in asked] == [("question", address_of(seat))]
    )


def asked_which(world, raw, seat="Altair"):
    """Whether a letter changes nothing and is held, and its registered sender is asked for which seat it is."""
    before, mails = game_of(world), len(world.outbox())
    world.arrive(raw)
    process_letters(world.desk)
    sent = [(mail.kind, mail.recipient, message_of(mail)["Subject"][:38]) for mail in world.outbox()[mails:]]
    asked = [("question", address_of(seat), "[pbmd] which game is your mail for? (c")]
    return game_of(world) == before and world.letters()[-1].state is LetterState.HELD and sent == asked


def game_of(world):
    """Everything of the game that a letter could change, but for when the game master hears of news."""
    return [
        row.model_dump(exclude={"digest_at"}) for kind in (Game, Seat, Submission, JournalEntry) for row in world.rows(kind)
    ]


def tag_address(game, seat, key=b"k" * 32, generation=1):
    return plus_address(ADDRESS, Tag(game, seat, make_token(key, game, seat, generation)))


def test_token_and_address_together_act_for_the_seat(running):
    assert "in" in running.send("Altair", "Add 3")
    assert running.sheet("Altair") == ["Add 3"]


@pytest.mark.parametrize("sender", ["ALTAIR@players.test", "Altair@Players.Test", "Somebody Else <altair@players.test>"])
def test_neither_case_nor_the_display_name_of_the_address_matters(running, sender):
    running.send("Altair", "Add 3", sender=sender)
    assert running.sheet("Altair") == ["Add 3"]


def from_field(raw, *fields):
    """A mail with these From fields, in UTF-8, in place of its own."""
    lines = [line for line in raw.split(b"\r\n") if not line.startswith(b"From: ")]
    return b"\r\n".join([*(f"From: {field}".encode() for field in fields), *lines])


KELVIN, LONG_S = "\u212a", "\u017f"


@pytest.mark.parametrize("trust", ["open", "token"])
@pytest.mark.parametrize(
    "field",
    [f"{KELVIN}alliope@players.test", f"Kalliope <{KELVIN}ALLIOPE@players.test>", f"kalliope@player{LONG_S}.test"],
)
def test_a_letter_that_only_unicode_takes_for_another_makes_another_address(world, trust, field):
    world.count(seats=("Kalliope", "Borealis"), trust=trust)
    raw = from_field(world.letter("Kalliope", "Add 3"), field)
    assert doubted(world, raw, "Kalliope"), "the token is hers, the address is another"
    assert ignored(world, from_field(world.letter("Kalliope", "Add 3", to=ADDRESS), field)), "without it, it is nobody's"


def test_neither_is_it_the_game_masters(running):
    running.settle(server={"gm": "kim@pbmd.test"})
    assert "galaxy-7 (Count) | | now running" in running.master("STATUS")
    asked = running.outbox("alarm")[-1]
    raw = running.letter("", "PAUSE", sender="kim@pbmd.test", to=message_of(asked)["Reply-To"])
    assert ignored(running, from_field(raw, f"{KELVIN}im@pbmd.test"))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("trust", ["open", "token", "strict"])
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (["altair@players.test, mallory@evil.test"], "several addresses"),
        (["altair@players.test,"], "several addresses"),
        (["Altair <altair@players.test>, Mallory <mallory@evil.test>"], "several addresses"),
        (["altair@players.test (mallory@evil.test)"], "several addresses"),
        (["crew: altair@players.test;"], "a group"),
        (["crew: Altair <altair@players.test>, mallory@evil.test;"], "a group"),
        (["Undisclosed:;"], "a group"),
        (["<@evil.test:altair@players.test>"], "a group"),
        (["altair@players.test", "altair@players.test"], "several From fields"),
        (["altair@players.test", "mallory@evil.test"], "several From fields"),
        ([], "no From field"),
        (["Altair"], "no address that can be read"),
    ],
)
def test_a_from_that_names_more_or_less_than_one_address_proves_nobody(world, trust, fields, why):
    world.settle(mail={"authserv_id": "mx.test"})
    world.count(trust=trust)
    raw = from_field(world.letter("Altair", "Add 3"), *fields)
    assert ignored(world, b"Authentication-Results: mx.test; dmarc=pass header.from=players.test\r\n" + raw)
    [line] = world.log("letter")
    assert line.detail.startswith("letter 1 not answered: no single sender: it")
    assert why in line.detail


@pytest.mark.parametrize("field", ['"Air, Alt: one;" <altair@players.test>', "altair@players.test (crew: one, two;)"])
def test_what_is_quoted_makes_neither_list_nor_group(running, field):
    running.arrive(from_field(running.letter("Altair", "Add 3"), field))
    process_letters(running.desk)
    assert running.sheet("Altair") == ["Add 3"]


def test_a_token_survives_a_gateway_that_changes_its_case(running):
    running.send("Altair", "Add 3", to=running.reply_address("Altair").upper())
    assert running.sheet("Altair") == ["Add 3"]


def test_the_token_is_also_taken_from_the_mail_that_is_answered(running):
    report = running.outbox("report", "Altair")[0]
    running.send("Altair", "Add 3", to=ADDRESS, headers={"In-Reply-To": report.message_id})
    assert running.sheet("Altair") == ["Add 3"]


def test_the_token_is_also_taken_from_the_mark_of_the_order_form(running):
    report = body_of(running.outbox("report", "Altair")[0])
    mark = next(line for line in report.splitlines() if line.startswith("#orders "))
    running.send("Altair", f"{mark}\nAdd 3\n#end", to=ADDRESS)
    assert running.sheet("Altair") == ["Add 3"]


def test_a_wrong_token_is_no_proof(running):
    wrong = running.reply_address("Altair")
    local, _, domain = wrong.partition("@")
    flipped = local[:-1] + ("a" if local[-1] != "a" else "b")
    assert doubted(running, running.letter("Altair", "Add 3\nRESIGN", to=f"{flipped}@{domain}"))


def test_the_address_without_a_token_is_no_proof(running):
    assert doubted(running, running.letter("Altair", "Add 3", to=ADDRESS))


def test_a_right_token_from_another_address_is_no_proof(running):
    assert doubted(running, running.letter("Altair", "Add 3", sender="mallory@evil.test"))


def test_the_token_of_one_player_and_the_address_of_another_do_not_go_together(running):
    """The player whose address it is is asked, not the one whose token it is: that one may not even know of it."""
    assert doubted(running, running.letter("Altair", "Add 3", sender=address_of("Borealis")), "Borealis")


@pytest.mark.parametrize("sender", ["altair@players.test, mallory@evil.test", "not an address"])
def test_what_is_no_single_sender_gets_no_answer(running, sender):
    raw = running.letter("Altair", "Add 3").replace(b"From: altair@players.test", f"From: {sender}".encode())
    assert ignored(running, raw)


def test_an_address_that_only_begins_like_the_players_is_another(running):
    assert doubted(running, running.letter("Altair", "Add 3", sender="altair@players.test.evil.test"))


def test_two_from_fields_are_no_sender(running):
    assert ignored(running, b"From: mallory@evil.test\r\n" + running.letter("Altair", "Add 3"))


@pytest.mark.parametrize(("game", "seat"), [(99, 1), (1, 99), (0, 0), (1, 0), (999999999, 999999)])
def test_an_unknown_game_or_seat_gets_no_answer_even_with_a_well_made_token(running, game, seat):
    assert ignored(running, running.letter("Altair", "Add 3", to=tag_address(game, seat), sender="mallory@evil.test"))


def test_a_token_made_with_another_key_is_worth_nothing(running):
    forged = tag_address(1, 1, key=b"x" * 32)
    assert ignored(running, running.letter("Altair", "Add 3", sender="mallory@evil.test", to=forged))
    assert doubted(running, running.letter("Altair", "Add 3", to=forged))


def test_a_token_of_an_earlier_generation_is_worth_nothing(running):
    old = running.letter("Altair", "Add 3")
    with running.changed("Altair") as seat:
        seat.token_generation = 2
    assert doubted(running, old)
    running.send("Altair", "Add 4")
    assert running.sheet("Altair") == ["Add 4"]


def test_of_several_tokens_the_one_that_is_valid_counts(running):
    to = f"{tag_address(7, 7)}, {running.reply_address('Altair')}"
    running.send("Altair", "Add 3", to=to)
    assert running.sheet("Altair") == ["Add 3"]


def test_a_token_of_another_in_what_a_player_quotes_does_no_harm(running):
    tag = running.reply_address("Borealis").partition("+")[2].partition("@")[0]
    running.send("Altair", f"Add 3\n\nOn Fri, 20 Nov 2026 at 12:00, Bo wrote:\n> #orders {tag}\n> Add 9\n> #end\n")
    assert running.sheet("Altair") == ["Add 3"]


def test_the_token_of_a_seat_that_was_given_up_is_worth_nothing(running):
    to = running.reply_address("Altair")
    running.resign("Altair")
    assert ignored(running, running.letter("Altair", "Add 3", to=to, sender="mallory@evil.test"))
    assert "was given up" in running.send("Altair", "Add 3", to=to)
    assert running.sheet("Altair") is None
    assert running.log("letter")[-1].detail.endswith("lost the seat")


def test_why_a_letter_was_not_answered_is_in_the_log_without_token_or_text(running):
    address = tag_address(1, 1, key=b"x" * 32)
    running.arrive(running.letter("Altair", "Add 9", to=address, sender="mallory@evil.test"))
    process_letters(running.desk)
    (line,) = running.log("letter")
    assert "no token that is valid" in line.detail
    assert "Add" not in line.detail
    assert address.partition("+")[2].partition("@")[0] not in line.detail


class TestGamesThatTrustAddresses:
    """With ``trust = "open"`` the registered address is enough."""

    def test_the_address_alone_is_enough(self, world):
        world.count(trust="open")
        world.send("Altair", "Add 3", to=ADDRESS)
        assert world.sheet("Altair") == ["Add 3"]

    def test_another_address_still_gets_no_answer(self, world):
        world.count(trust="open")
        assert ignored(world, world.letter("Altair", "Add 3", to=ADDRESS, sender="mallory@evil.test"))

    def test_who_plays_in_several_games_must_name_one_in_the_subject(self, world):
        world.count("galaxy-7", trust="open")
        world.count("galaxy-8", trust="open")
        assert asked_which(world, world.letter("Altair", "Add 3", to=ADDRESS))
        world.send("Altair", "Add 3", to=ADDRESS, subject="Re: [pbmd galaxy-8 t1] orders, please")
        assert world.position("galaxy-7")["sheets"] == []
        assert [sheet["lines"] for sheet in world.position("galaxy-8")["sheets"]] == [["Add 3"]]

    def test_a_game_that_wants_tokens_is_not_opened_by_one_that_does_not(self, world):
        world.count("galaxy-7", trust="open")
        world.count("galaxy-8")
        assert doubted(world, world.letter("Altair", "Add 3", to=ADDRESS, subject="[pbmd galaxy-8 t1]"))
        world.send("Altair", "Add 3", to=ADDRESS)
        assert [sheet["lines"] for sheet in world.position("galaxy-7")["sheets"]] == [["Add 3"]]

    def test_a_subject_that_names_an_unknown_game_gets_no_answer(self, world):
        world.count(trust="open")
        assert ignored(world, world.letter("Altair", "Add 3", to=ADDRESS, subject="[pbmd nebula-1 t1]"))

    def test_one_address_on_two_seats_is_ambiguous_without_a_token(self, world):
        world.count(trust="open")
        with world.changed("Borealis") as seat:
            seat.address = address_of("Altair")
        assert asked_which(world, world.letter("Altair", "Add 3", to=ADDRESS))
        world.send("Altair", "Add 3")
        assert world.sheet("Altair") == ["Add 3"]


class TestStrictGames:
    """With ``trust = "strict"`` the mail server must vouch for the address, besides the token."""

    GOOD = "mx.pbmd.test; dmarc=pass header.from=players.test"

    @pytest.fixture
    def strict(self, world):
        world.settle(mail={"authserv_id": "mx.pbmd.test"})
        world.count(trust="strict")
        return world

    def test_token_and_aligned_pass_act_for_the_seat(self, strict):
        strict.send("Altair", "Add 3", headers={"Authentication-Results": self.GOOD})
        assert strict.sheet("Altair") == ["Add 3"]

    @pytest.mark.parametrize(
        "results",
        [
            "mx.pbmd.test; dmarc=fail header.from=players.test",
            "mx.evil.test; dmarc=pass header.from=players.test",
            "mx.pbmd.test; dmarc=pass header.from=evil.test; dkim=pass header.d=evil.test",
            "mx.pbmd.test; none",
        ],
    )
    def test_a_token_alone_is_not_enough(self, strict, results):
        assert doubted(strict, strict.letter("Altair", "Add 3", headers={"Authentication-Results": results}))

    @pytest.mark.parametrize(
        ("results", "found"),
        [
            ("", "it said nothing of either"),
            ("mx.evil.test; dmarc=pass header.from=players.test", "it said nothing of either"),
            ("mx.pbmd.test; none", "it said nothing of either"),
            ("mx.pbmd.test; spf=pass smtp.mailfrom=players.test", "it said nothing of either"),
            ("mx.pbmd.test; dmarc=fail header.from=players.test", "it found DMARC: fail"),
            ("mx.pbmd.test; dkim=none; dmarc=fail header.from=players.test", "it found DKIM: none; DMARC: fail"),
            ("mx.pbmd.test; dkim=pass header.d=evil.test", "it found DKIM: pass, but for another domain"),
        ],
    )
    def test_a_reply_that_the_server_does_not_vouch_for_is_told_so_and_what_helps(self, strict, results, found):
        strict.send("Altair", "Add 3", headers={"Authentication-Results": results} if results else {})
        (question,) = strict.questions()
        said = " ".join(body_of(question).split())
        assert question.recipient == address_of("Altair")
        assert f"vouch for it, too, by a check called DKIM or DMARC. It did not: {found}." in said
        assert "send your mails through your provider itself" in said
        assert "instead of writing new ones" not in said
        assert "evil" not in said
        assert found.removeprefix("it found ").replace("; ", ", ") in strict.log("held")[0].detail or "nothing" in found

    def test_what_else_is_missing_is_told_with_what_helps_against_that(self, strict):
        strict.send("Altair", "Add 3", to=ADDRESS)
        strict.send("Borealis", "Add 3", sender="elsewhere@players.test", headers={"Authentication-Results": self.GOOD})
        first, second = (" ".join(body_of(mail).split()) for mail in strict.questions())
        assert "reply to the mails of the game instead of writing new ones" in first
        assert "write from the address to which this mail came" in second
        assert "vouch" not in first + second

    def test_a_stranger_learns_nothing_of_what_the_server_found(self, strict):
        """Whoever forges a sender gets nothing, whatever they forge; only the seat's address does."""
        before = len(strict.outbox())
        for results in ("", self.GOOD, "mx.pbmd.test; dmarc=fail header.from=players.test"):
            for to in (ADDRESS, None):
                headers = {"Authentication-Results": results} if results else {}
                strict.send("Altair", "Add 3", sender="mallory@evil.test", to=to, headers=headers)
        assert {mail.recipient for mail in strict.outbox()[before:]} <= {address_of("Altair")}

    def test_nor_is_an_aligned_pass_alone(self, strict):
        assert doubted(strict, strict.letter("Altair", "Add 3", to=ADDRESS, headers={"Authentication-Results": self.GOOD}))

    def test_a_reply_to_the_question_is_enough(self, strict):
        strict.send("Altair", "Add 3")
        strict.reply(strict.questions()[0], "YES")
        assert strict.sheet("Altair") == ["Add 3"]

    def test_forged_mail_uses_up_no_question_about_mail_with_the_token(self, strict):
        for number in range(5):
            strict.send("Altair", f"Add {number}", to=ADDRESS)
        strict.send("Altair", "Add 7")
        strict.reply(strict.questions()[-1], "YES")
        assert strict.sheet("Altair") == ["Add 7"]

    def test_in_other_games_the_verdict_of_the_server_does_not_matter(self, running):
        running.send("Altair", "Add 3", headers={"Authentication-Results": "mx.pbmd.test; dmarc=fail header.from=players.test"})
        assert running.sheet("Altair") == ["Add 3"]

    def test_before_the_game_begins_the_token_is_enough(self, world):
        world.settle(mail={"authserv_id": "mx.pbmd.test"})
        world.open("galaxy-7", "Altair", "Borealis", trust="strict")
        assert "sign-up is open" in world.send("Altair", "STATUS\nAdd 3")
        assert "given back" in world.send("Borealis", "RESIGN")
        assert world.questions() == []

    def test_without_a_server_to_believe_there_is_no_strict_game(self, world):
        with pytest.raises(Refused, match="authserv_id"):
            world.count(trust="strict")


def test_an_old_mail_again_changes_nothing(running):
    old = running.letter("Altair", "Add 3")
    running.arrive(old)
    running.pass_time(timedelta(days=5))
    before = picture(running)
    running.arrive(old)
    process_letters(running.desk)
    assert picture(running) == before


def test_a_new_mail_in_answer_to_a_turn_that_is_over_is_told_so(running):
    report = running.outbox("report", "Altair")[0]
    assert running.pass_time(timedelta(days=5)) == 1
    answer = running.reply(report, "Add 9")
    assert "were not taken" in " ".join(answer.split()) or " after the deadline" in answer
    assert running.sheet("Altair") is None


class TestSeveralSeats:
    """A letter of somebody who has seats in several games counts for the one that it was written to."""

    def tag(self, world, game):
        return world.reply_address("Altair", game).partition("+")[2].partition("@")[0]

    def test_an_ended_token_of_one_game_gives_nothing_to_another_that_trusts_addresses(self, world):
        world.count(trust="open")
        world.count("galaxy-8", trust="token")
        old = world.reply_address("Altair", "galaxy-8")
        world.send("Altair", "NEW TOKEN", game="galaxy-8")
        assert doubted(world, world.letter("Altair", "Add 7", to=old, subject="[pbmd galaxy-7 t1]"))
        assert "galaxy-8" in message_of(world.questions()[-1])["Subject"]

    def test_a_quoted_form_of_another_game_does_not_divert_a_letter(self, running):
        running.count("galaxy-8")
        form = f"> #orders {self.tag(running, 'galaxy-7')}\n> # none\n> #end"
        running.send("Altair", f"Add 3\n\nBob wrote:\n{form}\n", game="galaxy-8")
        assert [running.position(game)["sheets"] == [] for game in ("galaxy-7", "galaxy-8")] == [True, False]

    def test_a_form_that_is_filled_in_says_more_than_the_address(self, running):
        running.count("galaxy-8")
        running.send("Altair", f"#orders {self.tag(running, 'galaxy-7')}\nAdd 3\n#end", game="galaxy-8")
        assert [running.position(game)["sheets"] == [] for game in ("galaxy-7", "galaxy-8")] == [False, True]

    def test_who_writes_to_two_seats_at_once_is_told_for_which_it_was_read(self, running):
        running.count("galaxy-8")
        both = ", ".join(running.reply_address("Altair", game) for game in ("galaxy-7", "galaxy-8"))
        answer = " ".join(running.send("Altair", "Add 3", to=both).split())
        assert "It was read for Altair in galaxy-7, and not for Altair in galaxy-8" in answer
        assert [running.position(game)["sheets"] == [] for game in ("galaxy-7", "galaxy-8")] == [False, True]
