"""pbmd: a daemon that runs play-by-mail games."""

__version__ = "0.1.0"
