"""A game played again from its journal, and two compared."""
