"""The contents of views and reports."""
