"""The last page: what the book was made from, and how to check it if you doubt it."""

from pbmd import __version__
from pbmd.book.clean_text import clean
from pbmd.book.elements import Block, Chapter, Heading, Paragraph, Run, Verbatim, paragraph
from pbmd.book.from_archive import Story
from pbmd.rules.words import counted

_VIEWS = {
    "all": "It has all of the game, and so its orders. Press that was not to all is not in the book.",
    "public": "It has what everybody may know, and so no orders.",
}
_OF_SEAT = "It has what the holder of one seat may know, and so no orders of others."
_FONTS = (
    "The printed book is set in Libertinus Serif (SIL Open Font License 1.1), lines of orders and numbers of the journal in "
    "DejaVu Sans Mono (licence of Bitstream Vera), maps and charts in Open Sans (Apache License 2.0), by Typst."
)
_RIGHTS = (
    "What players wrote is theirs; the rules are those of whoever wrote them. pbmd is free software under the MIT licence, "
    "which says nothing of the books that it makes."
)


def _taken_back(count: int) -> str:
    are = "was taken back and is" if count == 1 else "were taken back and are"
    return f"{counted(count, 'resolved step')} {are} not told."


def colophon(story: Story) -> Chapter:
    """How the book came about."""
    game = story.game
    view = str(game["view"])
    archive = f"{clean(str(game['name']))}.zip"
    taken_out = " Who the players are, and what they wrote, was taken out." if game.get("anonymised") else ""
    made = (
        f"Made by pbmd {__version__} of an archive that pbmd {clean(str(game.get('pbmd', '')))} wrote. "
        f"{_VIEWS.get(view, _OF_SEAT)}{taken_out}"
    )
    back = f" {_taken_back(story.taken_back)}" if story.taken_back else ""
    blocks: list[Block] = [paragraph(made), Heading(2, "How to check it")]
    if story.head:
        blocks += [
            Paragraph(
                (
                    Run(f"The journal of the game has {story.entries:,} entries, each bound to the one before it.{back} "),
                    Run("Its head, the hash of the last one, is"),
                )
            ),
            Verbatim(story.head),
            Paragraph(
                (
                    Run("The mails that players got name heads of the same journal. With the archive, "),
                    Run(f"pbmd verify {archive}", "code"),
                    Run(" plays the whole game again and says whether it comes out the same to the byte; "),
                    Run("pbmd receipt", "code"),
                    Run(" holds a mail against it; without pbmd, "),
                    Run("python3 verify.py", "code"),
                    Run(" in the unpacked archive checks the chain and the dice."),
                )
            ),
        ]
    else:
        blocks.append(
            paragraph(
                f"The head of the journal is not shown, since names were taken out of the game.{back} Ask its game master."
            )
        )
    if key := game["journal"].get("key"):
        blocks += [paragraph("The host has signed the journal with the key"), Verbatim(clean(str(key)).replace("+", "\n+", 2))]
    blocks += [Heading(2, "Type and rights"), paragraph(_FONTS), paragraph(_RIGHTS)]
    return Chapter("colophon", "Colophon", tuple(blocks))
