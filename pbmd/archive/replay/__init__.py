"""A game played again from its journal, and two games compared."""
