"""The pages of Virus."""

from joute.web.games import Web

WEB = Web(order=1)
