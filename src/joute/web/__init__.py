"""The web application: games to play, to watch and to replay, and contests, in a browser."""
