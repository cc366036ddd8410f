"""The pages of seats: what they show, to whom, and that nothing comes of looking at them."""

import json
import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import inspect, text

from pbmd import simulate
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.publish.dashboard import dashboard_source, observers_source, show_to_observers
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Report, Submission, SubmissionState
from pbmd.pages import request_limits
from pbmd.pages.public_server import CHECKS_OF_SEAT, NOT_FOUND, host_of
from pbmd.pages.request_limits import WRONG_OF_ONE, Brake, Guesses, origin
from pbmd.pages.seat_orders import MOST_URL
from pbmd.pages.seat_pages import FORM_BYTES
from pbmd.pages.site import update
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.terms.terms import Terms
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World, body_of, last_proof
from tests.pages.seats import HOME, PAGES, ask, form, path_of, served, site_of, with_pages
from tests.postgresql import about_files
from tests.rulesets.cosmic_conquest.desk import conquest

SLUGS = {
    "galactic_overlord": 3,
    "cosmic_conquest": 3,
    "local_cluster": 3,
    "societies": 3,
    "starship_squadrons": 2,
    "diplomacy": 7,
}
OOB = "OOB default: LFTLTF"


def checked(port: int, path: str, orders: str):
    answer, body = ask(port, f"{path}check", "POST", form(orders))
    assert answer.status == 200
    return json.loads(body)


def states(found) -> dict[str, str]:
    return {line["text"]: line["state"] for line in found["lines"]}


def contents(world: World) -> dict[str, list[object]]:
    """All that is in the ledger."""
    with world.desk.engine.connect() as connection:
        names = inspect(connection).get_table_names()
        return {name: [tuple(row) for row in connection.execute(text(f'SELECT * FROM "{name}"'))] for name in names}


class TestWhoIsShownThem:
    def test_the_link_of_a_report_leads_to_the_pages_of_its_seat(self, paged: World, port: int) -> None:
        for seat in ("Altair", "Borealis"):
            for page in PAGES:
                answer, body = ask(port, path_of(paged, seat) + page)
                assert answer.status == 200, page
                assert page.endswith(".css") or f"{seat}</" in body or f"{seat} <" in body

    def test_they_are_kept_by_nobody_and_nothing_within_them_is_run(self, paged: World, port: int) -> None:
        for page in PAGES:
            answer, body = ask(port, path_of(paged) + page)
            assert answer.headers["Cache-Control"] == "no-store, private"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
            policy = answer.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
            assert "unsafe" not in policy
            assert answer.headers.get_all("Content-Security-Policy") == [policy]
            if not page.endswith(".css"):
                assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=)", body), page

    def test_style_and_script_may_be_kept_since_they_are_named_by_what_is_in_them(self, paged: World, port: int) -> None:
        _, body = ask(port, path_of(paged))
        found = re.findall(r'(?:href|src)="\.\./\.\.(/static/[^"]+)"', body)
        assert len(found) == 5
        for path in found:
            answer, _ = ask(port, path)
            assert (answer.status, "immutable" in answer.headers["Cache-Control"]) == (200, True)

    def test_whatever_is_wrong_the_answer_is_the_same(self, paged: World, port: int) -> None:
        own = path_of(paged)
        token = own.rstrip("/").rpartition(".")[2]
        of_mail = paged.reply_address("Altair").partition("+")[2].partition("@")[0]
        wrong = [
            own[:-2] + ("a" if own[-2] != "a" else "b") + "/",
            f"/s/g1p2.{token}/",
            f"/s/g7p1.{token}/",
            f"/s/g1p0.{token}/",
            f"/s/{of_mail}/",
            f"/s/{token}/",
            "/s/",
            "/s/galaxy-7/Altair/",
            "/s/../server.key",
            "/s/g1p1.aaaaaaaaaaaaaaaa/%2e%2e/x",
        ]
        inside = ["nothing.html", "report-7.html", "report-99999999999.html", "report--1.html", "map-7.svg", "check", "../"]
        inside += ["report-start.html/../../", "%2e%2e/", "reports.html/"]
        answers = {(answer.status, tuple(sorted(set(answer.headers.items()) - {("Date", answer.headers["Date"])})), body)
                   for answer, body in (ask(port, path) for path in [*wrong, *(own + name for name in inside)])}  # fmt: skip
        assert len(answers) == 1
        [(status, _, body)] = answers
        assert (status, body.encode()) == (404, NOT_FOUND.body)

    @pytest.mark.parametrize("how", ["NEW TOKEN", "RESIGN", "a new holder"])
    def test_a_new_token_and_a_new_holder_end_the_link(self, paged: World, port: int, how: str) -> None:
        old = path_of(paged)
        assert ask(port, old)[0].status == 200
        if how == "NEW TOKEN":
            paged.send("Altair", "NEW TOKEN")
        elif how == "RESIGN":
            paged.resign("Altair")
            assert ask(port, path_of(paged))[0].status == 404  # nobody holds it
        else:
            paged.sure("REPLACE Altair BY dora@players.test")
            paged.reply(paged.questions("dora@players.test")[-1], "YES")
        assert ask(port, old)[0].status == 404
        if how != "RESIGN":
            assert ask(port, path_of(paged))[0].status == 200

    def test_the_game_masters_pages_are_not_there(self, paged: World, port: int) -> None:
        update(dashboard_source(paged.desk))
        assert (paged.folder / "dashboard" / "index.html").exists()
        for path in ("/", "/index.html", "/mail.html", "/games/galaxy-7/", "/dashboard/index.html", "/../dashboard/index.html"):
            assert ask(port, path)[0].status == 404

    def test_observers_are_shown_what_is_public_if_that_is_wanted(self, paged: World) -> None:
        paged.settle(pages={"observers": True})
        update(dashboard_source(paged.desk))
        assert show_to_observers(paged.desk)
        with served(site_of(paged, observers_source(paged.desk).folder)) as port:
            answer, body = ask(port, "/games/galaxy-7/")
            assert answer.status == 200
            assert "Nothing on this page is secret." in body
            assert ask(port, "/../dashboard/index.html")[0].status == 404
            assert ask(port, path_of(paged))[0].status == 200

    def test_without_observers_no_public_page_is_written(self, paged: World) -> None:
        assert show_to_observers(paged.desk)
        assert not observers_source(paged.desk).folder.exists()

    def test_asked_by_another_name_it_shows_nothing(self, paged: World, port: int) -> None:
        for host, status in (("evil.example", 404), ("127.0.0.1", 200), ("GAMES.example.org:443", 200), ("", 404)):
            assert ask(port, path_of(paged), headers={"Host": host})[0].status == status, host
        assert host_of(f"{HOME}:8443/pbmd") == "games.example.org"


class TestBrakes:
    def test_who_guesses_must_wait_and_nobody_else(self, paged: World) -> None:
        site, own = site_of(paged, clock=lambda: 0.0), path_of(paged)
        for _ in range(WRONG_OF_ONE):
            assert site.seat_page("/s/g1p1.aaaaaaaaaaaaaaaa/", "198.51.100.7").status == 404
        assert site.seat_page(own, "198.51.100.7").status == 429
        assert site.seat_page(own, "198.51.100.8").status == 200

    def test_only_what_the_web_server_in_front_says_of_an_address_counts(self, paged: World, port: int) -> None:
        wrong = "/s/g1p1.aaaaaaaaaaaaaaaa/"
        for number in range(WRONG_OF_ONE):
            ask(port, wrong, headers={"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.7"})
        assert ask(port, path_of(paged), headers={"X-Forwarded-For": "1.2.3.4, 198.51.100.7"})[0].status == 429
        assert ask(port, path_of(paged), headers={"X-Forwarded-For": "198.51.100.7, 198.51.100.8"})[0].status == 200

    def test_beyond_so_many_in_all_one_wrong_guess_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(request_limits, "WRONG_OF_ALL", 3)
        time = [0.0]
        guesses = Guesses(lambda: time[0])
        for number in range(3):
            guesses.note(f"198.51.100.{number}")
        assert guesses.must_wait("198.51.100.1")
        assert not guesses.must_wait("198.51.100.77")
        time[0] = 3601
        assert not guesses.must_wait("198.51.100.1")

    def test_a_network_of_ipv6_is_one_guesser(self) -> None:
        assert origin("2001:db8::1") == origin("2001:db8::ffff:1") != origin("2001:db8:0:1::1")
        assert origin("::ffff:198.51.100.7") == origin("198.51.100.7")
        assert origin("x" * 1000) == "x" * 64

    def test_a_port_is_no_part_of_an_address(self) -> None:
        assert origin("198.51.100.7:1234") == origin("198.51.100.7")
        assert origin("[2001:db8::1]:1234") == origin("[2001:db8::2]") == origin("2001:db8::3")

    def test_of_more_than_can_be_kept_the_quiet_ones_are_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(request_limits, "MOST_KEPT", 2)
        brake = Brake(5, 60, lambda: 0.0)
        for who in "abca":
            brake.note(who)
        assert (brake.count("a"), brake.count("b"), brake.count("c")) == (1, 0, 1)

    def test_checks_are_limited_for_each_seat(self, paged: World) -> None:
        site, posted = site_of(paged, clock=lambda: 0.0), form("Stockpile").encode()
        for _ in range(CHECKS_OF_SEAT):
            assert site.seat_page(path_of(paged) + "check", "-", posted).status == 200
        assert site.seat_page(path_of(paged) + "check", "-", posted).status == 429
        assert site.seat_page(path_of(paged, "Borealis") + "check", "-", posted).status == 200
        assert site.seat_page(path_of(paged), "-").status == 200

    @pytest.mark.parametrize("length", [str(FORM_BYTES + 1), "-1", "x", "", "99999999999999"])
    def test_too_much_is_not_read(self, paged: World, port: int, length: str) -> None:
        answer, _ = ask(port, f"{path_of(paged)}check", "POST", headers={"Content-Length": length})
        assert answer.status == 413

    def test_nothing_else_takes_what_is_posted(self, paged: World, port: int) -> None:
        for path in ("", "reports.html", "report-start.html", "sent.html"):
            assert ask(port, path_of(paged) + path, "POST", form("x"))[0].status == 404
        assert ask(port, "/", "POST", form("x"))[0].status == 404
        for method in ("PUT", "DELETE", "PATCH"):
            assert ask(port, path_of(paged), method)[0].status == 501


class TestTheForm:
    def test_it_says_what_the_answer_to_the_same_mail_says(self, paged: World, port: int) -> None:
        orders = f"Build 2 Laserfrigates\nBild 3 Titans\n{OOB}\nRaise sheilds\nWAIT"
        found = checked(port, path_of(paged), orders)
        assert states(found) == {
            "Build 2 Laserfrigates": "ok",
            "Bild 3 Titans": "refused",
            OOB: "ok",
            "Raise sheilds": "refused",
            "WAIT": "command",
        }
        assert found["summary"] == "2 lines would be refused."
        answer = " ".join(paged.send("Altair", orders).split())
        refused, _, read = answer.partition(" REFUSED ")[2].partition(" as we read them ")
        for line in found["lines"]:
            if line["state"] in ("ok", "refused"):
                told = f"{line['text']} {line['message']}".rstrip()
                assert told in {"ok": read, "refused": refused}[line["state"]]

    def test_looking_and_checking_change_nothing(self, paged: World, port: int) -> None:
        before = contents(paged)
        for page in PAGES:
            ask(port, path_of(paged) + page)
        checked(port, path_of(paged), f"Build 2 Laserfrigates\n{OOB}\nRESIGN\nNEW TOKEN\nCANCEL ORDERS")
        ask(port, f"{path_of(paged)}orders.html", "POST", form(OOB))
        assert contents(paged) == before

    @pytest.mark.parametrize("slug", SLUGS)
    def test_the_mail_that_it_ends_in_counts_in_each_game(self, world: World, slug: str) -> None:
        with_pages(world)
        with changing_games(world.desk) as work:
            rules = world.desk.ruleset(slug)
            table = new_game.create_game(work, "galaxy-7", slug, Terms(early=False), {})
            for place, signup in enumerate(simulate.signups(rules, SLUGS[slug], complete(rules.info.options, {}))):
                new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{place}@players.test", f"player {place}"))
            new_game.start_game(work, table)
        with Transaction(world.desk, reads=True) as work:
            table = work.table_named("galaxy-7")
            assert table is not None
            name = table.ruleset.awaiting(table.position)[0]
            address = table.seat(name).address
            orders = table.ruleset.random_orders(table.position, name, HmacDice(b"page", b"orders"))
        with served(site_of(world)) as port:
            found = checked(port, path_of(world, name), orders)
            assert "refused" not in states(found).values()
        mail = urlsplit(found["mail"]["url"])
        assert (mail.scheme, found["mail"]["text"][:10]) == ("mailto", "#orders g1")
        fields = {key: value[0] for key, value in parse_qs(mail.query).items()}
        world.send(name, fields["body"], sender=address, to=unquote(mail.path), subject=fields["subject"])
        [submission] = world.rows(Submission)
        assert submission.state in (SubmissionState.FILED, SubmissionState.USED)
        assert submission.word
        assert '"error"' not in submission.verdicts
        _, body = ask_once(world, path_of(world, name) + "sent.html")
        assert 'pill good">' in body

    def test_a_form_that_is_sent_when_the_turn_is_over_is_not_taken_for_the_next(self, paged: World, port: int) -> None:
        mail = urlsplit(checked(port, path_of(paged), OOB)["mail"]["url"])
        body = parse_qs(mail.query)["body"][0]
        assert "ORDERS FOR TURN 1\r\n" in body
        assert paged.pass_time(timedelta(days=4)) == 1
        answer = paged.send("Altair", body, to=unquote(mail.path))
        assert "for turn 1" in " ".join(answer.split())
        assert "You have no orders in" in answer

    def test_commands_alone_file_no_empty_sheet(self, paged: World, port: int) -> None:
        paged.send("Altair", OOB)
        mail = urlsplit(checked(port, path_of(paged), "WAIT")["mail"]["url"])
        paged.send("Altair", parse_qs(mail.query)["body"][0], to=unquote(mail.path))
        assert OOB in ask(port, path_of(paged))[1]
        assert checked(port, path_of(paged), "# nothing\n\n")["mail"] == {"text": "", "url": ""}
        assert checked(port, path_of(paged), "ORDERS")["mail"]["text"].count("ORDERS") == 1

    def test_press_goes_along_as_it_is_written(self, paged: World, port: int) -> None:
        press = "PRESS TO Borealis\nDear friend,\n\nshall we?\nEND PRESS"
        found = checked(port, path_of(paged), f"# a comment\n\n\n{press}\n\n# another\n{OOB}\n\n")
        assert found["mail"]["text"].endswith(f"ORDERS FOR TURN 1\n{press}\n\n{OOB}\n#end")
        assert states(found) == {"PRESS TO Borealis": "command", OOB: "ok"}
        paged.send("Altair", found["mail"]["text"])
        [sent] = paged.outbox("press", "Borealis")
        assert "| Dear friend,\n|\n| shall we?" in body_of(sent)

    def test_a_word_for_the_dice_comes_along_the_players_own_before_ours(self, paged: World, port: int) -> None:
        ours = checked(port, path_of(paged), OOB)["mail"]["text"]
        assert re.fullmatch(r"#orders \S+ [a-z2-7]{13}", ours.split("\n")[0])
        own = checked(port, path_of(paged), f"#word to be\n{OOB}")["mail"]["text"]
        assert re.findall("#word.*", own) == ["#word to be"]
        paged.send("Altair", own)
        assert paged.rows(Submission)[-1].word == "to be"

    def test_what_is_too_long_for_a_link_is_to_be_copied(self, paged: World, port: int) -> None:
        found = checked(port, path_of(paged), "\n".join([OOB] * 100))
        assert found["mail"]["url"] == ""
        assert found["mail"]["text"].count(OOB) == 100
        assert len(checked(port, path_of(paged), OOB)["mail"]["url"]) <= MOST_URL

    @pytest.mark.parametrize("orders", ["x\n" * 501, "x" * 501])
    def test_what_is_too_long_for_the_rules_is_not_looked_at(self, paged: World, port: int, orders: str) -> None:
        found = checked(port, path_of(paged), orders)
        assert found["problem"] == "At most 500 lines of 500 characters are looked at."
        assert (found["lines"], found["mail"]["text"]) == ([], "")

    def test_a_defect_of_the_rules_is_told_without_its_words(self, paged: World, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError("Laserfrigates")

        monkeypatch.setattr("pbmd.desk.seat_pages.check.checked", broken)
        with served(site_of(paged)) as port:
            found = checked(port, path_of(paged), OOB)
        assert found["problem"] == "These lines cannot be checked. You can send them all the same."
        assert OOB in found["mail"]["text"]

    def test_it_works_without_a_script(self, paged: World, port: int) -> None:
        hostile = "</textarea><script>alert(1)</script>"
        answer, body = ask(port, f"{path_of(paged)}orders.html", "POST", form(f"{OOB}\n{hostile}"))
        assert answer.status == 200
        assert "<script>" not in body
        assert re.search(r'href="mailto:games\+g1p1\.[^"]*LFTLTF', body)
        assert "1 line would be refused." in body
        assert "Open the mail all the same" in body

    @pytest.mark.parametrize("posted", [b"", b"orders", b"\xff\xfe=1", b"a=1&b=2&c=3&d=4&e=5&f=6", b"orders=%ff%fe", b"{}"])
    def test_what_is_no_form_says_nothing(self, paged: World, posted: bytes) -> None:
        answer = site_of(paged).seat_page(path_of(paged) + "check", "-", posted)
        assert answer.status == 200
        assert json.loads(answer.body)["mail"]["text"] == ""

    def test_a_move_is_tried_out_and_not_made(self, world: World) -> None:
        past_turn_0(relay(with_pages(world)))
        before = world.game().step
        found = checked_once(world, path_of(world), "Add 7")
        assert found["summary"] == "Nothing would be refused."
        assert world.game().step == before


class TestWhatTheyShow:
    def test_orders_on_file_and_what_was_sent_with_its_receipt(self, paged: World, port: int) -> None:
        paged.send("Altair", f"Build 2 Laserfrigates\nnonsense\n{OOB}")
        answer = last_proof(paged, "Altair")
        receipt = re.search(r"Receipt +(\d+)", answer)
        digest = re.search(r"Digest\s+([0-9a-f]{64})", answer)
        assert receipt
        assert digest
        _, home = ask(port, path_of(paged))
        assert "<li>Build 2 Laserfrigates</li>" in home
        _, sent = ask(port, f"{path_of(paged)}sent.html")
        assert f"receipt {receipt[1]}" in sent
        assert digest[1] in sent
        assert "in force" in sent
        assert "nonsense" in sent
        assert "nonsense" not in ask(port, f"{path_of(paged, 'Borealis')}sent.html")[1]

    def test_the_heading_is_what_is_due_when_and_whether_orders_are_in(self, paged: World, port: int) -> None:
        assert "Yours are missing." in ask(port, path_of(paged))[1]
        paged.send("Altair", OOB)
        home = LexborHTMLParser(ask(port, path_of(paged))[1])
        assert re.fullmatch(r"Orders for turn 1: due in \d days?( \d+ h)?", home.css("h1")[0].text())
        assert "Yours are in." in home.css(".lead")[0].text()
        assert home.css(".button")[0].text() == "Change them"

    def test_what_became_of_the_seat_and_how_it_stands_are_on_the_first_page(self, paged: World, port: int) -> None:
        paged.send("Altair", f"Build 2 Laserfrigates\n{OOB}")
        assert paged.pass_time(timedelta(days=4)) == 1
        mine, other = (words_in(ask(port, path_of(paged, seat))[1], "main") for seat in ("Altair", "Borealis"))
        for told in (mine, other):
            assert "Turn 1: what happened to you" in " ".join(told)
            assert "The last faction left wins. You hold 3 of" in " ".join(told)
        missed = "No orders of yours counted in turn 1; the report tells why."
        assert ("Laserfrigates" in mine, missed in " ".join(mine)) == (True, False)
        assert ("Laserfrigates" in other, missed in " ".join(other)) == (False, True)
        paged.sure("ROLLBACK TO TURN 1")
        assert "The beginning" in words_of_headings(ask(port, path_of(paged))[1])

    def test_of_a_mail_that_was_refused_as_a_whole_no_line_is_ok(self, world: World) -> None:
        conquest(with_pages(world))
        world.send("Red", "Defend Sol with 7 units\nConquer nonsense")
        _, sent = ask_once(world, f"{path_of(world, 'Red')}sent.html")
        assert re.findall(r'class="pill state">(\w+)<', sent) == ["unused", "refused", "refused"]

    def test_a_new_holder_sees_the_reports_of_the_seat_and_not_what_another_had_written(self, paged: World, port: int) -> None:
        paged.send("Altair", f"{OOB}\nBuild what my doctor says")
        assert "my doctor" in ask(port, f"{path_of(paged)}sent.html")[1]
        paged.now += timedelta(minutes=1)
        paged.sure("REPLACE Altair BY dora@players.test")
        paged.reply(paged.questions("dora@players.test")[-1], "YES")
        paged.now += timedelta(minutes=1)
        paged.send("Altair", "Stockpile\nOOB default: TTFFLL", sender="dora@players.test")
        _, sent = ask(port, f"{path_of(paged)}sent.html")
        assert "TTFFLL" in sent
        assert "LFTLTF" not in sent
        assert "my doctor" not in sent
        assert "The beginning" in ask(port, f"{path_of(paged)}reports.html")[1]
        assert "my doctor" not in ask(port, path_of(paged))[1]

    def test_who_has_sent_is_told_as_far_as_players_may_know(self, world: World) -> None:
        with_pages(world)
        for game, terms, told in (("a", "count", "1 of 3"), ("b", "names", "Altair (1 of 3)"), ("c", "nothing", "")):
            world.count(game, who_has_sent=terms)
            world.send("Altair", "Add 1", game=game)
            _, body = ask_once(world, path_of(world, "Borealis", game))
            assert f"Sent so far: {told}" in body if told else "Sent so far" not in body

    def test_where_numbers_tell_there_are_none(self, world: World) -> None:
        with_pages(world).start(who_has_sent="nothing")
        world.send("Altair", OOB)
        _, sent = ask_once(world, f"{path_of(world)}sent.html")
        assert "in force" in sent
        assert "receipt" not in sent.lower().replace("and their receipts", "")

    def test_each_report_as_it_is_kept_and_none_that_was_taken_back(self, paged: World, port: int) -> None:
        assert paged.pass_time(timedelta(days=4)) == 1
        _, reports = ask(port, f"{path_of(paged)}reports.html")
        assert "Turn 1</a>" in reports
        _, report = ask(port, f"{path_of(paged)}report-0.html")
        for words in ("Report of turn 1", "Your faction", "Fairness"):
            assert words in report
        kept = next(row for row in paged.rows(Report) if row.reader == "seat:1" and row.step == 0)
        assert words_in(kept.html, "body") == words_in(report, ".report")
        assert "style=" not in report
        paged.sure("ROLLBACK TO TURN 1")
        assert ask(port, f"{path_of(paged)}report-0.html")[0].status == 404
        assert "Turn 1</a>" not in ask(port, f"{path_of(paged)}reports.html")[1]

    def test_press_stands_below_the_report_that_it_came_with_for_those_it_was_for(self, world: World) -> None:
        with_pages(world).start(press_delivery="report")
        world.send("Cygnus", "PRESS TO Altair\nMeet <me> at dawn\nEND PRESS")
        with served(site_of(world)) as port:
            before = [ask(port, path_of(world) + name)[1] for name in ("", "report-start.html", "reports.html", "sent.html")]
            world.pass_time(timedelta(days=4))
            _, report = ask(port, f"{path_of(world)}report-0.html")
            _, of_another = ask(port, f"{path_of(world, 'Borealis')}report-0.html")
        assert "at dawn" not in "".join(before)
        assert "Meet &lt;me&gt; at dawn" in report
        assert "at dawn" not in of_another

    def test_the_map_of_each_turn_as_the_seat_knows_it(self, world: World) -> None:
        with_pages(world).start(ruleset="societies")
        world.pass_time(timedelta(days=8))
        with served(site_of(world)) as port:
            _, body = ask(port, f"{path_of(world)}map.html")
            found = re.findall(r'<img src="(map-[^"]+\.svg)"', body)
            assert len(found) == 2
            drawn = [ask(port, path_of(world) + name) for name in found]
        assert [answer.headers["Content-Type"] for answer, _ in drawn] == ["image/svg+xml"] * 2
        assert all(svg.startswith("<svg ") for _, svg in drawn)

    def test_the_deadline_is_told_in_the_zone_of_the_seat(self, paged: World, port: int) -> None:
        paged.send("Altair", "TIMEZONE America/New_York")
        _, home = ask(port, path_of(paged))
        assert re.search(r'<time [^>]*title="Mon 23 Nov 2026 12:00 UTC \(07:00 America/New_York\)">Mon 23 Nov 07:00 EST<', home)
        assert "New_York" not in ask(port, path_of(paged, "Borealis"))[1]

    def test_a_game_that_is_over_takes_nothing_and_tells_how_it_ended(self, world: World) -> None:
        with_pages(world).count(target=5)
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 9")
        world.pass_time(timedelta(days=4))
        with served(site_of(world)) as port:
            _, home = ask(port, path_of(world))
            _, orders = ask(port, f"{path_of(world)}orders.html")
        assert "<h1>The game is over</h1>" in home
        assert "<strong>" in home
        assert "The game is over." in orders
        assert "<form" not in orders

    def test_of_a_game_that_cannot_go_on_it_is_told_that_nothing_can_be_shown(self, paged: World) -> None:
        site = site_of(paged)
        with paged.work() as work:
            table = work.table_named("galaxy-7")
            assert table is not None
            table.game.ruleset = "gone"
        assert site.seat_page(path_of(paged), "-").status == 503

    @about_files
    @pytest.mark.parametrize("column", ["deadline", "digests"])
    def test_so_it_is_of_a_game_with_a_value_that_cannot_be_read(
        self, paged: World, column: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        paged.count("other-1")
        site, path, other = site_of(paged), path_of(paged), path_of(paged, game="other-1")
        with paged.desk.engine.begin() as connection:
            connection.execute(text(f"UPDATE game SET {column} = 'a secret' WHERE name = 'galaxy-7'"))
        assert (site.seat_page(path, "-").status, site.seat_page(other, "-").status) == (503, 200)
        assert "a page of a seat cannot be shown" in caplog.text
        assert "a secret" not in caplog.text

    def test_nothing_of_it_is_written_to_the_log(self, paged: World, port: int, capfd: pytest.CaptureFixture[str]) -> None:
        ask(port, path_of(paged))
        ask(port, "/s/g1p1.aaaaaaaaaaaaaaaa/")
        assert capfd.readouterr() == ("", "")


def words_of_headings(page: str) -> list[str]:
    return [each.text() for each in LexborHTMLParser(page).css("h2")]


def words_in(page: str, where: str) -> list[str]:
    return LexborHTMLParser(page).css(where)[0].text(separator=" ").split()


def ask_once(world: World, path: str):
    with served(site_of(world)) as port:
        return ask(port, path)


def checked_once(world: World, path: str, orders: str):
    with served(site_of(world)) as port:
        return checked(port, path, orders)


def test_the_folder_of_public_pages_is_not_that_of_the_game_master(paged: World) -> None:
    folders: list[Path] = [dashboard_source(paged.desk).folder, observers_source(paged.desk).folder]
    assert len({*folders}) == 2
    assert observers_source(paged.desk).audience == "public"
