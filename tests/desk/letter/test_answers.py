"""What the acknowledgement of a letter says: verdicts, orders as understood, receipt, times, who has sent, evidence."""

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.desk.language.player_commands import FORMS
from pbmd.rules.protocol import Sheet
from pbmd.rules.sheets import digest
from tests.desk.due.test_advance import BEGIN, DEADLINE
from tests.desk.player.test_replaced import subject_of
from tests.desk.world import NAMES, World, address_of, body_of, last_proof, message_of
from tests.rules import count

AUCKLAND = "Pacific/Auckland"


@pytest.fixture
def galaxy(world):
    world.start(reminders=())
    return world


def words(text):
    return " ".join(text.split())


def field(answer, label):
    """A row of the head of the answer, its continuation lines with it."""
    found = re.search(rf"^{label}(?: +|$)(.*(?:\n {{2,}}.*)*)", answer, re.MULTILINE)
    return words(found[1]) if found else None


def in_the_zone_of(world, seat, zone):
    with world.changed(seat) as row:
        row.timezone = zone


class TestOrders:
    """The answer to orders."""

    def test_each_line_gets_its_verdict_with_its_number(self, galaxy):
        answer = galaxy.send("Altair", "Build 2 Laserfrigates\n\nBuild 1 Lasertitan\nOOB default: LFTLTF")
        assert "REFUSED\n  line 3    Build 1 Lasertitan\n" in answer
        assert "a Titan needs 5 home bases" in words(answer)
        assert "as we read them\n  Build 2 Laserfrigates\n  OOB default: LFTLTF\n" in answer

    def test_a_line_carried_out_in_part_gets_a_note(self, galaxy):
        answer = galaxy.send("Altair", "Build 99 Laserfrigates")
        assert "TO NOTE\n  line 1    Build 99 Laserfrigates\n" in answer

    def test_the_orders_in_force_are_told_as_understood(self, galaxy):
        answer = galaxy.send("Altair", "build a laser-frigate!\nlftltf")
        in_force = answer[answer.index("YOUR ORDERS FOR TURN 1, as we read them") :]
        assert "\n  Build 1 Laserfrigate   (build a laser-frigate!)\n  OOB default: LFTLTF   (lftltf)\n" in in_force
        assert "In brackets: what you wrote, where it was different." in in_force

    def test_what_happens_by_default_is_told(self, galaxy):
        answer = galaxy.send("Altair", "OOB default: LFTLTF")
        assert "No special order is given" in words(answer)

    def test_a_replacement_shows_the_new_orders_only(self, galaxy):
        galaxy.send("Altair", "Build 2 Laserfrigates")
        answer = galaxy.send("Altair", "Build 1 Torpedocruiser")
        in_force = answer[answer.index("YOUR ORDERS FOR TURN 1") : answer.index("TO CHANGE SOMETHING")]
        assert "Laserfrigates" not in in_force
        assert "# Build 2 Laserfrigates" in answer

    def test_refused_orders_show_what_is_still_in_force(self, galaxy):
        galaxy.send("Altair", "Build 2 Laserfrigates")
        answer = galaxy.send("Altair", "Biuld 3 Torpedocruisers")
        assert "YOUR ORDERS FOR TURN 1, as we read them\n  Build 2 Laserfrigates\n" in answer

    def test_with_nothing_in_force_it_says_so(self, galaxy):
        assert "You have no orders in for turn 1." in galaxy.send("Altair", "Biuld 3 Torpedocruisers")

    def test_orders_cancelled_in_the_same_mail_are_not_shown_as_in_force(self, galaxy):
        answer = galaxy.send("Altair", "Build 2 Laserfrigates\nCANCEL ORDERS")
        assert "You have no orders in for turn 1." in answer
        assert "Nobody has sent orders yet." in words(answer)

    def test_orders_above_a_cancel_in_the_same_mail_are_said_to_be_cancelled(self, galaxy):
        answer = " ".join(galaxy.send("Altair", "Train spy\nCANCEL ORDERS").split())
        assert answer.startswith("Altair: the orders in your mail were cancelled by CANCEL ORDERS below: the last counts.")
        assert "# Train spy #end" in answer
        assert subject_of(galaxy).endswith("Altair: orders cancelled")

    def test_orders_after_a_cancel_in_the_same_mail_stand(self, galaxy):
        galaxy.send("Altair", "Build 2 Laserfrigates")
        answer = galaxy.send("Altair", "CANCEL ORDERS\nBuild 1 Torpedocruiser")
        assert "as we read them\n  Build 1 Torpedocruiser\n" in answer

    def test_a_misspelt_command_is_told_what_it_looks_like(self, galaxy):
        assert "If you meant a command: STATUS" in words(galaxy.send("Altair", "STATSU"))

    def test_the_subject_says_whose_what_in_which_turn(self, galaxy):
        galaxy.send("Altair", "Build 1 Laserfrigate")
        subject = message_of(galaxy.outbox("acknowledgement")[0])["Subject"]
        assert subject == "[pbmd galaxy-7 t1] Altair: orders in"


class TestEvidence:
    """The answer is the player's evidence."""

    def test_the_receipt_is_the_number_of_the_journal_entry(self, galaxy):
        answer = words(galaxy.send("Altair", "Build 1 Laserfrigate"))
        (entry,), proof = galaxy.journal("orders"), last_proof(galaxy, "Altair")
        assert field(proof, "Receipt") == f"{entry.number} of game galaxy-7, turn 1"
        assert field(proof, "Chain head") == f"at entry {entry.number}: {entry.hash}"
        assert f"Receipt {entry.number}, arrived Fri 20 Nov 2026 12:00:00 UTC. Keep this mail: it and the file" in answer
        assert "The orders that are in force with it:\n| Build 1 Laserfrigate\n" in proof

    def test_the_digest_is_that_of_the_sheet_as_anybody_can_compute_it(self, galaxy):
        galaxy.send("Altair", "Build 1 Laserfrigate")
        microseconds = int(BEGIN.timestamp()) * 1_000_000
        sheet = Sheet("Altair", (microseconds, galaxy.letters()[0].uid), ("Build 1 Laserfrigate",))
        assert field(last_proof(galaxy, "Altair"), "Digest") == digest([sheet]).hex()

    def test_refused_orders_have_a_receipt_too(self, galaxy):
        galaxy.send("Altair", "Biuld 1 Laserfrigate")
        (entry,) = galaxy.journal("orders")
        assert field(last_proof(galaxy, "Altair"), "Receipt").startswith(f"{entry.number} ")
        assert json.loads(entry.secret)["lines"] == [[1, "Biuld 1 Laserfrigate"]]

    def test_times_are_in_utc_and_the_players_zone(self, galaxy):
        in_the_zone_of(galaxy, "Altair", "Europe/Berlin")
        answer = galaxy.send("Altair", "Build 1 Laserfrigate", at=BEGIN + timedelta(minutes=5, seconds=7))
        assert field(last_proof(galaxy, "Altair"), "Arrived") == "Fri 20 Nov 2026 12:05:07 UTC (13:05:07 Europe/Berlin)"
        assert "Orders are due Mon 23 Nov 2026 12:00 UTC (13:00 Europe/Berlin), in " in words(answer)

    def test_the_time_left_counts_from_now(self, galaxy):
        galaxy.now += timedelta(hours=20, minutes=30)
        assert ", in 2 days 3 h." in words(galaxy.send("Altair", "Build 1 Laserfrigate"))

    def test_the_arrival_is_the_servers_not_the_date_of_the_mail(self, galaxy):
        assert "1999" not in galaxy.send("Altair", "Build 1 Laserfrigate")


class TestWhoHasSent:
    """What players learn of who has sent is a term of the game."""

    def answers(self, world, **terms):
        world.start(reminders=(), **terms)
        world.send("Cygnus", "ORDERS")
        return world.send("Altair", "ORDERS")

    def test_a_count(self, world):
        answer = self.answers(world, who_has_sent="count")
        assert "2 of 3 players have sent orders." in words(answer)
        assert "Cygnus" not in answer

    def test_names_in_the_order_of_the_seats(self, world):
        assert "Altair and Cygnus (2 of 3) have sent orders." in words(self.answers(world, who_has_sent="names"))

    def test_nothing_not_even_by_the_numbers_of_the_journal(self, world):
        answer = self.answers(world, who_has_sent="nothing")
        assert "sent orders" not in words(answer)
        assert field(answer, "Receipt") is None
        assert "Chain head" not in last_proof(world, "Altair")
        assert "Receipt " not in last_proof(world, "Altair")

    def test_nothing_whatever_the_terms_say_where_the_rules_keep_it_secret(self, world, monkeypatch):
        secretive = replace(count.ruleset, info=replace(count.ruleset.info, secret_arrival=True))
        monkeypatch.setattr(type(world.desk), "ruleset", lambda *_: secretive)
        world.count(who_has_sent="names")
        world.send("Cygnus", "Add 1")
        answer = world.send("Altair", "Add 2")
        assert "Add 2" in answer
        assert "sent orders" not in words(answer)
        assert field(answer, "Receipt") is None
        assert "Chain head" not in last_proof(world, "Altair")
        assert "Receipt " not in last_proof(world, "Altair")

    def test_status_says_no_more(self, world):
        self.answers(world, who_has_sent="nothing")
        answer = world.send("Altair", "STATUS")
        assert "Sent" not in answer
        assert "Cygnus" not in answer


class TestWidth:
    """Every mail can be read in a terminal of 78 columns, whatever it has to say."""

    LONG = "Most Serene Republic of Altair"

    @pytest.fixture
    def long(self, tmp_path):
        world = World(tmp_path)
        world.start("g" * 31, [self.LONG, "Borealis", "Cygnus"], reminders=("24h",), who_has_sent="names")
        for seat in (self.LONG, "Borealis", "Cygnus"):
            in_the_zone_of(world, seat, AUCKLAND)
        yield world
        world.close()

    def lines(self, world):
        """Of all mails, but for the sheets that are ready to be sent again: in them an order is a line."""
        texts = (re.sub(r"^#orders - .*?^#end$", "", body_of(mail), flags=re.MULTILINE | re.DOTALL) for mail in world.outbox())
        return [line for text in texts for line in text.splitlines()]

    def test_all_mails_of_a_turn(self, long):
        game = "g" * 31
        orders = f"Build {', '.join(['1 Laserfrigate'] * 20)}\nAttack {'x ' * 100}\nOOB default: LFTLTF\nSTATUS\nHELP\nREPORT"
        long.send(self.LONG, f"{orders}\nEXTEND 20h because of {'rain ' * 30}", game=game)
        long.send(self.LONG, "EXTEND 20h because of snow", game=game)
        long.send(self.LONG, "ORDERS", game=game, subject=f"[pbmd {game} t9] x")
        long.send("Cygnus", f"PRESS TO ALL\n{'word ' * 100}\nEND PRESS", game=game)
        long.send("Mallory", f"JOIN {'z' * 200} AS Mallory", to="games@pbmd.test")
        long.pass_time(timedelta(days=3))
        long.pass_time(timedelta(days=3))
        kinds = {mail.kind for mail in long.outbox()}
        assert kinds == {"acknowledgement", "report", "notice", "alarm", "press", "reminder", "refusal", "digest"}
        assert [line for line in self.lines(long) if len(line) > 78] == []

    def test_a_left_out_piece_stays_on_its_line(self, long):
        game = "g" * 31
        answer = long.send(self.LONG, "ORDERS\n\n-- \n" + "my signature\n" * 9 + "y" * 300, game=game)
        assert "SKIPPED, not read as orders" in answer
        assert max(map(len, answer.splitlines())) <= 78


class TestStatus:
    """STATUS."""

    def test_turn_deadline_and_what_is_on_file(self, galaxy):
        galaxy.send("Altair", "Build 2 Laserfrigates\nWAIT")
        answer = galaxy.send("Altair", "STATUS")
        for told in (
            "galaxy-7 (Galactic Overlord), running, turn 1",
            "Mon 23 Nov 2026 12:00 UTC, 3 days left",
            "Sent 1 of 3",
            "arrived Fri 20 Nov 2026 12:00:00 UTC Build 2 Laserfrigates",
            "WAIT is on",
        ):
            assert told in words(answer)

    def test_nothing_on_file(self, galaxy):
        assert "no orders are in" in galaxy.send("Altair", "STATUS")

    def test_in_the_same_mail_as_orders_it_shows_them(self, galaxy):
        answer = galaxy.send("Altair", "STATUS\nBuild 2 Laserfrigates")
        assert "no orders are in" not in answer


class TestReport:
    """REPORT [n]: the seat's own, again."""

    @pytest.fixture
    def played(self, running):
        for turn in (1, 2):
            for name in NAMES:
                running.send(name, f"Add {turn}" if name == "Altair" else "ORDERS")
            running.pass_time(timedelta(seconds=1))
        return running

    def test_the_last_one(self, played):
        answer = played.send("Altair", "REPORT")
        assert "REPORT OF TURN 2" in answer
        assert answer.startswith("Your report of turn 2, once more.")
        assert "You can ask for turns 0 to 2: REPORT 1, for example." in " ".join(answer.split())
        assert "added Altair 2" in answer

    def test_that_of_a_turn(self, played):
        answer = played.send("Altair", "REPORT 1")
        assert "added Altair 1" in answer
        assert "added Altair 2" not in answer

    def test_never_somebody_elses(self, played):
        assert "Altair 1" not in played.send("Borealis", "REPORT 1")

    def test_one_that_there_is_not(self, played):
        assert "There is no report of turn 7 in galaxy-7. There are those of turns 0 to 2." in words(
            played.send("Altair", "REPORT 7")
        )

    def test_that_of_the_beginning_is_not_called_that_of_turn_nought(self, running):
        assert "REPORT OF THE BEGINNING" in running.send("Altair", "REPORT")

    def test_before_the_game_begins_there_is_none(self, world):
        world.open("galaxy-7", "Altair")
        assert "There is no report yet." in world.send("Altair", "REPORT")


class TestHelp:
    """HELP [topic] and RULES."""

    def test_help_is_one_screen_and_names_what_can_be_said(self, running):
        answer = running.send("Altair", "HELP")
        lines = answer.rstrip("\n").split("\n")
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 72
        on_screen = {form.usage.split()[0] for form in FORMS if form.screen}
        assert on_screen >= {"HELP", "RULES", "STATUS", "REPORT", "ORDERS", "PRESS", "EXTEND", "RESIGN"}
        assert {word for word in on_screen if word not in answer} == set()

    def test_help_commands_lists_every_command(self, running):
        answer = running.send("Altair", "HELP commands")
        usages = (
            "JOIN <game> AS", "ORDERS [FOR TURN n]", "CANCEL ORDERS", "STATUS", "REPORT [n]", "RULES", "PRESS TO", "WAIT",
            "READY", "EXTEND <time>", "RESIGN", "ADDRESS <new address>", "NEW TOKEN",
        )  # fmt: skip
        for usage in usages:
            assert usage in answer

    def test_help_on_a_command_explains_that_one(self, running):
        answer = running.send("Altair", "HELP extend")
        assert "EXTEND <time>" in answer
        assert "RESIGN" not in answer

    def test_help_on_a_chapter_of_the_handbook(self, galaxy):
        chapters = re.findall(r"^## (.+)", galaxy.desk.ruleset("galactic_overlord").info.handbook, re.MULTILINE)
        answer = galaxy.send("Altair", f"HELP {chapters[1].lower()}")
        assert f"\n{chapters[1].upper()}\n--" in answer
        assert f"{chapters[2].upper()}\n" not in answer

    def test_rules_sends_the_scenes_of_a_game_and_each_by_a_word_of_its_title(self, galaxy):
        all_of_them = galaxy.send("Altair", "RULES scene")
        one = galaxy.send("Altair", "RULES round by round")
        title = "SCENE: A BATTLE, ROUND BY ROUND\n---"
        assert title in all_of_them
        assert title in one
        assert "  Corvus writes\n      Attack Hydra with all\n" in one
        assert (all_of_them.count("\nSCENE: "), one.count("\nSCENE: ")) == (9, 1)

    def test_help_orders_shows_how_the_orders_of_the_game_are_written(self, galaxy):
        answer = galaxy.send("Altair", "HELP orders")
        assert "HOW TO WRITE ORDERS\n---" in answer
        assert "Attack Cygnus with all" in answer
        assert "CANCEL ORDERS\n" not in answer

    def test_help_is_on_words_that_begin_so_and_not_on_those_that_have_it_within(self, running):
        assert 'There is no help on "xtend".' in words(running.send("Altair", "HELP xtend"))
        assert "EXTEND <time>" in running.send("Altair", "HELP ext")

    def test_help_on_nothing_known(self, running):
        assert 'There is no help on "knitting".' in words(running.send("Altair", "HELP knitting"))

    def test_rules_sends_the_handbook_in_a_mail_of_its_own(self, running):
        running.send("Altair", "RULES")
        (handbook,) = running.outbox("handbook")
        assert handbook.recipient == address_of("Altair")
        assert "CT-1" in body_of(handbook)
        page = message_of(handbook).get_body(preferencelist=("html",))
        assert page is not None
        assert "<h1" in page.get_content()


class TestExtend:
    """EXTEND: within the budget at once, beyond it the GM is asked."""

    def test_of_a_budget_that_is_used_up_no_time_is_left(self, running):
        assert "You have no extension time left." in words(running.send("Altair", "EXTEND 24h because of travel"))

    def test_within_the_budget_the_deadline_moves_for_all(self, running):
        answer = running.send("Altair", "EXTEND 10h because of travel")
        assert "You have 14 h of extension time left" in words(answer)
        assert running.game().deadline == DEADLINE + timedelta(hours=10)
        told = body_of(running.outbox("notice", "Borealis")[0])
        assert "Altair took 10 h more.\n\nAltair gives this reason:\n| travel\n" in told

    def test_beyond_the_budget_the_game_master_is_asked_and_the_deadline_stands(self, running):
        answer = running.send("Altair", "EXTEND 3 days because of travel")
        assert "the game master was asked" in words(answer)
        assert running.game().deadline == DEADLINE
        (mail,) = running.outbox("alarm")
        assert mail.recipient == "gm@pbmd.test"
        assert "Altair asks for 3 days more in turn 1 of galaxy-7" in body_of(mail)
        assert "\n  APPROVE 1\n" in body_of(mail)

    def test_the_budget_is_for_the_whole_game(self, running):
        running.send("Altair", "EXTEND 20h")
        running.send("Altair", "EXTEND 20h")
        assert running.game().deadline == DEADLINE + timedelta(hours=20)
        assert len(running.outbox("alarm")) == 1

    def test_each_player_has_a_budget(self, running):
        running.send("Altair", "EXTEND 20h")
        running.send("Borealis", "EXTEND 20h")
        assert running.game().deadline == DEADLINE + timedelta(hours=40)

    def test_the_budget_cannot_be_undercut_by_small_change(self, running):
        for seconds in range(1, 6):
            running.send("Altair", f"EXTEND {seconds}s")
        assert running.seat("Altair").extended_minutes >= 5

    @pytest.mark.parametrize("time", ["0h", "soon", "-3h", "9999w", "1h because " + "x" * 201])
    def test_what_makes_no_sense_moves_nothing_and_asks_nobody(self, running, time):
        assert "EXTEND: " in running.send("Altair", f"EXTEND {time}")
        assert running.game().deadline == DEADLINE
        assert running.outbox("alarm") == []

    def test_of_two_requests_in_one_mail_the_last_counts(self, running):
        running.send("Altair", "EXTEND 3 days\nEXTEND 4 days")
        assert ["4 days" in body_of(mail) for mail in running.outbox("alarm")] == [True]

    def test_nobody_floods_the_game_master_with_requests(self, running):
        for days in range(3, 8):
            answer = words(running.send("Altair", f"EXTEND {days} days"))
            running.now += timedelta(hours=1)
        assert "EXTEND: the game master was asked 4 times for you in 24 hours" in answer
        assert len(running.outbox("alarm")) == 4
        assert "so the game master was asked" in words(running.send("Borealis", "EXTEND 3 days"))
        running.now += timedelta(hours=24)
        assert "so the game master was asked" in words(running.send("Altair", "EXTEND 3 days"))

    def test_who_has_no_budget_is_told_so(self, world):
        world.count(extension_budget="0h")
        assert "No extension is yours without asking, so the game master was asked." in words(world.send("Altair", "EXTEND 1h"))


class TestResign:
    """RESIGN."""

    def test_the_seat_is_given_up_and_the_game_master_told(self, running):
        assert "you play on" in words(running.send("Altair", "RESIGN"))
        assert running.seat("Altair").state.value == "active"
        assert "You have resigned as Altair" in running.reply(running.questions()[0], "YES")
        assert running.seat("Altair").state.value == "resigned"
        (mail,) = running.outbox("alarm")
        assert "Altair has resigned from galaxy-7" in body_of(mail)
        assert "HELP REPLACE" in body_of(mail)
        assert running.log("resigned")[0].seat == "Altair"
        assert '"seat":"Altair"' in running.journal("resigned")[0].public


class TestCancel:
    """CANCEL ORDERS."""

    def test_the_orders_are_taken_back(self, running):
        running.send("Altair", "Add 3")
        assert "cancelled. The game waits for your orders again" in words(running.send("Altair", "CANCEL ORDERS"))
        assert running.sheet("Altair") is None
        assert [one.state.value for one in running.submissions()] == ["cancelled"]

    def test_there_must_be_some(self, running):
        assert "you have no orders in to cancel" in words(running.send("Altair", "CANCEL ORDERS"))
        assert running.journal("cancelled") == []


REPLACES = "Send the whole list again; the last mail before the deadline counts."


def test_that_orders_can_be_replaced_is_said_where_there_are_some(running):
    assert REPLACES in words(running.send("Altair", "Add 3"))
    assert REPLACES in words(running.send("Altair", "nonsense"))
    for text in ("STATUS", "PRESS TO ALL\nhello\nEND PRESS", "CANCEL ORDERS", "nonsense"):
        answer = words(running.send("Altair", text))
        assert REPLACES not in answer
        assert "HELP on a line of its own lists the commands." in answer


def test_of_very_many_order_lines_the_first_are_read_and_the_answer_says_so(running):
    answer = running.send("Altair", "Add 1\n" * 15_000)
    assert "Of the 15000 order lines in your mail only the first 500 were read." in words(answer)
    assert len(running.sheet("Altair")) == 500
    assert len(answer) < 100_000


class TestTheResult:
    """Stands in the subject and in the first line, and what was refused above what was taken."""

    def test_lines_refused_are_counted_in_subject_and_first_line(self, galaxy):
        answer = galaxy.send("Altair", "Build 1 Laserfrigate\nBuild some ships\nTrain spies")
        assert (
            message_of(galaxy.outbox("acknowledgement")[-1])["Subject"]
            == "[pbmd galaxy-7 t1] Altair: orders in, 2 lines refused"
        )
        assert answer.startswith("Altair: your orders for turn 1 are in, but 2 lines were refused.\n")

    def test_lines_refused_come_first(self, galaxy):
        told = galaxy.send("Altair", "Build 1 Laserfrigate\nBuild some ships")
        assert told.index("REFUSED\n  line 2") < told.index("as we read them\n  Build 1 Laserfrigate")

    def test_where_nothing_is_taken_the_subject_says_so(self, galaxy):
        galaxy.send("Altair", "Build some ships")
        assert message_of(galaxy.outbox("acknowledgement")[-1])["Subject"] == "[pbmd galaxy-7 t1] Altair: NOT TAKEN"
