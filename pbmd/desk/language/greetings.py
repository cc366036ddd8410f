"""Greetings above orders, and thanks and a name below them: nobody meant them as orders."""

import re
from collections.abc import Callable, Sequence

from pbmd.rules.protocol import Line

GREETING = "a greeting or a name"
_REST = r"(?:[ ,][^\d:;=/]{0,40})?[ ,.!:)]*"
_HELLO = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day)|moin|hallo|guten (?:tag|morgen|abend)|liebe[rs]?"
    rf"|bonjour|salut|hola|ciao){_REST}",
    re.IGNORECASE,
)
_BYE = re.compile(
    r"(?:(?:many |best |kind |warm |with |kindest )*(?:thanks|thank you|thx|regards|wishes|greetings)|best|cheers|sincerely"
    r"|yours|bye|see you|take care|have fun|good luck|(?:viele |liebe |beste |mit )*(?:freundlichen )?(?:grüße|gruß|grüßen)|mfg"
    rf"|lg|vg|danke|merci|gracias){_REST}",
    re.IGNORECASE,
)
_MARKS = str.maketrans("", "", ".'’-,")
_MOST = 3
"""Lines of a greeting, and of what stands at the end; and words of a name."""
_LONGEST = 60


def without_greetings(lines: Sequence[Line], is_order: Callable[[Line], bool]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines without greetings at their beginning and end, and these. What `is_order` says of stays."""
    begin = 0
    while begin < min(len(lines), _MOST) and _says(_HELLO, lines[begin], is_order):
        begin += 1
    end = len(lines)
    byes = [place for place in range(max(begin, len(lines) - _MOST), len(lines)) if _says(_BYE, lines[place], is_order)]
    if byes and all(_is_name(line, is_order) for line in lines[byes[0] + 1 :] if not _BYE.fullmatch(line.text.strip())):
        end = byes[0]
    return tuple(lines[begin:end]), (*lines[:begin], *lines[end:])


def _says(pattern: re.Pattern[str], line: Line, is_order: Callable[[Line], bool]) -> bool:
    words = line.text.strip()
    return len(words) <= _LONGEST and pattern.fullmatch(words) is not None and not is_order(line)


def _is_name(line: Line, is_order: Callable[[Line], bool]) -> bool:
    words = line.text.strip("-–—~*. \t").split()
    letters = "".join(words).translate(_MARKS)
    looks = 0 < len(words) <= _MOST and letters.isalpha() and words[0][:1].isupper()
    return looks and len(line.text) <= _LONGEST and not is_order(line)
