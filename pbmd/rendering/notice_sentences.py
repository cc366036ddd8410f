"""The fixed sentences of notices, in the words in which the desk writes them and in which `pbmd compare` looks for them."""

_GM = "The game master"
GM_RESUMES = "The clock goes on when the game master resumes the game."
STILL_SEND = "You can still send orders."
AS_LONG = "All deadlines have moved by as long as it was paused."
TO_THE_CALENDAR = "The deadline is the next of the game's calendar that leaves you as much time as you had before."
AS_IT_IS = (
    "Something in the records of this game could not be read, or was not what pbmd had written: the disk or somebody changed "
    "it. The game master has decided to go on with it as it is."
)
SIGN_UP_GOES_ON = "The sign-up goes on."
NEW_DEADLINE = f"{_GM} has set a new deadline for {{step}}."
NO_WAITING = f"{_GM} is ending {{step}} now, without waiting for anybody."
QUIET_DAYS = "No deadline will fall on these days: {days}."
NO_QUIET_DAYS = "Deadlines may fall on any day again."
GIVEN_TO_ONE = "It was given by {by}. The deadline of all others stays as it is."
TIME_BACK = "You get the time back."
SEEN_LETTER = f"{_GM} has seen a letter of {{seat}}."
SEEN_ORDERS = f"{_GM} has seen the orders that {{seat}} has in, if any, and its last report."
AS_BEFORE = (
    "Nothing is lost: our records keep what was played, your receipts are as good as before, and the dice are rolled with new "
    "secrets."
)
TO_ALL = f"{_GM} writes to all players:"
TAKEN_FROM_YOU = f"{_GM} has taken the seat from you. Your mails count no more, and you get no reports."
TAKEN_FROM_PLAYER = f"{_GM} has taken the seat from its player. Nobody plays it until somebody takes it over."
NO_VOTE = "You have no vote on this."
