"""What the holder of a seat may say: `serve` goes through a letter, commands have their acts here, and orders a folder."""
