"""The pages of reports become blocks; nothing comes through that is not known."""

import pytest

from pbmd.book.elements import Box, Cell, Heading, Items, Paragraph, Picture, Run, Table, Verbatim, levelled, paragraph
from pbmd.book.report import OddPage, blocks_of

MAP = Picture("<svg/>", "Map")


def cell(text: str, **more: object) -> Cell:
    return Cell((Run(text),) if text else (), **more)  # type: ignore[arg-type]


def test_headings_paragraphs_lists_and_boxes_stay_what_they_are() -> None:
    page = (
        '<h2 style="font-size:19px">What happened</h2><ul><li>One.</li><li>Two\n lines.</li><li> </li></ul>'
        '<div style="border:1px solid #8884"><strong>Red</strong> Concord<span style="float:right">18&nbsp;units</span>'
        '<div style="font-size:14px"><div>CV 7</div></div></div>between<pre>as  it\n is</pre>'
    )
    assert blocks_of(page, None) == (
        Heading(2, "What happened"),
        Items(((paragraph("One."),), (paragraph("Two lines."),))),
        Box(
            (
                Paragraph((Run("Red", "strong"), Run(" Concord"), Run("18\N{NO-BREAK SPACE}units", "aside"))),
                paragraph("CV 7"),
            )
        ),
        paragraph("between"),
        Verbatim("as  it\n is"),
    )


def test_the_map_stands_where_the_page_shows_it_and_once() -> None:
    page = '<p>before</p><div><img src="../maps/public.svg" alt="Map"></div><p>after</p><img src="x">'
    assert blocks_of(page, MAP) == (paragraph("before"), MAP, paragraph("after"))
    assert blocks_of(page, None) == (paragraph("before"), paragraph("after"))
    assert blocks_of("<p>an older page</p><svg><text>Sol</text></svg>", MAP) == (paragraph("an older page"), MAP)


def test_a_table_knows_its_heads_its_numbers_and_its_gaps() -> None:
    page = (
        '<table><tr><th scope="col">System</th><th style="text-align:right">Output</th></tr>'
        '<tr><th>Sol<div style="opacity:.8">Altair</div></th><td align="right">10</td></tr>'
        '<tr><th colspan="2">All</th></tr><tr><td>alone</td></tr></table>'
    )
    [table] = blocks_of(page, None)
    assert isinstance(table, Table)
    assert (table.head, table.columns) == (1, 2)
    assert table.rows == (
        (cell("System", head=True), cell("Output", head=True, right=True)),
        (Cell((Run("Sol"), Run("\n"), Run("Altair", "soft")), head=True), cell("10", right=True)),
        (cell("All", head=True, span=2),),
        (cell("alone"), cell("")),
    )


def test_a_table_within_an_item_stays_there() -> None:
    page = "<ul><li>Battle<table><tr><td>1</td></tr></table></li></ul>"
    assert blocks_of(page, None) == (Items(((paragraph("Battle"), Table(((cell("1"),),))),)),)


@pytest.mark.parametrize(
    "page",
    [
        "<script>alert(1)</script>",
        "<style>body { display: none }</style>",
        '<iframe src="file:///etc/passwd">x</iframe>',
        '<object data="x">x</object>',
        "<template><p>x</p></template>",
        "<!-- x -->",
        '<input value="x">',
    ],
)
def test_what_could_do_or_load_something_is_left_out(page: str) -> None:
    assert blocks_of(page, None) == ()


def test_links_styles_and_events_leave_only_their_words() -> None:
    page = '<p onclick="x()"><a href="javascript:x()">here</a> <b style="background:url(//x)">and</b> &lt;b&gt;{{ 7 * 7 }}</p>'
    assert blocks_of(page, None) == (Paragraph((Run("here "), Run("and", "strong"), Run(" <b>{{ 7 * 7 }}"))),)


def test_a_page_of_tags_in_tags_without_end_is_not_read() -> None:
    for tag in ("div", "b"):
        with pytest.raises(OddPage):
            blocks_of(f"<{tag}>" * 300 + "x", None)


def test_nor_one_with_a_table_wider_than_any() -> None:
    with pytest.raises(OddPage):
        blocks_of(f"<table><tr>{'<td colspan=99>x</td>' * 50_000}</tr><tr><td>y</td></tr></table>", None)


def test_headings_leave_no_level_out() -> None:
    blocks = (Heading(3, "a"), Heading(5, "b"), paragraph("x"), Heading(2, "c"), Heading(6, "d"))
    assert [block.level for block in levelled(blocks, 1) if isinstance(block, Heading)] == [2, 3, 2, 3]
