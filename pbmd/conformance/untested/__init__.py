"""Which rules the author's own tests and stories do not test: the code is changed in one small place after the other, and what
nobody notices is told."""
