"""What players would be told of a mail of ours by whoever checks it."""

from pbmd.archive.evidence.claims import claims_of_mail


def doubts_of(raw: bytes) -> list[str]:
    """What a mail gives cause to doubt by itself, without any books, in words: of an honest one there is nothing."""
    return [f"{each.what}: {each.words}" for each in claims_of_mail(raw).itself if each.whole and not each.holds]
