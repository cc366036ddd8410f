"""The daemon: threads that read, send and show, and the desk between them; or one pass for cron.

`pbmd run` has these threads, which meet in the ledger and nowhere else (`threads`):

main      the desk: a heartbeat each second, by a clock that nobody can set, or at once when letters came: letters, what is due,
          the log file
inbox     waits in IDLE or polls, reads, stores
outbox    sends what is due, helped by one that writes down what was sent, and one for each further connection
pages     every other second, or more seldom if it takes long: writes the pages of the games that new lines of the log are about
backups   once a minute: whether the daily backup, or the daily look at the whole ledger, is due
parts     where several share a ledger: makes sure that the parts which this one has are still its own
presence  where several share a ledger: says that this host is there
news      where the settings have news posted: every five seconds, whether there are any

A lock on ``pbmd.lock`` keeps a second daemon out. The commands of the game master are short transactions of their own and work
beside it.
"""
