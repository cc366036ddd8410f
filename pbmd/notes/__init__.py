"""Signed notes, checkpoints and cosignatures as transparency logs use them (C2SP); knows nothing of games."""
