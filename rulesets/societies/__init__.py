"""Societies."""
