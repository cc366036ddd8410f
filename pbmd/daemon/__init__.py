"""The daemon: threads that read, send and show, and the desk between them; or one pass for cron.

`pbmd run` has these threads, which meet only in the ledger (`threads`):

main      the desk: letters, what is due, the log file; at once when letters came, within a second when something is due or
          anybody has written to the ledger, and once a minute anyhow, by a clock that nobody can set
inbox     waits in IDLE or polls, reads, stores
outbox    sends what is due, helped by one that records what was sent, and one for each further connection
pages     after changes, every other second at most: writes the pages of the games that new lines of the log are about
backups   once a minute: whether the daily backup, or the daily check of the whole ledger, is due
parts     if several share a ledger: makes sure that the parts of this one are still its own
presence  if several share a ledger: reports that this host is there
news      if the settings want news posted: when something has changed, every five seconds at most

A lock on ``pbmd.lock`` keeps a second daemon out. The game master's commands are short transactions and work at the same time.
"""
