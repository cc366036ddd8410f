"""pbmd: a daemon that runs play-by-mail games."""

__version__ = "1.1.0"
