"""Templates wrap and indent as Jinja does, although what needs neither is not handed to it."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import Environment

from pbmd.rendering.render import environment

_WORDS = st.sampled_from(["a", "word", "  ", " ", "x" * 12, "\n", "\r\n", "\t", "\u2028", "-", "ä", "co-op", "\xa0"])


@given(st.lists(_WORDS, max_size=12).map("".join), st.booleans(), st.booleans())
def test_indent_gives_what_jinja_gives(text: str, first: bool, blank: bool) -> None:
    template = "{{ text | indent(3, first=first, blank=blank) }}|{{ text | indent }}"
    values = {"text": text, "first": first, "blank": blank}
    ours = environment().from_string(template).render(values)
    assert ours == Environment(keep_trailing_newline=True).from_string(template).render(values)


@given(st.lists(_WORDS, max_size=12).map("".join), st.integers(1, 20))
@example("ends in a blank ", 20)
@example("", 1)
def test_wordwrap_gives_what_jinja_gives(text: str, width: int) -> None:
    template = "{{ text | wordwrap(width) }}|{{ text | wordwrap(width, break_long_words=false) }}"
    ours = environment().from_string(template).render(text=text, width=width)
    assert ours == Environment(keep_trailing_newline=True).from_string(template).render(text=text, width=width)
