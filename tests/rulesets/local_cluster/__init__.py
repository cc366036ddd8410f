"""Tests of Local Cluster."""
