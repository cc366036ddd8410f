"""Letters that patterns which ignore case take for ASCII ones, as a Turkish keyboard writes them ("sıx"), in all that can be
written: a line with one may be read or refused, but never stops its letter."""

import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbmd.desk.language.order_words import examples_in
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Letter, LetterState
from pbmd.rules.names import fold
from tests.desk.letter.test_what_is_typed import game, setting
from tests.desk.world import message_of

RULES = Path(__file__).parents[3] / "rulesets"
SLUGS = sorted(path.parent.name for path in RULES.glob("*/RULES.md"))
LIKE = {
    "dotless": str.maketrans(dict.fromkeys("iI", "\N{LATIN SMALL LETTER DOTLESS I}")),
    "dotted": str.maketrans(dict.fromkeys("iI", "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}")),
    "long s": str.maketrans(dict.fromkeys("sS", "\N{LATIN SMALL LETTER LONG S}")),
    "kelvin": str.maketrans(dict.fromkeys("kK", "\N{KELVIN SIGN}")),
}
COMMANDS = """\
ABSENT from 24 December to 2 January
ABSENT six days
MORE TIME six hours because of a visit
SUBSTITUTE ann@players.test FOR six days
SET TIMEZONE Berlin
SKIP
PASS this turn
I'm back
list me as Kim
VOTE YES ON 1
Winter: nothing
S1901: nothing
Builds:
half a dozen
"""


@pytest.mark.parametrize("letters", LIKE)
@pytest.mark.parametrize("slug", SLUGS)
def test_stop_no_letter(slug: str, letters: str) -> None:
    examples = examples_in((RULES / slug / "RULES.md").read_text("utf-8"))
    lines = {line.translate(LIKE[letters]) for line in (*examples, *COMMANDS.splitlines())}
    mail = setting(slug).mail
    with game(slug) as world:
        for number, line in enumerate(sorted(each for each in lines if not each.isascii())):
            letter = EmailMessage()
            letter["From"], letter["To"] = mail.recipient, str(message_of(mail)["Reply-To"])
            letter["Subject"], letter["Message-ID"] = "orders", f"<like{number}@players.test>"
            letter.set_content(line)
            world.arrive(letter.as_bytes(policy=email.policy.SMTP))
        process_letters(world.desk)
        assert {row.state for row in world.rows(Letter)} == {LetterState.DONE}


def test_are_the_same_in_names() -> None:
    assert {fold(word.translate(like)) for word in ("Sikkim", "SIKKIM") for like in LIKE.values()} == {"sikkim"}
