"""What the pages of seats need from the desk, which only reads for them."""
