"""What the holder of a seat may say."""
