"""What the check on arrival is made of: reading lines, a sheet in the making, examples."""
