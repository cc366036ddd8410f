"""Tests of Starship Squadrons, written from its specification."""
