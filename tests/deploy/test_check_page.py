"""deploy/check.html in a browser: it comes to the verdict of deploy/verify.py, holds mails against archives, trusts nobody."""

import email
import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from secrets import token_bytes
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest

from pbmd.archive.format.audience import ALL as ALL_OF_IT
from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.write.pack import PACKERS
from pbmd.desk.imports.game import go_on as goes_on
from pbmd.desk.step.game_transaction import changing_games
from pbmd.notes.four_words import four_words, wordlist
from pbmd.post.proof_file import proofs_in
from pbmd.rules.registry import slugs
from tests.archive.cheats import behind_honest_words, hosts, left_unsaid, shown_otherwise, time_given, what_comes_back
from tests.archive.cheats.hosts import first_mail
from tests.archive.cheats.played import CHEATED, LOOKS_ON, Evidence, Played, go_on
from tests.archive.cheats.rewritten import in_all, rewritten
from tests.archive.cheats.table import CHEATS, Cheat
from tests.archive.evidence.stored import READ, READ_BY_COMMANDS
from tests.archive.made import export as export_view
from tests.archive.made import seal_again, verified
from tests.archive.releases import ARCHIVED, archives
from tests.archive.releases import FOLDER as KEPT
from tests.archive.samples import FOLDER, unpack
from tests.deploy.check_page import Checked, choose, drop, files_of, said, verdict
from tests.deploy.damages import damaged
from tests.deploy.test_verify_dice import SETTINGS, export, phased, run, sequential, simultaneous, took_back
from tests.desk.imports.test_game import entries_of, three_turns, turn
from tests.desk.visitors.test_serve import confirmed
from tests.desk.world import NAMES, World
from tests.docs.check_page import PAGE, PROGRAM, inside, with_digest, with_policy
from tests.doses import dose
from tests.pages.browser import MISSING, chromium
from tests.pages.reading import complaints, tree_of

needs_browser = pytest.mark.skipif(bool(MISSING), reason=MISSING)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OLDEST = KEPT / "format-2.tar.xz"
ALL = [cheat for _, cheats in CHEATS for cheat in cheats]
UNSEEN = {
    what_comes_back.signs_the_archive_with_another_key,
    hosts.alters_report,
    hosts.alters_page,
    hosts.alters_mailed_press,
    hosts.restores_and_says_nothing,
    shown_otherwise.answers_with_anothers_receipt,
    shown_otherwise.lists_other_orders,
    shown_otherwise.lists_other_orders_in_text,
    shown_otherwise.hides_a_receipt_by_invisible_letters,
    shown_otherwise.leaves_digest_and_head_out,
    shown_otherwise.uses_anothers_receipt,
    shown_otherwise.tells_anothers_salt,
    shown_otherwise.sends_anothers_report,
    shown_otherwise.hides_the_true_page_by_a_style,
    shown_otherwise.hides_the_true_page_in_a_comment,
    shown_otherwise.alters_the_page_behind_a_relay,
    shown_otherwise.alters_press_behind_a_relay,
    shown_otherwise.passes_press_on_in_anothers_name,
    shown_otherwise.makes_press_up,
    shown_otherwise.puts_press_behind_a_report,
    shown_otherwise.alters_an_announcement,
    shown_otherwise.makes_an_announcement_up,
    shown_otherwise.alters_the_reason_of_a_notice,
    left_unsaid.says_in_its_text_that_other_orders_were_used,
    left_unsaid.says_in_its_text_that_orders_came_later,
    left_unsaid.confirms_another_ballot,
    left_unsaid.passes_press_on_as_of_another_turn,
    left_unsaid.says_that_press_went_to_all,
    left_unsaid.tells_of_a_vote_on_something_else,
    left_unsaid.tells_another_end_of_a_vote,
    left_unsaid.adds_to_an_announcement,
    time_given.alters_a_kept_letter,
    time_given.drops_the_word_of_a_kept_letter,
    time_given.exchanges_the_word_of_a_kept_letter,
    behind_honest_words.brings_an_older_head_back,
}
"""What `pbmd compare` finds in mails and the page does not: it looks at neither forms, signatures, press, own letters nor, the
four words apart, at what bodies say, and does not know to which seat a mail is; and of dice that were promised anew, with no
mail that says so, it asks, since a mail can be lost."""
SOME = [cheat for cheat in ALL if cheat.alone or cheat.host in UNSEEN or cheat.without == "one"]
GOOD, WITHOUT_MAILS = "All is as it must be.", "This archive agrees with itself."


@pytest.fixture(scope="module")
def opened() -> Iterator[Callable[[], Any]]:
    """Opens the page anew, in one browser for all tests; it must not complain, or ask for anything."""
    wrong = list[str]()
    with chromium() as browser:

        def open_page() -> Any:
            page: Any = browser.new_page(viewport={"width": 1200, "height": 900})
            page.on("console", lambda message: wrong.append(message.text))
            page.on("pageerror", lambda problem: wrong.append(str(problem)))
            page.on("request", lambda request: request.url.endswith(f"/{PROGRAM.name}") or wrong.append(request.url))
            page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
            page.goto(PROGRAM.as_uri())
            return page

        yield open_page
        assert wrong == []


@pytest.fixture(scope="module")
def page(opened: Callable[[], Any]) -> Any:
    return opened()


@pytest.fixture
def fresh(page: Any) -> Any:
    """The page as it is when it is opened."""
    page.goto(PROGRAM.as_uri())
    return page


@pytest.fixture(scope="module")
def checked(opened: Callable[[], Any]) -> Checked:
    return Checked(opened())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with closing(Played(tmp_path_factory.mktemp("played"))) as played:
        yield played


@pytest.fixture(scope="module")
def game(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with galaxy-7.zip, the same as a folder, and the mails of a player as files and as borealis.mbox."""
    home = tmp_path_factory.mktemp("game")
    shutil.copytree(played.archive, home / "galaxy-7")
    PACKERS[".zip"](home / "galaxy-7", home / "galaxy-7.zip")
    save(played.mails[CHEATED], home / "mails")
    lines = [b"From games@pbmd.test Fri Nov 20 12:00:00 2026\n" + raw + b"\n" for raw in played.mails[CHEATED]]
    (home / "borealis.mbox").write_bytes(b"".join(lines))
    return home


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk that the command line can open, too."""
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        (world.folder / "pbmd.toml").write_text(SETTINGS)
        (world.folder / "server.key").write_bytes(world.desk.key)
        yield world


def entries_in(archive: Path) -> list[dict[str, Any]]:
    """The journal of an archive."""
    return [json.loads(line) for line in (archive / "data" / "journal.jsonl").read_text().splitlines()]


def file_of(raw: bytes) -> str:
    """The proof file of a mail."""
    return next(proofs_in(email.message_from_bytes(raw)))


def save(mails: tuple[bytes, ...], folder: Path) -> list[Path]:
    folder.mkdir()
    for place, raw in enumerate(mails):
        (folder / f"{place}.eml").write_bytes(raw)
    return sorted(folder.iterdir())


# The file itself


def test_its_policy_lets_its_own_script_and_style_run_and_nothing_else() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert with_policy(text) == text, "python -m tests.docs.check_page writes it anew"
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.keys() == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    assert {rules[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    assert all(re.fullmatch(r"'sha256-[\w+/=]{44}'", rules[name]) for name in ("script-src", "style-src"))


def test_its_digest_is_the_one_that_is_published() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_digest(text, PROGRAM.read_bytes()) == text, "python -m tests.docs.check_page writes it anew"
    assert hashlib.sha256(PROGRAM.read_bytes()).hexdigest() in text


def test_its_script_is_short_enough_to_be_read_and_never_makes_markup_or_asks_a_network() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    script = inside("script", text).strip()
    assert len(script.splitlines()) <= 600
    assert max(map(len, script.splitlines())) <= 150
    markup = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\("
    network = r"fetch|XMLHttp|WebSocket|EventSource|import\(|sendBeacon|src="
    assert re.findall(f"{markup}|{network}", script) == []
    assert re.findall(r"https?:|\son\w+=", text) == []


# The archive: one verdict with verify.py and pbmd verify


@needs_browser
def test_files_that_systems_put_into_folders_are_none_of_an_archive(game: Path, checked: Checked, tmp_path: Path) -> None:
    """Who looks into a folder on a Mac, and packs it again, has altered nothing."""
    archive = Path(shutil.copytree(game / "galaxy-7", tmp_path / "galaxy-7"))
    for place in (".DS_Store", "data/.DS_Store", "data/turns/._001"):
        (archive / place).write_bytes(b"how it looks")
    assert (verified(archive).problems, run(archive)[0], checked.code(archive)) == ([], 0, (0, ""))
    (archive / "data" / "journal.jsonl").rename(archive / "data" / ".journal.jsonl")
    assert (bool(verified(archive).problems), run(archive)[0], checked.code(archive)[0]) == (True, 1, 1)


@needs_browser
def test_two_archives_in_one_zip_are_not_taken_for_one(game: Path, fresh: Any, tmp_path: Path) -> None:
    for name in ("another", "galaxy-7"):
        shutil.copytree(game / "galaxy-7", tmp_path / "both" / name)
    both = Path(shutil.make_archive(str(tmp_path / "both"), "zip", tmp_path / "both"))
    assert run(both)[0] == 1
    choose(fresh, both)
    assert "a second archive; drop it by itself" in fresh.locator("body").inner_text()


@pytest.mark.in_turn(3)
@needs_browser
@pytest.mark.parametrize("options", [(), ("--view", "public"), ("--view", "seat:Borealis"), ("--anonymise",)], ids=str)
@pytest.mark.parametrize("play", [simultaneous, sequential, phased, took_back])
def test_every_view_of_a_game_has_one_verdict(
    checked: Checked, world: World, play: Callable[[World], None], options: tuple[str, ...], tmp_path: Path
) -> None:
    world.as_ever(f"a game for all views, {play.__name__}", lambda: play(world))
    bag = export(world, tmp_path / "archive", *options).parent
    code, told = run(bag)
    assert checked.code(bag) == (code, ""), told
    assert code == (3 if options else 0)


@needs_browser
@pytest.mark.parametrize("packed", [*map("{}.tar.xz".format, dose([*slugs()][:2], [*slugs()]))])
def test_a_sample_that_is_dropped_agrees_with_itself(fresh: Any, packed: str, tmp_path: Path) -> None:
    bag = unpack(FOLDER / packed, tmp_path)
    PACKERS[".zip"](bag, tmp_path / "sample.zip")
    assert choose(fresh, tmp_path / "sample.zip") == WITHOUT_MAILS
    assert {mark.split()[0] for mark in said(fresh)} == {"Yes"}
    rolls = re.search(r"steps and (\d+) rolls", run(bag)[1])
    assert rolls
    assert rolls[1] in fresh.locator("#steps").inner_text()


@needs_browser
@pytest.mark.parametrize("packed", dose([OLDEST], [OLDEST, *(packed for version in ARCHIVED for packed in archives(version))]))
def test_games_of_older_versions_agree_with_themselves(checked: Checked, packed: Path, tmp_path: Path) -> None:
    unpack(packed, tmp_path)
    (bag,) = tmp_path.iterdir()
    assert checked.code(bag) == (0, "")


@pytest.mark.in_turn(3)
@needs_browser
@pytest.mark.parametrize("cheat", dose(SOME, ALL), ids=lambda cheat: cheat.host.__name__)
def test_of_a_cheat_it_says_what_verify_py_says_and_finds_it_in_the_mails(
    checked: Checked, played: Played, cheat: Cheat
) -> None:
    evidence = cheat.host(played)
    assert checked.code(evidence.archive) == as_told(*run(evidence.archive))
    if cheat.alone:
        assert verified(evidence.archive).problems
    else:
        wrong, _ = checked.mails(evidence.archive, [*evidence.mails[CHEATED], *evidence.mails[LOOKS_ON]])
        assert bool(wrong) == (bool(cheat.mails) and cheat.host not in UNSEEN), wrong


def as_told(code: int, told: str) -> tuple[int, str]:
    """The verdict of verify.py as the page has it: what cannot be read is said in other words."""
    last = told.splitlines()[-1]
    return code, last.removeprefix("WRONG: ") if code == 1 else ""


@needs_browser
@pytest.mark.parametrize("seed", range(dose(6, 200)))
def test_random_damage_has_one_verdict(checked: Checked, played: Played, seed: int, tmp_path: Path) -> None:
    whole, wrong = files_of(played.archive), list[Path]()
    for number in range(5):
        folder = tmp_path / str(number)
        folder.mkdir()
        what = damaged(Random(seed * 5 + number), whole, folder)
        code, told = run(folder)
        assert checked.code(folder)[0] == code, (seed, what, told.splitlines()[-1])
        wrong += [folder] * (code == 1)
    for folder in wrong[:1]:
        assert verified(folder).problems, "what the page calls wrong pbmd verify calls wrong, too"


@needs_browser
@pytest.mark.parametrize("seed", range(dose(5, 300)))
def test_of_a_damaged_zip_it_never_says_the_contrary(fresh: Any, game: Path, seed: int, tmp_path: Path) -> None:
    """Programs for zip files forgive more or less; but none may see another game in it."""
    random, content = Random(seed), bytearray((game / "galaxy-7.zip").read_bytes())
    at = random.randrange(len(content)) if random.random() < 0.5 else len(content) - random.randrange(1, 9000)
    content[at] ^= 1 << random.randrange(8)
    (tmp_path / "galaxy-7.zip").write_bytes(content)
    heard, code = choose(fresh, tmp_path / "galaxy-7.zip"), run(tmp_path / "galaxy-7.zip")[0]
    verdicts = {0: WITHOUT_MAILS, 1: "NO. Something is not as it must be."}
    assert heard in (verdicts.get(code), "This archive cannot be read.", "There is nothing to check here."), (heard, code)


@needs_browser
def test_what_is_wrong_stands_in_red_with_what_to_do(fresh: Any, game: Path, tmp_path: Path) -> None:
    shutil.copytree(game / "galaxy-7", tmp_path / "galaxy-7")
    dice = tmp_path / "galaxy-7" / "data" / "turns" / "002" / "dice.json"
    dice.write_text(dice.read_text().replace("Add 6", "Add 9"))
    seal_again(tmp_path / "galaxy-7")
    PACKERS[".zip"](tmp_path / "galaxy-7", tmp_path / "galaxy-7.zip")
    assert choose(fresh, tmp_path / "galaxy-7.zip").startswith("NO.")
    assert "other orders, or another word, of Borealis" in fresh.locator("#steps").inner_text()
    assert "somebody whom both sides trust" in fresh.locator(".verdict").inner_text()
    assert fresh.locator(".mark.no").count() == 1


# Mails


@needs_browser
def test_somebody_who_has_never_seen_it_checks_a_game_in_two_minutes(page: Any, game: Path) -> None:
    """As well as a program can tell: two things are dropped, the page itself needs seconds, and all that there is to read is
    read in two minutes at 200 words a minute, verdict and steps in one."""
    page.goto(PROGRAM.as_uri())
    before = page.locator("main").inner_text().split()
    assert len(before) < 80
    assert choose(page, game / "galaxy-7.zip") == WITHOUT_MAILS
    assert "Now drop your own mails" in page.locator(".verdict").inner_text()
    assert choose(page, game / "borealis.mbox") == GOOD
    assert "Your 4 reports and 4 receipts are in these books." in page.locator("#steps").inner_text()
    assert "The dice of every turn are what was promised." in page.locator("#steps").inner_text()
    first = sum(len(page.locator(part).inner_text().split()) for part in (".verdict", "#steps"))
    assert first < 300
    assert len(before) + len(page.locator("#results").inner_text().split()) < 400


@pytest.fixture(params=["from the disk", "from a site"])
def wherever(request: pytest.FixtureRequest, page: Any) -> Iterator[Any]:
    """The page as a file, and as a web server has it: browsers let it see dropped folders in different ways."""
    if request.param == "from the disk":
        page.goto(PROGRAM.as_uri())
        yield page
        return
    handler = partial(SimpleHTTPRequestHandler, directory=PROGRAM.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{server.server_port}/{PROGRAM.name}")
        yield page
        server.shutdown()


@needs_browser
@pytest.mark.parametrize("what", ["galaxy-7", "galaxy-7.zip"])
def test_a_folder_is_dropped_as_a_zip_is(wherever: Any, game: Path, what: str) -> None:
    with TemporaryDirectory(dir="/var/tmp") as home:  # of what is below /dev no browser gives a folder away
        shutil.copytree(game / "galaxy-7", Path(home) / "galaxy-7")
        shutil.copytree(game / "mails", Path(home) / "mails")
        shutil.copy(game / "galaxy-7.zip", home)
        drop(wherever, Path(home) / what, Path(home) / "mails")
        assert verdict(wherever) == GOOD


@needs_browser
def test_a_folder_is_chosen_by_its_button_and_mails_in_a_zip_are_read(fresh: Any, game: Path, tmp_path: Path) -> None:
    fresh.set_input_files("#pick-folder", str(game / "galaxy-7"))
    assert verdict(fresh) == WITHOUT_MAILS
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.write(game / "borealis.mbox", "Mail/borealis.mbox")
    assert choose(fresh, tmp_path / "takeout.zip") == GOOD


@needs_browser
def test_mails_of_two_who_were_told_two_histories_contradict_each_other_without_an_archive(
    fresh: Any, played: Played, tmp_path: Path
) -> None:
    mails = hosts.forks(played).mails
    paths = [*save(mails[CHEATED], tmp_path / "one"), *save(mails[LOOKS_ON], tmp_path / "two")]
    assert choose(fresh, *(tmp_path / "one").iterdir()) == "These mails do not contradict each other."
    assert "The dice secrets in your mails were promised" in fresh.locator("#steps").inner_text()
    assert choose(fresh, *paths).startswith("NO.")
    assert "two histories: entry 14 of galaxy-7 has two heads" in fresh.locator("#steps").inner_text()


@needs_browser
def test_where_there_is_nothing_to_check_only_what_to_do_is_said(fresh: Any, tmp_path: Path) -> None:
    packed = tmp_path / "galaxy-7.tar.xz"
    packed.write_bytes(b"packed")
    assert choose(fresh, packed) == "There is nothing to check here."
    assert fresh.locator("#unseen li:visible").all_inner_texts() == ["galaxy-7.tar.xz: unpack it, and drop the folder."]
    fresh.goto(PROGRAM.as_uri())
    letter = tmp_path / "letter.eml"
    letter.write_bytes(b"From: ada@example.org\nSubject: hello\n\nHow are you?\n")
    assert choose(fresh, letter) == "There is nothing to check here."
    assert not fresh.locator("#unseen").is_visible()


FORWARDED = b"""\
From: a@b.test
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

see there
--x
Content-Type: message/rfc822

%s
--x--
"""


VIEWS = [(ALL_OF_IT, False), (TO_PUBLIC, False), (Audience("seat", CHEATED), False), (ALL_OF_IT, True)]


@needs_browser
@pytest.mark.parametrize(("view", "anonymised"), VIEWS, ids=["all", "public", "seat", "anonymised"])
def test_no_view_of_an_honest_game_contradicts_its_mails(
    checked: Checked, played: Played, view: Audience, anonymised: bool, tmp_path: Path
) -> None:
    with played.gone_back("turn 3") as world:
        go_on(world, "turn 3", {})
        archive = export_view(world, tmp_path / "archive", audience=view, anonymised=anonymised)
    mails = [*played.mails[CHEATED], *played.mails[LOOKS_ON]]
    assert checked.mails(archive, mails)[0] == []


@needs_browser
def test_a_game_that_came_from_another_host_contradicts_no_mail(checked: Checked, tmp_path: Path) -> None:
    """Its mails are of two journals with one name."""
    with closing(World(new_folder(tmp_path, "host"))) as host, closing(World(new_folder(tmp_path, "here"))) as here:
        here.desk = replace(here.desk, key=b"h" * 32, entropy=token_bytes)
        here.now += timedelta(days=100)
        host.as_ever("three turns, the second played twice", lambda: three_turns(host))
        entries = entries_of(export_view(host, tmp_path / "of the host"))
        with changing_games(here.desk) as work:
            goes_on(work, entries, 2)
        turn(here, 5, 6, 7)
        archive = export_view(here, tmp_path / "of here")
        mails = [mail.raw for world in (host, here) for mail in world.outbox("", "Altair")]
    assert checked.mails(archive, mails)[0] == []
    assert checked.mails(archive, mails[::-1])[0] == []
    assert checked.code(archive) == as_told(*run(archive))


def new_folder(home: Path, name: str) -> Path:
    (home / name).mkdir()
    return home / name


@needs_browser
def test_a_mail_that_was_forwarded_as_an_attachment_is_read(checked: Checked, played: Played) -> None:
    mails = [FORWARDED % raw for raw in played.mails[CHEATED]]
    assert checked.mails(played.archive, mails) == ([], "4 reports and 4 receipts")


@needs_browser
def test_what_others_write_into_a_mail_claims_nothing(checked: Checked, played: Played) -> None:
    """A head in a body can be a player's press; only proof files count, and in these no line behind |."""
    head = b"Head of the journal, entry 5:\n  " + b"0" * 64
    proof = b"PROOF OF TURN 1 of galaxy-7, for Borealis\nKeep this file.\n| Head of the journal, entry 5: " + b"0" * 64
    beside = b'Content-Type: text/plain; name="galaxy-7-t1-proof.txt"\n\n' + proof
    assert checked.mails(played.archive, [b"From: a@b.test\n\n" + head, b"From: a@b.test\n" + beside]) == ([], "1 report")
    assert checked.mails(played.archive, [b"From: a@b.test\n" + beside.replace(b"| ", b"")])[0]


@needs_browser
def test_a_report_whose_words_were_altered_is_named_and_not_called_a_forgery(fresh: Any, game: Path, tmp_path: Path) -> None:
    for path in (game / "mails").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes().replace(b"House rules", b"[EXTERNAL] House rules"))
    assert choose(fresh, game / "galaxy-7.zip", *tmp_path.iterdir()) == GOOD
    assert "1 mail has other words than were sent." in fresh.locator("#steps").inner_text()


@needs_browser
def test_mails_that_are_newer_than_the_archive_and_those_of_other_games_are_named(
    fresh: Any, played: Played, tmp_path: Path
) -> None:
    early = hosts.truncates(played)
    PACKERS[".zip"](early.archive, tmp_path / "early.zip")
    foreign = [raw.replace(b"galaxy-7", b"galaxy-8") for raw in played.mails[CHEATED]]
    paths = [*save(early.mails[CHEATED], tmp_path / "own"), *save(tuple(foreign), tmp_path / "other")]
    assert choose(fresh, tmp_path / "early.zip", *paths) == "Nothing is wrong, but not all can be proved."
    assert "from another time than this archive" in fresh.locator("#steps").inner_text()


@pytest.mark.in_turn(3)
@needs_browser
@pytest.mark.parametrize("how", READ_BY_COMMANDS)
def test_mails_are_read_as_people_keep_them_or_named_as_not_read(
    fresh: Any, game: Path, played: Played, tmp_path: Path, how: str
) -> None:
    READ_BY_COMMANDS[how](tmp_path, played.mails[CHEATED])
    paths = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    heard, steps = choose(fresh, game / "galaxy-7.zip", *paths), fresh.locator("#steps").inner_text()
    assert (heard == GOOD) == ("Your 4 reports and 4 receipts are in these books." in steps) == (how in READ)
    named = fresh.locator("#strange").inner_text()
    assert how in READ or all(path.name in named for path in paths)


# Four words


def test_it_has_the_list_of_which_words_are_made() -> None:
    (found,) = re.findall(r'<template id="words">(.*?)</template>', PROGRAM.read_text(encoding="utf-8"), re.DOTALL)
    assert tuple(found.split()) == wordlist()


@needs_browser
@pytest.mark.parametrize("head", ["00" * 32, "ab" * 32, hashlib.sha256(b"a head").hexdigest()])
def test_it_makes_the_same_words_of_a_hash(page: Any, head: str) -> None:
    assert page.evaluate("(head) => fourWords(head)", head) == four_words(head)


def _last_report(played: Played) -> bytes:
    return first_mail(played.mails, "Turn 2: what happened")


_MADE_OF = r"in the journal, entry \d+:\s+([0-9a-f]{64})"


@needs_browser
def test_words_that_are_not_those_of_the_hash_beside_them_are_found(checked: Checked, played: Played) -> None:
    forged = rewritten(_last_report(played), lambda text: re.sub(r"words: \w+", "words: tiger", text))
    wrong, _ = checked.mails(played.archive, [forged])
    assert len(wrong) == 1
    assert re.search(r"it says tiger \w+ \w+ \w+, and the words of the hash in its file are ", wrong[0])


@needs_browser
def test_words_of_a_hash_that_is_of_no_turn_are_found_in_the_journal(checked: Checked, played: Played) -> None:
    """Whoever tells two histories can make words for each; those of an entry that ends no turn are none either."""
    journal = entries_in(played.archive)
    between = next(entry["hash"] for entry in journal if entry["kind"] == "orders")
    raw = _last_report(played)
    for other in ("ab" * 32, between):
        words = re.search(_MADE_OF, file_of(raw))
        assert words is not None

        told = four_words(words[1]).replace(" ", r"\s+")

        def change(text: str, told: str = told, other: str = other) -> str:
            text = re.sub(told, four_words(other), text)
            return re.sub(rf"({_MADE_OF})", lambda found: found[1].replace(found[2], other), text)

        wrong, _ = checked.mails(played.archive, [rewritten(raw, *in_all(change))])
        assert [each.partition("): ")[2] for each in wrong] == ["its four words are made of no turn in the journal"]


@needs_browser
@pytest.mark.parametrize(
    "leave_out",
    [
        shown_otherwise.leaves_the_words_out,
        shown_otherwise.leaves_out_what_words_are_made_of,
        shown_otherwise.leaves_the_head_out_of_a_report,
    ],
)
def test_a_report_that_lacks_them_is_named(
    fresh: Any, played: Played, leave_out: Callable[[Played], Evidence], tmp_path: Path
) -> None:
    evidence = leave_out(played)
    PACKERS[".zip"](evidence.archive, tmp_path / "galaxy-7.zip")
    paths = save(evidence.mails[CHEATED], tmp_path / "mails")
    assert choose(fresh, tmp_path / "galaxy-7.zip", *paths) == "Nothing is wrong, but not all can be proved."
    assert "1 report lacks what every report has." in fresh.locator("#steps").inner_text()


@needs_browser
def test_so_is_a_last_report_without_words(fresh: Any, played: Played, tmp_path: Path) -> None:
    raw = next(each for each in played.mails[CHEATED] if b"The game is over." in each)
    cut = rewritten(raw, lambda text: re.sub(r"This turn's words:(?s:.*?)same\.", "", text))
    PACKERS[".zip"](played.archive, tmp_path / "galaxy-7.zip")
    choose(fresh, tmp_path / "galaxy-7.zip", *save((cut,), tmp_path / "mails"))
    assert "1 report lacks what every report has." in fresh.locator("#steps").inner_text()


@needs_browser
def test_the_reports_of_who_watches_lack_nothing(fresh: Any, tmp_path: Path) -> None:
    """Their files have no head of the journal."""
    with closing(World(new_folder(tmp_path, "watched"))) as world:
        world.start(ruleset="count", options={"target": 15}, reminders=(), listed=True)
        confirmed(world, "Deneb", "WATCH galaxy-7")
        for order in (1, 2, 9):
            for seat in NAMES:
                world.send(seat, f"Add {order}")
            world.pass_time(timedelta(days=1))
        PACKERS[".zip"](export_view(world, tmp_path / "archive"), tmp_path / "galaxy-7.zip")
        mails = tuple(mail.raw for mail in world.outbox("report", "Deneb"))
    assert len(mails) > 2
    choose(fresh, tmp_path / "galaxy-7.zip", *save(mails, tmp_path / "mails"))
    steps = fresh.locator("#steps").inner_text()
    assert f"Your {len(mails)} reports" in steps
    assert "what every report has" not in steps


@needs_browser
def test_where_nobody_is_told_who_has_sent_heads_and_words_are_compared_by_the_secret_beside_them(
    checked: Checked, played: Played, tmp_path: Path
) -> None:
    """There entries have no numbers in mails."""
    with closing(World(new_folder(tmp_path, "silent"))) as world:
        world.start(ruleset="count", options={"target": 15}, reminders=(), who_has_sent="nothing")
        for order in (1, 2, 9):
            for seat in NAMES:
                world.send(seat, f"Add {order}")
            world.pass_time(timedelta(days=1))
        assert world.game().status == "finished"
        archive = export_view(world, tmp_path / "archive")
        altair, borealis = ([mail.raw for mail in world.outbox("report", seat)] for seat in ("Altair", "Borealis"))
    assert checked.mails(archive, [*altair, *borealis])[0] == []
    assert checked.without([*altair, *borealis]) == []
    raw = borealis[-1]
    head = re.search(r"Head of the journal:\s+([0-9a-f]{64})", file_of(raw))
    made = re.search(r"in the journal:\s+([0-9a-f]{64})", file_of(raw))
    assert head is not None
    assert made is not None
    for old in (head[1], made[1]):
        forged = rewritten(raw, *in_all(lambda text, old=old: text.replace(old, "cd" * 32)))
        assert any("two histories" in each for each in checked.without([*altair, *borealis[:-1], forged]))
        assert checked.mails(archive, [forged])[0]


# What is broken


@needs_browser
def test_one_broken_item_in_a_zip_is_named_and_the_others_are_checked(fresh: Any, game: Path, tmp_path: Path) -> None:
    """One is encrypted, one damaged, one cut off."""
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("encrypted", "damaged"):
            packed.writestr(f"mails/{name}.eml", b"Subject: one of them\n\n" + name.encode() * 9)
        packed.writestr("mails/broken.zip", (game / "galaxy-7.zip").read_bytes()[:2000])
        packed.write(game / "borealis.mbox", "mails/borealis.mbox")
        for path in sorted((game / "galaxy-7").rglob("*")):
            packed.write(path, f"games/{path.relative_to(game)}")
        at = {item.filename: item.header_offset for item in packed.infolist()}
    content = bytearray((tmp_path / "all.zip").read_bytes())
    entry = content.rindex(b"mails/encrypted.eml") - 46
    content[entry + 8] |= 1
    content[at["mails/damaged.eml"] + 30 + len("mails/damaged.eml") + 20] ^= 255
    (tmp_path / "all.zip").write_bytes(content)
    assert choose(fresh, tmp_path / "all.zip") == GOOD
    assert "Your 4 reports and 4 receipts are in these books." in fresh.locator("#steps").inner_text()
    named = fresh.locator("#strange").inner_text()
    for name in ("encrypted.eml", "damaged.eml", "broken.zip"):
        assert f"all.zip/mails/{name}: " in named


@needs_browser
@pytest.mark.parametrize(
    ("beside", "heard"),
    [("borealis.mbox", "These mails do not contradict each other."), ("galaxy-7", "This archive cannot be read.")],
)
def test_a_file_that_goes_by_two_names_stops_no_mails_but_may_be_of_an_archive(
    fresh: Any, game: Path, tmp_path: Path, beside: str, heard: str
) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("renamed.eml", b"Subject: one of them\n\n")
        for path in sorted([game / beside, *(game / beside).rglob("*")]):
            packed.write(path, path.relative_to(game))
    content = (tmp_path / "all.zip").read_bytes().replace(b"renamed.eml", b"renamed.txt", 1)
    (tmp_path / "all.zip").write_bytes(content)
    assert choose(fresh, tmp_path / "all.zip") == heard
    assert "the zip file contradicts itself" in fresh.locator("#results").inner_text()


@needs_browser
def test_a_zip_in_a_zip_is_opened_and_one_in_many_is_named(fresh: Any, game: Path, tmp_path: Path) -> None:
    inner = game / "borealis.mbox"
    for depth in range(4):
        outer = tmp_path / f"{depth}.zip"
        with zipfile.ZipFile(outer, "w") as packed:
            packed.write(inner, inner.name)
        inner = outer
    assert choose(fresh, tmp_path / "2.zip") == "These mails do not contradict each other."
    fresh.goto(PROGRAM.as_uri())
    assert choose(fresh, tmp_path / "3.zip") == "There is nothing to check here."
    assert "3.zip/2.zip/1.zip/0.zip: it is a zip within 3 others." in fresh.locator("#strange").inner_text()


@needs_browser
def test_of_a_folder_with_an_archive_and_mails_both_are_taken(wherever: Any, game: Path) -> None:
    with TemporaryDirectory(dir="/var/tmp") as home:
        shutil.copytree(game / "galaxy-7", Path(home) / "mine" / "galaxy-7")
        shutil.copytree(game / "galaxy-7", Path(home) / "mine" / "other" / "galaxy-7-again")
        shutil.copytree(game / "mails", Path(home) / "mine" / "mails")
        drop(wherever, Path(home) / "mine")
        assert verdict(wherever) == GOOD
        assert "Your 4 reports and 4 receipts are in these books." in wherever.locator("#steps").inner_text()
        named = wherever.locator("#strange").inner_text().strip().splitlines()
        assert named == ["mine/other/galaxy-7-again/: a second archive; drop it by itself."]


# Hostile things


HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


@needs_browser
def test_what_is_dropped_is_never_markup(fresh: Any, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    proof = f"PROOF OF {HOSTILE} of galaxy-7, for {HOSTILE}\nKeep this file.\nHead of the journal, entry 5:\n  {'0' * 64}\n"
    for place, digit in enumerate("01"):
        text = proof.replace("0" * 64, digit * 64)
        mail = f'Subject: {HOSTILE}\nContent-Type: text/plain; name="galaxy-7-t1-proof.txt"\n\n{text}'
        (tmp_path / f"{name}{place}.eml").write_text(mail)
    (tmp_path / f"{name}.txt").write_text(HOSTILE)
    assert choose(fresh, *tmp_path.iterdir()).startswith("NO.")
    assert fresh.locator("#results img, #results script").count() == 0
    assert name in fresh.locator("#steps").inner_text()
    assert name in fresh.locator("#strange").inner_text()


BOMB = b"\0" * (1 << 20)


def _bomb(path: Path) -> None:
    """A zip that says that its file is small."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bagit.txt", BOMB)
    content = path.read_bytes().replace(len(BOMB).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(content)


def _nested(path: Path) -> None:
    """A mail in a mail in a mail …"""
    mail = b"X: y\n\nend"
    for _ in range(50):
        mail = b"Content-Type: message/rfc822\n\n" + mail
    path.write_bytes(mail)


def _parts(path: Path) -> None:
    """A mail with very many parts."""
    path.write_bytes(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000)


def _headers(path: Path) -> None:
    """A mail with a header that has no end."""
    path.write_bytes(b"Subject: a\n" + b" b\n" * 500_000)


def _blanks(path: Path) -> None:
    """A proof of nothing but blanks and the beginning of what it could state."""
    proof = b"PROOF OF " + b"Commitment to the dice secret of " * 5_000
    path.write_bytes(b'Content-Type: text/plain; name="a-t1-proof.txt"\n\n' + proof)


def _fields(path: Path) -> None:
    """A file of nothing but fields, which could be headers of mails if a blank line came."""
    path.write_bytes(b"Subject: a\n" * 500_000)


def _ends(path: Path) -> None:
    """A mail of ends of lines, of which some are none, and a header of signs."""
    path.write_bytes(b"Subject: a\nX: y\nZ: z\n" + b" -\n" * 1_500 + b"\n\n" + b"\r" * 500_000)


@needs_browser
@pytest.mark.parametrize("make", [_bomb, _nested, _parts, _headers, _blanks, _fields, _ends], ids=lambda make: make.__name__)
def test_what_is_made_to_exhaust_it_is_named_at_once(fresh: Any, make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "hostile.bin")
    assert choose(fresh, tmp_path / "hostile.bin") in ("There is nothing to check here.", "This archive cannot be read.")


@needs_browser
def test_damaged_mails_never_stop_it(checked: Checked, played: Played) -> None:
    """And what a proof file has lost is not called a forgery, unless what it states is another value."""
    random = Random(7)
    for _ in range(dose(40, 2_000)):
        raw = bytearray(random.choice(played.mails[CHEATED]))
        for _ in range(random.randint(1, 40)):
            raw[random.randrange(len(raw))] = random.randrange(256)
        checked.mails(played.archive, [bytes(raw[: random.randrange(len(raw))]), bytes(raw)])


# Who reads it


@needs_browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_everybody_can_use_it(game: Path, page: Any, scheme: str, width: int) -> None:
    from axe_playwright_python.base import AXE_FILE_PATH

    axe = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(PROGRAM.as_uri())
    for paths in ([], [game / "galaxy-7.zip", game / "borealis.mbox", game / "galaxy-7" / "FORMAT.md"]):
        if paths:
            choose(page, *paths)
            page.locator("summary").click()
        page.evaluate(axe)
        result = page.evaluate(
            "rules => axe.run(document, {preload: false, runOnly: rules, resultTypes: ['violations']})", RULES
        )
        assert result["passes"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in result["violations"]] == []
        assert page.locator("html").evaluate("html => html.scrollWidth") <= width
        assert complaints(tree_of(page)) == []


@needs_browser
def test_it_is_used_with_the_keyboard_and_says_aloud_what_came_out(fresh: Any, game: Path) -> None:
    fresh.keyboard.press("Tab")
    assert fresh.evaluate("document.activeElement.id") == "files"
    chosen = list[Any]()
    fresh.on("filechooser", lambda each: chosen.append(each))
    while not chosen:  # on a busy machine the browser takes a key for too long ago, and a person presses it again
        fresh.keyboard.press("Enter")
        fresh.wait_for_timeout(500)
    chosen[0].set_files([str(game / "galaxy-7.zip")])
    assert verdict(fresh) == WITHOUT_MAILS
    assert fresh.get_by_role("status").inner_text() == WITHOUT_MAILS
    assert fresh.evaluate("document.activeElement.textContent") == WITHOUT_MAILS


@needs_browser
def test_it_begins_again_with_nothing(fresh: Any, game: Path) -> None:
    choose(fresh, game / "galaxy-7.zip")
    fresh.get_by_role("button", name="Begin again").click()
    fresh.locator("#results").wait_for(state="hidden")
    assert choose(fresh, game / "borealis.mbox") == "These mails do not contradict each other."
