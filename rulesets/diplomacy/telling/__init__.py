"""What readers are told: results of orders in words, the map, and the state in the judges' notation."""
