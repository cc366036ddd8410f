"""How large an archive may be that is read: it may be anybody's, made to keep whoever checks it busy, or out of memory."""

LARGEST_TEXT = 64 << 20
"""Bytes of a file that is read into memory, and of a line of the journal; an entry of a rollback holds a position."""
LARGEST_ARCHIVE = 64 << 30
"""Bytes of all files together: letters and the database may be larger than `LARGEST_TEXT`, since they are only counted into the
checksums, which takes minutes for so much. A game of 200 turns, 12 players and 20,000 letters has less than a hundredth."""
LARGEST_PACKED = 2 << 30
"""Bytes that a packed archive may have when it is unpacked, for which there must be room aside."""
MOST_FILES = 100_000
DEEPEST = 16
"""Folders in folders; an archive has five."""
