"""How large an archive may be to be read: it may be anybody's, made to keep its reader busy, or to use up the memory."""

LARGEST_TEXT = 64 << 20
"""In bytes, for a file that is read into memory, and for a line of the journal; the entry of a rollback holds a position."""
LARGEST_ARCHIVE = 64 << 30
"""In bytes, for all files together: letters and the database may be larger than `LARGEST_TEXT`, since they only go into the
checksums, which takes minutes for this much. A game of 200 turns, 12 players and 20,000 letters has less than a hundredth of
it."""
LARGEST_PACKED = 2 << 30
"""In bytes: how large a packed archive may be when it is unpacked, which needs that much free space."""
MOST_FILES = 100_000
DEEPEST = 16
"""How deep folders are nested; an archive has five levels."""
