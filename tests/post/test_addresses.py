from pbmd.post.addresses import same_address, same_mailbox


def test_capitals_make_no_other_address_and_another_character_does() -> None:
    assert same_address("Games@PBMD.test", "games@pbmd.test")
    assert not same_address("\N{KELVIN SIGN}elly@pbmd.test", "kelly@pbmd.test")
    assert not same_address("games+b.x@pbmd.test", "games@pbmd.test")


def test_what_stands_behind_a_plus_makes_no_other_mailbox() -> None:
    assert same_mailbox("Games+b.x@PBMD.test", "games@pbmd.test")
    assert not same_mailbox("games+b.x@elsewhere.test", "games@pbmd.test")
