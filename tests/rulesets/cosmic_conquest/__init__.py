"""Galactic Overlord, proved from its specification: every rule and ruling id is cited by a test that needs it."""
