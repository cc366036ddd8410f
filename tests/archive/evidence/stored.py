"""Mails in files as people have them: what programs export, what systems make of it, and what people join and pack."""

import base64
import bz2
import gzip
import io
import re
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

Mails = Sequence[bytes]
_FROM = b"From MAILER-DAEMON Fri Nov 20 12:00:00 2026\n"
_MARK = b"\xef\xbb\xbf"


def mbox(mails: Mails, line: bytes = _FROM, between: bytes = b"\n") -> bytes:
    """Mails as an mbox has them."""
    return b"".join(line + re.sub(rb"(?m)^(>*From )", rb">\1", raw) + between for raw in mails)


def _file(name: str, made: Callable[[Mails], bytes]) -> Callable[[Path, Mails], object]:
    return lambda folder, mails: (folder / name).write_bytes(made(mails))


def _files(name: str, made: Callable[[bytes], bytes]) -> Callable[[Path, Mails], object]:
    return lambda folder, mails: [(folder / name.format(at)).write_bytes(made(raw)) for at, raw in enumerate(mails)]


def _with_ends(end: bytes) -> Callable[[bytes], bytes]:
    return lambda raw: raw.replace(b"\r\n", b"\n").replace(b"\n", end)


def _of_apple(raw: bytes) -> bytes:
    return b"%-10d\n" % len(raw) + raw + b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"></plist>\n'


def _tar(mails: Mails, kind: str = "w") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=kind) as tar:
        for at, raw in enumerate(mails):
            item = tarfile.TarInfo(f"Mail/cur/{at}:2,S")
            item.size = len(raw)
            tar.addfile(item, io.BytesIO(raw))
    return packed.getvalue()


def _zip_with_old_names(mails: Mails) -> bytes:
    """The names are neither ASCII nor UTF-8."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for at, raw in enumerate(mails):
            file.writestr(f"Entwuerfe/Spiel {at}.eml", raw)
    return packed.getvalue().replace(b"Entwuerfe", b"Entw\xfcrf\xe9\xe9")


def _sent_on(raw: bytes, kind: bytes, packed: bytes = b"base64") -> bytes:
    """A mail within another, packed as no mail in a mail may be, or as a file."""
    body = base64.encodebytes(raw) if packed.strip().lower() == b"base64" else raw
    header = b"From: ada@players.test\nTo: bob@players.test\nSubject: Look\nMIME-Version: 1.0\nContent-Type: multipart/mixed;"
    return (
        header
        + b" boundary=on\n\n--on\nContent-Type: text/plain\n\nSee this.\n--on\nContent-Type: "
        + kind
        + b'; name="a.eml"\n'
        b"Content-Transfer-Encoding: " + packed + b"\n\n" + body + b"\n--on--\n"
    )


def _maildir(folder: Path, mails: Mails, packed: Callable[[bytes], bytes] = bytes) -> None:
    for name in ("cur", "new", "tmp", ".Games/cur", ".Games/new", ".Games/tmp"):
        (folder / name).mkdir(parents=True)
    for at, raw in enumerate(mails):
        (folder / (".Games/cur", "new")[at % 2] / f"17{at}.M1P1.host:2,S").write_bytes(packed(raw))


def _folders(folder: Path, mails: Mails) -> None:
    """Folders in folders, with an index beside each, and one that is empty."""
    (folder / "Inbox.sbd").mkdir()
    for path, some in ((folder / "Inbox", mails[:1]), (folder / "Inbox.sbd" / "Games", mails[1:]), (folder / "Trash", ())):
        path.write_bytes(mbox(some))
        path.with_name(f"{path.name}.msf").write_bytes(b"// <!-- an index -->\n")


READ: dict[str, Callable[[Path, Mails], object]] = {
    "an mbox": _file("Inbox", mbox),
    "an mbox with other ends of lines": _file("Inbox", lambda mails: _with_ends(b"\r\n")(mbox(mails))),
    "an mbox with a mark of its encoding": _file("Inbox", lambda mails: _MARK + mbox(mails)),
    "an mbox below empty lines": _file("Inbox", lambda mails: b"\n\r\n" + mbox(mails)),
    "an mbox without empty lines between": _file("Inbox", lambda mails: mbox(mails, between=b"")),
    "an mbox whose first line was quoted": _file("Inbox", lambda mails: b">" + mbox(mails)),
    "an mbox of Google's": _file(
        "All.mbox", lambda mails: mbox([b"X-Gmail-Labels: Games\n" + raw for raw in mails], b"From 17@xxx Fri Nov 20 2026\n")
    ),
    "folders in folders": _folders,
    "a Maildir": _maildir,
    "mails written one behind the other": _file("all.mbox", b"".join),
    "the same as one mail": _file("all.eml", b"".join),
    "the same under no name": _file("all", b"".join),
    "the same, each with a mark of its encoding": _file("all.mbox", lambda mails: b"".join(_MARK + raw for raw in mails)),
    "files of Apple's": _files("{}.emlx", _of_apple),
    "files with lines that end in one way": _files("{}.eml", _with_ends(b"\n")),
    "an mbox with lines that end in an old way": _file("Inbox", lambda mails: _with_ends(b"\r")(mbox(mails))),
    "files with lines that end in an old way": _files("{}.eml", _with_ends(b"\r")),
    "files with lines that end twice": _files("{}.eml", _with_ends(b"\r\r\n")),
    "files in a zip with old names": _file("export.zip", _zip_with_old_names),
    "mails sent on as files": _files("{}.eml", lambda raw: _sent_on(raw, b"application/octet-stream")),
    "mails sent on and packed": _files("{}.eml", lambda raw: _sent_on(raw, b"message/rfc822")),
    "mails sent on under another type": _files("{}.eml", lambda raw: _sent_on(raw, b"message/global", b"8bit")),
}
"""By what is odd in them: both commands and the page read these."""
READ_BY_COMMANDS: dict[str, Callable[[Path, Mails], object]] = READ | {
    "a Maildir of packed mails": lambda folder, mails: _maildir(folder, mails, gzip.compress),
    "a packed mbox": _file("all.mbox.gz", lambda mails: gzip.compress(mbox(mails))),
    "an mbox packed otherwise": _file("all.mbox.bz2", lambda mails: bz2.compress(mbox(mails))),
    "packed mails": _files("{}.eml.gz", gzip.compress),
    "a tar file": _file("mail.tar", _tar),
    "a packed tar file": _file("mail.tgz", lambda mails: _tar(mails, "w:gz")),
    "files in wide characters": _files("{}.txt", lambda raw: raw.decode().encode("utf-16")),
    "mails written one behind the other in wide characters": _file(
        "all.txt", lambda mails: b"".join(mails).decode().encode("utf-16")
    ),
}
"""What is told by the page as what it cannot read."""
