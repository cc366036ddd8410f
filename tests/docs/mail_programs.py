"""`python -m tests.docs.mail_programs`: write the table of mail programs in docs/mail.md anew, from those that are tried in
tests/post/lines/test_mail_programs.py."""

import re
from collections.abc import Iterator

from tests.docs.pages import ROOT
from tests.post.mail_programs import ENDINGS, INTRODUCTIONS

PAGE = ROOT / "docs" / "mail.md"
_TABLE = re.compile(r"(?<=<!-- table: mail programs -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(page: str) -> str:
    """The page with its table as it has to be."""
    return _TABLE.sub(lambda _: "\n".join(_rows()) + "\n", page)


def _rows() -> Iterator[str]:
    yield from ("| mail program | above a quote or a copy, in | below a mail, in |", "|---|---|---|")
    above = [(each.program, each.language) for each in INTRODUCTIONS]
    below = [(each.program, each.language) for each in ENDINGS]
    for program in sorted({name for name, _ in [*above, *below]}, key=str.casefold):
        cells = [", ".join(sorted({language for name, language in these if name == program})) for these in (above, below)]
        yield f"| {program} | {cells[0]} | {cells[1]} |"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
