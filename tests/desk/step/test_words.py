"""What order forms bring back with a reply by itself: a word that goes into the dice, and the head that the mail showed."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col

from pbmd.archive.replay import story
from pbmd.archive.write.dice_file import is_own
from pbmd.desk.changes.gm import announce
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.step import resolve
from pbmd.desk.step.game_transaction import COMMAND_LINE, changing_games
from pbmd.ledger.tables import JournalEntry, Outbox, Report, StepRecord, Submission
from pbmd.post.lines.command_text import Own
from pbmd.post.lines.form_line import form_mark, read_head, write_head
from pbmd.post.read.letter import for_seat, read_letter
from pbmd.rules import HmacDice, Sheet
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound
from tests.archive.made import export, forge, verified
from tests.deploy.test_verify_dice import verify
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.test_secrecy import bytes_for_others, ideal_seal
from tests.desk.world import NAMES, World, address_of, body_of, last_proof, message_of, proof_of
from tests.schemas import Draft202012Validator

DAYS = timedelta(days=4)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield world


def form_of(mail: Outbox) -> str:
    """The order form of a mail."""
    found = re.search(r"^#orders .*?^#end$", body_of(mail), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def filled(form: str, *orders: str) -> str:
    """A form with these lines in place of the one that is offered."""
    return re.sub(r"(?m)^Add ?$", "\n".join(orders), form)


def word_of(form: str) -> str:
    return form_mark(form.split("\n")[0]).said


def with_mark(form: str, *, head: str | None = None, word: str | None = None) -> str:
    """A form with another head or another word in its mark."""
    mark = form_mark(form.split("\n")[0])
    fields = (mark.tag, mark.head if head is None else head, mark.said if word is None else word)
    return "\n".join([" ".join(("#orders", *filter(None, fields))), *form.split("\n")[1:]])


def with_word(word: str) -> Callable[[str], str]:
    """What writes another word into the mark of a form."""
    return lambda form: with_mark(form, word=word)


def with_head(other: str) -> Callable[[str], str]:
    """What writes another head into the mark of a form: the number of its entry, if that is told, and the digits."""
    number, _, digits = other.rpartition(" ")
    return lambda form: with_mark(form, head=write_head(int(number) if number else None, digits))


def below_mark(lines: str) -> Callable[[str], str]:
    """What writes lines below the mark of a form, as forms of before had them there."""
    return lambda form: form.replace("\n", f"\n{lines}\n", 1)


def begun(world: World, seat: str) -> Outbox:
    return world.outbox("report", seat)[-1]


def over(world: World) -> None:
    """All have sent: the step is resolved."""
    world.pass_time(timedelta(minutes=1))


def sealed(entry: JournalEntry) -> dict[str, Any]:
    return json.loads(entry.secret or "{}")


def answered(world: World, seat: str, *orders: str, form: Callable[[str], str] = str) -> str:
    """The holder of a seat fills the form of the last report in; gives the answer."""
    mail = begun(world, seat)
    return world.reply(mail, form(filled(form_of(mail), *orders)))


class TestWords:
    def test_each_form_has_another_word(self, world: World) -> None:
        world.count()
        words = [word_of(form_of(begun(world, seat))) for seat in NAMES]
        assert len({*words}) == len(NAMES)
        assert all(re.fullmatch(r"[a-z2-7]{13}", word) for word in words)

    def test_a_reply_brings_it_back_and_the_journal_notes_it_sealed_with_the_orders(self, world: World) -> None:
        world.count()
        word = word_of(form_of(begun(world, "Altair")))
        answered(world, "Altair", "Add 3")
        (entry,) = world.journal("orders")
        assert (sealed(entry)["word"], word in entry.public) == (word, False)
        assert f"Word that goes into the dice with these orders:\n| {word}\n" in last_proof(world, "Altair")
        assert world.sheet("Altair") == ["Add 3"]

    @pytest.mark.parametrize(
        "form",
        [
            lambda form: "".join(f"> {line}\n" for line in form.splitlines()),
            lambda form: form.replace("#orders", "# Orders"),
            lambda form: form.replace("#end", ""),
            lambda form: form.replace("#orders ", "\N{FULLWIDTH NUMBER SIGN}ORDERS  "),
            lambda form: re.sub(r"(?m)^(#orders \S+) (\S+) (\S+)$", r"\1\n\2 \3", form),
            lambda form: re.sub(r"(?m)^#orders (\S+) (\S+) (\S+)$", r"> #orders\n> \1 \2\n> \3", form),
            lambda form: re.sub(r"(?m)^(#orders \S+) (\S+) (\S+)$", r"> \1\n> \2\n\3", form),
        ],
        ids=["quoted", "in other letters", "without its end", "with other signs", "broken", "broken early", "in pieces"],
    )
    def test_it_survives_what_mail_programs_do_to_a_form(self, world: World, form: Callable[[str], str]) -> None:
        world.count()
        word = word_of(form_of(begun(world, "Altair")))
        answer = answered(world, "Altair", "Add 3", form=form)
        assert (sealed(world.journal("orders")[0]).get("word"), world.sheet("Altair")) == (word, ["Add 3"]), answer
        assert "REFUSED" not in answer

    def test_html_brings_it_back_too(self, world: World) -> None:
        world.count()
        page = message_of(begun(world, "Altair")).get_body(("html",))
        assert page is not None
        form = re.findall(r"#orders .*?#end", page.get_content().replace("\r", ""), re.DOTALL)[0]
        html = f"<html><body><pre>{filled(form, 'Add 3')}</pre></body></html>"
        raw = b"From: a@x.test\nContent-Type: text/html; charset=utf-8\n\n" + html.encode()
        letter = for_seat(read_letter(raw), Own(lambda tag: tag in form))
        assert letter.brought.word == word_of(form)
        assert [line.text for line in letter.lines] == ["Add 3"]

    def test_a_player_may_write_another(self, world: World) -> None:
        world.count()
        own = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich"
        answer = answered(world, "Altair", "Add 3", form=with_word(own))
        assert sealed(world.journal("orders")[0])["word"] == own[:40].strip()
        assert f"| {own[:40].strip()}" in last_proof(world, "Altair")
        assert "not read" not in answer

    def test_the_same_orders_with_another_word_are_answered_again(self, world: World) -> None:
        world.count()
        for word in ("one at 12:30", "one at 12:45"):
            answered(world, "Altair", "Add 3", form=with_word(word))
            assert f"| {word}\n" in last_proof(world, "Altair")
        answered(world, "Altair", "Add 3", form=with_word("one at 12:45"))
        assert len(world.outbox("acknowledgement", "Altair")) == 2, "and with the same word once"

    def test_a_mail_that_brings_none_counts_as_none(self, world: World) -> None:
        world.count()
        world.send("Altair", "Add 3")
        assert sealed(world.journal("orders")[0]).keys().isdisjoint({"word", "head"})
        assert "goes into the dice" not in last_proof(world, "Altair")

    def test_a_secret_token_is_no_word(self, world: World) -> None:
        world.count()
        token = form_mark(form_of(begun(world, "Altair")).split("\n")[0]).tag
        answered(world, "Altair", "Add 3", form=with_word(token))
        assert "word" not in sealed(world.journal("orders")[0])

    def test_what_stands_in_press_that_was_passed_on_is_nobodys_word(self, world: World) -> None:
        world.count()
        world.send("Borealis", "PRESS TO Altair\n#word loaded\nEND PRESS")
        mail = begun(world, "Altair")
        quoted = "".join(
            f"> {line}\n" for line in f"| #word loaded\n#word loaded\n{filled(form_of(mail), 'Add 3')}".splitlines()
        )
        world.reply(mail, quoted)
        assert sealed(world.journal("orders")[0])["word"] == word_of(form_of(mail))


class TestDice:
    def test_they_are_bound_to_the_words_of_the_orders_used_in_the_order_of_seats(self, world: World) -> None:
        world.start(ruleset="count", options={"die": True}, reminders=())
        words = {seat: word_of(form_of(begun(world, seat))) for seat in ("Cygnus", "Altair")}
        for seat in words:
            answered(world, seat, "Add 3")
        world.send("Borealis", "Add 1")
        over(world)
        (record,) = world.rows(StepRecord)
        assert json.loads(record.words) == words
        sheets = [Sheet(one["seat"], tuple(one["arrival"]), tuple(one["lines"])) for one in json.loads(record.before)["sheets"]]
        salts = salts_of(record.salts, enumerate(NAMES, start=1))
        dice = HmacDice(record.secret, bound(sheets, salts, words=dict(reversed(words.items()))))
        assert [[6, dice.roll(6)] for _ in range(3)] == json.loads(record.dice)
        assert bound(sheets, salts, words=words) != bound(sheets, salts)

    def test_orders_sent_again_without_a_word_keep_the_last(self, world: World) -> None:
        world.count()
        word = word_of(form_of(begun(world, "Altair")))
        answered(world, "Altair", "Add 3")
        world.send("Altair", "Add 4")
        for seat in NAMES[1:]:
            world.send(seat, "Add 1")
        over(world)
        assert json.loads(world.rows(StepRecord)[0].words) == {"Altair": word}

    def test_what_was_cancelled_leaves_none(self, world: World) -> None:
        world.count()
        answered(world, "Altair", "Add 3")
        world.send("Altair", "CANCEL ORDERS")
        world.send("Altair", "Add 4")
        for seat in NAMES[1:]:
            world.send(seat, "Add 1")
        over(world)
        assert json.loads(world.rows(StepRecord)[0].words) == {}

    def test_a_word_counts_for_one_step_only(self, world: World) -> None:
        world.count()
        answered(world, "Altair", "Add 3")
        for _ in range(2):
            for seat in NAMES:
                if world.sheet(seat) is None:
                    world.send(seat, "Add 1")
            over(world)
        assert [len(json.loads(record.words)) for record in world.rows(StepRecord)] == [1, 0]


def test_an_archive_has_words_and_heads_and_both_verifiers_draw_the_dice_again(world: World, tmp_path: Path) -> None:
    world.start(ruleset="count", options={"target": 1000, "die": True}, reminders=())
    words = [word_of(form_of(begun(world, seat))) for seat in NAMES[:2]]
    for seat in NAMES[:2]:
        answered(world, seat, "Add 3")
    world.send("Cygnus", "Add 1")
    over(world)
    world.act("galaxy-7", roll_back, 1)
    for _ in range(3):
        world.pass_time(DAYS)
    folder = export(world, tmp_path / "archive")
    findings = verified(folder)
    assert (findings.problems, findings.checked["heads that letters brought back"]) == ([], 4)  # filed again after the rollback
    dice = sorted(folder.glob("data/turns/**/dice.json"))
    told = [[seat.get("word") for seat in json.loads(path.read_text())["seats"]] for path in dice]
    assert told.count([*words, None]) == 2
    for name in ("dice", "sheets"):
        schema = json.loads((folder / f"data/schemas/{name}.schema.json").read_text())
        Draft202012Validator.check_schema(schema)
        for path in folder.glob(f"data/turns/**/{name}.json"):
            Draft202012Validator(schema).validate(json.loads(path.read_text()))
    sheets = json.loads((folder / "data/turns/001/sheets.json").read_text())
    assert {sheet["seat"]: sheet.get("word") for sheet in sheets} == dict(zip(NAMES, [*words, None], strict=True))
    code, said = verify(folder)
    assert (code, "all as they must be" in said) == (0, True), said


def test_another_word_than_the_player_sent_is_found(world: World, tmp_path: Path) -> None:
    world.start(ruleset="count", options={"target": 1000, "die": True}, reminders=())
    answered(world, "Altair", "Add 3")
    world.pass_time(DAYS)
    folder = export(world, tmp_path / "archive")

    def another_word(entries: list[dict[str, Any]]) -> None:
        next(entry for entry in entries if entry["kind"] == "orders")["secret"]["word"] = "chosen"

    forge(folder, another_word)
    assert [problem.file for problem in verified(folder).problems if problem.file.endswith("001/dice.json")]


def test_what_a_player_wrote_for_a_word_is_in_no_anonymised_archive(world: World, tmp_path: Path) -> None:
    world.count(target=1000)
    answered(world, "Altair", "Add 3", form=with_word("it is me, Rumpel"))
    answered(world, "Borealis", "Add 3")
    world.send("Cygnus", "Add 1")
    over(world)
    folder = export(world, tmp_path / "archive", anonymised=True)
    assert verified(folder).problems == []
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if b"Rumpel" in path.read_bytes()] == []
    document = json.loads((folder / "data/turns/001/dice.json").read_text())
    assert [sorted(seat.keys() & {"salt", "digest", "word"}) for seat in document["seats"]] == [
        ["digest"],
        ["salt", "word"],
        ["salt"],
    ]
    assert verify(folder)[0] == 3
    assert (is_own("it is me, Rumpel"), is_own("abcdefghij234"), is_own("")) == (True, False, False)


def test_a_move_that_waits_keeps_its_word_until_it_is_carried_out(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    words = {}
    for seat in ("Cygnus", "Borealis", "Altair"):
        mail = [mail for mail in world.outbox("report", seat) if "#orders" in body_of(mail)][-1]
        words[seat] = word_of(form_of(mail))
        world.reply(mail, filled(form_of(mail), "Add 2"))
    told = [json.loads(record.words) for record in world.rows(StepRecord)]
    used = [each for each in told if each]
    assert used == [{seat: words[seat]} for seat in NAMES]
    assert verified(export(world, tmp_path / "archive", GAME)).problems == []
    assert verify(export(world, tmp_path / "again", GAME))[0] == 0


def test_a_word_is_as_secret_as_orders_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two desks that differ only in what Altair wrote for a word: nobody else gets another byte. The dice are ideal."""
    for place in (resolve, story):
        monkeypatch.setattr(place, "HmacDice", lambda secret, _context: HmacDice(secret, b"ideal"))
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    seen: list[Any] = []
    for name, word in (("one", "abracadabra"), ("two", "hocus pocus!")):
        (tmp_path / name).mkdir()
        with closing(World(tmp_path / name, sealing=ideal_seal)) as world:
            world.count(target=1000)
            answered(world, "Altair", "Add 3", form=with_word(word))
            before = bytes_for_others(world)
            for seat in NAMES[1:]:
                answered(world, seat, "Add 1")
            world.pass_time(DAYS)
            seen.append((before, bytes_for_others(world)))
            kept = [row.html for row in world.rows(Report, col(Report.reader).startswith("seat:"))]
            assert not any(re.search(r"#orders \S+ \S", page) for page in kept), "what is kept goes into archives"
    assert seen[0] == seen[1]


class TestHeads:
    def head(self, form: str) -> str:
        """The head in a form, as the journal notes it."""
        return " ".join(filter(None, read_head(form_mark(form.split("\n")[0]).head)))

    def test_a_form_has_the_head_that_its_mail_shows_with_its_number(self, world: World) -> None:
        world.count()
        mail = begun(world, "Altair")
        number, digits = self.head(form_of(mail)).split()
        assert re.search(rf"Head of the journal, entry {number}:\n  {digits}", proof_of(mail))

    def test_a_head_of_this_history_is_noted_and_makes_no_noise(self, world: World) -> None:
        world.count()
        head = self.head(form_of(begun(world, "Altair")))
        world.send("Borealis", "Add 1")
        answered(world, "Altair", "Add 3")
        (_, entry) = world.journal("orders")
        assert sealed(entry)["head"] == head
        assert [one.head for one in world.rows(Submission)] == ["", head]
        assert (world.journal("disputed"), world.outbox("alarm")) == ([], [])

    @pytest.mark.parametrize("other", ["2 " + "ab" * 12, "999 " + "ab" * 12, "cd" * 12])
    def test_another_history_is_told_to_all_and_the_letter_counts(self, world: World, tmp_path: Path, other: str) -> None:
        world.count(target=1000)
        answered(world, "Altair", "Add 3", form=with_head(other))
        assert world.sheet("Altair") == ["Add 3"]
        (entry,) = world.journal("disputed")
        assert (json.loads(entry.public)["head"], sealed(entry)["seat"]) == (other, "Altair")
        number, _, digits = other.rpartition(" ")
        there = f" at entry {number}" if number else ""
        assert f"a head{there} that is not in this journal: {digits}" in world.log("disputed")[0].detail
        (alarm,) = [mail for mail in world.outbox("alarm") if mail.key.startswith("disputed")]
        assert f"  {write_head(int(number) if number else None, digits)}\n" in body_of(alarm)
        assert "Altair" in body_of(alarm)
        notices = [mail for mail in world.outbox("notice") if mail.key.startswith("disputed")]
        assert len(notices) == len(NAMES)
        assert all(
            "pbmd compare" in " ".join(body_of(mail).split()) and "Altair" not in message_of(mail)["Subject"]
            for mail in notices
        )
        letters = write_head(None, digits).partition(".")[2]
        assert not any(digits in body_of(mail) or letters in body_of(mail) for mail in notices), "a player could say anything"
        answered(world, "Altair", "Add 4", form=with_head(other))
        assert len(world.journal("disputed")) == 2
        assert len([mail for mail in world.outbox() if mail.key.startswith("disputed")]) == len(NAMES) + 1, "once"
        world.pass_time(DAYS)
        findings = verified(export(world, tmp_path / "archive"))
        assert (findings.problems, other in " ".join(findings.disputed)) == ([], True)

    def test_players_hear_it_as_one_letter_s_word_and_once_until_the_game_master_has_looked(self, world: World) -> None:
        world.count(target=1000)

        def forge(*seats: str) -> list[str]:
            before = len(world.outbox())
            for seat in seats:
                answered(world, seat, "Add 3", form=with_head(f"2 {'ab' * 12}"))
            return [mail.recipient for mail in world.outbox()[before:] if mail.key.startswith("disputed")]

        players, gm = [address_of(name) for name in NAMES], "gm@pbmd.test"
        assert sorted(forge("Altair")) == sorted([*players, gm])
        for mail in world.outbox("notice"):
            told = " ".join(body_of(mail).split())
            assert "The letter of one player brought back" in told
            assert "by itself it says nothing of the game or its dice" in told
            assert "believe no dice" not in told
        for _ in range(3):  # step after step
            world.pass_time(DAYS)
            assert forge("Altair") == []
        assert forge("Borealis", "Borealis") == [gm], "who else says so is told to the game master"
        assert len(world.journal("disputed")) == 6
        world.master("STATUS")
        assert sorted(forge("Altair", "Altair")) == sorted([*players, gm])
        assert "\n".join(line.detail for line in world.log("disputed")).count("that is not in this journal") == 8

    def test_what_the_game_master_does_on_the_command_line_is_a_look(self, world: World) -> None:
        world.count(target=1000)
        forged = f"2 {'ab' * 12}"
        answered(world, "Altair", "Add 3", form=with_head(forged))
        with changing_games(world.desk, COMMAND_LINE) as work:
            announce(work, work.table(world.game().id or 0), "I have looked: it was a joke.")
        before = len(world.outbox("notice"))
        answered(world, "Altair", "Add 4", form=with_head(forged))
        assert len(world.outbox("notice")) == before + len(NAMES)

    def test_another_history_is_told_also_if_it_stands_behind_the_right_head(self, world: World) -> None:
        world.count()
        foreign = f"2 {'ab' * 12}"
        answered(world, "Altair", "Add 3", form=below_mark(f"#head galaxy-7 {foreign}"))
        assert [json.loads(entry.public)["head"] for entry in world.journal("disputed")] == [foreign]

    def test_a_head_is_noted_with_as_many_digits_as_a_form_has(self, world: World) -> None:
        world.count()
        answered(world, "Altair", "Add 3", form=below_mark(f"#head galaxy-7 2 {'ab' * 32}"))
        assert [json.loads(entry.public)["head"] for entry in world.journal("disputed")] == [f"2 {'ab' * 12}"]

    def test_a_host_that_keeps_quiet_about_one_is_found_out(self, world: World, tmp_path: Path) -> None:
        world.count(target=1000)
        answered(world, "Altair", "Add 3")
        world.pass_time(DAYS)
        folder = export(world, tmp_path / "archive")

        def forked(entries: list[dict[str, Any]]) -> None:
            next(entry for entry in entries if entry["kind"] == "orders")["secret"]["head"] = "3 " + "ab" * 12

        forge(folder, forked)
        assert "another history, and nobody was told of it" in " ".join(each.problem for each in verified(folder).problems)

    def test_where_nobody_may_know_who_has_sent_a_head_has_no_number_and_stands_in_reports_alone(self, world: World) -> None:
        world.count(who_has_sent="nothing", reminders=("12h",))
        head = self.head(form_of(begun(world, "Altair")))
        assert re.fullmatch(r"[0-9a-f]{24}", head)
        answered(world, "Altair", "Add 3")
        assert (sealed(world.journal("orders")[0])["head"], world.journal("disputed")) == (head, [])
        world.pass_time(timedelta(days=2, hours=13))
        (reminder,) = world.outbox("reminder", "Borealis")
        mark = form_mark(form_of(reminder).split("\n")[0])
        assert (bool(re.fullmatch(r"[a-z2-7]{13}", mark.said)), mark.head) == (True, "")

    @pytest.mark.parametrize("other", ["of state", "9 " + "ab" * 12, "ab" * 12, "galaxy-7 9", "galaxy-77 2 " + "ab" * 12])
    def test_what_is_no_head_of_this_game_is_not_noted(self, world: World, other: str) -> None:
        world.count()
        answered(world, "Altair", "Add 3", form=lambda form: below_mark(f"#head {other}")(with_mark(form, head="")))
        assert "head" not in sealed(world.journal("orders")[0])
        assert (world.sheet("Altair"), world.journal("disputed"), world.outbox("alarm")) == (["Add 3"], [], [])

    def test_a_form_of_another_game_that_is_pasted_is_no_other_history(self, world: World) -> None:
        """Somebody plays two games, and takes the lines of the wrong mail: with its marks, or without."""
        world.start("nebula-9", ("Altair", "Deneb"), {}, ruleset="count", reminders=())
        pasted = form_of(begun(world, "Altair"))
        assert form_mark(pasted.split("\n")[0]).head
        world.count()
        bare = "\n".join(line for line in pasted.splitlines() if not line.startswith(("#orders", "#end", "Add")))
        for words in (f"{pasted}\nAdd 3", f"{bare}\nAdd 3"):
            world.reply(begun(world, "Altair"), words)
        answered(world, "Altair", "Add 3", form=below_mark(f"{bare}\n#head nebula-9 3 {'cd' * 12}"))
        assert (world.sheet("Altair"), world.journal("disputed"), world.outbox("alarm")) == (["Add 3"], [], [])
        own = self.head(form_of(begun(world, "Altair")))
        assert sealed(world.journal("orders")[-1])["head"] == own, "that of this game is found among them"

    def test_another_history_is_told_also_if_it_stands_below_the_head_of_another_game(self, world: World) -> None:
        world.count()
        both = f"#head nebula-9 3 {'cd' * 12}\n#head galaxy-7 2 {'ab' * 12}"
        answered(world, "Altair", "Add 3", form=below_mark(both))
        assert [json.loads(entry.public)["head"] for entry in world.journal("disputed")] == ["2 " + "ab" * 12]


class TestSetUp:
    def test_its_dice_are_promised_when_the_game_is_created(self, world: World, tmp_path: Path) -> None:
        world.count(target=1000)
        created, started = json.loads(world.journal("created")[0].public), sealed(world.journal("started")[0])
        assert started.keys() == {"secret", "salts"}
        folder = export(world, tmp_path / "archive")
        assert verified(folder).checked["dice secrets"] == 1
        code, told = verify(folder, created["commitment"], created["salts_commitment"])
        assert "started: the secret is the one that was promised" in told
        assert code == 0

    @pytest.mark.parametrize("key", ["secret", "salts"])
    def test_another_secret_than_was_promised_is_found(self, world: World, tmp_path: Path, key: str) -> None:
        world.count(target=1000)
        world.pass_time(DAYS)
        folder = export(world, tmp_path / "archive")

        def set_up_again(entries: list[dict[str, Any]]) -> None:
            next(entry for entry in entries if entry["kind"] == "started")["secret"][key] = "ab" * 32

        forge(folder, set_up_again)
        problems = " ".join(problem.problem for problem in verified(folder).problems)
        assert f"{'dice secret' if key == 'secret' else 'secret of the salts'} of entry" in problems
        assert verify(folder)[0] == 1
