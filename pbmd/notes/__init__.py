"""Signed notes, checkpoints and cosignatures as transparency logs use them (C2SP); nothing here knows about games."""
