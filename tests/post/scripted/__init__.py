"""Mail servers in memory that are honest but for the faults that a test gives them, as data.

What a host's server did becomes a test in minutes:

1. Find in the transcript what the server was asked and what it answered instead of an honest answer. That is a `Fault`:
   `at` is how the command begins, `says` the lines of the answer, copied as they are with `{tag}` for the command's tag (for
   SMTP just the lines), `then` what comes after them: the next command, the end of the connection, silence. `uid`, `part`,
   `after`, `times` and `seconds` say which commands, and how many or how long. What a server says of one letter and is not so
   (INTERNALDATE, RFC822.SIZE, BODY, the length of a literal) stands in `told` and `longer`; what it can do, in the
   `capabilities` of the server, and for SMTP in its `extensions`.
2. Give it a name in `faults.FAULTS`, with whose server it was. `fault("throttled", uid=3, seconds=2)` takes one from there and
   changes it.
3. Start a server with it, or give it to one that runs, for as long as a block lasts:

       with ImapServer() as server:
           server.deliver(letter(1), letter(2))
           with server.having(fault("bye at a letter", uid=2)):
               ...

   `server.heard` has all commands, `server.struck(fault)` how often it struck. A command or a search key that the server does
   not know is answered with BAD, so that a test cannot pass by accident.
"""
