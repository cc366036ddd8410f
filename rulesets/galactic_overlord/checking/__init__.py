"""The parts of the check on arrival: reading lines, a sheet in the making, examples."""
