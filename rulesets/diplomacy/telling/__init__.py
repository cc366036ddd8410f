"""What readers get: results of orders in words, the map, and the state in the judges' notation."""
