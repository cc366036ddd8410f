"""The order form of every ruleset, filled in by reply: whichever lines are enabled, and whatever the mail program makes of
them, the orders that the rules get to see are those of the same lines typed alone.

What is tried, so that all of it takes some ten seconds: of a form at the beginning of a game all single lines, all pairs of
neighbours, all beginnings, all ends and the whole, every sixth of them in a dress of `tests.post.dresses` in which the form is
filled in, and the others in those beside it (all in each in a large dose); every second set of lines in one of three dresses in
turn (every set in all three in a large dose) and in one of the others; each line and the whole of a later form, each in a sixth
of the dresses in turn (a third in a large dose); and the whole typed above and below a form, in every dress. Every set in every
dress takes an hour: it is tried if PBMD_EVERY_FORM is set.
"""

import email.policy
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from functools import cache
from itertools import combinations, count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.letter.opened_letter import Arrived, Stored
from pbmd.desk.letter.opening import open_letter
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox
from pbmd.rules.options import complete
from pbmd.rules.registry import slugs
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.desk.world import BEGIN, World, body_of, message_of
from tests.doses import dose
from tests.post.dresses import AROUND, IN_THE_FORM, WITHOUT_SIGN, Filled, alone, offered, with_other_numbers

GAME = "forms-1"
PLAYED = [(slug, {}) for slug in slugs()] + [("cosmic_conquest", {"bold": "required"})]
NAMES = [slug + "".join(f", {name}" for name in options) for slug, options in PLAYED]
Write = Callable[[Filled], EmailMessage]
STYLES = list(WITHOUT_SIGN.values())
_EACH = dose(12, 1)
"""In a dress one of so many sets is tried, and the others in those beside it."""
_LATER = dose(9, 3)


class Forms:
    """A desk with a game of a ruleset, and the mails of two of its turns with an order form to the same player."""

    def __init__(self, folder: Path, slug: str, options: dict[str, Any]) -> None:
        self.world = World(folder)
        with changing_games(self.world.desk) as work:
            table = new_game.create_game(work, GAME, slug, Terms(reminders=(), second_thought="0m"), options)
            rules = table.ruleset
            players = signups(rules, max(2, rules.info.min_seats), complete(rules.info.options, options))
            for number, signup in enumerate(players):
                new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{number}@players.test", f"Player {number}"))
            new_game.start_game(work, table)
        self.first = self.forms()[0]
        self.numbers = count(1)

    def forms(self) -> list[Outbox]:
        """The mails with an order form, oldest first."""
        return [mail for mail in self.world.outbox() if "\n#orders g" in body_of(mail)]

    @cache  # noqa: B019  both live as long as the tests of this file
    def later(self) -> Outbox:
        """The mail with a form after all that was offered has been ordered."""
        before = self.forms()
        for mail in before:
            report = lines_of(mail)
            letter = IN_THE_FORM["quoted"](Filled(report, frozenset(offered(report)), STYLES[0]))
            self.world.reply(mail, letter.get_content())
        self.world.pass_time(timedelta(days=10))
        return self.forms()[len(before)]

    def wrong(self, mail: Outbox, tries: Sequence[tuple[Filled, str, Write]]) -> list[str]:
        """Those of the letters that are read in another way than their orders alone, and how."""
        found: list[str] = []
        wanted: dict[frozenset[int], list[str]] = {}
        to = str(message_of(mail)["Reply-To"])
        with Transaction(self.world.desk, reads=True) as work:

            def read(letter: EmailMessage) -> list[str]:
                return texts(opened(work, mail, to, letter, next(self.numbers)))

            for filled, name, write in tries:
                if filled.chosen not in wanted:
                    wanted[filled.chosen] = read(alone(filled))
                    assert len(wanted[filled.chosen]) == len(filled.chosen)
                if (lines := read(write(filled))) != wanted[filled.chosen]:
                    found.append(f"{name}: {lines} instead of {wanted[filled.chosen]}")
        return found


def opened(work: Transaction, mail: Outbox, to: str, letter: EmailMessage, number: int) -> Arrived:
    """A letter as the desk reads it if it answers a mail."""
    letter["From"], letter["To"] = mail.recipient, to
    letter["In-Reply-To"], letter["Message-ID"] = mail.message_id, f"<form{number}@players.test>"
    raw = letter.as_bytes(policy=email.policy.SMTP)
    return open_letter(work, Stored(number, number, BEGIN, len(raw), raw, truncated=False))[0]


def texts(arrived: Arrived) -> list[str]:
    """What the rules get of a letter, and any commands that it must not have."""
    return [*(line.text for line in arrived.script.orders), *(f"command {each.kind}" for each in arrived.script.commands)]


def lines_of(mail: Outbox) -> list[str]:
    return body_of(mail).rstrip("\n").split("\n")


def runs(places: Sequence[int]) -> list[frozenset[int]]:
    """Single lines, neighbours, beginnings, ends and all."""
    size = range(len(places))
    found = [places[i : i + 1] for i in size] + [places[i : i + 2] for i in size]
    found += [places[: i + 1] for i in size] + [places[i:] for i in size]
    return list(dict.fromkeys(map(frozenset, found)))


def all_sets(places: Sequence[int]) -> list[frozenset[int]]:
    return [frozenset(chosen) for size in range(1, len(places) + 1) for chosen in combinations(places, size)]


@pytest.fixture(scope="module")
def desks() -> Iterator[Callable[[str], Forms]]:
    """The desk of each game, made when it is first asked for. Reports come without maps, which take long."""
    made: list[tuple[TemporaryDirectory[str], Forms]] = []

    @cache
    def make(name: str) -> Forms:
        folder = TemporaryDirectory()
        forms = Forms(Path(folder.name), *PLAYED[NAMES.index(name)])
        made.append((folder, forms))
        return forms

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbmd.desk.step.reporting.maps.wanted_of", lambda _view, **_more: None)
        yield make
    for folder, forms in made:
        forms.world.close()
        folder.cleanup()


@pytest.fixture(params=NAMES)
def forms(request: pytest.FixtureRequest, desks: Callable[[str], Forms]) -> Forms:
    """The desk of each game."""
    return desks(request.param)


@pytest.mark.in_turn(2)
def test_lines_that_stand_together_are_read_in_every_dress(forms: Forms) -> None:
    report = lines_of(forms.first)
    styles = cycle(STYLES)
    tries = [
        (Filled(report, chosen, next(styles)), name, write)
        for number, (name, write) in enumerate(IN_THE_FORM.items())
        for chosen in runs(offered(report))[number % _EACH :: _EACH]
    ]
    assert forms.wrong(forms.first, tries) == []


USUAL = ("quoted", "unquoted, below Outlook's header", "HTML with p, quoted")
_OF_USUAL = dose(1, len(USUAL))
"""In so many of the usual dresses each set is tried."""


@pytest.mark.in_turn(2)
def test_any_lines_are_read_in_the_usual_dresses_and_others(forms: Forms) -> None:
    report = lines_of(forms.first)
    styles, usual, others = cycle(STYLES), cycle(USUAL), cycle(IN_THE_FORM)
    tries = [
        (Filled(report, chosen, next(styles)), name, IN_THE_FORM[name])
        for chosen in all_sets(offered(report))[:: dose(4, 1)]
        for name in (*islice(usual, _OF_USUAL), next(others))
    ]
    assert forms.wrong(forms.first, tries) == []


@pytest.mark.in_turn(2)
def test_the_lines_of_a_later_form_are_read_in_every_dress(forms: Forms) -> None:
    report = lines_of(mail := forms.later())
    places = offered(report)
    sets = [*(frozenset([place]) for place in places), frozenset(places)]
    tries = [
        (Filled(report, chosen, STYLES[0]), name, write)
        for number, (name, write) in enumerate(IN_THE_FORM.items())
        for chosen in sets[number % _LATER :: _LATER]
    ]
    assert forms.wrong(mail, tries) == []


@pytest.mark.in_turn(2)
def test_lines_that_are_changed_as_well_are_read_in_every_dress_that_does_not_break_them(forms: Forms) -> None:
    report = lines_of(forms.first)
    places = offered(report)
    tries = [
        (Filled(report, chosen, with_other_numbers), name, write)
        for number, (name, write) in enumerate(IN_THE_FORM.items())
        for chosen in (frozenset(places), frozenset(places[1::2]))[dose(number % 2, 0) :: dose(2, 1)]
        if "at 40" not in name
    ]
    assert forms.wrong(forms.first, tries) == []


@pytest.mark.in_turn(3)
def test_orders_typed_above_and_below_the_form_are_read_in_every_dress(forms: Forms) -> None:
    report = lines_of(forms.first)
    places = offered(report)
    tries = [
        (Filled(report, chosen, STYLES[0]), name, write) for name, write in AROUND.items() for chosen in [frozenset(places)]
    ]
    assert forms.wrong(forms.first, tries) == []


@pytest.mark.skipif("PBMD_EVERY_FORM" not in os.environ, reason="takes an hour; PBMD_EVERY_FORM=1 has it done")
def test_any_lines_are_read_in_every_dress(forms: Forms) -> None:
    for mail in (forms.first, forms.later()):
        report = lines_of(mail)
        for style in STYLES:
            for chosen in all_sets(offered(report)):
                tries = [(Filled(report, chosen, style), name, write) for name, write in (IN_THE_FORM | AROUND).items()]
                assert forms.wrong(mail, tries) == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("lines", [slice(0, 1), slice(1, None), slice(None)], ids=["first", "all but the first", "all"])
def test_what_is_on_file_and_what_the_answer_says_is_that_of_the_lines_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str, lines: slice
) -> None:
    monkeypatch.setattr("pbmd.desk.step.reporting.maps.wanted_of", lambda _view, **_more: None)
    answers: list[str] = []
    filed: list[tuple[str, str, str]] = []
    for write in (IN_THE_FORM["quoted"], alone):
        (folder := tmp_path / str(len(filed))).mkdir()
        forms = Forms(folder, slug, {})
        report = lines_of(forms.first)
        letter = write(Filled(report, frozenset(offered(report)[lines]), STYLES[0]))
        answers.append(forms.world.reply(forms.first, letter.get_content()))
        submission = forms.world.submissions()[-1]
        filed.append((submission.state.value, submission.orders, submission.verdicts))
        forms.world.close()
    assert filed[0] == filed[1]
    assert "REFUSED" not in answers[0] or "REFUSED" in answers[1]
    assert "could be orders" not in answers[0]
