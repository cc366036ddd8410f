"""Starship Squadrons: two sides fight over star systems on hex boards, under the fog of "?" counters."""
