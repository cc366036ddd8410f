"""Which of a mail's lines its writer has written for this mail, and which of them are commands; knows text and nothing else."""
