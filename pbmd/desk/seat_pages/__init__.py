"""What the pages of seats ask of the desk, which only reads for it."""
