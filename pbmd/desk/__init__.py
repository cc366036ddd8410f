"""What is done: letters become commands, deadlines pass, steps are resolved, mails are queued."""
