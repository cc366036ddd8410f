"""A newspaper, or a whole book, as one page of HTML that loads nothing: to be opened in a browser, or attached to a mail."""

import base64

from markupsafe import Markup

from pbmd.book.elements import Book, Picture
from pbmd.book.epub import page, style


def page_of(book: Book) -> str:
    """The whole book on a page."""
    # The style is ours, and contains nobody else's words.
    return page("whole", book=book, style=Markup(style()), source=_within)  # noqa: S704


def _within(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg.encode()).decode()}"
