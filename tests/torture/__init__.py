"""Torture: everything that can fail does, while mail pours in and turns resolve; then an auditor compares the books."""
