"""docs/mails/ has a sample of every kind of mail, and none of them is too wide. The mails of whole games are held against it
where those are played (tests/golden)."""

import re
from dataclasses import replace

from tests.docs.mails import index
from tests.docs.mails.found import Found
from tests.docs.mails.limits import too_long
from tests.docs.mails.rare import SLUG, rare_mails
from tests.docs.mails.written import FOLDER, differing, kept, templates, without_sample
from tests.docs.pages import read

MAKE = "python -m tests.docs.mails makes them anew"
_MAIL = Found("notice", "notice", "pbmd <pbmd@pbmd.test>", "a@players.test", "[pbmd] short", "short\n", "", {})


def test_each_template_has_a_sample() -> None:
    assert without_sample(templates(), kept()) == [], (
        f"{MAKE}; what no whole game sends needs a scene in tests/docs/mails/rare.py"
    )


def test_a_template_that_nothing_is_made_by_is_found() -> None:
    made = {"one": "X-Template: notice\n"}
    assert without_sample({"notice": "", "press": ""}, made) == ["press"]
    assert without_sample({"notice": "{% include 'mail/press.txt.j2' %}", "press": ""}, made) == []


def test_mails_that_are_seldom_sent_are_as_their_samples_show() -> None:
    assert differing(rare_mails(), SLUG) == [], MAKE


def test_the_page_lists_all_of_them() -> None:
    assert read(FOLDER / "README.md") == index.page(kept(), FOLDER), MAKE


def test_what_is_too_long_is_named() -> None:
    assert list(too_long(_MAIL)) == []
    wide = replace(_MAIL, subject="x" * 71, text=f"{'y' * 72}\n{'z ' * 40}\n#{'n' * 90}\n")
    assert [words.partition(" ")[0] for words in too_long(wide)] == ["71", "80"]


def test_the_pictures_are_small() -> None:
    pictures = list(FOLDER.glob("*.png"))
    assert pictures
    assert sum(path.stat().st_size for path in pictures) < 6_000_000
    assert max(path.stat().st_size for path in pictures) < 600_000


def test_no_line_of_prose_begins_with_the_mark_of_a_form() -> None:
    """It could be taken for one when the mail is quoted without marks."""
    begins = {
        line.split()[1]
        for path in FOLDER.glob("*.txt")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("#orders ")
    }
    assert {word for word in begins if word != "-" and not re.fullmatch(r"g\d+p\d+\.[a-z2-7]+", word)} == set()


def test_no_mail_has_two_empty_lines_below_each_other() -> None:
    assert [path.name for path in FOLDER.glob("*.txt") if "\n\n\n" in path.read_text("utf-8")] == []
