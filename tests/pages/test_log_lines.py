"""The tables of which lines may be shown to whom."""

from pbmd.pages import feed, log_lines
from tests.docs.test_completeness import words_of


def test_every_word_in_them_is_a_word_of_the_log() -> None:
    listed = {
        *log_lines._OPEN,
        *log_lines._NAMED,
        *log_lines._SECRET_ARRIVAL,
        *log_lines._OF_SERVICE,
        *log_lines.TROUBLE,
        *log_lines.REFUSED,
    }
    assert listed - set(words_of("log", "_note")) == set()


def test_the_feed_has_no_news_but_what_all_are_told() -> None:
    assert set(feed._TITLES) <= set(log_lines._OPEN)
