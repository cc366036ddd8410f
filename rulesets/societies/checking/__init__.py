"""The parts of the check on arrival: reading, the rules of each kind of order, the forecast, and valid examples."""
