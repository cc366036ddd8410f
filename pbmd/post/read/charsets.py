"""Bytes to text, whatever a mail says about its character set. Nothing here raises."""

import codecs
import re
from functools import lru_cache

_WIDER = {
    # What mailers write, and what they mean: the wider set contains the narrower one.
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "utf-8-sig": "utf-8",
}
_KNOWN = re.compile(
    r"utf-(?:7|8|16|16-le|16-be|32|32-le|32-be)|iso8859-\d+|cp(?:125\d|437|850|852|855|866|874|932|949|950)|koi8-[rtu]"
    r"|mac-\w+|gb18030|big5hkscs|hz|euc_\w+|shift_jis\w*|iso2022_\w+|ptcp154|johab"
)
_OTHER_NAMES = {"unicode-1-1-utf-7": "utf-7", "ks_c_5601": "cp949", "x-sjis": "cp932", "x-gbk": "gb18030", "cp-850": "cp850"}
_ONE_BYTE = re.compile(r"iso8859-\d+|cp125\d|koi8-\w|mac-\w+|cp4\d\d|cp8\d\d")


def decode(data: bytes, charset: str) -> str:
    """The text of `data`: as declared (widened to what mailers mean by the name), else UTF-8, else Windows-1252, else Latin-1.

    Text that is declared as a one-byte set but is valid UTF-8 is read as UTF-8: in practice that label is a lie.
    """
    if data.isascii() and not charset.lower().startswith(("utf-7", "utf-16", "utf-32", "iso-2022", "hz", "unicode-1-1")):
        return data.decode("ascii")
    codec = _codec(charset[:60])
    tries = ["utf-8", codec, "cp1252"] if codec == "utf-8" or _ONE_BYTE.fullmatch(codec) else [codec, "utf-8", "cp1252"]
    for name in tries:
        try:
            return data.decode(name)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


@lru_cache(maxsize=256)
def _codec(charset: str) -> str:
    """The Python codec for a name in a mail, UTF-8 for names that are unknown or are no character set (rot13, punycode)."""
    name = charset.strip().strip("\"'").lower()
    name = _OTHER_NAMES.get(name.removesuffix("-1987"), name)
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "utf-8"
    codec = _WIDER.get(codec, codec)
    return codec if _KNOWN.fullmatch(codec) else "utf-8"
