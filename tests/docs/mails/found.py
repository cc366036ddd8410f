"""The mails of a desk, each with the template that it was made by."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import PurePath
from typing import Any

import pytest
from jinja2 import Template

from pbmd.ledger.tables import Outbox
from pbmd.post.proof_file import is_proof, proof_bytes
from tests.desk.world import message_of

_MAIL = "mail/"
_END = ".txt.j2"


@dataclass(frozen=True)
class Found:
    """A mail that was sent. `template` is the name of its template in templates/mail/ without ending; empty if it has none."""

    kind: str
    template: str
    sender: str
    to: str
    subject: str
    text: str
    html: str
    pictures: Mapping[str, bytes]


@contextmanager
def recorded(patch: pytest.MonkeyPatch) -> Generator[dict[str, str]]:
    """While mails are made: each text that a template made, and the name of the template."""
    names: dict[str, str] = {}
    render = Template.render

    def noting(self: Template, *given: Any, **named: Any) -> str:
        text = render(self, *given, **named)
        if self.name and self.name.startswith(_MAIL) and self.name.endswith(_END):
            names[text.strip()] = PurePath(self.name).name.removesuffix(_END)
        return text

    patch.setattr(Template, "render", noting)
    yield names


def found(mails: Iterable[Outbox], names: Mapping[str, str]) -> list[Found]:
    """These mails of the outbox, each with the files that prove it behind it."""
    return [each for mail in mails for each in (_found(mail, names), *_files(mail, names))]


def _files(mail: Outbox, names: Mapping[str, str]) -> Iterator[Found]:
    """What stands in them, as mails whose subjects are their names."""
    message = message_of(mail)
    for part in message.walk():
        if is_proof(part):
            text = proof_bytes(part).decode()
            words = str(message["From"]), str(message["To"]), str(part.get_filename())
            yield Found("file", _template_of(text, names), *words, text, "", {})


def _found(mail: Outbox, names: Mapping[str, str]) -> Found:
    message = message_of(mail)
    text = _body(message, "plain")
    pictures = {
        str(part["Content-ID"]).strip("<>"): bytes(part.get_payload(decode=True))
        for part in message.walk()
        if part["Content-ID"]
    }
    words = [str(message[name]) for name in ("From", "To", "Subject")]
    return Found(mail.kind, _template_of(text, names), words[0], words[1], words[2], text, _body(message, "html"), pictures)


def _template_of(text: str, names: Mapping[str, str]) -> str:
    """The template that made all of a text, or what stands in it of mails that were not sent."""
    withheld = (told for told, name in names.items() if name == "withheld" and told in text)
    return names.get(text.strip(), "withheld" if next(withheld, "") else "")


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""
