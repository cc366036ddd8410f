"""JSON schemas, held against documents by `jsonschema`.

Where the package `rfc3987-syntax` is installed, `jsonschema` makes 38 grammars of addresses at its import, for a check of
formats that no test here asks for. That takes seconds in each process of the tests, so for this import it is not there.
"""

import sys

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
try:
    from jsonschema import Draft202012Validator, ValidationError, validate
finally:
    del sys.modules["rfc3987_syntax"]

__all__ = ["Draft202012Validator", "ValidationError", "validate"]
