"""What is due: steps that are over, time given back after outages, substitutes."""
