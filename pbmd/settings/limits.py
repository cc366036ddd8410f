"""The table `[limits]`."""

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Limits(SettingsTable):
    """What pbmd puts up with."""

    letter_kilobytes: int = Field(1000, ge=16, le=1_000_000, description="larger letters are refused with an answer")
    confirmations_per_day: int = Field(
        3, ge=0, description="most mails in 24 hours that ask a seat to confirm a mail in its name"
    )
    confirmation_days: int = Field(7, ge=1, le=3650, description="how long such a question can be answered")
    answers_per_hour: int = Field(10, ge=1, description="most answers to one address in an hour")
    answers_per_day: int = Field(30, ge=1, description="most answers to one address in 24 hours")
    gm_answers_per_hour: int = Field(
        100, ge=1, description="most answers in an hour to your own mail about games, where a token proves it"
    )
    gm_answers_per_day: int = Field(300, ge=1, description="the same in 24 hours")
    strangers_per_hour: int = Field(
        40, ge=0, description="most mails in an hour to people who hold no seat (hints, refused sign-ups), all together"
    )
    strangers_per_domain: int = Field(20, ge=0, description="the same to addresses of one domain")
    press_per_hour: int = Field(
        60, ge=0, description="most mails of press that a seat may cause in an hour, each reader counted"
    )
    press_per_day: int = Field(200, ge=0, description="the same in 24 hours")
    previews_per_hour: int = Field(6, ge=0, description="most answers to PREVIEW that a seat gets in an hour; 0: none")
    series_openings_per_hour: int = Field(
        3, ge=1, description="of games that open themselves one after the other, so many take sign-ups within an hour at most"
    )
    series_openings_per_day: int = Field(10, ge=1, description="the same in 24 hours")
    series_games_per_address: int = Field(
        3, ge=1, description="in so many of these games at once an address may play that joins by mail"
    )
    mails_per_letter: int = Field(50, ge=1, description="most mails to others that one letter may cause, besides reports")
    mails_per_minute: int = Field(
        1000, ge=1, description="when more mails have gone out in a minute, sending pauses and you are told"
    )
