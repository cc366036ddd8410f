"""The daemon: threads that read, send and show, and the desk between them; or one pass for cron.

`pbmd run` has these threads, which meet only in the ledger (`threads`):

main      the desk: a heartbeat each second, by a clock that nobody can set, or at once when letters came: letters, what is due,
          the log file
inbox     waits in IDLE or polls, reads, stores
outbox    sends what is due, helped by one that records what was sent, and one for each further connection
pages     every other second, or more seldom if it takes long: writes the pages of the games that new lines of the log are about
backups   once a minute: whether the daily backup, or the daily check of the whole ledger, is due
parts     if several share a ledger: makes sure that the parts of this one are still its own
presence  if several share a ledger: reports that this host is there
news      if the settings want news posted: every five seconds, whether there are any

A lock on ``pbmd.lock`` keeps a second daemon out. The game master's commands are short transactions and work at the same time.
"""
