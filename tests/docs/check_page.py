"""`python -m tests.docs.check_page`: write what follows from deploy/check.html anew: the digests of its script and style in its
own policy, without which no browser runs them, and in docs/check-page.md the digest of the whole page."""

import hashlib
import re
from base64 import b64encode

from tests.docs.pages import ROOT

PROGRAM = ROOT / "deploy" / "check.html"
PAGE = ROOT / "docs" / "check-page.md"
_DIGEST = re.compile(r"(?<=<!-- digest -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_policy(text: str) -> str:
    """The page with the digests of its script and its style in its policy."""
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        digest = b64encode(hashlib.sha256(inside(tag, text).encode()).digest()).decode()
        text = re.sub(rf"{name} '[^']*'", f"{name} 'sha256-{digest}'", text, count=1)
    return text


def inside(tag: str, text: str) -> str:
    """The content of the one element of that name."""
    (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    return content


def with_digest(text: str, page: bytes) -> str:
    """The page of documentation, with the digest of the page that checks."""
    block = f"```text\n{hashlib.sha256(page).hexdigest()}  check.html\n```\n"
    return _DIGEST.sub(lambda _found: block, text)


if __name__ == "__main__":
    PROGRAM.write_text(with_policy(PROGRAM.read_text(encoding="utf-8")), encoding="utf-8")
    PAGE.write_text(with_digest(PAGE.read_text(encoding="utf-8"), PROGRAM.read_bytes()), encoding="utf-8")
