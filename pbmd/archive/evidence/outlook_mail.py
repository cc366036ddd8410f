"""A mail that Outlook has saved as .msg: header, text, HTML and files are taken out, and put together as a mail again.

Outlook keeps the header as it came, and the text and the files to the byte; how their parts stood it does not keep.
"""

from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oxmsg import Message

NO_LIBRARY = "it is a mail of Outlook: pip install 'pbmd-games[outlook]' has it read; or save it as .eml"
_CONTENT = ("content-", "mime-version")
_FILE = ("application", "octet-stream")


class NotReadable(ValueError):
    """It is no such mail, or cannot be read here; the message says why."""


def mail_of_outlook(raw: bytes) -> bytes:
    """The mail as it would be sent. Raises `NotReadable`."""
    try:
        from oxmsg import Message  # an extra, and most people have no such files
    except ImportError:
        raise NotReadable(NO_LIBRARY) from None
    try:
        return _mail(Message.load(raw)).as_bytes()
    except Exception as trouble:  # the file is anybody's, and the library reads what it finds
        raise NotReadable(f"it cannot be read as a mail of Outlook: {type(trouble).__name__}") from None


def _mail(found: "Message") -> EmailMessage:
    """The parts of a mail of Outlook, put together."""
    mail = EmailMessage(policy=default)
    for name, value in found.message_headers.items():
        if not name.lower().startswith(_CONTENT):
            _add(mail, name, str(value))
    for name, value in (("Subject", found.subject), ("From", found.sender or "")):
        if name not in mail:
            _add(mail, name, value)
    mail.set_content(found.body or "")
    if html := found.html_body:
        mail.add_alternative(html, subtype="html")
    for file in found.attachments:
        main, sub = _kind(file.mime_type or "")
        mail.add_attachment(file.file_bytes or b"", maintype=main, subtype=sub, filename=file.file_name or "file")
    return mail


def _kind(mime_type: str) -> tuple[str, str]:
    """The two halves of the type of a file; bytes of some kind if it says none, or one that is more than a file."""
    main, _, sub = mime_type.partition("/")
    return (main, sub) if sub and main not in ("multipart", "message") else _FILE


def _add(mail: EmailMessage, name: str, value: str) -> None:
    """A field of a header; one that cannot be one is left out."""
    try:
        mail[name] = HeaderRegistry()(name, " ".join(value.split()))
    except ValueError:
        return
