"""pbmd: a daemon that runs play-by-mail games."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("pbmd")
except PackageNotFoundError:  # a bare source tree that was never installed
    __version__ = "0+source"
