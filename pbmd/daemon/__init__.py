"""The daemon: threads that read, send and show, and the desk between them; or one pass for cron."""
