"""The schedules of contests, one file a format. An object hands out games as results come in."""
