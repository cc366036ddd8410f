"""What people without a seat may ask for."""
