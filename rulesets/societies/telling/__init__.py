"""What views are made of: the map, and the news in sentences."""
