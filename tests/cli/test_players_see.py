"""What `pbmd check` says that players will see is what they see."""

import json
from email import message_from_bytes

from pbmd.ledger.tables import Outbox
from tests.cli.conftest import Home


def seen(home: Home) -> dict[str, str]:
    return json.loads(home.run("check", "--json").stdout)["players_see"]


def test_it_is_what_stands_in_the_mails_of_a_game(home: Home) -> None:
    home.settings.write_text(home.settings.read_text().replace("[server]", '[server]\nname = "The Club, Oslo"', 1))
    home.settings.write_text(home.settings.read_text() + '\n[pages]\npublic_url = "https://games.pbmd.test/x"\n')
    told = seen(home)
    home.start_game("galaxy-7")
    mail = message_from_bytes(home.rows(Outbox)[0].raw)
    assert told["write_to"] == "games@pbmd.test"
    assert told["from"] == " ".join(str(mail["From"]).split())
    before, _, domain = told["reply_to"].partition("…")
    assert str(mail["Reply-To"]).startswith(before)
    assert str(mail["Reply-To"]).endswith(domain)
    assert str(mail["Subject"]).startswith("[pbmd galaxy-7 t")
    assert told["subject"].startswith("[pbmd galaxy-7 t")
    home_of_pages = told["pages"].partition("…")[0]
    assert home_of_pages == "https://games.pbmd.test/x/s/g1p1."
    text = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    assert home_of_pages in str(text.get_payload(decode=True))
    assert told["host"] == "This game is run by The Club, Oslo."


def test_without_plus_addresses_and_pages_it_says_so(home: Home) -> None:
    home.settings.write_text(home.settings.read_text().replace("[server]", "[server]\nplus_addresses = false", 1))
    told = seen(home)
    assert told["reply_to"] == "games@pbmd.test"
    assert told["pages"] == "none: public_url in [pages] is not set"


def test_it_stands_at_the_end_for_people_too(home: Home) -> None:
    shown = home.run("check").stdout.partition("\n\nWhat players will see:\n")[2].splitlines()
    assert " ".join(shown[0].split()) == "write to games@pbmd.test"
