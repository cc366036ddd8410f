"""The contents of views: the map, and the news in sentences."""
