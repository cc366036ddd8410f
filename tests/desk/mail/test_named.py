"""Mails are found by their Message-IDs, by an index of the part that is a mail's own."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.ledger.database import migrate, open_engine, reading, sqlite_url
from pbmd.ledger.tables import Outbox
from pbmd.post.tags import Tag, message_id, nonce_in


def _plan(engine: Engine, statement: str) -> str:
    with reading(engine).connect() as connection:
        return " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}"))


def test_a_mail_is_found_by_its_message_id_without_an_index_of_that(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "ledger.sqlite")
    migrate(url)
    engine = open_engine(url)
    found = select(col(Outbox.id)).where(IS_NAMED).params(named_by(["<report.g1p1.abc.n0nce@example.org>"]))
    words = str(found.compile(engine, compile_kwargs={"literal_binds": True, "render_postcompile": True}))
    assert "'n0nce'" in words
    assert "ix_outbox_nonce" in _plan(engine, words)
    engine.dispose()


@pytest.mark.parametrize("tag", [None, Tag(3, 1, "c" * 16)])
def test_the_nonce_of_a_message_id_is_what_it_was_made_with(tag: Tag | None) -> None:
    assert nonce_in(message_id("report", tag, "n0nce", "games.example.org")) == "n0nce"


@pytest.mark.parametrize("foreign", ["", "<>", "@", "<a@b@c>", "no id at all", "<x.y@example.org"])
def test_a_foreign_id_has_some_nonce_or_none(foreign: str) -> None:
    assert named_by([foreign])["ids"] == [foreign]
