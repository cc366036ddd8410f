"""Texts as they may come by mail, hostile or just odd."""

ODD = (
    *("", " ", "#", "## Add", "[b]", "[/b]", "[b][/b]", "-", "--", ".", ",", ",,,,", ";", ":", "=", "&", "@", "(((((", "["),
    *("*", "+", "?", "|", "$", "^", "\\", "'", '"', "`", "{0}", "{", "%s", "%", "{{ 7 * 7 }}", "<b>", "</pre>", "../../etc"),
    # Numbers that `str.isdigit`, `\d` and `int` do not agree about, or that are too long for `int`.
    *("0", "-1", "-0", "007", "1e9", "1.5", "0x1F", "²", "٣", "½", "Ⅷ", "99999999999999999999", str(2**70), "9" * 5000),
    # Letters whose upper case or normal form has another length, and invisible ones.
    *("İ", "ß", "ﬁ", "e\u0301" * 50, "\x00", "\t", "\x85", "\u2028", "\u200b", "\u202e", "\u00a0", "日本", "🚀"),
    *("None", "null", "true", "all", "each", "any", "me", "nobody", "to to to", "with", "and", "1 1 1", "1,2,3", "1-2", "A1"),
    *("a" * 3000, "a " * 1500, "a," * 1500, "(" * 1500),
)
"""Texts that may be anywhere in a line."""
NAMES = (
    *("<i>Eve</i>", "O'Brien & Sons", "{{ 7 }}", "%s %d", '"Q"', "x\\y", "Zoë-Ünal", "Ελλάς", "日本", "1", "True", "a" * 60),
    *("Add 3", "Straße", "İzmir", "[b]Bo[/b]", "# Hash", "name: x", "New  York", "A<b>c"),
)
"""Names that pbmd lets somebody have, if the rules do."""
