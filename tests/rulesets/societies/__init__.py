"""Tests of Societies, written from its specification."""
