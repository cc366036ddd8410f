"""A game on servers that the other tests do not have, and the table of all of them in docs/mail.md."""

from pathlib import Path

import pytest

from tests.servers.matches import IMAP, SMTP, pairs, read_record, run_match
from tests.servers.table import PAGE, with_table


@pytest.mark.parametrize(("imap", "smtp"), [("Cyrus", "Exim")])
def test_a_game_through_faults_of_all_kinds_comes_out_right(tmp_path: Path, imap: str, smtp: str) -> None:
    assert run_match(imap, smtp, tmp_path).findings == ()


def test_the_page_has_the_table_of_what_was_played() -> None:
    page = PAGE.read_text()
    assert with_table(page, read_record()) == page, "write it anew: make servers ARGS=--write"


def test_every_server_was_played_with_every_other() -> None:
    rows = {facts.name: facts for facts in read_record()}
    assert {(imap, smtp) for imap in IMAP for smtp in rows[imap].partners} == set(pairs())
    assert {(imap, smtp) for smtp in SMTP for imap in rows[smtp].partners} == set(pairs())


def test_some_servers_are_played_with_all_of_the_other_kind() -> None:
    assert pairs(["cyrus"]) == [("Cyrus", smtp) for smtp in SMTP]
    assert pairs(["exim", "Cyrus"]) == [("Cyrus", "Exim")]
    with pytest.raises(ValueError, match="no server is called sendmail"):
        pairs(["sendmail"])
