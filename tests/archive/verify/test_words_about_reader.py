"""What may stand between heading and report in the page of a seat: what the rules say about the reader, and the desk's own
paragraphs before and after it."""

import re
from itertools import product

import pytest

from pbmd.archive.verify.report_pages import desk_paragraphs, is_said_about
from pbmd.rendering.render import YOU_HTML

HEADED = f"{YOU_HTML}\n"
DIV = '<div style="margin:0">\nYou hold 3 bases.\n</div>\n'


ONE = '<p style="margin:0 0 12px">Turn 3.</p>\n'
BOLD = '<p style="margin:0 0 12px">Due <strong>now</strong>, at last.</p>\n'
PIECES = ("", HEADED, ONE, BOLD, DIV, "<script>1</script>\n", ONE[:-1], "words\n")


@pytest.mark.parametrize("you", ["", DIV, ONE, ONE + DIV])
def test_it_is_found_where_a_pattern_with_it_fits(you: str) -> None:
    desk = desk_paragraphs()
    pattern = re.compile(f"(?:{re.escape(HEADED)})?{desk}{re.escape(you)}{desk}")
    fits = 0
    for pieces in product(PIECES, repeat=4):
        said = "".join(pieces)
        expected = pattern.fullmatch(said) is not None
        assert is_said_about(you, said) == expected, said
        fits += expected
    assert fits >= 40, "hardly any fits"
