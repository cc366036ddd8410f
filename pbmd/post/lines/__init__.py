"""Which of a mail's lines its writer wrote for this mail, and which of them are commands; knows about text and nothing else."""
