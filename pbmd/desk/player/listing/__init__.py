"""Who agrees to be listed with the results of their games, and under which name."""
