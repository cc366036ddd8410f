"""What pbmd promises, each promise a check of the auditor."""
